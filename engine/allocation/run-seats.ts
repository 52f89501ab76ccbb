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

/** The seats of one run, left to right. Immutable: a change makes another. */
export class RunSeats implements Summary {
  readonly standings: Uint8Array;
  readonly longest: number;
  readonly roomy: number;
  readonly exactLow: number;
  readonly exactHigh: number;
  /** Seats that are free, seats for anybody, and those of them that nobody sits beside. */
  readonly open: number;
  readonly pool: number;
  readonly orphans: number;

  constructor(standings: Uint8Array) {
    this.standings = standings;
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
      const company = start > 0 && standings[start - 1] !== STANDING.gone;
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

  isPool(place: number): boolean {
    return this.standings[place] === STANDING.pool;
  }

  isOpen(place: number): boolean {
    return (this.standings[place] ?? STANDING.gone) !== STANDING.gone;
  }

  /** How many seats a block from `start` of `size` seats would strand: its neighbours, if any. */
  strandedBy(start: number, size: number): number {
    const left = this.isPool(start - 1) && !this.isOpen(start - 2);
    const right = this.isPool(start + size) && !this.isOpen(start + size + 1);
    return (left ? 1 : 0) + (right ? 1 : 0);
  }
}
