import { SpatialGrid } from '#geometry';
import type { LayoutDraft, SeatDraft } from './layout-draft.ts';
import type { LayoutProblems } from './layout-problems.ts';

/**
 * Two seats whose centres are closer than one seat lie on each other, in whatever zones they are.
 */
export function checkOverlaps(draft: LayoutDraft, problems: LayoutProblems): void {
  const grid = new SpatialGrid<SeatDraft>(draft.seat_size);
  for (const seat of draft.seats) {
    if (problems.full) return;
    if (Number.isNaN(seat.x)) continue;
    const other = grid.findCloser(seat.x, seat.y);
    if (!other) {
      grid.put(seat);
      continue;
    }
    const apart = Math.hypot(other.x - seat.x, other.y - seat.y).toFixed(2);
    const sentence = `A seat is ${draft.seat_size} wide, but ${other.path()} is ${apart} away.`;
    problems.add(seat.path('coordinates'), 'seats_overlap', sentence);
  }
}
