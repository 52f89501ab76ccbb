import {
  Data,
  EventParams,
  ExtendedHold,
  HeldCart,
  HoldWish as HoldBody,
  HoldParams,
  OwnHolds,
  ReducedHold,
  ReduceWish,
  ReleasedHolds,
  ReservedSeat,
  ReserveWish,
  SeatParams,
} from '@voelgoed/client/wire';
import {
  type EventMissing,
  extendHold,
  type KeyReused,
  type NotReleased,
  ownHolds,
  type Reduced,
  type Released,
  reduceHold,
  releaseHold,
  releaseOwnHolds,
} from '@voelgoed/engine/workflows';
import type { FastifyReply } from 'fastify';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { BUSY, HOLDS, holdTogether, RESERVE, reserve } from './hold-requests.ts';
import { holdView, minutesSentence, refuseByBoard } from './hold-views.ts';
import { releasedView } from './release-views.ts';

const TAGS = { tags: ['holds'], ...WITH_CREDENTIAL };
const BUYER = { access: { kind: 'buyer' } } as const;
const MISSING = 'There is no such event.';
const NO_HOLD = 'You have no such hold.';
const EXPIRED = 'The time of this hold is over. Please choose again.';
const PAID = 'This is paid for: you have the ticket.';
const SEAT_CODES = [
  'event_not_found',
  'event_not_available',
  'event_sales_closed',
  'seat_not_found',
  'forbidden',
  'zone_access_denied',
  'seat_held_by_another_user',
  'seat_not_available',
  'wheelchair_limit',
  'companion_reserved',
  'hold_limit_reached',
  'body_too_large',
  'rate_limited',
  ...BUSY,
] as const;
const HOLD_CODES = [
  ...SEAT_CODES,
  'zone_not_found',
  'block_at_capacity',
  'orphan_rule',
  'no_adjacent_seats',
] as const;

export function registerHolds(http: Http, context: RouteContext): void {
  holdSeatsRoutes(http, context);
  ownHoldsRoute(http, context);
  extendRoutes(http, context);
  reduceRoute(http, context);
  releaseRoutes(http, context);
}

function holdSeatsRoutes(http: Http, context: RouteContext): void {
  http.post(
    RESERVE,
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Hold one seat',
        description: '201 when it is held now, 200 with `existing` when it was yours already.',
        params: SeatParams,
        body: ReserveWish,
        response: repliesOr({ 200: Data(ReservedSeat), 201: Data(ReservedSeat) }, ...SEAT_CODES),
      },
    },
    async (request, reply) => reserve(context, request, reply),
  );

  http.post(
    HOLDS,
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Hold seats and places together, all or nothing',
        params: EventParams,
        body: HoldBody,
        response: repliesOr({ 200: Data(HeldCart), 201: Data(HeldCart) }, ...HOLD_CODES),
      },
    },
    async (request, reply) => holdTogether(context, request, reply),
  );
}

function ownHoldsRoute(http: Http, context: RouteContext): void {
  http.get(
    HOLDS,
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'What you hold',
        params: EventParams,
        response: repliesOr({ 200: Data(OwnHolds) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { event_id } = request.params;
      const own = await ownHolds(context.engine, callerOf(request), event_id);
      if (own.kind === 'event_not_found') return refuse(reply, 'event_not_found', MISSING) as never;
      const { at_ms, revision } = own;
      const holds = own.holds.map((one) => holdView(event_id, one, at_ms));
      const companion_seats = own.companions.flatMap(({ seat }) =>
        seat ? [{ seat_id: seat.seat_id, label: seat.label }] : [],
      );
      const server_time = new Date(at_ms).toISOString();
      return { data: { holds, companion_seats, server_time, revision } };
    },
  );
}

function extendRoutes(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/holds/:hold_id/extend',
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Make a hold longer, up to its cap',
        params: HoldParams,
        response: repliesOr(
          { 200: Data(ExtendedHold) },
          'hold_not_found',
          'hold_expired',
          'extension_limit_reached',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const outcome = await extendHold(engine, callerOf(request), request.params.hold_id);
      switch (outcome.kind) {
        case 'extended': {
          const { held, at_ms, revision, replayed, eventId } = outcome;
          const server_time = new Date(at_ms).toISOString();
          const answer = { ...holdView(eventId, held, at_ms), server_time, revision };
          return answerDone(reply, { kind: 'done', answer, replayed });
        }
        case 'expired':
          return refuse(reply, 'hold_expired', EXPIRED);
        case 'refused':
          return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
        case 'hold_not_found':
          return refuse(reply, 'hold_not_found', NO_HOLD);
        case 'key_reused':
          return answerDone(reply, outcome);
      }
    },
  );
}

function reduceRoute(http: Http, { engine }: RouteContext): void {
  http.patch(
    '/api/holds/:hold_id',
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Give some places of a hold back and keep the others',
        description:
          'For places in zones without seats. The hold keeps its id and its time; a checkout ' +
          'that it is in has fewer places too.',
        params: HoldParams,
        body: ReduceWish,
        response: repliesOr(
          { 200: Data(ReducedHold) },
          'hold_not_found',
          'hold_expired',
          'hold_cannot_grow',
          'zone_access_denied',
          'payment_in_progress',
          'ticket_already_paid',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const { quantity } = request.body;
      const { hold_id } = request.params;
      const outcome = await reduceHold(engine, callerOf(request), hold_id, quantity);
      switch (outcome.kind) {
        case 'reduced': {
          const { replayed } = outcome;
          return answerDone(reply, { kind: 'done', answer: reducedView(outcome), replayed });
        }
        case 'expired':
          return refuse(reply, 'hold_expired', EXPIRED);
        case 'ticket_already_paid':
          return refuse(reply, outcome.kind, PAID);
        case 'refused':
          return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
        case 'hold_not_found':
          return refuse(reply, 'hold_not_found', NO_HOLD);
        case 'key_reused':
          return answerDone(reply, outcome);
      }
    },
  );
}

function reducedView({ eventId, held, released, at_ms, revision }: Reduced) {
  const view = holdView(eventId, held, at_ms);
  const left = view.quantity === 1 ? 'One place is' : `${view.quantity} places are`;
  const message = `${left} held for you for ${minutesSentence(view.expires_in_seconds)}.`;
  const server_time = new Date(at_ms).toISOString();
  return { ...view, released_count: released, server_time, revision, message };
}

function releaseRoutes(http: Http, { engine }: RouteContext): void {
  const reply200 = { 200: Data(ReleasedHolds) };
  http.delete(
    '/api/holds/:hold_id',
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Release one of your holds; one that has ended before stays ended',
        params: HoldParams,
        response: repliesOr(
          reply200,
          'hold_not_found',
          'payment_in_progress',
          'ticket_already_paid',
          ...BUSY,
        ),
      },
    },
    async (request, reply) =>
      answerRelease(reply, await releaseHold(engine, callerOf(request), request.params.hold_id)),
  );

  http.delete(
    HOLDS,
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Release everything you hold in an event',
        description: 'What you are paying for stays yours: `not_released` names it.',
        params: EventParams,
        response: repliesOr(reply200, 'event_not_found', 'payment_in_progress', ...BUSY),
      },
    },
    async (request, reply) => {
      const { event_id } = request.params;
      return answerRelease(reply, await releaseOwnHolds(engine, callerOf(request), event_id));
    },
  );
}

function answerRelease(
  reply: FastifyReply,
  outcome: Released | NotReleased | EventMissing | KeyReused | { kind: 'hold_not_found' },
): FastifyReply {
  switch (outcome.kind) {
    case 'released': {
      const { replayed } = outcome;
      return answerDone(reply, { kind: 'done', answer: releasedView(outcome), replayed });
    }
    case 'hold_not_found':
      return refuse(reply, 'hold_not_found', NO_HOLD);
    case 'payment_in_progress':
      return refuse(reply, outcome.kind, 'You are paying for this at the moment.');
    case 'ticket_already_paid':
      return refuse(reply, outcome.kind, PAID);
    case 'event_not_found':
      return refuse(reply, 'event_not_found', MISSING);
    case 'key_reused':
      return answerDone(reply, outcome);
  }
}
