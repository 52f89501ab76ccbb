import { assert, finish, type Steps } from '#kit';
import { SEAT_CATEGORIES, type SeatCategory } from '#policies';

/**
 * What never changes about the seats of a layout version and what allocation needs of it, by
 * ordinal, packed. Seats of one run have consecutive ordinals, so have the runs of a row.
 */
export type SeatingColumns = Readonly<{
  /** The zone's place in the layout. */
  zones: Uint16Array;
  /** Into `rowNames`. */
  rows: Uint32Array;
  /** Any numbers, as long as neighbouring runs differ. */
  runs: Uint32Array;
  /** Hundredths of the drawing's unit: whole numbers, so that every node adds up the same. */
  x: Int32Array;
  y: Int32Array;
  /** Place in SEAT_CATEGORIES. */
  categories: Uint8Array;
  /** On a companion seat: the ordinal of its wheelchair space; -1 on all others. */
  companionOf: Int32Array;
  /** Seats of round tables, whose first and last sit side by side; absent: there are none. */
  rings?: ReadonlySet<number>;
  rowNames: readonly RowLabel[];
  /** One per zone, in hundredths too. */
  focalPoints: readonly Spot[];
}>;

export type RowLabel = Readonly<{ section: string | null; row: string }>;
export type Spot = Readonly<{ x: number; y: number }>;

/** `count` seats from ordinal `first`. */
export type Run = Readonly<{
  first: number;
  count: number;
  row: number;
  zone: number;
  /** The last seat is beside the first. */
  ring: boolean;
}>;
export type Row = Readonly<{
  first: number;
  count: number;
  zone: number;
  /** Runs `firstRun` to `firstRun + runCount`. */
  firstRun: number;
  runCount: number;
  label: RowLabel;
  /** Rows of one section of a zone count their places from 0 in the layout's order. */
  section: number;
  place: number;
}>;

/**
 * Where all seats of a row are as far from the focal point, the middle is better. A hundredth of
 * the way to the middle never outweighs a row, and always outweighs the rounding of a drawing.
 */
const OFF_CENTRE_PART = 100;

const WHEELCHAIR = SEAT_CATEGORIES.indexOf('wheelchair');

/** Measured: a run with its ranks and bounds, a row with its label and place. */
const RUN_BYTES = 80;
const ROW_BYTES = 120;

/** The seats as allocation sees them: rows, runs, and how far each seat is from the best place. */
export class SeatingPlan {
  readonly columns: SeatingColumns;
  readonly seatCount: number;
  readonly zoneCount: number;
  readonly rows: readonly Row[];
  readonly runs: readonly Run[];
  /** The run of a seat. */
  readonly runOf: Uint32Array;
  /** Distance to the zone's focal point plus a little for sitting off centre; hundredths. */
  readonly costs: Uint32Array;
  /** Runs zone by zone, the one with the best seat first. */
  readonly ranked: Uint32Array;
  readonly rankOf: Uint32Array;
  /** Where the runs of a zone begin among the ranked; one more at the end. */
  readonly zoneStarts: Uint32Array;
  /** Where the rows of a zone begin; one more at the end. */
  readonly rowStarts: Uint32Array;
  /** The cost of the best seat, by rank: no block of this run can have a lower mean. */
  readonly bounds: Float64Array;
  /** How far the ends of a run are from its middle seat, along the seats. */
  readonly reaches: Float64Array;
  /** Companions by wheelchair space. */
  readonly companions: ReadonlyMap<number, readonly number[]>;
  /** Companion seats by zone. */
  readonly companionSeats: readonly (readonly number[])[];
  /** Zones with companion seats. */
  readonly companionZones: readonly number[];
  /** Wheelchair spaces by zone, the best first. */
  readonly spaces: readonly (readonly number[])[];

  /** What it keeps, its columns included. */
  readonly bytes: number;

  /** `measured`: by `measureSeats`, which whoever has many seats does step by step. */
  constructor(columns: SeatingColumns, measured: Measured = finish(measureSeats(columns))) {
    this.columns = columns;
    this.seatCount = columns.zones.length;
    this.zoneCount = columns.focalPoints.length;
    assert(this.seatCount === columns.x.length, 'every seat has a place');
    const { runs, runOf } = measured;
    this.runs = runs;
    this.runOf = runOf;
    this.rows = measured.rows;
    this.costs = measured.costs;
    this.bounds = measured.bounds;
    this.ranked = measured.ranked;
    this.rankOf = new Uint32Array(runs.length);
    this.ranked.forEach((run, rank) => {
      this.rankOf[run] = rank;
    });
    this.zoneStarts = startsOf(runs, this.zoneCount);
    this.rowStarts = startsOf(this.rows, this.zoneCount);
    this.reaches = measured.reaches;
    this.companions = companionsOf(columns.companionOf);
    this.companionSeats = this.#byZone((seat) => this.spaceOf(seat) !== undefined);
    this.companionZones = [...this.companionSeats.keys()].filter(
      (zone) => this.companionSeats[zone]?.length,
    );
    this.spaces = this.#spacesByZone();
    const { zones, rows, runs: names, x, y, categories, companionOf } = columns;
    const arrays = [zones, rows, names, x, y, categories, companionOf, runOf, this.costs];
    const packed = arrays.reduce((sum, array) => sum + array.byteLength, 0);
    this.bytes = packed + runs.length * RUN_BYTES + this.rows.length * ROW_BYTES;
  }

  run(run: number): Run {
    const found = this.runs[run];
    assert(found, 'there is such a run');
    return found;
  }

  row(row: number): Row {
    const found = this.rows[row];
    assert(found, 'there is such a row');
    return found;
  }

  rowOf(ordinal: number): number {
    return this.columns.rows[ordinal] ?? 0;
  }

  zoneOf(ordinal: number): number {
    return this.columns.zones[ordinal] ?? 0;
  }

  costOf(ordinal: number): number {
    return this.costs[ordinal] ?? 0;
  }

  categoryOf(ordinal: number): SeatCategory {
    return SEAT_CATEGORIES[this.columns.categories[ordinal] ?? 0] ?? 'standard';
  }

  /** A companion that belongs to no wheelchair space is an ordinary seat. */
  spaceOf(ordinal: number): number | undefined {
    const space = this.columns.companionOf[ordinal] ?? -1;
    return space < 0 ? undefined : space;
  }

  isSpace(ordinal: number): boolean {
    return this.columns.categories[ordinal] === WHEELCHAIR;
  }

  get hasRings(): boolean {
    return (this.columns.rings?.size ?? 0) > 0;
  }

  areNeighbours(one: number, other: number): boolean {
    if (this.runOf[one] !== this.runOf[other]) return false;
    const apart = Math.abs(one - other);
    if (apart === 1 || !this.hasRings) return apart === 1;
    const { count, ring } = this.run(this.runOf[one] ?? 0);
    return ring && apart === count - 1;
  }

  /** The seat to the right (1) or to the left (-1); -1: the run ends there. */
  besideOf(ordinal: number, side: 1 | -1): number {
    const { first, count, ring } = this.run(this.runOf[ordinal] ?? 0);
    const beside = ordinal + side;
    if (beside >= first && beside < first + count) return beside;
    return ring ? beside - side * count : -1;
  }

  /** So many seats from one on to the right, by ordinal. */
  seatsFrom(start: number, size: number): number[] {
    const seats = Array.from({ length: size }, (_, place) => start + place);
    if (!this.hasRings) return seats;
    const { first, count } = this.run(this.runOf[start] ?? 0);
    if (start + size <= first + count) return seats;
    const turned = seats.map((seat) => (seat < first + count ? seat : seat - count));
    return turned.sort((one, other) => one - other);
  }

  centreOf(ordinals: readonly number[]): Spot {
    const { x, y } = this.columns;
    const sum = { x: 0, y: 0 };
    for (const ordinal of ordinals) {
      sum.x += x[ordinal] ?? 0;
      sum.y += y[ordinal] ?? 0;
    }
    return { x: sum.x / ordinals.length, y: sum.y / ordinals.length };
  }

  #spacesByZone(): number[][] {
    const spaces = this.#byZone((seat) => this.isSpace(seat));
    for (const zone of spaces) {
      zone.sort((one, other) => this.costOf(one) - this.costOf(other) || one - other);
    }
    return spaces;
  }

  #byZone(counts: (seat: number) => boolean): number[][] {
    const zones = Array.from({ length: this.zoneCount }, () => [] as number[]);
    for (let seat = 0; seat < this.seatCount; seat++) {
      if (counts(seat)) zones[this.zoneOf(seat)]?.push(seat);
    }
    return zones;
  }
}

type Measured = Readonly<{
  runs: readonly Run[];
  runOf: Uint32Array;
  rows: readonly Row[];
  costs: Uint32Array;
  ranked: Uint32Array;
  bounds: Float64Array;
  reaches: Float64Array;
}>;

/** So many rows are measured at a time: a millisecond, or a few before the code is compiled. */
const ROWS_AT_ONCE = 256;

/** What takes longest about a plan: runs, rows, and how far each seat is from the best place. */
export function* measureSeats(columns: SeatingColumns): Steps<Measured> {
  const { runs, runOf } = findRuns(columns);
  yield;
  const rows = findRows(columns, runs);
  const costs = new Uint32Array(columns.x.length);
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    yield;
    addCosts(costs, columns, rows.slice(from, from + ROWS_AT_ONCE));
  }
  yield;
  const { ranked, bounds } = rankRuns(runs, costs);
  yield;
  const reaches = Float64Array.from(runs, (run) => reachOf(columns, run));
  yield;
  return { runs, runOf, rows, costs, ranked, bounds, reaches };
}

/** Runs zone by zone, the one with the best seat first, and what that seat costs. */
function rankRuns(runs: readonly Run[], costs: Uint32Array) {
  const best = new Float64Array(runs.length);
  const zones = new Uint32Array(runs.length);
  runs.forEach(({ first, count, zone }, run) => {
    let least = Number.POSITIVE_INFINITY;
    for (let seat = first; seat < first + count; seat++) least = Math.min(least, costs[seat] ?? 0);
    best[run] = least;
    zones[run] = zone;
  });
  const ranked = Uint32Array.from(runs.keys()).sort((one, other) => {
    const apart = (zones[one] ?? 0) - (zones[other] ?? 0);
    return apart || (best[one] ?? 0) - (best[other] ?? 0) || one - other;
  });
  return { ranked, bounds: Float64Array.from(ranked, (run) => best[run] ?? 0) };
}

function findRuns({ zones, rows, runs: names, rings }: SeatingColumns) {
  const runs: Run[] = [];
  const runOf = new Uint32Array(zones.length);
  for (let first = 0; first < zones.length; ) {
    let end = first + 1;
    while (end < zones.length && names[end] === names[first] && rows[end] === rows[first]) end++;
    runOf.fill(runs.length, first, end);
    const count = end - first;
    const ring = count > 2 && rings?.has(first) === true;
    runs.push({ first, count, row: rows[first] ?? 0, zone: zones[first] ?? 0, ring });
    first = end;
  }
  return { runs, runOf };
}

function findRows({ rowNames }: SeatingColumns, runs: readonly Run[]): Row[] {
  const sections = new Map<string, { number: number; rows: number }>();
  const rows: Row[] = [];
  for (let firstRun = 0; firstRun < runs.length; ) {
    const { row, zone, first } = runs[firstRun] as Run;
    let end = firstRun;
    let count = 0;
    while (runs[end]?.row === row) count += runs[end++]?.count ?? 0;
    const label = rowNames[row];
    assert(label && row === rows.length, 'rows are numbered as they are listed');
    const name = `${zone} ${label.section ?? ''}`;
    const section = sections.get(name) ?? { number: sections.size, rows: 0 };
    sections.set(name, section);
    const place = section.rows++;
    const runCount = end - firstRun;
    rows.push({ first, count, zone, firstRun, runCount, label, section: section.number, place });
    firstRun = end;
  }
  return rows;
}

/** Square roots are exact to the last bit everywhere; `Math.hypot` is not. */
export function distanceBetween(one: Spot, other: Spot): number {
  return lengthOf(one.x - other.x, one.y - other.y);
}

function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

function addCosts(
  costs: Uint32Array,
  { x, y, focalPoints }: SeatingColumns,
  rows: readonly Row[],
): void {
  for (const { first, count, zone } of rows) {
    const focal = focalPoints[zone];
    assert(focal, 'every zone has a focal point');
    let [middleX, middleY] = [0, 0];
    for (let seat = first; seat < first + count; seat++) {
      middleX += (x[seat] ?? 0) / count;
      middleY += (y[seat] ?? 0) / count;
    }
    // By numbers alone: a spot for each of 100,000 seats would keep the loop for longer.
    for (let seat = first; seat < first + count; seat++) {
      const [seatX, seatY] = [x[seat] ?? 0, y[seat] ?? 0];
      const off = lengthOf(seatX - middleX, seatY - middleY) / OFF_CENTRE_PART;
      costs[seat] = Math.round(lengthOf(seatX - focal.x, seatY - focal.y)) + Math.round(off);
    }
  }
}

function reachOf({ x, y }: SeatingColumns, { first, count }: Run): number {
  const middle = first + (count >> 1);
  let left = 0;
  let right = 0;
  for (let seat = first; seat + 1 < first + count; seat++) {
    const [here, next] = [seat, seat + 1];
    const step = lengthOf((x[here] ?? 0) - (x[next] ?? 0), (y[here] ?? 0) - (y[next] ?? 0));
    if (seat < middle) left += step;
    else right += step;
  }
  return Math.max(left, right);
}

function startsOf(parts: readonly { zone: number }[], zoneCount: number): Uint32Array {
  const starts = new Uint32Array(zoneCount + 1);
  for (const { zone } of parts) starts[zone + 1] = (starts[zone + 1] ?? 0) + 1;
  for (let zone = 0; zone < zoneCount; zone++) {
    starts[zone + 1] = (starts[zone + 1] ?? 0) + (starts[zone] ?? 0);
  }
  return starts;
}

function companionsOf(companionOf: Int32Array): Map<number, number[]> {
  const companions = new Map<number, number[]>();
  for (let seat = 0; seat < companionOf.length; seat++) {
    const space = companionOf[seat] ?? -1;
    if (space < 0) continue;
    const known = companions.get(space);
    if (known) known.push(seat);
    else companions.set(space, [seat]);
  }
  return companions;
}
