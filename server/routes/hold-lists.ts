import {
  EventHoldsQuery,
  HoldEntry,
  HoldsQuery,
  IdParams,
  NextAfter,
  NextBefore,
  Page,
  StaffHold,
} from '@voelgoed/client/wire';
import { eventHolds, organizationHolds } from '@voelgoed/engine/workflows';
import type { Static } from 'typebox';
import { callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { staffHoldView } from './staff-views.ts';

const TAGS = { tags: ['box office'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'holds:read' } } as const;
const MISSING = 'There is no such event on sale.';
/** As the schema says; about 330 kB. */
const USUAL = 500;

export function registerHoldLists(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/holds',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Who holds what in an event',
        description: 'Live holds, by their ids. Those that have ended are in `/api/admin/holds`.',
        params: IdParams,
        querystring: EventHoldsQuery,
        response: repliesOr({ 200: Page(StaffHold, NextAfter) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { after, limit = USUAL } = request.query;
      const search = { ...filtersOf(request.query), after: after?.toLowerCase(), limit };
      const found = await eventHolds(engine, callerOf(request), id, search);
      if (!found) return refuse(reply, 'event_not_found', MISSING) as never;
      const data = found.holds.map((one) => staffHoldView(id, one, found.at_ms));
      return found.next === undefined ? { data } : { data, next: { after: found.next } };
    },
  );

  http.get(
    '/api/admin/holds',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Holds of all events, the youngest first',
        description:
          'Live ones, unless `status` asks for those that have ended. A page may have less than ' +
          '`limit` and even nothing: what comes after it is there as long as there is a `next`.',
        querystring: HoldsQuery,
        response: repliesOr({ 200: Page(HoldEntry, NextBefore) }),
      },
    },
    async (request) => {
      const { status = 'held', event_id, from, to, before, limit = USUAL } = request.query;
      const { holds, next } = await organizationHolds(engine, callerOf(request), {
        ...filtersOf(request.query),
        status,
        eventId: event_id,
        from,
        to,
        before: before?.toLowerCase(),
        limit,
      });
      return next === undefined ? { data: holds } : { data: holds, next: { before: next } };
    },
  );
}

/** Boards know ids in small letters. */
function filtersOf(query: Static<typeof EventHoldsQuery>) {
  const { user_id, seat_id, zone_id, checkout_id, paying, due_within } = query;
  return {
    userId: user_id?.toLowerCase(),
    seatId: seat_id?.toLowerCase(),
    zoneId: zone_id?.toLowerCase(),
    checkoutId: checkout_id?.toLowerCase(),
    paying,
    dueWithin: due_within,
  };
}
