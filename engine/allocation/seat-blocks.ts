import type { Effort } from './effort.ts';
import type { FreeSeats } from './free-seats.ts';
import { STANDING } from './run-seats.ts';
import { distanceBetween, type SeatingPlan, type Spot } from './seating-plan.ts';

/** Neighbouring seats that can be had, what taking them strands and what they cost together. */
export type Block = Readonly<{ first: number; size: number; orphans: number; cost: number }>;

/** Which seats may be given at all: a filter by category, or what other offers have already. */
export type MayTake = (ordinal: number) => boolean;

export type BlockWish = Readonly<{
  size: number;
  /** Only blocks that strand nobody. */
  tidy: boolean;
  may?: MayTake | undefined;
  effort?: Effort | undefined;
}>;

/** So many seats of a run are as quickly looked at as one row of a group. */
const SEATS_A_LOOK = 4;

export type CostOf = (ordinal: number) => number;

export function seatsOf(
  plan: SeatingPlan,
  { first, size }: Pick<Block, 'first' | 'size'>,
): number[] {
  return plan.seatsFrom(first, size);
}

/** Fewer stranded seats, then nearer, then the lower ordinal: the same on every node. */
export function isBetter(one: Block, other: Block | null): boolean {
  if (!other) return true;
  const apart = one.orphans - other.orphans || one.cost - other.cost || one.first - other.first;
  return apart < 0;
}

/** The best block of one run, compared with the best so far. */
export function betterOfRun(
  free: FreeSeats,
  run: number,
  wish: BlockWish,
  costOf: CostOf,
  best: Block | null,
): Block | null {
  let found = best;
  eachBlock(free, run, wish, costOf, (block) => {
    if (isBetter(block, found)) found = block;
  });
  return found;
}

/** Every block of a run that fulfils the wish, from left to right; of a ring once around. */
export function eachBlock(
  free: FreeSeats,
  run: number,
  { size, tidy, may }: BlockWish,
  costOf: CostOf,
  visit: (block: Block) => void,
): void {
  const { first, count, ring } = free.plan.run(run);
  const seats = free.run(run);
  const { standings } = seats;
  let length = 0;
  let cost = 0;
  const steps = ring && size < count ? count + size - 1 : count;
  for (let step = 0; step < steps; step++) {
    const place = step < count ? step : step - count;
    if (standings[place] !== STANDING.pool || (may && !may(first + place))) {
      length = 0;
      cost = 0;
      continue;
    }
    length++;
    cost += costOf(first + place);
    if (length > size) cost -= costOf(first + step - size);
    if (length < size) continue;
    const start = step - size + 1;
    const orphans = seats.strandedBy(start, size);
    if (tidy && orphans > 0) continue;
    visit({ first: first + start, size, orphans, cost });
  }
}

/** The block of a zone that is nearest to its focal point; of those that strand, the fewest. */
export function bestBlock(free: FreeSeats, zone: number, wish: BlockWish): Block | null {
  const { plan } = free;
  const costOf = focalCost(plan);
  const end = plan.zoneStarts[zone + 1] ?? 0;
  const least = wish.tidy ? 0 : 1;
  let best: Block | null = null;
  let rank = plan.zoneStarts[zone] ?? 0;
  for (;;) {
    rank = free.next(rank, end, wish.size, wish.tidy);
    if (rank < 0) return best;
    const nearest = (plan.bounds[rank] ?? 0) * wish.size;
    if (best && best.orphans <= least && nearest > best.cost) return best;
    const run = plan.ranked[rank] ?? 0;
    best = betterOfRun(free, run, wish, costOf, best);
    wish.effort?.spend(plan.run(run).count / SEATS_A_LOOK);
    rank++;
  }
}

/** Up to `most` blocks of a zone, the nearest to a spot first. */
export function blocksNear(
  free: FreeSeats,
  zone: number,
  wish: BlockWish,
  { spot, most }: Readonly<{ spot: Spot; most: number }>,
): Block[] {
  const { plan } = free;
  const costOf = costNear(plan, spot);
  const ranks = free.ranks(
    plan.zoneStarts[zone] ?? 0,
    plan.zoneStarts[zone + 1] ?? 0,
    wish.size,
    wish.tidy,
  );
  const bounds = new Float64Array(ranks.length);
  ranks.forEach((rank, index) => {
    bounds[index] = leastDistance(plan, plan.ranked[rank] ?? 0, spot);
  });
  const best: Block[] = [];
  const keep = keeper(best, most);
  for (const index of nearestFirst(bounds)) {
    const last = best[most - 1];
    if (last && last.orphans === 0 && (bounds[index] ?? 0) * wish.size > last.cost) break;
    eachBlock(free, plan.ranked[ranks[index] ?? 0] ?? 0, wish, costOf, keep);
  }
  return best;
}

/** Up to `most` blocks of some rows, those that strand fewest first, then the nearest to a spot. */
export function blocksInRows(
  free: FreeSeats,
  rows: Iterable<number>,
  wish: BlockWish,
  { spot, most }: Readonly<{ spot: Spot; most: number }>,
): Block[] {
  const costOf = costNear(free.plan, spot);
  const best: Block[] = [];
  const keep = keeper(best, most);
  for (const row of rows) {
    const { firstRun, runCount } = free.plan.row(row);
    for (let run = firstRun; run < firstRun + runCount; run++) {
      eachBlock(free, run, wish, costOf, keep);
    }
  }
  return best;
}

function keeper(best: Block[], most: number): (block: Block) => void {
  return (block) => {
    let place = best.length;
    while (place > 0 && isBetter(block, best[place - 1] as Block)) place--;
    if (place === most) return;
    best.splice(place, 0, block);
    if (best.length > most) best.pop();
  };
}

/** Mostly few runs are looked into, and finding the nearest each time is quicker than sorting. */
const FEW = 32;

/** Takes out what it has yielded. */
function* nearestFirst(left: Float64Array): Generator<number> {
  for (let count = 0; count < FEW; count++) {
    const index = leastOf(left);
    if (index < 0) return;
    yield index;
    left[index] = Number.POSITIVE_INFINITY;
  }
  const others = [...left.keys()].filter((index) => left[index] !== Number.POSITIVE_INFINITY);
  yield* others.sort((one, other) => (left[one] ?? 0) - (left[other] ?? 0) || one - other);
}

/** Where the least of the bounds is; -1: all have been looked into. */
function leastOf(bounds: Float64Array): number {
  let found = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < bounds.length; index++) {
    const bound = bounds[index] ?? 0;
    if (bound >= least) continue;
    least = bound;
    found = index;
  }
  return found;
}

export function focalCost(plan: SeatingPlan): CostOf {
  const { costs } = plan;
  return (ordinal) => costs[ordinal] ?? 0;
}

export function costNear({ columns: { x, y } }: SeatingPlan, spot: Spot): CostOf {
  return (ordinal) => Math.round(distanceBetween({ x: x[ordinal] ?? 0, y: y[ordinal] ?? 0 }, spot));
}

/** No seat of the run is nearer: the way to its middle less the way from there to an end. */
function leastDistance(plan: SeatingPlan, run: number, spot: Spot): number {
  const { first, count } = plan.run(run);
  const middle = first + (count >> 1);
  const { x, y } = plan.columns;
  const at = { x: x[middle] ?? 0, y: y[middle] ?? 0 };
  // The costs of seats are rounded, which may bring them half a hundredth nearer.
  return distanceBetween(at, spot) - (plan.reaches[run] ?? 0) - 1;
}
