/** What is compared first in a split group: who sits alone, then pieces, then stranded seats. */
export function rankOf(alone: number, pieces: number, orphans: number): number {
  return alone * 1_000_000 + pieces * 1_000 + orphans;
}
