import type { FreeSeats } from './free-seats.ts';
import { STANDING } from './run-seats.ts';

/**
 * Could so many seats of a zone be taken in at most so many pieces and strand nobody? Of a block of
 * n seats one may take all, or leave at least two, or any number if a protected seat is beside it;
 * taking two pieces of one block allows nothing more. So it is a sum of a few lengths.
 */
export function canSeatTidily(
  free: FreeSeats,
  zone: number,
  { size, pieces }: Readonly<{ size: number; pieces: number }>,
): boolean {
  const { plan } = free;
  const start = plan.zoneStarts[zone] ?? 0;
  const end = plan.zoneStarts[zone + 1] ?? 0;
  if (size > 0 && free.next(start, end, size, true) >= 0) return true;
  if (pieces < 2) return false;
  const sums = new Sums(size, pieces);
  const seen = new Map<string, number>();
  for (let rank = start; rank < end; rank++) {
    for (const { length, loose } of blocksOf(free.atRank(rank).standings, size)) {
      const kind = `${length} ${loose}`;
      const times = seen.get(kind) ?? 0;
      // More blocks of one kind than pieces cannot help.
      if (times >= pieces) continue;
      seen.set(kind, times + 1);
      sums.add(length, loose);
      if (sums.reached) return true;
    }
  }
  return false;
}

type Length = Readonly<{ length: number; loose: boolean }>;

function* blocksOf(standings: Uint8Array, size: number): Generator<Length> {
  for (let start = 0; start < standings.length; start++) {
    if (standings[start] !== STANDING.pool) continue;
    let end = start + 1;
    while (standings[end] === STANDING.pool) end++;
    const loose = (standings[start - 1] ?? 0) > 0 || (standings[end] ?? 0) > 0;
    // From two more than needed on, all lengths allow the same.
    yield { length: Math.min(end - start, size + 2), loose };
    start = end;
  }
}

/** Which numbers of seats can be reached with so many pieces. */
class Sums {
  readonly #size: number;
  /** By pieces used, then by seats. */
  readonly #reach: Uint8Array[];

  constructor(size: number, pieces: number) {
    this.#size = size;
    this.#reach = Array.from({ length: pieces + 1 }, () => new Uint8Array(size + 1));
    const none = this.#reach[0];
    if (none) none[0] = 1;
  }

  get reached(): boolean {
    return this.#reach.some((sums) => sums[this.#size] === 1);
  }

  add(length: number, loose: boolean): void {
    for (let used = this.#reach.length - 1; used >= 1; used--) {
      const sums = this.#reach[used];
      const before = this.#reach[used - 1];
      if (!sums || !before) continue;
      for (let seats = 0; seats < this.#size; seats++) {
        if (before[seats] !== 1) continue;
        for (let taken = 1; taken <= length && seats + taken <= this.#size; taken++) {
          if (loose || taken === length || taken <= length - 2) sums[seats + taken] = 1;
        }
      }
    }
  }
}
