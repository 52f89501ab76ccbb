import type { Seat } from '#shop';

/** Further apart than this many usual steps is an aisle. */
const AISLE = 1.6;

/** Where the row has an aisle: people should see whether they sit beside each other. */
export function aislesOf(seats: readonly Seat[]): ReadonlySet<Seat> {
  const steps = seats.slice(1).map((seat, index) => {
    const before = seats[index] ?? seat;
    return Math.hypot(seat.x - before.x, seat.y - before.y);
  });
  const usual = Math.min(...steps);
  return new Set(seats.slice(1).filter((_, index) => (steps[index] ?? 0) > usual * AISLE));
}
