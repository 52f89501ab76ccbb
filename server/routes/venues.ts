import {
  Data,
  IdParams,
  NewVenue,
  NextAfter,
  Page,
  PageQuery,
  Venue,
  VenueChange,
} from '@voelgoed/client/wire';
import { changeVenue, createVenue, listAllVenues, readVenue } from '@voelgoed/engine/workflows';
import {
  type AnyReply,
  answerDone,
  callerOf,
  type Http,
  refuse,
  repliesOr,
  WITH_CREDENTIAL,
} from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['venues'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'layouts:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'layouts:write' } } as const;
const TIMEZONE = 'Africa/Johannesburg';
const MISSING = 'There is no such venue.';

export function registerVenues(http: Http, context: RouteContext): void {
  readVenues(http, context);
  changeVenues(http, context);
}

function readVenues(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/venues',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Venues of the organization',
        querystring: PageQuery,
        response: repliesOr({ 200: Page(Venue, NextAfter) }),
      },
    },
    async (request) => {
      const { after, limit = 100 } = request.query;
      const page = { after, limit: oneMore(limit) };
      const rows = await listAllVenues(engine, callerOf(request), page);
      return pageOf(rows, limit, ({ venue_id }) => ({ after: venue_id }));
    },
  );

  http.get(
    '/api/admin/venues/:id',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'One venue',
        params: IdParams,
        response: repliesOr({ 200: Data(Venue) }, 'not_found'),
      },
    },
    async (request, reply) => {
      const venue = await readVenue(engine, callerOf(request), request.params.id);
      if (!venue) return refuse(reply, 'not_found', MISSING) as never;
      return { data: venue };
    },
  );
}

function changeVenues(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/venues',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'A new venue',
        body: NewVenue,
        response: repliesOr({ 201: Data(Venue) }, 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const { slug, name, timezone = TIMEZONE, address = null } = request.body;
      const maxCapacity = request.body.max_capacity ?? null;
      if (!isTimezone(timezone)) return refuseField(reply, 'timezone', 'is not a time zone');
      const wanted = { slug, name, timezone, address, maxCapacity };
      const outcome = await createVenue(engine, callerOf(request), wanted);
      if (outcome.kind === 'slug_taken') return refuseField(reply, 'slug', 'is taken');
      return answerDone(reply, outcome, { status: 201 });
    },
  );

  http.patch(
    '/api/admin/venues/:id',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Change a venue; its slug stays',
        params: IdParams,
        body: VenueChange,
        response: repliesOr({ 200: Data(Venue) }, 'not_found', 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const { name, timezone, address, max_capacity: maxCapacity } = request.body;
      if (timezone && !isTimezone(timezone)) {
        return refuseField(reply, 'timezone', 'is not a time zone');
      }
      const wanted = { name, timezone, address, maxCapacity };
      const outcome = await changeVenue(engine, callerOf(request), request.params.id, wanted);
      return answerDone(reply, outcome, { missing: MISSING });
    },
  );
}

function refuseField<Reply extends AnyReply>(reply: Reply, field: string, message: string): Reply {
  const problems = [{ path: `body/${field}`, message }];
  return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
