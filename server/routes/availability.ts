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
import type { FastifyRequest } from 'fastify';
import {
  callerOf,
  type Http,
  isKnown,
  notModified,
  refuse,
  replies,
  repliesOr,
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
      const etag = etagOf(view);
      reply.header('etag', etag).header('cache-control', 'no-cache');
      if (isKnown(request.headers['if-none-match'], etag)) return notModified(reply) as never;
      return { data: availabilityView(view) };
    },
  );
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
      reply.header('cache-control', 'no-cache');
      return { data: occupancy as never };
    },
  );
}

function readStaffOccupancy(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/occupancy',
    {
      config: { access: { kind: 'scope', scope: 'holds:read' } },
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
