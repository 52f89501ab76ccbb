/**
 * Looking back: a board as it was, from snapshots and ten thousand commits of the log. It knows the
 * engine and nothing of HTTP. Only `run` calls it.
 */
export { replaySuite } from './replay-suite.ts';
