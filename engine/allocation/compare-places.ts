import type { FreeSeats } from './free-seats.ts';
import { sitsAsOne } from './orphans.ts';
import { scoreOf } from './score.ts';

/** Seats for a party, or for those who join it, as they are compared with others. */
export type Placed = Readonly<{
  seats: readonly number[];
  alone: number;
  breaks: number;
  /** Rows of the whole party that sits as one; of any other they are not counted. */
  rows: number;
  total: number;
}>;

export function placedOf(
  free: FreeSeats,
  seats: readonly number[],
  beside: readonly number[] = [],
): Placed {
  const { total, parts } = scoreOf(free, seats, { beside });
  const party = [...seats, ...beside];
  const rows = sitsAsOne(free, party)
    ? new Set(party.map((seat) => free.plan.rowOf(seat))).size
    : 0;
  return { seats, alone: parts.alone, breaks: parts.breaks, rows, total };
}

/**
 * Below 0: the first one is better. As by the score; but who sits as one is not parted over rows to
 * save single seats, which the score alone would do.
 */
export function comparePlaces(one: Placed, other: Placed): number {
  return (
    one.alone - other.alone ||
    one.breaks - other.breaks ||
    one.rows - other.rows ||
    one.total - other.total
  );
}
