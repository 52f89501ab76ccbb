import { assert } from '#kit';
import type { Effort } from './effort.ts';
import type { FreeSeats } from './free-seats.ts';
import { type RowPlan, rowPlans, sharedRowPlans } from './row-plans.ts';
import { STANDING } from './run-seats.ts';
import { scoreOf } from './score.ts';
import { type CostOf, costNear, focalCost, type MayTake } from './seat-blocks.ts';
import { distanceBetween } from './seating-plan.ts';
import { rankOf } from './split-rank.ts';

/** Over how many rows, which seats, and in which order rows are looked at. */
export type SplitWish = Readonly<{
  size: number;
  rows: number;
  may?: MayTake | undefined;
  /** What the party has already: the others sit near it instead of near the focal point. */
  beside?: readonly number[];
  effort?: Effort | undefined;
}>;

/** Parts of a group in different rows, not yet everybody. */
type Partial = Readonly<{
  rank: number;
  cost: number;
  parts: readonly RowPlan[];
}>;

/** Rows that are looked at before asking whether the best that can be hoped for is among them. */
const PORTION = 16;
const MORE = 16;
/**
 * Nobody waits for more rows than this. Whether a group can sit in few pieces is told by the rows
 * with the longest blocks, and whether it fits at all by those with most seats, so these are looked
 * at wherever they are.
 */
const MOST_ROWS = 256;
const FULLEST = 32;
/** So many partial groups of each size are followed; few when they branch often. */
const WIDE = 16;
const NARROW = 8;
/**
 * Comparisons for one group. Ten people over two rows are compared in all rows there may be; for
 * more people or more rows, which branch more often, fewer rows and fewer partial groups do.
 */
const COMPARISONS = 24_000;
const FEWEST_ROWS = 16;
const FEWEST_KEPT = 2;
/** So many whole groups are moved closer together and compared by their score. */
const FINALISTS = 4;

/**
 * A group that finds no block: in at most `rows` rows of a zone, as few as can be alone, then in
 * few pieces, then stranding few, then near each other and near the focal point. For two rows the
 * first three are exact in zones of up to MOST_ROWS rows with a free seat; in larger zones, for
 * more rows, and for the distances, the best of many are compared.
 */
export function splitGroup(free: FreeSeats, zone: number, wish: SplitWish): number[] | null {
  if (free.zone(zone).pool < wish.size) return null;
  // Rows are sorted for a party that is somewhere already, so it is asked before.
  if (wish.beside?.length && !fits(free, zone, wish)) return null;
  const { most, keep } = scopeOf(wish);
  const ideal = idealRank(free, zone, wish.size);
  const costOf = wishedCost(free, wish);
  const shared = !wish.may && !wish.beside?.length;
  const table = new RowTable(wish.size);
  const look = (row: number) => {
    const plans = shared ? sharedRowPlans(free, row, wish.size) : rowPlans(free, row, wish, costOf);
    table.add(plans);
    // What others have made already costs nothing.
    if (!shared) wish.effort?.spend(planningOf(free.plan.row(row).count, wish.size));
  };
  let asked = PORTION;
  for (const row of rowOrder(free, zone, wish)) {
    look(row);
    if (table.rows < asked) continue;
    asked = Math.min(most, asked * MORE);
    const best = combine(table, wish, keep);
    if (best[0] && best[0].rank <= ideal) return bestOf(free, best.slice(0, FINALISTS), wish);
    if (best.length === 0 && !fits(free, zone, wish)) return null;
    if (table.rows >= most) break;
  }
  if (table.rows >= most) {
    for (const row of rowsWithBlocks(free, zone, wish.size, most)) if (!table.has(row)) look(row);
  }
  const near = combine(table, wish, keep);
  if (near.length > 0 || table.rows < most) return bestOf(free, near.slice(0, FINALISTS), wish);
  for (const { row } of fullestRows(free, zone, wish.may).slice(0, most)) {
    if (!table.has(row)) look(row);
  }
  return bestOf(free, combine(table, wish, keep).slice(0, FINALISTS), wish);
}

/** Is there room in the rows with most seats? If not, nobody need look any further. */
function fits(free: FreeSeats, zone: number, { size, rows, may, effort }: SplitWish): boolean {
  effort?.spend((free.plan.rowStarts[zone + 1] ?? 0) - (free.plan.rowStarts[zone] ?? 0));
  const fullest = fullestRows(free, zone, may).slice(0, rows);
  return fullest.reduce((sum, { seats }) => sum + seats, 0) >= size;
}

/** Planning a row takes as long as so many comparisons, measured. */
function planningOf(seats: number, size: number): number {
  return (seats * Math.min(seats, size)) / 4;
}

/** How many rows are looked at, and how many partial groups are kept of each size. */
function scopeOf({ size, rows }: SplitWish): Readonly<{ most: number; keep: number }> {
  const branches = rows > 2 ? (rows - 2) * size * (size / 2) : size / 2;
  const wanted = rows > 2 ? NARROW : WIDE;
  const affordable = Math.floor(COMPARISONS / branches / FEWEST_ROWS);
  const keep = Math.max(FEWEST_KEPT, Math.min(wanted, affordable));
  const most = Math.max(FEWEST_ROWS, Math.floor(COMPARISONS / branches / keep));
  return { most: Math.min(MOST_ROWS, most), keep };
}

function wishedCost(free: FreeSeats, { beside }: SplitWish): CostOf {
  const { plan } = free;
  return beside?.length ? costNear(plan, plan.centreOf(beside)) : focalCost(plan);
}

/** Rows of a zone with a free seat, the nearest first. */
function rowOrder(free: FreeSeats, zone: number, wish: SplitWish): Iterable<number> {
  if (!wish.beside?.length) return rowsWithSeats(free, zone);
  const { plan } = free;
  const costOf = wishedCost(free, wish);
  const middleCost = (row: number) => {
    const { first, count } = plan.row(row);
    return costOf(first + (count >> 1));
  };
  const rows = Uint32Array.from(rowsWithSeats(free, zone));
  const costs = new Map(Array.from(rows, (row) => [row, middleCost(row)]));
  wish.effort?.spend(rows.length * 4);
  return rows.sort((one, other) => (costs.get(one) ?? 0) - (costs.get(other) ?? 0) || one - other);
}

/** One after the other, because most wishes are fulfilled in the first rows. */
function* rowsWithSeats(free: FreeSeats, zone: number): Generator<number> {
  const { plan } = free;
  const known = new Set<number>();
  const end = plan.zoneStarts[zone + 1] ?? 0;
  let rank = free.next(plan.zoneStarts[zone] ?? 0, end, 1, false);
  for (; rank >= 0; rank = free.next(rank + 1, end, 1, false)) {
    const { row } = plan.run(plan.ranked[rank] ?? 0);
    if (known.has(row)) continue;
    known.add(row);
    yield row;
  }
}

/** Some rows of a zone with the longest blocks, the longest and among those the nearest first. */
function rowsWithBlocks(free: FreeSeats, zone: number, size: number, most: number): Set<number> {
  const { plan } = free;
  const end = plan.zoneStarts[zone + 1] ?? 0;
  const rows = new Set<number>();
  const enough = Math.min(FULLEST, most);
  for (let length = free.longestIn(zone, size); length > 1 && rows.size < enough; length--) {
    let rank = free.next(plan.zoneStarts[zone] ?? 0, end, length, false);
    for (; rank >= 0 && rows.size < enough; rank = free.next(rank + 1, end, length, false)) {
      rows.add(plan.run(plan.ranked[rank] ?? 0).row);
    }
  }
  return rows;
}

/** The rows of a zone with most seats that may be taken. */
function fullestRows(free: FreeSeats, zone: number, may: MayTake | undefined): Fullness[] {
  const { plan } = free;
  const rows: Fullness[] = [];
  let least = 1;
  for (let row = plan.rowStarts[zone] ?? 0; row < (plan.rowStarts[zone + 1] ?? 0); row++) {
    const seats = seatsInRow(free, row, may);
    if (seats < least) continue;
    rows.push({ row, seats });
    if (rows.length < 2 * FULLEST) continue;
    rows.sort(bySeats);
    rows.length = FULLEST;
    // What is as full as the last one comes after it, by its number.
    least = (rows[FULLEST - 1]?.seats ?? 0) + 1;
  }
  return rows.sort(bySeats).slice(0, FULLEST);
}

type Fullness = Readonly<{ row: number; seats: number }>;

function bySeats(one: Fullness, other: Fullness): number {
  return other.seats - one.seats || one.row - other.row;
}

function seatsInRow(free: FreeSeats, row: number, may: MayTake | undefined): number {
  const { first, count, firstRun, runCount } = free.plan.row(row);
  let seats = 0;
  for (let run = 0; run < runCount; run++) seats += free.run(firstRun + run).pool;
  if (!may || seats === 0) return seats;
  seats = 0;
  for (let seat = first; seat < first + count; seat++) {
    if (free.standingOf(seat) === STANDING.pool && may(seat)) seats++;
  }
  return seats;
}

/** The best rank that the longest block of the zone leaves to hope for. */
function idealRank(free: FreeSeats, zone: number, size: number): number {
  const longest = Math.max(1, free.longestIn(zone, size));
  const pieces = Math.ceil(size / longest);
  const odd = size % 2 === 1 && longest === 2 ? 1 : 0;
  const alone = longest === 1 ? size : odd;
  return rankOf(size === 1 ? 0 : alone, pieces, 0);
}

/** Whole groups, the best first: rows are added to partial groups one after the other. */
function combine(table: RowTable, wish: SplitWish, keep: number): Partial[] {
  const { size } = wish;
  let level = new Shortlist(size, keep);
  for (let seats = 1; seats <= size; seats++) {
    for (const plan of table.plansOf(seats)) level.offer(seats, plan.rank, plan.cost, [], plan);
  }
  const whole = level.of(size);
  for (let used = 1; used < wish.rows; used++) {
    const next = new Shortlist(size, keep);
    const last = used + 1 === wish.rows;
    // Of two rows the one with more people is the main one, so the other order need not be tried.
    const fewest = wish.rows === 2 ? Math.ceil(size / 2) : 1;
    for (let seats = fewest; seats < size; seats++) {
      for (const partial of level.of(seats)) {
        const looks = extend(partial, seats, table, last, next);
        wish.effort?.spend(looks);
      }
    }
    whole.push(...next.of(size));
    level = next;
  }
  return whole.sort(byRank);
}

function extend(
  partial: Partial,
  seats: number,
  table: RowTable,
  last: boolean,
  next: Shortlist,
): number {
  const [main] = partial.parts;
  assert(main, 'a partial group has a part');
  const missing = next.size - seats;
  let looks = 0;
  for (let added = last ? missing : 1; added <= missing; added++) {
    const { ranks, costs } = table.numbersOf(added);
    const worst = next.worst(seats + added);
    looks += ranks.length;
    for (let index = 0; index < ranks.length; index++) {
      const rank = partial.rank + (ranks[index] ?? 0);
      const cost = partial.cost + (costs[index] ?? 0);
      // Nearly all end here, by two numbers.
      if (rank > worst.rank || (rank === worst.rank && cost >= worst.cost)) continue;
      const plan = table.plansOf(added)[index];
      if (!plan || partial.parts.some(({ row }) => row === plan.row)) continue;
      const spread = distanceBetween(plan.centre, main.centre) * added;
      next.offer(seats + added, rank, cost + spread, partial.parts, plan);
      Object.assign(worst, next.worst(seats + added));
    }
  }
  return looks;
}

/** One of a list that has something for every number of people of the group. */
function ofSize<T>(lists: readonly T[], seats: number): T {
  const found = lists[seats];
  assert(found !== undefined, 'there are lists for up to the whole group');
  return found;
}

type Numbers = { ranks: number[]; costs: number[] };

/** Plans of the rows that were looked at, by how many people they seat. */
class RowTable {
  readonly #plans: RowPlan[][];
  readonly #numbers: Numbers[];
  readonly #known = new Set<number>();

  constructor(size: number) {
    this.#plans = Array.from({ length: size + 1 }, () => []);
    this.#numbers = Array.from({ length: size + 1 }, () => ({ ranks: [], costs: [] }));
  }

  get rows(): number {
    return this.#known.size;
  }

  has(row: number): boolean {
    return this.#known.has(row);
  }

  /** All plans of one row. */
  add(plans: readonly RowPlan[]): void {
    for (const plan of plans) {
      this.#known.add(plan.row);
      ofSize(this.#plans, plan.seats).push(plan);
      const { ranks, costs } = ofSize(this.#numbers, plan.seats);
      ranks.push(plan.rank);
      costs.push(plan.cost);
    }
  }

  plansOf(seats: number): readonly RowPlan[] {
    return ofSize(this.#plans, seats);
  }

  numbersOf(seats: number): Readonly<Numbers> {
    return ofSize(this.#numbers, seats);
  }
}

/** The best few partial groups of every size. */
class Shortlist {
  readonly size: number;
  readonly #keep: number;
  readonly #groups: Partial[][];

  constructor(size: number, keep: number) {
    this.size = size;
    this.#keep = keep;
    this.#groups = Array.from({ length: size + 1 }, () => []);
  }

  of(seats: number): Partial[] {
    return [...ofSize(this.#groups, seats)];
  }

  offer(
    seats: number,
    rank: number,
    cost: number,
    parts: readonly RowPlan[],
    added: RowPlan,
  ): void {
    const group = ofSize(this.#groups, seats);
    let place = group.length;
    while (place > 0 && isBefore(rank, cost, group[place - 1] as Partial)) place--;
    if (place === this.#keep) return;
    group.splice(place, 0, { rank, cost, parts: [...parts, added] });
    if (group.length > this.#keep) group.pop();
  }

  /** What a group of this size must be better than. */
  worst(seats: number): { rank: number; cost: number } {
    const { rank = Number.POSITIVE_INFINITY, cost = Number.POSITIVE_INFINITY } =
      ofSize(this.#groups, seats)[this.#keep - 1] ?? {};
    return { rank, cost };
  }
}

function isBefore(rank: number, cost: number, other: Partial): boolean {
  return rank < other.rank || (rank === other.rank && cost < other.cost);
}

/** What is equal stays in the order in which rows are looked at, which is the same everywhere. */
function byRank(one: Partial, other: Partial): number {
  return one.rank - other.rank || one.cost - other.cost;
}

/** The finalists by their score, with those in other rows moved towards the largest part. */
function bestOf(free: FreeSeats, finalists: readonly Partial[], wish: SplitWish): number[] | null {
  let best: { seats: number[]; total: number } | null = null;
  for (const { parts } of finalists) {
    for (const seats of [seatsOfParts(parts), movedTogether(free, parts, wish)]) {
      const { total } = scoreOf(free, seats, { beside: wish.beside ?? [] });
      if (!best || total < best.total) best = { seats, total };
    }
  }
  return best?.seats ?? null;
}

function seatsOfParts(parts: readonly RowPlan[]): number[] {
  return parts.flatMap(({ ordinals }) => ordinals).sort((one, other) => one - other);
}

function movedTogether(free: FreeSeats, parts: readonly RowPlan[], wish: SplitWish): number[] {
  const main = parts.reduce((most, part) => (part.seats > most.seats ? part : most));
  const costOf = costNear(free.plan, main.centre);
  const moved = parts.map((part) => {
    if (part === main) return part;
    const near = rowPlans(free, part.row, { ...wish, size: part.seats }, costOf)[part.seats - 1];
    return near && near.rank <= part.rank ? near : part;
  });
  return seatsOfParts(moved);
}
