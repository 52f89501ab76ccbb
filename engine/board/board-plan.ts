import { assert, isUuid } from '#kit';

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
  readonly seatCount: number;
  readonly bytes: number;

  constructor(columns: PlanColumns) {
    this.#columns = columns;
    this.seatCount = columns.zones.length;
    assert(columns.seatIds.length === this.seatCount * 16, 'every seat has an id');
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(this.seatCount, 1) * 2)));
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
    const start = ordinal * 16;
    const hex = Buffer.from(this.#columns.seatIds.buffer, this.#columns.seatIds.byteOffset);
    const text = hex.toString('hex', start, start + 16);
    const part = (from: number, to: number) => text.slice(from, to);
    return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`;
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
    const at = (index: number) => ids[start + index] ?? 0;
    const tail = (at(12) << 24) | (at(13) << 16) | (at(14) << 8) | at(15);
    return Math.imul(tail ^ at(7), 0x9e3779b1) >>> (32 - Math.log2(this.#slots.length));
  }

  #isAt(ordinal: number, id: Uint8Array): boolean {
    for (let index = 0; index < 16; index++) {
      if (this.#columns.seatIds[ordinal * 16 + index] !== id[index]) return false;
    }
    return true;
  }
}

/** In one spelling only, but for the case of its letters: a seat has not two names. */
function bytesOf(seatId: string): Uint8Array | undefined {
  return isUuid(seatId) ? Buffer.from(seatId.replaceAll('-', ''), 'hex') : undefined;
}
