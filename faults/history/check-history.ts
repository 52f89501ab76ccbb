import { checkEffects } from './check-effects.ts';
import { checkOwners } from './check-owners.ts';
import { checkBoards, checkCounters, checkLog, checkTrail } from './check-state.ts';
import { checkWishes } from './check-wishes.ts';
import type { FinalState, NodeBoard } from './final-state.ts';
import type { Operation } from './operations.ts';
import type { Violation } from './violation.ts';

export type { Violation } from './violation.ts';

/** A run: what was asked and answered, and what is there in the end. */
export type History = Readonly<{
  operations: readonly Operation[];
  state: FinalState;
  /** Of nodes that are alive, after they have caught up. */
  boards: readonly NodeBoard[];
  /** Time of day minus the monotonic clock of the machine. */
  wall_offset_ms: number;
}>;

/** Everything that is wrong with a run; nothing, if all invariants hold. */
export function checkHistory(history: History): Violation[] {
  return [
    ...checkOwners(history),
    ...checkEffects(history),
    ...checkWishes(history),
    ...checkTrail(history),
    ...checkCounters(history),
    ...checkLog(history),
    ...checkBoards(history),
  ];
}
