import {
  Data,
  Drawing,
  EventParams,
  GuestSession,
  NextAfter,
  Page,
  PublicEvent,
  PublicEventInList,
  PublicEventsQuery,
  SlugParams,
} from '@voelgoed/client/wire';
import { userIdOf } from '@voelgoed/engine/accounts';
import { assert, networksOf, uuidv7 } from '@voelgoed/engine/kit';
import { bookingRules, organizationEvents, publicEvent, seatMap } from '@voelgoed/engine/workflows';
import type { FastifyRequest } from 'fastify';
import { addressOf, type Http, isKnown, notModified, refuse, replies, sendCompressed } from '#http';
import { takeOrRefuse } from '#limits';
import { signToken } from '#tokens';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['public'] };
const OPEN = { access: { kind: 'open' } } as const;
const EVENT = { access: { kind: 'event' } } as const;
const MISSING = 'There is no such event.';
const CODES = ['invalid_request', 'unauthorized', 'event_not_found'] as const;
const SESSION_SECONDS = 2 * 60 * 60;
/** Both say what is on sale and what is left: kept, and asked about before it is shown. */
const EVENT_CACHE = 'no-cache';

export function registerPublic(http: Http, context: RouteContext): void {
  readEvents(http, context);
  readMaps(http, context);
  openSessions(http, context);
}

function readEvents(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/organizations/:slug/events',
    {
      config: OPEN,
      schema: {
        ...TAGS,
        summary: 'Events of an organization that can be seen by everybody',
        params: SlugParams,
        querystring: PublicEventsQuery,
        response: replies({ 200: Page(PublicEventInList, NextAfter) }, [
          'invalid_request',
          'not_found',
        ]),
      },
    },
    async (request, reply) => {
      const { after, limit = 500 } = request.query;
      const page = { after, limit: oneMore(limit) };
      const events = await organizationEvents(engine, request.params.slug, page);
      if (!events) return refuse(reply, 'not_found', 'There is no such organization.') as never;
      reply.header('cache-control', EVENT_CACHE);
      return pageOf(events, limit, ({ event_id }) => ({ after: event_id }));
    },
  );

  http.get(
    '/api/events/:event_id',
    {
      config: EVENT,
      schema: {
        ...TAGS,
        summary: 'One event: times, zones, prices and what is left',
        params: EventParams,
        response: replies({ 200: Data(PublicEvent) }, CODES),
      },
    },
    async (request, reply) => {
      const scope = scopeOf(request);
      const event = await publicEvent(engine, scope, request.params.event_id);
      if (!event) return refuse(reply, 'event_not_found', MISSING) as never;
      // Staff look at their own events; what they look at is no demand.
      const { principal } = request;
      if (!principal || principal.role === 'customer') engine.pageViews.note(scope, event.event_id);
      const booking = await bookingRules(engine, scope, event.event_id);
      reply.header('cache-control', EVENT_CACHE);
      return { data: { ...event, booking } };
    },
  );
}

function readMaps(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/events/:event_id/seatmap',
    {
      config: EVENT,
      schema: {
        ...TAGS,
        summary: 'The drawing: it never changes for a layout version',
        params: EventParams,
        response: replies({ 200: Data(Drawing) }, CODES),
      },
    },
    async (request, reply) => {
      const scope = scopeOf(request);
      const event = await publicEvent(engine, scope, request.params.event_id);
      if (!event) return refuse(reply, 'event_not_found', MISSING) as never;
      const { gzip, etag } = await seatMap(engine, scope, event);
      reply.header('etag', etag).header('cache-control', 'public, max-age=60');
      reply.header('vary', 'accept-encoding');
      if (isKnown(request.headers['if-none-match'], etag)) return notModified(reply) as never;
      return sendCompressed(request, reply, gzip) as never;
    },
  );
}

const SESSIONS = 'Too many guest sessions from this address. Please wait a while.';

function openSessions(http: Http, { engine, authSecret, limits }: RouteContext): void {
  http.post(
    '/api/events/:event_id/sessions',
    {
      config: EVENT,
      schema: {
        ...TAGS,
        summary: 'A guest’s session: good for this event, two hours, to buy with',
        params: EventParams,
        response: replies({ 201: Data(GuestSession) }, [
          ...CODES,
          'event_not_available',
          'rate_limited',
        ]),
      },
    },
    async (request, reply) => {
      const scope = scopeOf(request);
      const event = await publicEvent(engine, scope, request.params.event_id);
      if (!event || event.status === 'ended' || event.status === 'cancelled') {
        return refuse(reply, 'event_not_available', 'This event is over.');
      }
      const { organizationId } = scope;
      const limit = limits.session(organizationId, networksOf(addressOf(request) ?? ''));
      const tooMany = await takeOrRefuse(reply, limit, 1, SESSIONS);
      if (tooMany) return tooMany;
      const subject = uuidv7(engine);
      const expires = Math.floor(engine.clock.now() / 1_000) + SESSION_SECONDS;
      const eventId = request.params.event_id.toLowerCase();
      const claims = { subject, organizationId, role: 'customer', expires, eventId } as const;
      reply.header('cache-control', 'no-cache, no-store');
      return reply.code(201).send({
        data: {
          token: signToken(authSecret, claims),
          user_id: userIdOf(organizationId, subject),
          expires_at: new Date(expires * 1_000).toISOString(),
        },
      });
    },
  );
}

function scopeOf(request: FastifyRequest) {
  assert(request.eventScope, 'a route about an event has its organization');
  return request.eventScope;
}
