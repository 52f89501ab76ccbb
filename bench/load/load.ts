/**
 * Load: a process of its own that plays many buyers over HTTP/1.1, each with a token and at most
 * one request under way, and counts answers and times. It knows paths and tokens and no server.
 * Suites aim it and let it run.
 */
export type { Aim, LoadReport, Told } from './buyers.ts';
export { LoadProcess } from './load-process.ts';
export type { PlayReport } from './play-together.ts';
export { MAIN_STEP, type Play } from './plays.ts';
