/**
 * What a seat is for allocation. `pool`: anybody may be given it. `protected`: free, but for those
 * who need it (a wheelchair space, a companion seat before its release). `gone`: held, sold,
 * blocked, or kept for the holder of a wheelchair space.
 */
export const STANDING = { gone: 0, protected: 1, pool: 2 } as const;
export type Standing = (typeof STANDING)[keyof typeof STANDING];

/** The most seats one search may be for; longer exact lengths need not be told apart. */
export const MOST_SEATS = 50;

/**
 * What can be found below a node of the index: it is the maximum, or the union, of what its parts
 * have, so a search never enters a part in vain.
 */
export type Summary = Readonly<{
  /** The longest block of pool seats. */
  longest: number;
  /** Any number of seats up to this can be taken in one block that strands nobody. */
  roomy: number;
  /** Lengths of blocks that strand nobody if they are taken whole: bit n of two words. */
  exactLow: number;
  exactHigh: number;
}>;

export function hasBlock(summary: Summary, size: number, tidy: boolean): boolean {
  if (!tidy) return summary.longest >= size;
  if (summary.roomy >= size) return true;
  const word = size < 32 ? summary.exactLow : summary.exactHigh;
  return ((word >>> (size & 31)) & 1) === 1;
}

/**
 * Where a ring is cut so that no block is cut in two: behind a seat that is not taken. 0: all are,
 * and what can be had of it is the same as of a row, wherever it is cut.
 */
export function cutOf(count: number, takes: (place: number) => boolean): number {
  for (let place = count - 1; place >= 0; place--) if (!takes(place)) return (place + 1) % count;
  return 0;
}

/** The seats of one run, left to right. Immutable: a change makes another. */
export class RunSeats implements Summary {
  readonly standings: Uint8Array;
  readonly ring: boolean;
  readonly longest: number;
  readonly roomy: number;
  readonly exactLow: number;
  readonly exactHigh: number;
  /** Seats that are free, seats for anybody, and those of them that nobody sits beside. */
  readonly open: number;
  readonly pool: number;
  readonly orphans: number;

  constructor(given: Uint8Array, ring = false) {
    this.standings = given;
    this.ring = ring;
    const cut = ring ? cutOf(given.length, (place) => given[place] === STANDING.pool) : 0;
    const standings = cut === 0 ? given : turned(given, cut);
    // What is before the first seat: of a ring the one behind which it is cut.
    const last = ring ? (standings[given.length - 1] ?? 0) : STANDING.gone;
    const before = last === STANDING.pool ? STANDING.gone : last;
    let longest = 0;
    let roomy = 0;
    let exactLow = 0;
    let exactHigh = 0;
    let open = 0;
    let pool = 0;
    let orphans = 0;
    for (let start = 0; start < standings.length; start++) {
      if (standings[start] !== STANDING.gone) open++;
      if (standings[start] !== STANDING.pool) continue;
      const company = (start > 0 ? standings[start - 1] : before) !== STANDING.gone;
      let end = start + 1;
      while (end < standings.length && standings[end] === STANDING.pool) end++;
      const length = end - start;
      const loose = company || (end < standings.length && standings[end] !== STANDING.gone);
      longest = Math.max(longest, length);
      // Beside a protected seat a single one has company, so any number may be taken there.
      roomy = Math.max(roomy, loose ? length : length - 2);
      if (length < 32) exactLow |= 1 << length;
      else if (length < 64) exactHigh |= 1 << (length - 32);
      if (length === 1 && !loose) orphans++;
      open += length - 1;
      pool += length;
      start = end - 1;
    }
    this.longest = longest;
    this.roomy = roomy;
    this.exactLow = exactLow;
    this.exactHigh = exactHigh;
    this.open = open;
    this.pool = pool;
    this.orphans = orphans;
  }

  #at(place: number): number {
    const { length } = this.standings;
    const turned = this.ring ? (place + length) % length : place;
    return this.standings[turned] ?? STANDING.gone;
  }

  isPool(place: number): boolean {
    return this.#at(place) === STANDING.pool;
  }

  isOpen(place: number): boolean {
    return this.#at(place) !== STANDING.gone;
  }

  /** How many seats a block from `start` of `size` seats would strand: its neighbours, if any. */
  strandedBy(start: number, size: number): number {
    const rest = this.standings.length - size;
    // Of a ring with one seat left both neighbours are the same one.
    if (this.ring && rest <= 1) return rest === 1 && this.isPool(start - 1) ? 1 : 0;
    const left = this.isPool(start - 1) && !this.isOpen(start - 2);
    const right = this.isPool(start + size) && !this.isOpen(start + size + 1);
    return (left ? 1 : 0) + (right ? 1 : 0);
  }
}

function turned(standings: Uint8Array, cut: number): Uint8Array {
  const all = new Uint8Array(standings.length);
  all.set(standings.subarray(cut));
  all.set(standings.subarray(0, cut), standings.length - cut);
  return all;
}
