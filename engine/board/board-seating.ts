import {
  type AccessibleView,
  FreeSeats,
  type SeatChange,
  type SeatingPlan,
  standingOf,
  touchedBy,
} from '#allocation';
import type { SeatingPolicy } from '#policies';
import { type BoardState, SEAT } from './board-state.ts';

/** A sold seat has an owner whom the board does not know: never the one who asks. */
const UNKNOWN_OWNER = '';

/** A board or a draft as the rules for accessible seats read it. */
export class BoardSeating implements AccessibleView {
  readonly plan: SeatingPlan;
  readonly #state: BoardState;
  readonly #released: ReadonlySet<number>;

  /** `released`: zones whose companion seats are for everybody now. */
  constructor(state: BoardState, plan: SeatingPlan, released: ReadonlySet<number>) {
    this.#state = state;
    this.plan = plan;
    this.#released = released;
  }

  get policy(): SeatingPolicy {
    return this.#state.config.policy;
  }

  isAvailable(ordinal: number): boolean {
    return this.#state.codeOf(ordinal) === SEAT.available && !this.#state.isClosing(ordinal);
  }

  holderOf(ordinal: number): string | undefined {
    const hold = this.#state.holdOfSeat(ordinal);
    if (hold) return hold.user_id;
    return this.#state.codeOf(ordinal) === SEAT.sold ? UNKNOWN_OWNER : undefined;
  }

  isReleased(zone: number): boolean {
    return this.#released.has(zone);
  }

  /** The index of everything, when a board is loaded or a zone is released. */
  index(): FreeSeats {
    return FreeSeats.of(this.plan, (ordinal) => standingOf(this, ordinal));
  }

  /** The index after some seats changed: a draft's from its board's, a board's after a row. */
  indexAfter(index: FreeSeats, changed: Iterable<number>): FreeSeats {
    const changes: SeatChange[] = [];
    for (const seat of changed) {
      for (const ordinal of touchedBy(this.plan, seat)) {
        changes.push([ordinal, standingOf(this, ordinal)]);
      }
    }
    return index.with(changes);
  }
}
