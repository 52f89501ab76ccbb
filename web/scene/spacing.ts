import type { SeatGrid } from './seat-grid.ts';

/** Enough for a median, and the same work for a hall and a stadium. */
const SAMPLES = 400;

export type Spacing = Readonly<{
  /** From a seat to the nearest one. */
  seat: number;
  /** From a seat to the nearest one of another row. */
  row: number;
}>;

/** What the medians of distances say about a stretch of seats. */
export function spacingOf(
  grid: SeatGrid,
  seats: Readonly<{ x: Float32Array; y: Float32Array; row: Uint32Array }>,
  first: number,
  count: number,
  otherwise: number,
): Spacing {
  const step = Math.max(1, Math.floor(count / SAMPLES));
  const near: number[] = [];
  const across: number[] = [];
  for (let ordinal = first; ordinal < first + count; ordinal += step) {
    const [x, y] = [seats.x[ordinal] as number, seats.y[ordinal] as number];
    const to = (other: number) =>
      Math.hypot((seats.x[other] as number) - x, (seats.y[other] as number) - y);
    const mine = (other: number) => other >= first && other < first + count;
    const next = grid.nearest(x, y, 8 * otherwise, (other) => other !== ordinal && mine(other));
    if (next >= 0) near.push(to(next));
    const behind = grid.nearest(
      x,
      y,
      8 * otherwise,
      (other) => mine(other) && seats.row[other] !== seats.row[ordinal],
    );
    if (behind >= 0) across.push(to(behind));
  }
  const seat = middle(near) ?? otherwise;
  return { seat, row: Math.max(middle(across) ?? seat, seat) };
}

function middle(values: number[]): number | undefined {
  return values.sort((one, other) => one - other)[values.length >> 1];
}
