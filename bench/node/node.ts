/**
 * This server as a process: a whole node as in production, started for a benchmark, that can be
 * asked what it keeps and how busy it was, and that leaves a profile when it is asked to. It knows
 * how to start one and what to ask it; what it is asked to do under load is up to the suites.
 */
export { type NodeWishes, type OwnNode, startOwnNode } from './own-node.ts';
export type { Memory, Pulse } from './pulse.ts';
export { readSeries } from './series.ts';
