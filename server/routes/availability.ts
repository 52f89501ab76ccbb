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
import type { ZoneCounts } from '@voelgoed/engine/board';
import { assert } from '@voelgoed/engine/kit';
import {
  type Attendance,
  attendanceOf,
  type BoardView,
  buyerIdOf,
  eventAvailability,
  eventNumbers,
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
function etagOf({ board, availability }: BoardView): string {
  const held = availability.counts.reduce((sum, counts) => sum + counts.held, 0);
  return `"${board.hash.slice(0, 16)}-${board.revision}-${held}"`;
}

function availabilityView({ board, availability }: BoardView) {
  const { zones, layout } = board.config;
  return {
    revision: availability.revision,
    layout_version: layout?.version ?? 0,
    seats: Buffer.from(availability.seats).toString('base64'),
    zones: zones.flatMap(({ zone_id, capacity, disabled }, index) => {
      const counts = availability.counts[index];
      if (disabled || !counts) return [];
      const { held, sold } = counts;
      return [{ zone_id, available: leftOf(capacity, counts), held, sold, capacity }];
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
      const scope = scopeOf(request);
      const view = await eventAvailability(engine, scope, event_id);
      if (!view) return refuse(reply, 'event_not_found', MISSING) as never;
      const { status } = view.board.config.event;
      const inside = await attendanceOf(engine, scope, event_id, status);
      reply.header('cache-control', 'no-cache');
      return { data: occupancyView(view, inside) };
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
      const { id } = request.params;
      const view = await eventNumbers(engine, scope, id);
      if (!view) return refuse(reply, 'event_not_found', MISSING) as never;
      const { status } = view.board.config.event;
      const inside = await attendanceOf(engine, scope, id, status);
      return { data: { ...occupancyView(view, inside), seating: { ...view.numbers } } as never };
    },
  );
}

function occupancyView({ board, availability, at_ms }: BoardView, inside: Attendance) {
  const zones = board.config.zones.flatMap((zone, index) => {
    const counts = availability.counts[index];
    if (zone.disabled || !counts) return [];
    const { zone_id, name, capacity } = zone;
    const live_attendees = inside.get(zone_id) ?? 0;
    return [{ zone_id, name, ...occupied(capacity, counts), live_attendees }];
  });
  const sum = (pick: (zone: (typeof zones)[number]) => number) =>
    zones.reduce((total, zone) => total + pick(zone), 0);
  const counts = {
    held: sum(({ held }) => held),
    sold: sum(({ sold }) => sold),
    blocked: sum(({ blocked }) => blocked),
  };
  const overall = occupied(
    sum(({ total }) => total),
    counts,
  );
  return {
    revision: availability.revision,
    ...overall,
    live_attendees: [...inside.values()].reduce((total, one) => total + one, 0),
    zones,
    timestamp: new Date(at_ms).toISOString(),
  };
}

function occupied(total: number, counts: ZoneCounts) {
  const available = leftOf(total, counts);
  const percent = (part: number) => (total === 0 ? 0 : Math.round((part / total) * 1_000) / 10);
  return {
    available,
    ...counts,
    total,
    percent_available: percent(available),
    percent_held: percent(counts.held),
    percent_sold: percent(counts.sold),
  };
}

function leftOf(capacity: number, { held, sold, blocked }: ZoneCounts): number {
  return capacity - held - sold - blocked;
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
