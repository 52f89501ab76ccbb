/**
 * The registry: who has a seat. It is the only room that writes the state of seats and places on
 * sale. It keeps boards in memory, one writer per event, follows what other nodes commit, and makes
 * the inventory when an event is published. Workflows wish; jobs sweep; nobody else writes.
 */
export type { ClockState } from './clock-rules.ts';
export { eventIds } from './event-ids.ts';
export { askToCompare } from './feed.sql.ts';
export { setPolicyAt } from './flush.sql.ts';
export {
  type ActivityRow,
  countActivity,
  findHeadRevision,
  pastHolds,
  revisionAt,
} from './history.sql.ts';
export {
  boardsOf,
  findHold,
  findHolds,
  type HoldRow,
  holdsByEvent,
  liveHolds,
} from './holds.sql.ts';
export { reservedSeats } from './inventory.sql.ts';
export {
  type Inventory,
  lockInventory,
  lockTaken,
  logPlan,
  openInventory,
  replaceInventory,
} from './inventory.ts';
export { timesOf } from './load-board.ts';
export type { PlanCache } from './load-plan.ts';
export { GENESIS, hashRow as hashLogRow } from './log.ts';
export {
  type MigrationReport,
  type Moves,
  type NewPlan,
  planMigration,
  type Taken,
} from './migration-rules.ts';
export type {
  Claim,
  Claimed,
  Claims,
  EventRef,
  Feed,
  Flush,
  Keeping,
  SeenHold,
  Store,
  Watch,
} from './ports.ts';
export { isFlush } from './ports.ts';
export { PostgresFeed } from './postgres-feed.ts';
export { PostgresStore } from './postgres-store.ts';
export { type LoggedRow, openSnapshot, readChanges, replayBoard } from './replay.ts';
export { SeatRegistry, type SeatRegistryOptions } from './seat-registry.ts';
export { type TallyRow, tallyBoards } from './tallies.sql.ts';
export { type Watcher, Watchers } from './watchers.ts';
export type { Answer, Wish } from './wish.ts';
