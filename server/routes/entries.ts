import {
  CodeParams,
  Data,
  EntriesQuery,
  Entry,
  EntryReply,
  EntryWish,
  IdParams,
  NextBefore,
  Page,
} from '@voelgoed/client/wire';
import { eventEntries, scanTicket } from '@voelgoed/engine/workflows';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['door'], ...WITH_CREDENTIAL };
const SCAN = { access: { kind: 'scope', scope: 'tickets:scan' } } as const;
const READ = { access: { kind: 'scope', scope: 'tickets:read' } } as const;

export function registerEntries(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/tickets/:code/entries',
    {
      config: SCAN,
      schema: {
        ...TAGS,
        summary: 'Scan a ticket: let somebody in or out, or not',
        description: 'Denied is 200 too. Send an Idempotency-Key: a repeat gets the first answer.',
        params: CodeParams,
        body: EntryWish,
        response: repliesOr(
          { 200: Data(EntryReply) },
          'body_too_large',
          'outcome_unknown',
          'idempotency_key_reused',
        ),
      },
    },
    async (request, reply) => {
      const { direction, day = null, qr = null, event_id } = request.body;
      const outcome = await scanTicket(engine, callerOf(request), {
        text: request.params.code,
        direction,
        day,
        qr,
        eventId: event_id?.toLowerCase() ?? null,
      });
      return answerDone(reply, outcome);
    },
  );

  http.get(
    '/api/admin/events/:id/entries',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Every scan of an event’s tickets, newest first',
        params: IdParams,
        querystring: EntriesQuery,
        response: repliesOr({ 200: Page(Entry, NextBefore) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { status = null, before, limit = 100 } = request.query;
      const page = { status, before, limit: oneMore(limit) };
      const rows = await eventEntries(engine, callerOf(request), request.params.id, page);
      if (!rows) return refuse(reply, 'event_not_found', 'There is no such event.') as never;
      return pageOf(rows, limit, ({ entry_id }) => ({ before: entry_id }));
    },
  );
}
