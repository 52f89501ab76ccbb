import { isReleasedAt } from '#allocation';
import { type BoardState, SEAT } from './board-state.ts';
import type { Draft } from './draft.ts';

/**
 * Gives the companion seats of a zone to everybody when it has become full enough, and keeps them
 * again when it has emptied. Whatever changes a board ends with this, so that the next wish finds
 * it settled; what was decided is in the log, because it depends on what was before.
 */
export function settleCompanions(draft: Draft): void {
  const { policy } = draft.config;
  if (!policy.enforce_accessibility_rules) return;
  for (const zone of draft.plan.seating.companionZones) {
    const { capacity = 0, has_seats = false } = draft.config.zones[zone] ?? {};
    if (!has_seats) continue;
    const before = draft.isReleased(zone);
    const occupancy = { capacity, ...draft.countsOf(zone), kept: inTheWay(draft, zone) };
    const released = isReleasedAt(policy, occupancy, before);
    if (released !== before) draft.record({ kind: 'companions', zone, released });
  }
}

/**
 * Free companion seats that keep a zone from becoming full. Those of a space in a cart do not:
 * their buyer is still choosing. Nor do those in a zone of wheelchair spaces and companions alone:
 * they are for nobody else in it.
 */
function inTheWay(draft: Draft, zone: number): number {
  const { spaces, companionSeats } = draft.plan.seating;
  const companions = companionSeats[zone]?.length ?? 0;
  const { capacity = 0 } = draft.config.zones[zone] ?? {};
  if (capacity <= companions + (spaces[zone]?.length ?? 0)) return 0;
  const { held, sold, blocked } = draft.countsOf(zone);
  // While far more is free than they are nothing depends on it, and they need not be counted.
  const isFar = held + sold + companions < capacity - blocked;
  if (isFar && !draft.isReleased(zone)) return 0;
  return freeCompanions(draft, zone).filter((seat) => !isBeingChosen(draft, seat)).length;
}

function isBeingChosen(draft: Draft, companion: number): boolean {
  return draft.holdOfSeat(draft.plan.seating.spaceOf(companion) ?? -1) !== undefined;
}

/** Companion seats of a zone that nobody has. */
export function freeCompanions(state: BoardState, zone: number): number[] {
  const seats = state.plan.seating.companionSeats[zone] ?? [];
  return seats.filter((seat) => state.codeOf(seat) === SEAT.available);
}
