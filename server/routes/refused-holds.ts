import type { ErrorCode } from '@voelgoed/client/wire';
import { isUuid } from '@voelgoed/engine/kit';
import { type Engine, noteTurnedAway, TURNED_AWAY } from '@voelgoed/engine/workflows';
import { type AnyRequest, whoAsked } from '#http';
import { BEST, HOLDS, RESERVE } from './hold-requests.ts';

const ROUTES: ReadonlySet<string | undefined> = new Set([RESERVE, HOLDS, BEST]);

/** Keeps refused requests for seats, for disputes. */
export function refusedHolds(engine: Engine) {
  return {
    refused: (request: AnyRequest, code: ErrorCode): void => {
      if (!TURNED_AWAY.has(code) || !ROUTES.has(request.routeOptions.url)) return;
      const { event_id: eventId } = request.params as { event_id: string };
      const caller = whoAsked(request);
      if (!caller || !isUuid(eventId)) return;
      noteTurnedAway(engine, caller, { code, eventId, ...placesIn(request) });
    },
    /** It was not read: it is counted for its event, if this node knows whose that is. */
    shed: (event_id: string): void => {
      const organizationId = engine.registry.organizationOf(event_id);
      if (organizationId === null) return;
      const at_ms = engine.clock.now();
      engine.refusals.count({ organizationId, event_id, at_ms, code: 'overloaded' });
    },
  };
}

/** A request that was refused early was not validated. */
function placesIn({ params, body }: AnyRequest) {
  const { seat_id } = params as { seat_id?: unknown };
  const { items, zone_ids } = (body ?? {}) as { items?: unknown; zone_ids?: unknown };
  const named = (Array.isArray(items) ? items : []).filter((item) => item !== null);
  const ids = (found: unknown[]) => found.filter((id) => typeof id === 'string' && isUuid(id));
  return {
    seatIds: ids([seat_id, ...named.map((item) => item.seat_id)]) as string[],
    zoneIds: ids([
      ...(Array.isArray(zone_ids) ? zone_ids : []),
      ...named.map((item) => item.zone_id),
    ]) as string[],
  };
}
