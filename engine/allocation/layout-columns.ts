import type { Layout } from '#layouts';
import { SEAT_CATEGORIES } from '#policies';
import type { SeatingColumns } from './seating-plan.ts';

/** A whole number of hundredths, as drawings are rounded to them. */
function hundredths(value: number): number {
  return Math.round(value * 100);
}

/** What allocation needs of a layout. A board that is loaded reads the same from its tables. */
export function seatingColumns({ seats, rows, runs, zones }: Layout): SeatingColumns {
  const zoneOfRow = rows.map(({ zone_index }) => zone_index);
  const ordinals = new Map(seats.map(({ seat_id, ordinal }) => [seat_id, ordinal]));
  return {
    zones: Uint16Array.from(seats, ({ row_index }) => zoneOfRow[row_index] ?? 0),
    rows: Uint32Array.from(seats, ({ row_index }) => row_index),
    runs: Uint32Array.from(seats, ({ run_index }) => run_index),
    x: Int32Array.from(seats, ({ x }) => hundredths(x)),
    y: Int32Array.from(seats, ({ y }) => hundredths(y)),
    categories: Uint8Array.from(seats, ({ category }) => SEAT_CATEGORIES.indexOf(category)),
    companionOf: Int32Array.from(seats, ({ companion_of_seat_id: space }) =>
      space === null ? -1 : (ordinals.get(space) ?? -1),
    ),
    rings: new Set(
      seats.flatMap(({ ordinal, run_index }) => (runs[run_index]?.ring ? ordinal : [])),
    ),
    rowNames: rows.map(({ section, row }) => ({ section, row })),
    focalPoints: zones.map(({ focal_point: { x, y } }) => ({
      x: hundredths(x),
      y: hundredths(y),
    })),
  };
}
