import { newId } from '#builders';

/** The routes about holds, and what they take, for tests that try all of them. */

export const RESERVE = 'POST /api/events/{event_id}/seats/{seat_id}/reserve';
export const HOLD = 'POST /api/events/{event_id}/holds';
export const BEST = 'POST /api/events/{event_id}/holds/best-available';
export const OWN = 'GET /api/events/{event_id}/holds';
export const RELEASE_OWN = 'DELETE /api/events/{event_id}/holds';
export const EXTEND = 'POST /api/holds/{hold_id}/extend';
export const RELEASE = 'DELETE /api/holds/{hold_id}';
export const REDUCE = 'PATCH /api/holds/{hold_id}';
export const AVAILABILITY = 'GET /api/events/{event_id}/availability';
export const OCCUPANCY = 'GET /api/events/{event_id}/occupancy';
export const SEAT = 'GET /api/events/{event_id}/seats/{seat_id}';
export const SESSION = 'POST /api/events/{event_id}/sessions';
export const STAFF_RELEASE = 'POST /api/admin/seats/release';
export const BLOCK = 'POST /api/admin/events/{id}/seats/block';
export const UNBLOCK = 'POST /api/admin/events/{id}/seats/unblock';
export const FILLED = 'GET /api/admin/events/{id}/occupancy';
export const STAFF_HOLDS = 'GET /api/admin/events/{id}/holds';
export const STAFF_HOLD = 'POST /api/admin/events/{id}/holds';
export const WHITELIST = 'GET /api/admin/events/{id}/zones/{zone_id}/whitelist';
export const SET_WHITELIST = 'PUT /api/admin/events/{id}/zones/{zone_id}/whitelist';

export const BUYERS = [RESERVE, HOLD, BEST, OWN, RELEASE_OWN, EXTEND, RELEASE];
export const PUBLIC = [AVAILABILITY, OCCUPANCY, SEAT, SESSION];
export const STAFF = [
  STAFF_RELEASE,
  BLOCK,
  UNBLOCK,
  STAFF_HOLDS,
  STAFF_HOLD,
  WHITELIST,
  SET_WHITELIST,
];
STAFF.push(FILLED);
export const ALL = [...BUYERS, ...PUBLIC, ...STAFF];
export const MUTATING = [
  RESERVE,
  HOLD,
  RELEASE_OWN,
  EXTEND,
  RELEASE,
  STAFF_RELEASE,
  BLOCK,
  UNBLOCK,
];
MUTATING.push(STAFF_HOLD, SET_WHITELIST, BEST);

export type Ids = { event?: string; seat?: string; zone?: string; hold?: string };

export function filled(route: string, ids: Ids): string {
  return route
    .replace(/\{(event_)?id\}/, ids.event ?? newId())
    .replace('{seat_id}', ids.seat ?? newId())
    .replace('{zone_id}', ids.zone ?? newId())
    .replace('{hold_id}', ids.hold ?? newId());
}

/** A body that is right for the route. */
export function bodyFor(route: string, { event, seat = newId(), zone, hold }: Ids): unknown {
  if (route === HOLD) return { items: [{ seat_id: seat }], allow_orphan: true };
  if (route === BEST && !zone) return { quantity: 1 };
  if (route === BEST) return { quantity: 1, zone_ids: [zone], general_admission: true };
  if (route === STAFF_HOLD) return { items: [{ seat_id: seat }], for: 'Ann' };
  if (route === BLOCK || route === UNBLOCK) return { seat_ids: [seat], reason: 'test' };
  if (route === SET_WHITELIST) return { user_ids: [] };
  if (route !== STAFF_RELEASE) return undefined;
  return hold ? { hold_ids: [hold], reason: 'test' } : { event_id: event, reason: 'test' };
}
