import {
  type AccessibleView,
  accessibleEntries,
  companionsKeptFor,
  FreeSeats,
  type SeatChange,
  type SeatingPlan,
  STANDING,
  type Standing,
  standingOf,
  touchedBy,
} from '#allocation';
import { finish, type Steps } from '#kit';
import type { SeatingPolicy } from '#policies';
import { type BoardState, SEAT } from './board-state.ts';

/** Of most sold seats the board does not know who has them: never the one who asks. */
const UNKNOWN_OWNER = '';

/** A board or a draft as the rules for seats read it. */
export class BoardSeating implements AccessibleView {
  readonly plan: SeatingPlan;
  readonly #state: BoardState;

  constructor(state: BoardState) {
    this.#state = state;
    this.plan = state.plan.seating;
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
    // Staff may have blocked it since: it is still the seat that was bought.
    const code = this.#state.codeOf(ordinal);
    if (code !== SEAT.sold && code !== SEAT.blockedSold) return undefined;
    return this.#state.ownerOf(ordinal) ?? UNKNOWN_OWNER;
  }

  isReleased(zone: number): boolean {
    return this.#state.isReleased(zone);
  }

  /** As the index says it, without the index. */
  standingOf(ordinal: number): Standing {
    const standing = standingOf(this, ordinal);
    // Tables and family blocks are for those who may have them together: see group-rules.
    const grouped = standing === STANDING.pool && this.#state.plan.groups.has(ordinal);
    return grouped ? STANDING.protected : standing;
  }

  isOpen(ordinal: number): boolean {
    return this.standingOf(ordinal) !== 0;
  }

  /** The index of everything. */
  index(): FreeSeats {
    return finish(this.indexing());
  }

  indexing(): Steps<FreeSeats> {
    return FreeSeats.building(this.plan, (ordinal) => this.standingOf(ordinal));
  }

  /** The index after some seats changed: a draft's from its board's, a board's after a row. */
  indexAfter(index: FreeSeats, changed: Iterable<number>): FreeSeats {
    const changes: SeatChange[] = [];
    for (const seat of changed) {
      for (const ordinal of touchedBy(this.plan, seat)) {
        changes.push([ordinal, this.standingOf(ordinal)]);
      }
    }
    return index.with(changes);
  }
}

/**
 * The index over free seats of one board or draft, brought up to date when somebody reads it. What
 * changes is only remembered until then, because most wishes never need it.
 */
export class KeptIndex {
  #index: FreeSeats | null = null;
  readonly #changed = new Set<number>();
  readonly #standsOnOther: boolean;

  /** `standsOnOther`: it begins with the index below, so what changed before it was read counts. */
  constructor({ standsOnOther }: { standsOnOther: boolean }) {
    this.#standsOnOther = standsOnOther;
  }

  get isMade(): boolean {
    return this.#index !== null;
  }

  /** Made elsewhere, in steps, while nothing changed. */
  set(index: FreeSeats): void {
    this.#index = index;
  }

  touch(ordinal: number): void {
    if (this.#index || this.#standsOnOther) this.#changed.add(ordinal);
  }

  touchAll(ordinals: Iterable<number>): void {
    for (const ordinal of ordinals) this.touch(ordinal);
  }

  /** `first`: what it begins with, the index of the board below or one of everything. */
  read(state: BoardState, first: () => FreeSeats): FreeSeats {
    const known = this.#index ?? first();
    this.#index =
      this.#changed.size === 0 ? known : new BoardSeating(state).indexAfter(known, this.#changed);
    this.#changed.clear();
    return this.#index;
  }
}

/**
 * The index as somebody finds it who has these seats: companions of their spaces are theirs. Those
 * in tables and family blocks are opened with their group, see group-rules.
 */
export function freeFor(state: BoardState, user: string, held: readonly number[]): FreeSeats {
  const kept = companionsKeptFor(new BoardSeating(state), user, held).filter(
    (seat) => !state.plan.groups.has(seat),
  );
  return state.free.with(kept.map((seat): SeatChange => [seat, STANDING.pool]));
}

/** Wheelchair spaces among these seats, with their companions. */
export function wheelchairBookings(state: BoardState, seats: readonly number[]) {
  return accessibleEntries(new BoardSeating(state), seats);
}

/** Companion seats of a zone, whose standing depends on whether they are for everybody. */
export function companionsIn(plan: SeatingPlan, zone: number | null): number[] {
  return zone === null ? plan.companionSeats.flat() : [...(plan.companionSeats[zone] ?? [])];
}

/** Seats that are in one of two sets alone. */
export function* differing(one: ReadonlySet<number>, other: ReadonlySet<number>): Iterable<number> {
  if (one === other) return;
  for (const ordinal of one) if (!other.has(ordinal)) yield ordinal;
  for (const ordinal of other) if (!one.has(ordinal)) yield ordinal;
}
