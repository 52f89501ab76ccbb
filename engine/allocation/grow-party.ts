import { comparePlaces, type Placed, placedOf } from './compare-places.ts';
import type { Effort } from './effort.ts';
import type { FreeSeats, SeatChange } from './free-seats.ts';
import { piecesOf, sitsAsOne } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import { blocksInRows, blocksNear, type MayTake, seatsOf } from './seat-blocks.ts';
import type { SeatingPlan } from './seating-plan.ts';
import { splitGroup } from './split-group.ts';

export type GrowthWish = Readonly<{
  size: number;
  /** What the party has already. */
  beside: readonly number[];
  /** Those of them that newcomers may sit beside; absent: all. */
  anchors?: readonly number[] | undefined;
  /** Only seats that touch the party's own. */
  strict: boolean;
  /** Is a strict party in one place with these? Absent: it need not be. */
  isOne?: ((seats: readonly number[]) => boolean) | undefined;
  /** Companion seats of its spaces, which are with a strict party wherever they are. */
  loose?: readonly number[] | undefined;
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
  if (sitsAsOne(free, wish.beside)) return growAsOne(free, wish);
  return growNearby(free, wish) ?? growApart(free, wish);
}

/** Where not all of them can touch the party: in one place more, and only else in several. */
export function growAsOne(free: FreeSeats, wish: GrowthWish): number[] | null {
  const found = [growNearby, growPartly].flatMap((way) => {
    const seats = way(free, wish);
    return seats ? [seats] : [];
  });
  const few = found.filter((seats) => isInRows(free, wish, seats));
  return (
    bestOf(free, few, wish.beside) ?? growApart(free, wish) ?? bestOf(free, found, wish.beside)
  );
}

/** Is the party with them in no more rows than a group may have? */
function isInRows(free: FreeSeats, { beside, rows }: GrowthWish, seats: readonly number[]) {
  return rowsOf(free, [...beside, ...seats]) <= rows;
}

/** In one piece with some of the party. */
export function growTouching(free: FreeSeats, wish: GrowthWish): number[] | null {
  const { isOne, beside } = wish;
  const all = windows(free, wish);
  const found = bestOf(free, isOne ? [...all].filter(isOne) : all, beside);
  return found ?? growLoosely(free, wish);
}

/** Some on companion seats that are by themselves, the others beside the party. */
function growLoosely(free: FreeSeats, wish: GrowthWish): number[] | null {
  const { size, beside, loose = [], isOne } = wish;
  for (let count = Math.min(size, loose.length); count >= 1; count--) {
    for (const taken of subsetsOf(loose, count) ?? [loose.slice(0, count)]) {
      const gone = free.with(taken.map((seat): SeatChange => [seat, STANDING.gone]));
      const party = { ...wish, beside: [...beside, ...taken], size: size - count, loose: [] };
      const fits = (seats: readonly number[]) => !isOne || isOne([...taken, ...seats]);
      const rest = count < size ? growTouching(gone, { ...party, isOne: fits }) : [];
      if (rest && fits(rest)) return [...taken, ...rest].sort((one, other) => one - other);
    }
  }
  return null;
}

/** So many ways to choose some of a few seats are tried. */
const MOST_SUBSETS = 32;

/** Every way to choose so many; null: there are more than are tried. */
export function subsetsOf(from: readonly number[], size: number): number[][] | null {
  let subsets: number[][] = [[]];
  for (let picked = 0; picked < size; picked++) {
    subsets = subsets.flatMap((subset) => {
      const rest = from.slice(from.indexOf(subset.at(-1) ?? -1) + 1);
      return rest.map((one) => [...subset, one]);
    });
    if (subsets.length > MOST_SUBSETS) return null;
  }
  return subsets;
}

/** Companion seats of a party's own spaces that it does not have yet. */
export function looseSeats(free: FreeSeats, party: readonly number[], may?: MayTake): number[] {
  const companions = party.flatMap((seat) => free.plan.companions.get(seat) ?? []);
  return companions.filter((seat) => {
    return free.standingOf(seat) === STANDING.pool && (!may || may(seat));
  });
}

/** In one block near the party. Of those who sit as one, in a row of theirs if there is one. */
function growNearby(free: FreeSeats, { size, beside, may }: GrowthWish): number[] | null {
  const zone = free.plan.zoneOf(beside[0] ?? 0);
  const near = { spot: free.plan.centreOf(beside), most: 3 };
  if (sitsAsOne(free, beside)) {
    const rows = new Set(beside.map((seat) => free.plan.rowOf(seat)));
    const blocks = blocksInRows(free, rows, { size, tidy: false, may }, near).map((one) =>
      seatsOf(free.plan, one),
    );
    const best = bestOf(free, blocks, beside);
    if (best) return best;
  }
  // Blocks that leave no seat alone come first.
  const blocks = blocksNear(free, zone, { size, tidy: false, may }, near);
  return bestOf(
    free,
    blocks.map((one) => seatsOf(free.plan, one)),
    beside,
  );
}

/** Split over as many rows as the party has left. */
function growApart(free: FreeSeats, wish: GrowthWish): number[] | null {
  const { size, beside, may, effort } = wish;
  const zone = free.plan.zoneOf(beside[0] ?? 0);
  const rows = Math.max(1, wish.rows - rowsOf(free, beside) + 1);
  const split = splitGroup(free, zone, { size, rows, may, beside, effort });
  if (!split || !sitsAsOne(free, beside)) return split;
  const ways = [split, ...inFewerRows(free, zone, wish)];
  const few = ways.filter((seats) => isInRows(free, wish, seats));
  return bestOf(free, few, beside) ?? bestOf(free, ways, beside);
}

/** The same people in the rows that the party has, and in one more. */
function* inFewerRows(free: FreeSeats, zone: number, wish: GrowthWish): Generator<number[]> {
  const { size, beside, may, effort } = wish;
  const own = new Set(beside.map((seat) => free.plan.rowOf(seat)));
  const isOwn = (seat: number) => own.has(free.plan.rowOf(seat)) && (!may || may(seat));
  const seats = splitGroup(free, zone, { size, rows: own.size, may: isOwn, beside, effort });
  if (seats) yield seats;
  const other = splitGroup(free, zone, { size, rows: 1, may, beside, effort });
  if (other) yield other;
}

export function rowsOf({ plan }: FreeSeats, seats: readonly number[]): number {
  return new Set(seats.map((seat) => plan.rowOf(seat))).size;
}

function bestOf(
  free: FreeSeats,
  choices: Iterable<number[]>,
  beside: readonly number[],
): number[] | null {
  let best: Placed | null = null;
  for (const seats of choices) {
    const placed = placedOf(free, seats, beside);
    if (!best || comparePlaces(placed, best) < 0) best = placed;
  }
  return best ? [...best.seats].sort((one, other) => one - other) : null;
}

/** So many ways to part those who come are tried: each takes a search. */
const PARTLY_TRIED = 8;

/** For those who sit as one: as many as can be beside them or in their row, the others near. */
function growPartly(free: FreeSeats, wish: GrowthWish): number[] | null {
  const rows = new Set(wish.beside.map((seat) => free.plan.rowOf(seat)));
  const near = { spot: free.plan.centreOf(wish.beside), most: 1 };
  const choices: number[][] = [];
  for (let first = wish.size - 1; first >= 1 && choices.length < PARTLY_TRIED; first--) {
    const blocks = blocksInRows(free, rows, { size: first, tidy: false, may: wish.may }, near);
    for (const seats of [
      ...windows(free, { ...wish, size: first }),
      ...blocks.map((one) => seatsOf(free.plan, one)),
    ]) {
      if (wish.effort?.isOver) return bestOf(free, choices, wish.beside);
      wish.effort?.spend(2 * free.plan.rows.length);
      const gone = free.with(seats.map((seat): SeatChange => [seat, STANDING.gone]));
      const beside = [...wish.beside, ...seats];
      const rest = growNearby(gone, { ...wish, size: wish.size - first, beside });
      if (rest) choices.push([...seats, ...rest]);
    }
  }
  return bestOf(free, choices, wish.beside);
}

/** Every way to add the new seats to a piece of the party so that they are one piece with it. */
function* windows(
  free: FreeSeats,
  { size, beside, anchors = beside, may }: GrowthWish,
): Generator<number[]> {
  const own = new Set(beside);
  const takes = (seat: number) =>
    free.standingOf(seat) === STANDING.pool && (!may || may(seat)) && !own.has(seat);
  for (const piece of piecesOf(free, anchors)) {
    const [first, last] = [piece[0] ?? 0, piece.at(-1) ?? 0];
    const ground = { plan: free.plan, takes, own };
    for (let left = size; left >= 0; left--) {
      const seats = collect(first, -1, left, ground);
      if (seats.length < left) continue;
      // Around a table one comes to the seats on the other side.
      const right = collect(last, 1, size - left, { ...ground, known: new Set(seats) });
      if (right.length < size - left) continue;
      yield [...seats, ...right];
    }
  }
}

type Ground = Readonly<{
  plan: SeatingPlan;
  takes: (seat: number) => boolean;
  own: ReadonlySet<number>;
  known?: ReadonlySet<number>;
}>;

/** So many seats to one side of a seat, over other seats of the party. */
function collect(from: number, side: 1 | -1, count: number, ground: Ground): number[] {
  const { plan, takes, own, known } = ground;
  const seats: number[] = [];
  let seat = plan.besideOf(from, side);
  for (; seats.length < count && seat >= 0 && seat !== from; seat = plan.besideOf(seat, side)) {
    if (own.has(seat)) continue;
    if (!takes(seat) || known?.has(seat)) break;
    seats.push(seat);
  }
  return seats;
}
