import {
  CheckoutEntry,
  CheckoutsQuery,
  Data,
  EventTicketsQuery,
  IdParams,
  NextAfter,
  NextBefore,
  Page,
  Refund,
  RefundsQuery,
  SearchQuery,
  SearchResult,
  StaffTicket,
} from '@voelgoed/client/wire';
import {
  eventCheckouts,
  eventTickets,
  refundsDue,
  searchBoxOffice,
} from '@voelgoed/engine/workflows';
import { callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';
import { staffTicketView } from './ticket-views.ts';

const TAGS = { tags: ['box office'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'tickets:read' } } as const;
const MONEY = { access: { kind: 'scope', scope: 'refunds:read' } } as const;
const MISSING = 'There is no such event.';

export function registerBoxOfficeLists(http: Http, context: RouteContext): void {
  eventLists(http, context);
  refundList(http, context);
  searchRoute(http, context);
}

function eventLists(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/tickets',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'The tickets of an event; on request of one sale, to be reseated, or inside',
        params: IdParams,
        querystring: EventTicketsQuery,
        response: repliesOr({ 200: Page(StaffTicket, NextAfter) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { status, needs_reseating = false, inside = false, checkout_id, after } = request.query;
      const { limit = 100 } = request.query;
      const rows = await eventTickets(engine, callerOf(request), request.params.id, {
        status: status ?? null,
        needsReseating: needs_reseating,
        inside,
        checkoutId: checkout_id?.toLowerCase() ?? null,
        after,
        limit: oneMore(limit),
      });
      if (!rows) return refuse(reply, 'event_not_found', MISSING) as never;
      return pageOf(rows.map(staffTicketView), limit, ({ ticket_id }) => ({ after: ticket_id }));
    },
  );

  http.get(
    '/api/admin/events/:id/checkouts',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'The checkouts of an event, newest first',
        params: IdParams,
        querystring: CheckoutsQuery,
        response: repliesOr({ 200: Page(CheckoutEntry, NextBefore) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { status = null, before, limit = 100 } = request.query;
      const page = { status, before, limit: oneMore(limit) };
      const rows = await eventCheckouts(engine, callerOf(request), request.params.id, page);
      if (!rows) return refuse(reply, 'event_not_found', MISSING) as never;
      return pageOf(rows, limit, ({ checkout_id }) => ({ before: checkout_id }));
    },
  );
}

function refundList(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/refunds',
    {
      config: MONEY,
      schema: {
        ...TAGS,
        summary: 'Money that is to be given back, or was, oldest first',
        querystring: RefundsQuery,
        response: repliesOr({ 200: Page(Refund, NextAfter) }),
      },
    },
    async (request) => {
      const { event_id: eventId = null, status = null, after = null, limit = 100 } = request.query;
      const page = { eventId, status, after, limit: oneMore(limit) };
      const rows = await refundsDue(engine, callerOf(request), page);
      return pageOf(rows, limit, ({ refund_id }) => ({ after: refund_id }));
    },
  );
}

function searchRoute(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/search',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Find tickets and people: by code, seat, name, address or id',
        description:
          'A name or an address by any part of it, accents and capitals aside, a code by four ' +
          'letters or more from where a group of it begins, a seat by its label or by row and ' +
          'number. What is in the middle of names is found among those who have tickets or holds ' +
          'of `event_id`, or without one in the whole organization; pieces after the first group ' +
          'of a code, and row and number, in an event alone. At most 20 of each; `is_cut` says ' +
          'that there are more, or that there was no time to look through all.',
        querystring: SearchQuery,
        response: repliesOr({ 200: Data(SearchResult) }),
      },
    },
    async (request) => {
      const { q: text, event_id: eventId = null } = request.query;
      const found = await searchBoxOffice(engine, callerOf(request), { text, eventId });
      const people = [...found.people];
      const { is_cut } = found;
      return { data: { tickets: found.tickets.map(staffTicketView), people, is_cut } };
    },
  );
}
