import { NextAfter, OwnTicketsQuery, Page, Ticket } from '@voelgoed/client/wire';
import { ownTickets } from '@voelgoed/engine/workflows';
import { callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';
import { ticketView } from './ticket-views.ts';

export function registerTickets(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/tickets',
    {
      config: { access: { kind: 'buyer' } },
      schema: {
        tags: ['buyers'],
        ...WITH_CREDENTIAL,
        summary: 'Your tickets, of one checkout or all of them',
        description:
          'All of a checkout at once, and none while it is not paid; else page by page. A guest ' +
          'sees those of their event.',
        querystring: OwnTicketsQuery,
        response: repliesOr({ 200: Page(Ticket, NextAfter) }, 'checkout_not_found'),
      },
    },
    async (request, reply) => {
      const { checkout_id: checkoutId = null, after, limit = 100 } = request.query;
      const page = { checkoutId, after, limit: oneMore(limit) };
      const found = await ownTickets(engine, callerOf(request), page);
      if ('kind' in found) {
        return refuse(reply, 'checkout_not_found', 'You have no such checkout.') as never;
      }
      const tickets = found.map(ticketView);
      if (checkoutId !== null) return { data: tickets };
      return pageOf(tickets, limit, ({ ticket_id }) => ({ after: ticket_id }));
    },
  );
}
