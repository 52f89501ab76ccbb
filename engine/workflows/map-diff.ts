import { availabilityOf, type Board, publicCountsOf, publicStateOf } from '#board';

type ZoneAt = Readonly<{
  zone_id: string;
  capacity: number;
  available: number;
  held: number;
  sold: number;
  blocked: number;
}>;

/** What one row has changed on the map: applied in order it gives the board after each row. */
export type MapChange = Readonly<{
  seats: readonly (readonly [ordinal: number, state: number])[];
  zones: readonly ZoneAt[];
}>;

/** Remembers what a board shows, and says what is different after each row it takes. */
export class MapDiff {
  readonly #board: Board;
  readonly #seats: Uint8Array;
  #zones: readonly ZoneAt[];

  constructor(board: Board) {
    this.#board = board;
    // As the log has it: a hold counts until a row ends it.
    this.#seats = availabilityOf(board, Number.NEGATIVE_INFINITY).seats;
    this.#zones = zonesOf(board);
  }

  /** After the board has taken a row. */
  next(): MapChange {
    const before = this.#zones;
    this.#zones = zonesOf(this.#board);
    const zones = this.#zones.filter((zone, index) => !isSame(zone, before[index]));
    return { seats: this.#board.touched.seats.flatMap((ordinal) => this.#shown(ordinal)), zones };
  }

  #shown(ordinal: number): [ordinal: number, state: number][] {
    const state = publicStateOf(this.#board, ordinal);
    const shift = (ordinal & 3) * 2;
    const byte = this.#seats[ordinal >> 2] ?? 0;
    if (((byte >> shift) & 3) === state) return [];
    this.#seats[ordinal >> 2] = (byte & ~(3 << shift)) | (state << shift);
    return [[ordinal, state]];
  }
}

/** The zones of a board with what is left in each, as the log has it. */
export function zonesOf(board: Board): ZoneAt[] {
  return board.config.zones.map(({ zone_id, capacity }, zone) => {
    const { held, sold, blocked } = publicCountsOf(board, zone);
    return { zone_id, capacity, available: capacity - held - sold - blocked, held, sold, blocked };
  });
}

function isSame(one: ZoneAt, other: ZoneAt | undefined): boolean {
  const { capacity, held, sold, blocked } = one;
  return (
    capacity === other?.capacity &&
    held === other.held &&
    sold === other.sold &&
    blocked === other.blocked
  );
}
