import { type SeatingColumns, SeatingPlan } from '#allocation';
import { assert, uuidText } from '#kit';
import { type SeatGroup, SeatGroups } from './seat-groups.ts';
import { SeatIndex } from './seat-index.ts';

/**
 * What never changes about the seats of a layout version, by ordinal, packed: shared by all events
 * of that version. 100,000 seats take a few megabytes.
 */
export type PlanColumns = SeatingColumns &
  Readonly<{
    /** 16 bytes each. */
    seatIds: Uint8Array;
    numbers: Int32Array;
    /** All labels one after the other, and where each ends. */
    labels: string;
    labelEnds: Uint32Array;
    /** Tables and family blocks; absent: none. */
    groups?: readonly SeatGroup[];
  }>;

export type RowName = Readonly<{ section: string | null; row: string }>;

export class BoardPlan {
  readonly #columns: PlanColumns;
  readonly #index: SeatIndex;
  /** The same seats as allocation sees them. */
  readonly seating: SeatingPlan;
  readonly groups: SeatGroups;
  readonly seatCount: number;
  readonly bytes: number;

  /** `index` may have been filled while the seats were read, and the seats been measured. */
  constructor(
    columns: PlanColumns,
    index = new SeatIndex(columns.seatIds),
    seating = new SeatingPlan(columns),
  ) {
    this.#columns = columns;
    this.#index = index;
    this.seatCount = columns.zones.length;
    assert(columns.seatIds.length === this.seatCount * 16, 'every seat has an id');
    index.fillTo(this.seatCount);
    this.seating = seating;
    this.groups = new SeatGroups(columns.groups ?? [], this.seatCount);
    const { seatIds, numbers, labelEnds, labels } = columns;
    const arrays = [seatIds, numbers, labelEnds];
    const packed = arrays.reduce((sum, array) => sum + array.byteLength, labels.length);
    this.bytes = packed + index.bytes + this.seating.bytes + this.groups.bytes;
  }

  /** Undefined: the layout has no such seat. */
  ordinalOf(seatId: string): number | undefined {
    return this.#index.find(seatId);
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
}
