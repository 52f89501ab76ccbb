import { type SeatingNumbers, seatingNumbers } from '#allocation';
import { zoneIsVip } from '#policies';
import { type BoardState, SEAT } from './board-state.ts';

/** How well a board is filled: seats left alone, VIP places and wheelchair spaces in use. */
export function boardNumbers(state: BoardState): SeatingNumbers {
  const zones = state.config.zones.map(({ zone_type, has_seats, capacity }, zone) => ({
    vip: zoneIsVip(zone_type),
    has_seats,
    capacity,
    ...state.countsOf(zone),
  }));
  const spaces = state.plan.seating.spaces.flat();
  const taken = spaces.filter((seat) => {
    const code = state.codeOf(seat);
    return code === SEAT.held || code === SEAT.sold;
  });
  return seatingNumbers(state.free, zones, taken.length);
}
