/**
 * History: what clients were told, compared with what the database has. This room knows operations
 * (who asked what, when, and what came back), the final state of one event, and the invariants
 * that both must satisfy together. The checks are pure; only `readFinalState` reads a database. It
 * must not know how the load was made. The hammer and the fault rig call it.
 */
export { checkHistory, type Fault, type History, type Violation } from './check-history.ts';
export type { FinalState } from './final-state.ts';
export {
  completeHistory,
  judgeRun,
  type RunHistory,
  readHistory,
} from './history-file.ts';
export {
  type Asked,
  type HistoryLine,
  HistoryReader,
  type Operation,
  type ReportedHold,
} from './operations.ts';
export { readFinalState } from './read-state.ts';
export { INVARIANTS, type Invariant, violation } from './violation.ts';
export { WallClock } from './wall-clock.ts';
