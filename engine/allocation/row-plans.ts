import type { FreeSeats } from './free-seats.ts';
import { cutOf, type RunSeats, STANDING } from './run-seats.ts';
import { type CostOf, focalCost, type MayTake } from './seat-blocks.ts';
import type { SeatingPlan, Spot } from './seating-plan.ts';
import { rankOf } from './split-rank.ts';

/** A chain of blocks from right to left: sharing tails keeps the table small. */
type Chain = Readonly<{
  rank: number;
  cost: number;
  first: number;
  size: number;
  before: Chain | null;
}>;

/** How so many people of a group would sit in one row. Few are looked at closely, so it waits. */
export class RowPlan {
  readonly row: number;
  readonly seats: number;
  /** Who sits alone, pieces, stranded seats: lower is better. */
  readonly rank: number;
  readonly cost: number;
  readonly #plan: SeatingPlan;
  readonly #chain: Chain;
  #centre: Spot | null = null;

  constructor(plan: SeatingPlan, row: number, seats: number, chain: Chain) {
    this.#plan = plan;
    this.row = row;
    this.seats = seats;
    this.rank = chain.rank;
    this.cost = chain.cost;
    this.#chain = chain;
  }

  get ordinals(): number[] {
    const ordinals: number[] = [];
    for (let link: Chain | null = this.#chain; link; link = link.before) {
      ordinals.push(...this.#plan.seatsFrom(link.first, link.size));
    }
    return ordinals.sort((one, other) => one - other);
  }

  get centre(): Spot {
    this.#centre ??= this.#plan.centreOf(this.ordinals);
    return this.#centre;
  }
}

type Known = Readonly<{ runs: readonly RunSeats[]; size: number; plans: RowPlan[] }>;

/**
 * Plans of rows as they are, by their first run. A run never changes, another takes its place, so
 * what is here stays right until its row is different, and goes when nobody has the run any more.
 * Without it a group of ten in a stadium that is nearly sold out takes 3 ms instead of 0.5.
 */
const known = new WeakMap<RunSeats, Known>();

/** The plans of a row for anybody: made once for all who look at it while nothing changes. */
export function sharedRowPlans(free: FreeSeats, row: number, size: number): RowPlan[] {
  const { firstRun, runCount } = free.plan.row(row);
  const first = free.run(firstRun);
  const found = known.get(first);
  if (found && found.size >= size && isSame(free, firstRun, found.runs)) {
    return found.size === size ? found.plans : found.plans.slice(0, size);
  }
  const plans = rowPlans(free, row, { size }, focalCost(free.plan));
  const runs = Array.from({ length: runCount }, (_, index) => free.run(firstRun + index));
  known.set(first, { runs, size, plans });
  return plans;
}

function isSame(free: FreeSeats, firstRun: number, runs: readonly RunSeats[]): boolean {
  for (let index = 1; index < runs.length; index++) {
    if (free.run(firstRun + index) !== runs[index]) return false;
  }
  return true;
}

type Piece = Readonly<{ first: number; size: number; rank: number; cost: number }>;

/**
 * The best way to seat 1, 2, … `size` people in a row, by number less one. Two pieces of one block
 * are never better than one, so every block gives at most one piece and the pieces add up.
 */
export function rowPlans(
  free: FreeSeats,
  row: number,
  { size, may }: Readonly<{ size: number; may?: MayTake | undefined }>,
  costOf: CostOf,
): RowPlan[] {
  const table: (Chain | null)[] = new Array(size + 1).fill(null);
  const { firstRun, runCount } = free.plan.row(row);
  let reach = 0;
  for (let run = firstRun; run < firstRun + runCount; run++) {
    for (const pieces of piecesOfRun(free, run, size, may, costOf)) {
      reach = Math.min(size, reach + pieces.length);
      addPieces(table, pieces, reach);
    }
  }
  return table
    .slice(1, reach + 1)
    .flatMap((chain, index) => (chain ? new RowPlan(free.plan, row, index + 1, chain) : []));
}

/** For every block of the run: the best piece of 1, 2, … seats. */
function* piecesOfRun(
  free: FreeSeats,
  run: number,
  size: number,
  may: MayTake | undefined,
  costOf: CostOf,
): Generator<Piece[]> {
  const seats = free.run(run);
  const { first, count, ring } = free.plan.run(run);
  if (seats.pool === 0) return;
  const isTaken = (place: number) =>
    seats.standings[place] === STANDING.pool && (!may || may(first + place));
  // Of a ring places go on behind its end, from where it is cut.
  const takes = (place: number) => isTaken(place < count ? place : place - count);
  const cut = ring ? cutOf(count, isTaken) : 0;
  for (let start = cut; start < cut + count; start++) {
    if (!takes(start)) continue;
    let end = start + 1;
    while (end < cut + count && takes(end)) end++;
    const most = Math.min(size, end - start);
    const block = { first, count, start, end, whole: ring && end - start === count };
    const pieces: Piece[] = [];
    for (let length = 1; length <= most; length++) {
      pieces.push(bestPiece(seats, block, length, costOf));
    }
    yield pieces;
    start = end;
  }
}

/** Free places of a run from `start` to before `end`; `whole`: of a ring, all there are. */
type Stretch = Readonly<{
  first: number;
  count: number;
  start: number;
  end: number;
  whole: boolean;
}>;

function bestPiece(
  seats: RunSeats,
  { first, count, start, end, whole }: Stretch,
  length: number,
  costOf: CostOf,
): Piece {
  let cost = 0;
  let best: Piece | null = null;
  const costAt = (place: number) => costOf(first + (place % count));
  // A ring that is free as a whole has as many pieces as seats.
  const last = whole && length < count ? end + length - 1 : end;
  for (let place = start; place < last; place++) {
    cost += costAt(place);
    if (place - start >= length) cost -= costAt(place - length);
    if (place - start + 1 < length) continue;
    const from = (place - length + 1) % count;
    const rank = rankOf(length === 1 ? 1 : 0, 1, seats.strandedBy(from, length));
    if (best && (best.rank < rank || (best.rank === rank && best.cost <= cost))) continue;
    best = { first: first + from, size: length, rank, cost };
  }
  return best ?? { first, size: length, rank: 0, cost };
}

function addPieces(table: (Chain | null)[], pieces: readonly Piece[], reach: number): void {
  for (let total = reach; total >= 1; total--) {
    for (const piece of pieces) {
      if (piece.size > total) break;
      const before = table[total - piece.size] ?? null;
      if (piece.size < total && !before) continue;
      const rank = piece.rank + (before?.rank ?? 0);
      const cost = piece.cost + (before?.cost ?? 0);
      const known = table[total];
      if (known && (known.rank < rank || (known.rank === rank && known.cost <= cost))) continue;
      table[total] = { rank, cost, first: piece.first, size: piece.size, before };
    }
  }
}
