import type { Effort } from './effort.ts';
import type { FreeSeats } from './free-seats.ts';
import { piecesOf, strandedBy } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import { scoreOf } from './score.ts';
import { blocksNear, type MayTake, seatsOf } from './seat-blocks.ts';
import { splitGroup } from './split-group.ts';

export type GrowthWish = Readonly<{
  size: number;
  /** What the party has already. */
  beside: readonly number[];
  /** Only seats that touch the party's own. */
  strict: boolean;
  rows: number;
  may?: MayTake | undefined;
  effort?: Effort | undefined;
}>;

/**
 * More seats for a party that has some: in one piece with them, then in a block near them, then
 * split over rows. `free` counts the party's own seats as gone.
 */
export function growParty(free: FreeSeats, wish: GrowthWish): number[] | null {
  const touching = growTouching(free, wish);
  if (touching || wish.strict) return touching;
  return growNearby(free, wish) ?? growApart(free, wish);
}

/** In one piece with some of the party. */
export function growTouching(free: FreeSeats, wish: GrowthWish): number[] | null {
  return bestOf(free, windows(free, wish), wish.beside);
}

/** In one block near the party. */
export function growNearby(free: FreeSeats, { size, beside, may }: GrowthWish): number[] | null {
  const zone = free.plan.zoneOf(beside[0] ?? 0);
  const near = { spot: free.plan.centreOf(beside), most: 3 };
  for (const tidy of [true, false]) {
    const blocks = blocksNear(free, zone, { size, tidy, may }, near).map(seatsOf);
    const together = blocks.filter((seats) => !tidy || strandedBy(free, seats).length === 0);
    const best = bestOf(free, together, beside);
    if (best) return best;
  }
  return null;
}

/** Split over as many rows as the party has left. */
export function growApart(free: FreeSeats, wish: GrowthWish): number[] | null {
  const { size, beside, may, effort } = wish;
  const zone = free.plan.zoneOf(beside[0] ?? 0);
  const rows = Math.max(1, wish.rows - rowsOf(free, beside) + 1);
  return splitGroup(free, zone, { size, rows, may, beside, effort });
}

export function rowsOf({ plan }: FreeSeats, seats: readonly number[]): number {
  return new Set(seats.map((seat) => plan.rowOf(seat))).size;
}

function bestOf(
  free: FreeSeats,
  choices: Iterable<number[]>,
  beside: readonly number[],
): number[] | null {
  let best: { seats: number[]; total: number } | null = null;
  for (const seats of choices) {
    const { total } = scoreOf(free, seats, { beside });
    if (!best || total < best.total) best = { seats, total };
  }
  return best?.seats ?? null;
}

/** Every way to add the new seats to a piece of the party so that they are one piece with it. */
function* windows(free: FreeSeats, { size, beside, may }: GrowthWish): Generator<number[]> {
  const own = new Set(beside);
  const takes = (seat: number) =>
    free.standingOf(seat) === STANDING.pool && (!may || may(seat)) && !own.has(seat);
  for (const piece of piecesOf(free, beside)) {
    const run = free.plan.run(free.plan.runOf[piece[0] ?? 0] ?? 0);
    const reaches = (seat: number) => seat >= run.first && seat < run.first + run.count;
    for (let left = size; left >= 0; left--) {
      const seats = collect(piece[0] ?? 0, -1, left, { takes, own, reaches });
      if (seats.length < left) continue;
      const right = collect(piece.at(-1) ?? 0, 1, size - left, { takes, own, reaches });
      if (right.length < size - left) continue;
      yield [...seats, ...right].sort((one, other) => one - other);
    }
  }
}

type Ground = Readonly<{
  takes: (seat: number) => boolean;
  own: ReadonlySet<number>;
  reaches: (seat: number) => boolean;
}>;

/** So many seats to one side of a seat, over other seats of the party. */
function collect(from: number, side: 1 | -1, count: number, ground: Ground): number[] {
  const seats: number[] = [];
  for (let seat = from + side; seats.length < count && ground.reaches(seat); seat += side) {
    if (ground.own.has(seat)) continue;
    if (!ground.takes(seat)) break;
    seats.push(seat);
  }
  return seats;
}
