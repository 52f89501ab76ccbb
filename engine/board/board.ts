/**
 * The board: the state of one event and the rules for changing it. `decide` says what a command
 * means for it, `apply` (inside `Board.advance` and `Draft.record`) what a change does to it; both
 * are pure, without I/O and without a clock of their own. It knows nothing of Postgres, Redis or
 * nodes. The registry loads boards, decides on drafts and commits; others read.
 */
export { countedOf, joinHashes } from './addresses.ts';
export {
  type Availability,
  availabilityOf,
  companionsFor,
  currentAvailability,
  isKept,
  publicCountsOf,
  publicStateOf,
} from './availability.ts';
export type {
  BoardConfig,
  BoardZone,
  EventTimes,
} from './board-config.ts';
export type { BoardContent } from './board-content.ts';
export { boardCounts } from './board-numbers.ts';
export { BoardPlan, type PlanColumns, type RowName } from './board-plan.ts';
export { wheelchairBookings } from './board-seating.ts';
export {
  type BoardState,
  type Hold,
  type HoldSource,
  SEAT,
  SEAT_WORDS,
  wordOf,
  type ZoneCounts,
} from './board-state.ts';
export {
  type Change,
  type ChangeRow,
  type ConfigChange,
  END_REASONS,
  type EndReason,
  formatOf,
  isBarrier,
  KNOWN_FORMATS,
  LOG_FORMAT,
  type ReducedChange,
} from './changes.ts';
export * from './commands.ts';
export { decide } from './decide.ts';
export { previewBest } from './decide-best.ts';
export { extensionsOf } from './decide-checkout.ts';
export { digestOfHolds } from './digest.ts';
export { Draft } from './draft.ts';
export { type HoldPlace, placeAt, placeOfHold } from './hold-place.ts';
export { endDue, hasWork, workTask } from './housekeeping.ts';
export { isPaying } from './leave-checkout.ts';
export { Board } from './live-board.ts';
export type { RefundDueChange, SaleChange, SoldTicket } from './sale-changes.ts';
export type {
  SaleCommand,
  SaleOutcome,
  TicketPlace,
  TicketRecord,
} from './sale-commands.ts';
export { screen } from './screen.ts';
export { judgeCart } from './seat-choice.ts';
export { PARTY_GROUPS, type PartyGroup, type SeatGroup } from './seat-groups.ts';
export { SeatIndex } from './seat-index.ts';
export type { BoardTask, TaskActor } from './tasks.ts';
