import type { Spacing } from './spacing.ts';

/** Seats of one row that sit side by side: `count` of them from ordinal `first`. */
export type Run = Readonly<{ first: number; count: number; row: number; group: number }>;

type Seats = Readonly<{
  x: Float32Array;
  y: Float32Array;
  row: Uint32Array;
  /** Zone and section: what may become one block. */
  group: Uint32Array;
}>;

/** A step this much wider than usual is an aisle. */
const AISLE = 1.8;

/** Ordinals follow zone, row and place in the row, so a run ends where any of them does. */
export function runsOf(seats: Seats, spacingOfSeat: (ordinal: number) => Spacing): Run[] {
  const runs: Run[] = [];
  const { x, y, row, group } = seats;
  let first = 0;
  for (let ordinal = 1; ordinal <= row.length; ordinal++) {
    if (ordinal < row.length && row[ordinal] === row[ordinal - 1]) {
      const dx = (x[ordinal] as number) - (x[ordinal - 1] as number);
      const dy = (y[ordinal] as number) - (y[ordinal - 1] as number);
      if (Math.hypot(dx, dy) < AISLE * spacingOfSeat(ordinal).seat) continue;
    }
    const [ofRow, ofGroup] = [row[first] as number, group[first] as number];
    runs.push({ first, count: ordinal - first, row: ofRow, group: ofGroup });
    first = ordinal;
  }
  return row.length === 0 ? [] : runs;
}
