import type { FreeSeats } from './free-seats.ts';
import { cutOf, type RunSeats, STANDING } from './run-seats.ts';
import type { Run, SeatingPlan } from './seating-plan.ts';

export type TidyWish = Readonly<{
  size: number;
  /** In at most so many pieces. */
  pieces: number;
  /** Somebody may sit alone. Nobody of a group is asked to, to save a seat from it. */
  alone: boolean;
}>;

/**
 * Seats of a zone that strand nobody, in at most so many pieces; null: there are none. Of a block
 * of n seats one may take all, or leave at least two, or any number if a protected seat is beside
 * it; taking two pieces of one block allows nothing more. So it is a sum of a few lengths.
 */
export function tidySeats(free: FreeSeats, zone: number, wish: TidyWish): number[] | null {
  const { plan } = free;
  const sums = new Sums(wish);
  const seen = new Map<string, number>();
  const start = plan.zoneStarts[zone] ?? 0;
  for (let rank = start; rank < (plan.zoneStarts[zone + 1] ?? 0); rank++) {
    const run = plan.run(plan.ranked[rank] ?? 0);
    for (const block of blocksOf(free.atRank(rank), run, wish.size)) {
      const kind = `${block.length} ${block.loose}`;
      const times = seen.get(kind) ?? 0;
      // More blocks of one kind than pieces cannot help.
      if (times >= wish.pieces) continue;
      seen.set(kind, times + 1);
      sums.add(block);
      const found = sums.found;
      if (found) return seatsOf(plan, found);
    }
  }
  return null;
}

/** Could so many seats be taken so? Quick when one block will do, as nearly always. */
export function canSeatTidily(free: FreeSeats, zone: number, wish: TidyWish): boolean {
  const { zoneStarts } = free.plan;
  const [start, end] = [zoneStarts[zone] ?? 0, zoneStarts[zone + 1] ?? 0];
  if (wish.size > 0 && free.next(start, end, wish.size, true) >= 0) return true;
  return wish.pieces > 1 && tidySeats(free, zone, wish) !== null;
}

/** `fromEnd`: what is left over of it has its company at the beginning. */
type Block = Readonly<{
  run: Run;
  /** Places of the run; of a ring they go on behind its end. */
  start: number;
  end: number;
  length: number;
  loose: boolean;
  fromEnd: boolean;
}>;

function* blocksOf({ standings, ring }: RunSeats, run: Run, size: number): Generator<Block> {
  const count = standings.length;
  const at = (place: number) => standings[ring ? (place + count) % count : place] ?? 0;
  const cut = ring ? cutOf(count, (place) => at(place) === STANDING.pool) : 0;
  for (let start = cut; start < cut + count; start++) {
    if (at(start) !== STANDING.pool) continue;
    let end = start + 1;
    while (end < cut + count && at(end) === STANDING.pool) end++;
    // A ring that is free as a whole has no end where a seat could have company.
    const whole = ring && end - start === count;
    const fromEnd = !whole && at(start - 1) > 0;
    const loose = fromEnd || (!whole && at(end) > 0);
    // From two more than needed on, all lengths allow the same.
    const length = Math.min(end - start, size + 2);
    yield { run, start, end, length, loose, fromEnd };
    start = end;
  }
}

type Link = Readonly<{ from: number; taken: number; before: Link | null }>;

/** Which numbers of seats can be reached with so many pieces, and by which. */
class Sums {
  readonly #wish: TidyWish;
  /** By pieces used, then by seats. */
  readonly #reach: (Link | null | undefined)[][];

  constructor(wish: TidyWish) {
    this.#wish = wish;
    this.#reach = Array.from({ length: wish.pieces + 1 }, () => new Array(wish.size + 1));
    const none = this.#reach[0];
    if (none) none[0] = null;
  }

  get found(): Link | null {
    for (const sums of this.#reach) {
      const link = sums[this.#wish.size];
      if (link) return link;
    }
    return null;
  }

  add(block: Block): void {
    const { size, alone } = this.#wish;
    const { length, loose } = block;
    for (let used = this.#reach.length - 1; used >= 1; used--) {
      const sums = this.#reach[used] ?? [];
      const before = this.#reach[used - 1] ?? [];
      for (let seats = 0; seats < size; seats++) {
        const link = before[seats];
        if (link === undefined) continue;
        for (let taken = alone ? 1 : 2; taken <= length && seats + taken <= size; taken++) {
          if (!loose && taken !== length && taken > length - 2) continue;
          const place = block.fromEnd ? block.end - taken : block.start;
          const from = block.run.first + (place % block.run.count);
          sums[seats + taken] ??= { from, taken, before: link };
        }
      }
    }
  }
}

function seatsOf(plan: SeatingPlan, last: Link): number[] {
  const seats: number[] = [];
  for (let link: Link | null = last; link; link = link.before) {
    seats.push(...plan.seatsFrom(link.from, link.taken));
  }
  return seats.sort((one, other) => one - other);
}
