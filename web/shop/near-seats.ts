import type { Seat, SeatPlan } from './seat-plan.ts';

/** How many are offered instead: a few that are as good, not a catalogue. */
const MOST = 3;
const KINDS = ['standard', 'aisle', 'restricted_view'];

/** Free seats near one that was just taken: in its row first, then wherever is nearest. */
export function findNear(plan: SeatPlan, taken: Seat, isFree: (seat: Seat) => boolean): Seat[] {
  const fits = (seat: Seat) => seat !== taken && isFree(seat) && KINDS.includes(seat.category);
  const distance = (seat: Seat) => Math.hypot(seat.x - taken.x, seat.y - taken.y);
  const inRow = plan.rowOf(taken).filter(fits);
  const found = inRow.sort((one, other) => distance(one) - distance(other)).slice(0, MOST);
  if (found.length === MOST) return found;
  const [section] = plan
    .sectionsOf(taken.zone_id)
    .filter(({ name }) => name === (taken.section ?? null));
  const elsewhere = (section?.rows ?? [])
    .flatMap(({ seats }) => seats)
    .filter((seat) => fits(seat) && !found.includes(seat))
    .sort((one, other) => distance(one) - distance(other));
  return [...found, ...elsewhere].slice(0, MOST);
}
