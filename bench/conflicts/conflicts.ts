/**
 * Seats that somebody else has: refusals per second, and thousands who want one seat at the same
 * moment, over HTTP beside a route that only knows who asks and says no, and inside one process.
 * It knows servers as processes with an address. Only `run` calls it.
 */
export { conflictsSuite } from './conflicts-suite.ts';
