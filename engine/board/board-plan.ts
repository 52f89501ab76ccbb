import { assert, uuidText } from '#kit';

/**
 * What never changes about the seats of a layout version, by ordinal, packed: shared by all events
 * of that version. 100,000 seats take a few megabytes.
 */
export type PlanColumns = Readonly<{
  /** 16 bytes each. */
  seatIds: Uint8Array;
  /** The zone's place in the layout. */
  zones: Uint16Array;
  /** Seats of one run sit side by side: the next ordinal of the same run is the neighbour. */
  runs: Uint32Array;
  numbers: Int32Array;
  /** Into `rowNames`. */
  rows: Uint32Array;
  rowNames: readonly RowName[];
  /** All labels one after the other, and where each ends. */
  labels: string;
  labelEnds: Uint32Array;
}>;

export type RowName = Readonly<{ section: string | null; row: string }>;

export class BoardPlan {
  readonly #columns: PlanColumns;
  /** Open addressing: ordinal + 1 at the slot of the id, 0 where nothing is. */
  readonly #slots: Int32Array;
  /** So many bits of a hash are not needed to name a slot. */
  readonly #shift: number;
  readonly seatCount: number;
  readonly bytes: number;

  constructor(columns: PlanColumns) {
    this.#columns = columns;
    this.seatCount = columns.zones.length;
    assert(columns.seatIds.length === this.seatCount * 16, 'every seat has an id');
    const bits = Math.ceil(Math.log2(Math.max(this.seatCount, 1) * 2));
    this.#slots = new Int32Array(2 ** bits);
    this.#shift = 32 - bits;
    for (let ordinal = 0; ordinal < this.seatCount; ordinal++) this.#place(ordinal);
    const { seatIds, zones, runs, numbers, rows, labelEnds, labels } = columns;
    const arrays = [seatIds, zones, runs, numbers, rows, labelEnds, this.#slots];
    this.bytes = arrays.reduce((sum, array) => sum + array.byteLength, labels.length);
  }

  /** Undefined: the layout has no such seat. */
  ordinalOf(seatId: string): number | undefined {
    const id = bytesOf(seatId);
    if (id === undefined) return undefined;
    for (let slot = this.#slotOf(id, 0); ; slot = (slot + 1) & (this.#slots.length - 1)) {
      const ordinal = (this.#slots[slot] ?? 0) - 1;
      if (ordinal < 0) return undefined;
      if (this.#isAt(ordinal, id)) return ordinal;
    }
  }

  seatIdOf(ordinal: number): string {
    return uuidText(this.#columns.seatIds, ordinal * 16);
  }

  zoneOf(ordinal: number): number {
    return this.#columns.zones[ordinal] ?? 0;
  }

  runOf(ordinal: number): number {
    return this.#columns.runs[ordinal] ?? 0;
  }

  numberOf(ordinal: number): number {
    return this.#columns.numbers[ordinal] ?? 0;
  }

  rowOf(ordinal: number): RowName {
    const name = this.#columns.rowNames[this.#columns.rows[ordinal] ?? 0];
    assert(name, 'every seat is in a row');
    return name;
  }

  labelOf(ordinal: number): string {
    const { labels, labelEnds } = this.#columns;
    return labels.slice(ordinal === 0 ? 0 : labelEnds[ordinal - 1], labelEnds[ordinal]);
  }

  #place(ordinal: number): void {
    let slot = this.#slotOf(this.#columns.seatIds, ordinal * 16);
    while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
    this.#slots[slot] = ordinal + 1;
  }

  /** Seat ids are random or end randomly, so their last four bytes are hash enough. */
  #slotOf(ids: Uint8Array, start: number): number {
    const upper = ((ids[start + 12] ?? 0) << 24) | ((ids[start + 13] ?? 0) << 16);
    const lower = ((ids[start + 14] ?? 0) << 8) | (ids[start + 15] ?? 0);
    return Math.imul(upper ^ lower ^ (ids[start + 7] ?? 0), 0x9e3779b1) >>> this.#shift;
  }

  #isAt(ordinal: number, id: Uint8Array): boolean {
    for (let index = 0; index < 16; index++) {
      if (this.#columns.seatIds[ordinal * 16 + index] !== id[index]) return false;
    }
    return true;
  }
}

/** The value of a hexadecimal digit by its character code; -1: none. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});
const DASH = '-'.charCodeAt(0);
/** Every look for a seat uses it anew, and none waits for anything in between. */
const looked = new Uint8Array(16);

/** In one spelling only, but for the case of its letters: a seat has not two names. */
function bytesOf(seatId: string): Uint8Array | undefined {
  if (seatId.length !== 36) return undefined;
  let digits = 0;
  for (let index = 0; index < 36; index++) {
    const code = seatId.charCodeAt(index);
    if (index === 8 || index === 13 || index === 18 || index === 23) {
      if (code !== DASH) return undefined;
      continue;
    }
    const digit = DIGITS[code] ?? -1;
    if (digit < 0) return undefined;
    const before = digits % 2 === 0 ? 0 : (looked[digits >> 1] ?? 0);
    looked[digits >> 1] = (before << 4) | digit;
    digits++;
  }
  return looked;
}
