import { checkEffects } from './check-effects.ts';
import { checkOwners } from './check-owners.ts';
import { checkPayments } from './check-sales.ts';
import { checkBoards, checkCounters, checkLog, checkTrail } from './check-state.ts';
import { checkTimes } from './check-times.ts';
import { checkWishes } from './check-wishes.ts';
import type { FinalState, NodeBoard } from './final-state.ts';
import type { Operation } from './operations.ts';
import type { Violation } from './violation.ts';
import type { WallStep } from './wall-clock.ts';

export type { Violation } from './violation.ts';

/** A run: what was asked and answered, and what is there in the end. */
export type History = Readonly<{
  operations: readonly Operation[];
  state: FinalState;
  /** Of nodes that are alive, after they have caught up. */
  boards: readonly NodeBoard[];
  /** Time of day minus the monotonic clock of the machine, in the end. */
  wall_offset_ms: number;
  /** The same from each moment on at which it changed; none: it never did. */
  wall_steps?: readonly WallStep[] | undefined;
  /** When something was broken on purpose, and whether Postgres was away meanwhile. */
  faults?: readonly Fault[];
  /** What else was seen and is wrong: on streams, in answers and logs, by measuring. */
  seen?: readonly Violation[];
}>;

export type Fault = Readonly<{ from_ms: number; to_ms: number; postgres: boolean }>;

/** Everything that is wrong with a run; nothing, if all invariants hold. */
export function checkHistory(history: History): Violation[] {
  return [
    ...checkOwners(history),
    ...checkTimes(history),
    ...checkPayments(history),
    ...(history.seen ?? []),
    ...checkEffects(history),
    ...checkWishes(history),
    ...checkTrail(history),
    ...checkCounters(history),
    ...checkLog(history),
    ...checkBoards(history),
  ];
}
