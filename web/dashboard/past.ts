import { type PastBoard, seatBytes, stateAt, type ToldRow } from '@voelgoed/client/client';

export type PastZone = PastBoard['zones'][number];
type Moves = readonly (readonly [ordinal: number, state: number])[];
type Step = Readonly<{ seats: Moves; zones: readonly Omit<PastZone, 'name'>[] }>;

/** A stretch of a sale: the board it begins with, and each row that follows, in both directions. */
export type Part = Readonly<{
  board: PastBoard;
  /** The first is the row that led to the board. */
  rows: readonly ToldRow[];
  first: number;
  last: number;
}>;

/**
 * Rows up to the first that cannot be told by what it changes: a new layout begins with a board of
 * its own.
 */
export function partOf(board: PastBoard, rows: readonly ToldRow[]): Part {
  const own = rows.filter(({ revision }) => revision >= board.revision);
  const cut = own.findIndex(({ revision, map }) => revision > board.revision && !map);
  const kept = cut < 0 ? own : own.slice(0, cut);
  return {
    board,
    rows: kept,
    first: board.revision,
    last: kept.at(-1)?.revision ?? board.revision,
  };
}

/** A hall at one revision of a part; it goes to any other by the rows between, there and back. */
export class PastHall {
  readonly part: Part;
  readonly seats: Uint8Array;
  zones: readonly PastZone[];
  revision: number;
  /** What each step has overwritten. */
  readonly #undo: Step[] = [];

  constructor(part: Part) {
    this.part = part;
    this.seats = seatBytes(part.board.seats);
    this.zones = part.board.zones;
    this.revision = part.first;
  }

  get row(): ToldRow | null {
    return this.part.rows.find(({ revision }) => revision === this.revision) ?? null;
  }

  /** Which seats are different, and how. */
  goTo(revision: number): Moves {
    const moved = new Map<number, number>();
    while (this.revision < revision) for (const [seat, state] of this.#on()) moved.set(seat, state);
    while (this.revision > revision) {
      for (const [seat, state] of this.#back()) moved.set(seat, state);
    }
    return [...moved];
  }

  #on(): Moves {
    const row = this.part.rows.find((one) => one.revision === this.revision + 1);
    if (!row?.map) throw new RangeError(`there is no row after ${this.revision} here`);
    const step = row.map as unknown as Step;
    this.#undo.push(this.#apply(step));
    this.revision += 1;
    return step.seats;
  }

  #back(): Moves {
    const step = this.#undo.pop();
    if (!step) throw new RangeError(`there is no row before ${this.revision} here`);
    this.#apply(step);
    this.revision -= 1;
    return step.seats;
  }

  /** What undoes it comes back. */
  #apply({ seats, zones }: Step): Step {
    const before = seats.map(([ordinal]) => [ordinal, stateAt(this.seats, ordinal)] as const);
    for (const [ordinal, state] of seats) this.#set(ordinal, state);
    const changed = new Map(zones.map((zone) => [zone.zone_id, zone]));
    const old = this.zones.filter(({ zone_id }) => changed.has(zone_id));
    this.zones = this.zones.map((zone) => ({ ...zone, ...changed.get(zone.zone_id) }));
    return { seats: before.toReversed(), zones: old };
  }

  #set(ordinal: number, state: number): void {
    const shift = (ordinal & 3) * 2;
    const byte = this.seats[ordinal >> 2] ?? 0;
    this.seats[ordinal >> 2] = (byte & ~(3 << shift)) | (state << shift);
  }
}
