import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import {
  Availability,
  Data,
  EventParams,
  IdParams,
  Occupancy,
  SeatParams,
  SeatStatus,
  StaffOccupancy,
} from '@voelgoed/client/wire';
import { assert } from '@voelgoed/engine/kit';
import {
  buyerIdOf,
  type EventView,
  eventAvailability,
  eventNumbers,
  eventOccupancy,
  seatStatus,
} from '@voelgoed/engine/workflows';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  callerOf,
  type Http,
  isKnown,
  notModified,
  readsGzip,
  refuse,
  replies,
  repliesOr,
  sendJson,
  WITH_CREDENTIAL,
} from '#http';
import type { RouteContext } from './context.ts';

const TAGS = { tags: ['public'] };
const EVENT = { access: { kind: 'event' } } as const;
const MISSING = 'There is no such event on sale.';
const CODES = ['invalid_request', 'unauthorized', 'event_not_found'] as const;

export function registerAvailability(http: Http, context: RouteContext): void {
  readAvailability(http, context);
  readOccupancy(http, context);
  readSeat(http, context);
  readStaffOccupancy(http, context);
}

function readAvailability(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/events/:event_id/availability',
    {
      config: EVENT,
      schema: {
        ...TAGS,
        summary: 'What is left: two bits per seat, numbers per zone',
        params: EventParams,
        response: replies({ 200: Data(Availability) }, CODES),
      },
    },
    async (request, reply) => {
      const view = await eventAvailability(engine, scopeOf(request), request.params.event_id);
      if (!view) return refuse(reply, 'event_not_found', MISSING) as never;
      const ready = readyOf(view.seats, etagOf(view), () => ({ data: availabilityView(view) }));
      return sendReady(request, reply, ready) as never;
    },
  );
}

/** An answer that is the same for everybody, as bytes; null: too short to be worth compressing. */
type Ready = Readonly<{ etag: string; plain: Buffer; gzip: Buffer | null }>;

/** Shorter than a packet: compressing it saves nothing. */
const WORTH_BYTES = 1_024;

/** By the seats of a view, which are the same object while nothing changes. */
const ready = new WeakMap<Uint8Array, Ready>();

/** Written and compressed once for everybody who asks while nothing changes. */
function readyOf(seats: Uint8Array, etag: string, make: () => object): Ready {
  const known = ready.get(seats);
  if (known?.etag === etag) return known;
  const plain = Buffer.from(JSON.stringify(make()));
  // The lightest level: 25 kB take less than a millisecond, and the rest gains a few percent.
  const gzip = plain.length >= WORTH_BYTES ? gzipSync(plain, { level: 1 }) : null;
  const made = { etag, plain, gzip };
  ready.set(seats, made);
  return made;
}

function sendReady(request: FastifyRequest, reply: FastifyReply, { etag, plain, gzip }: Ready) {
  reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
  if (isKnown(request.headers['if-none-match'], etag)) return notModified(reply);
  if (gzip && readsGzip(request)) return sendJson(reply, gzip, 'gzip');
  return sendJson(reply, plain, 'identity');
}

/** The same board at the same moment, on whatever node; what is over by itself changes it too. */
function etagOf({ lineage, revision, zones }: EventView): string {
  const held = zones.reduce((sum, zone) => sum + zone.held, 0);
  return `"${lineage}-${revision}-${held}"`;
}

function availabilityView({ revision, layout_version, seats, zones }: EventView) {
  return {
    revision,
    layout_version,
    seats: Buffer.from(seats).toString('base64'),
    zones: zones
      .filter(({ disabled }) => !disabled)
      .map(({ zone_id, capacity, held, sold, blocked }) => {
        return { zone_id, available: capacity - held - sold - blocked, held, sold, capacity };
      }),
  };
}

function readOccupancy(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/events/:event_id/occupancy',
    {
      config: EVENT,
      schema: {
        ...TAGS,
        summary: 'How full it is, overall and per zone',
        params: EventParams,
        response: replies({ 200: Data(Occupancy) }, CODES),
      },
    },
    async (request, reply) => {
      const { event_id } = request.params;
      const occupancy = await eventOccupancy(engine, scopeOf(request), event_id);
      if (!occupancy) return refuse(reply, 'event_not_found', MISSING) as never;
      const { timestamp: _, ...numbers } = occupancy;
      // The same numbers at another moment are no news.
      const etag = `"${createHash('sha1').update(JSON.stringify(numbers)).digest('base64url')}"`;
      const ready = { etag, plain: Buffer.from(JSON.stringify({ data: occupancy })), gzip: null };
      return sendReady(request, reply, ready) as never;
    },
  );
}

function readStaffOccupancy(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/occupancy',
    {
      config: { access: { kind: 'scope', scope: 'figures:read' } },
      schema: {
        tags: ['box office'],
        ...WITH_CREDENTIAL,
        summary: 'How full it is and how well: single seats, VIP places, wheelchair spaces',
        params: IdParams,
        response: repliesOr({ 200: Data(StaffOccupancy) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { scope } = callerOf(request);
      const view = await eventNumbers(engine, scope, request.params.id);
      if (!view) return refuse(reply, 'event_not_found', MISSING) as never;
      return { data: { ...view.occupancy, seating: { ...view.numbers } } as never };
    },
  );
}

function readSeat(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/events/:event_id/seats/:seat_id',
    {
      config: EVENT,
      schema: {
        ...TAGS,
        summary: 'One seat, and whether it is yours',
        params: SeatParams,
        response: replies({ 200: Data(SeatStatus) }, [...CODES, 'seat_not_found']),
      },
    },
    async (request, reply) => {
      const { event_id: eventId, seat_id: seatId } = request.params;
      const { principal } = request;
      const scope = scopeOf(request);
      const userId = principal && buyerIdOf(scope.organizationId, principal);
      const seat = await seatStatus(engine, scope, { eventId, seatId, userId });
      if ('kind' in seat) {
        const message = seat.kind === 'seat_not_found' ? 'The event has no such seat.' : MISSING;
        return refuse(reply, seat.kind, message) as never;
      }
      reply.header('cache-control', 'no-cache, no-store');
      return { data: seat as never };
    },
  );
}

function scopeOf(request: FastifyRequest) {
  assert(request.eventScope, 'a route about an event has its organization');
  return request.eventScope;
}
