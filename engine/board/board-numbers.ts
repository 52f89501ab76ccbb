import { type SeatingCounts, seatingCounts } from '#allocation';
import { zoneIsVip } from '#policies';
import { type BoardState, SEAT } from './board-state.ts';

/** How a board is filled: seats left alone, VIP places and wheelchair spaces in use. */
export function boardCounts(state: BoardState): SeatingCounts {
  const zones = state.config.zones.map(({ zone_type, has_seats, capacity }, zone) => ({
    vip: zoneIsVip(zone_type),
    has_seats,
    capacity,
    ...state.countsOf(zone),
  }));
  let spacesTaken = 0;
  for (const spaces of state.plan.seating.spaces) {
    for (const seat of spaces) {
      const code = state.codeOf(seat);
      if (code === SEAT.held || code === SEAT.sold) spacesTaken++;
    }
  }
  return seatingCounts(state.free, zones, spacesTaken);
}
