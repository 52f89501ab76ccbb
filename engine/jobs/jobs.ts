/**
 * Jobs: what happens without anybody asking. The sweep makes expired holds visible, the policy job
 * carries an organization's policy to its events, money for tickets of cancelled events is written
 * down as owed, pruning takes away what is out of date, and the checker looks at some events each
 * minute for anything that contradicts itself. Every
 * node runs them, at moments of its own; none of them is needed for a seat to be free, and each can
 * be done again by another node. The server starts and stops them.
 */
export { INVARIANTS, InvariantChecker } from './invariants.ts';
export { oweTickets } from './owe-tickets.ts';
export { pruneOnce } from './prune.ts';
export { type RunningJob, repeat } from './repeat.ts';
export { spreadPolicies } from './spread-policies.ts';
export { sweepOnce } from './sweep.ts';
