import type { Occupancy, OccupancyAt } from '@voelgoed/client/client';

/** How full it was at one moment. */
export type Point = Readonly<{
  at_ms: number;
  sold: number;
  held: number;
  blocked: number;
  available: number;
}>;

const MINUTE_MS = 60_000;
/** A day by the minute, and an open page besides. */
const MOST_POINTS = 20_000;

export function pointOfRow(row: OccupancyAt): Point {
  return {
    at_ms: Date.parse(row.snapshot_at),
    sold: row.sold_count,
    held: row.held_count,
    blocked: row.blocked_count,
    available: row.available_count,
  };
}

export function pointOf({ timestamp, sold, held, blocked, available }: Occupancy): Point {
  return { at_ms: Date.parse(timestamp), sold, held, blocked, available };
}

/** The curve with what was pushed just now: within a minute the newest counts. */
export function withPoint(curve: readonly Point[], point: Point): Point[] {
  const minute = Math.floor(point.at_ms / MINUTE_MS);
  const last = curve.at(-1);
  if (last && last.at_ms > point.at_ms) return [...curve];
  const isSame = last && Math.floor(last.at_ms / MINUTE_MS) === minute;
  // The minute that the server keeps stays; what comes after it moves along.
  const isLive = isSame && last.at_ms % MINUTE_MS !== 0;
  return [...(isLive ? curve.slice(0, -1) : curve), point].slice(-MOST_POINTS);
}
