/**
 * Allocation: which seats a buyer should have and which choices harm others. This room knows what a
 * stranded seat is, how to find the best free seats for a wish, how a group is split when it must
 * be, how a party grows, whom companion seats are for, and the index over free seats that makes all
 * of it quick. It is pure: it reads a view that it defines itself and holds nothing; it must not
 * know boards, commands, clocks or users' rights. The board asks it inside `decide`.
 */
export {
  type AccessibleRefusal,
  type AccessibleView,
  accessibleEntries,
  companionsKeptFor,
  isCompanionKept,
  isReleasedAt,
  refuseAccessible,
  standingOf,
  touchedBy,
} from './companions.ts';
export { FreeSeats, type SeatChange } from './free-seats.ts';
export { judgeSelection } from './judge-selection.ts';
export { seatingColumns } from './layout-columns.ts';
export { legalChoices, legalOffers } from './legal-offers.ts';
export {
  type BestWish,
  bestAvailable,
  nothingLeft,
  type Offer,
  rankOffers,
  zonesFor,
} from './offers.ts';
export { partsOf, strandedBy, withoutHolds } from './orphans.ts';
export { STANDING, type Standing } from './run-seats.ts';
export type { Score } from './score.ts';
export { type SeatingCounts, seatingCounts, seatingNumbers } from './seating-numbers.ts';
export { measureSeats, type SeatingColumns, SeatingPlan } from './seating-plan.ts';
export type { SeatingView, ZoneView } from './seating-view.ts';
export { sentenceOf } from './sentence.ts';
