import {
  Data,
  EventParams,
  ExtendedHold,
  HeldCart,
  HoldWish as HoldBody,
  HoldParams,
  OwnHolds,
  ReleasedHolds,
  ReservedSeat,
  ReserveWish,
  SeatParams,
} from '@voelgoed/client/wire';
import type { HoldItem } from '@voelgoed/engine/board';
import {
  type EventMissing,
  extendHold,
  type Held,
  type HoldRefusal,
  type HoldWish,
  holdSeats,
  isRepeat,
  type KeyReused,
  type NotReleased,
  newSeats,
  ownHolds,
  type Released,
  releaseHold,
  releaseOwnHolds,
} from '@voelgoed/engine/workflows';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import { refuseLimit, showLimit } from '#limits';
import type { RouteContext } from './context.ts';
import { holdView, minutesSentence, refuseByBoard, releasedView, timeLeft } from './hold-views.ts';

const TAGS = { tags: ['holds'], ...WITH_CREDENTIAL };
const BUYER = { access: { kind: 'buyer' } } as const;
const MISSING = 'There is no such event.';
const NO_HOLD = 'You have no such hold.';
const TOO_MANY = 'You have held many seats in a short time. Please wait a moment.';
const TOO_OFTEN = 'Too many of your requests were refused. Please wait a moment.';
export const TOO_MANY_PEOPLE = '`for_user_ids` names more people than there are places.';
export const BUSY = ['event_busy', 'outcome_unknown', 'idempotency_key_reused'] as const;
const SEAT_CODES = [
  'event_not_found',
  'event_not_available',
  'event_sales_closed',
  'seat_not_found',
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
const HOLD_CODES = [...SEAT_CODES, 'zone_not_found', 'block_at_capacity', 'orphan_rule'] as const;

export function registerHolds(http: Http, context: RouteContext): void {
  holdSeatsRoutes(http, context);
  ownHoldsRoute(http, context);
  extendRoutes(http, context);
  releaseRoutes(http, context);
}

function holdSeatsRoutes(http: Http, context: RouteContext): void {
  http.post(
    '/api/events/:event_id/seats/:seat_id/reserve',
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
    async (request, reply) => {
      const { event_id, seat_id } = request.params;
      const { source = 'web', cart_token = null } = request.body;
      // Seat by seat nobody knows yet what the cart will be: it is told, and judged at checkout.
      const wish = { items: [{ seat_id }], cart_token, source, orphans: 'tell' } as const;
      return hold(context, request, reply, event_id, wish, (held) => {
        const [first] = held.holds;
        if (!first) throw new Error('a reserved seat has a hold');
        const view = holdView(event_id, first, held.at_ms);
        const minutes = minutesSentence(view.expires_in_seconds);
        const message = held.existing
          ? `Seat ${view.label} is yours already, for ${minutes}.`
          : `Seat ${view.label} is held for you for ${minutes}.`;
        return { ...view, ...momentOf(held), message: withOrphans(message, held) };
      });
    },
  );

  http.post(
    '/api/events/:event_id/holds',
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
    async (request, reply) => {
      const { event_id } = request.params;
      const { source = 'web', cart_token = null, allow_orphan = false } = request.body;
      const items = itemsOf(request.body.items);
      if (!items) return refuse(reply, 'invalid_request', TOO_MANY_PEOPLE);
      const insists = allow_orphan ? ({ orphans: 'allow' } as const) : {};
      const wish = { items, cart_token, source, ...insists };
      return hold(context, request, reply, event_id, wish, (held) => cartView(event_id, held));
    },
  );
}

function ownHoldsRoute(http: Http, context: RouteContext): void {
  http.get(
    '/api/events/:event_id/holds',
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
      return { data: { holds, server_time: new Date(at_ms).toISOString(), revision } };
    },
  );
}

/** Items as the board knows them; null: more people than places. */
export function itemsOf(items: readonly WireItem[]): HoldItem[] | null {
  const read = items.map((item): HoldItem | null => {
    if ('seat_id' in item) {
      const { seat_id, for_user_id } = item;
      return { seat_id, ...(for_user_id ? { people: [for_user_id.toLowerCase()] } : {}) };
    }
    const { zone_id, quantity, for_user_ids: named = [] } = item;
    if (named.length > quantity) return null;
    const people = named.map((id) => id.toLowerCase());
    return { zone_id, quantity, ...(people.length > 0 ? { people } : {}) };
  });
  return read.includes(null) ? null : (read as HoldItem[]);
}

type WireItem = Readonly<
  | { seat_id: string; for_user_id?: string }
  | { zone_id: string; quantity: number; for_user_ids?: readonly string[] }
>;

/** What is left alone is said where people read it. */
function withOrphans(message: string, { orphans }: Held): string {
  if (!orphans) return message;
  const { labels } = orphans;
  const one = labels.length === 1;
  return `${message} ${one ? 'Seat' : 'Seats'} ${labels.join(', ')} would be left alone.`;
}

/** The first of the cart to end is when the cart ends. */
export function cartView(eventId: string, held: Held) {
  const holds = held.holds.map((one) => holdView(eventId, one, held.at_ms));
  const until_ms = Math.min(...held.holds.map((one) => one.hold.until_ms));
  const seats = held.holds.reduce((sum, one) => sum + one.hold.quantity, 0);
  const left = timeLeft(until_ms, held.at_ms);
  const what = seats === 1 ? 'One seat is' : `${seats} seats are`;
  const message = `${what} held for you for ${minutesSentence(left.expires_in_seconds)}.`;
  return { cart_token: held.cart_token, holds, ...left, ...momentOf(held), message };
}

function momentOf({ at_ms, revision, existing, orphans }: Held) {
  const server_time = new Date(at_ms).toISOString();
  const alone = orphans ? { orphans: [...orphans.labels] } : {};
  return { server_time, revision, ...(existing ? { existing } : {}), ...alone };
}

/** Limits first, then the wish; what is refused is given back. */
export async function hold(
  { engine, limits }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  eventId: string,
  wish: HoldWish,
  view: (held: Held) => object,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const board = await engine.registry.board({ scope: caller.scope, eventId });
  if (!board) return refuse(reply, 'event_not_found', MISSING);
  const refusals = limits.refusals(caller);
  const often = refusals.take();
  if (!often.ok) return refuseLimit(reply, refusals, often, TOO_OFTEN);
  const limit = limits.holds(caller, board.config.policy);
  // More than the whole bucket is more than a booking may have, which the board says.
  let taken = Math.min(newSeats(engine, board, caller, wish), limit?.rate.capacity ?? 0);
  const many = await limit?.take(taken);
  if (limit && many && !many.ok) {
    if (!(await isRepeat(engine, caller, eventId))) {
      return refuseLimit(reply, limit, many, TOO_MANY);
    }
    taken = 0;
  }
  let added = 0;
  let outcome: Awaited<ReturnType<typeof holdSeats>>;
  try {
    outcome = await holdSeats(engine, caller, eventId, wish);
    if (outcome.kind === 'held') {
      added = outcome.existing || outcome.replayed ? 0 : taken;
      refusals.giveBack();
    } else if (outcome.kind === 'refused') refusals.tell();
  } finally {
    if (limit) showLimit(reply, limit.rate, limit.giveBack(taken - added));
  }
  return answerHold(reply, outcome, view);
}

export function answerHold(
  reply: FastifyReply,
  outcome: Held | HoldRefusal | EventMissing | KeyReused,
  view: (held: Held) => object,
): FastifyReply {
  switch (outcome.kind) {
    case 'held': {
      const { replayed, existing } = outcome;
      const done = { kind: 'done', answer: view(outcome), replayed } as const;
      return answerDone(reply, done, { status: existing ? 200 : 201 });
    }
    case 'refused':
      return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
    case 'event_not_found':
      return refuse(reply, 'event_not_found', MISSING);
    case 'key_reused':
      return answerDone(reply, outcome);
  }
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
        case 'expired': {
          const message = 'The time of this hold is over. Please choose again.';
          return refuse(reply, 'hold_expired', message);
        }
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
    '/api/events/:event_id/holds',
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Release everything you hold in an event',
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
      return refuse(reply, outcome.kind, 'This is paid for: you have the ticket.');
    case 'event_not_found':
      return refuse(reply, 'event_not_found', MISSING);
    case 'key_reused':
      return answerDone(reply, outcome);
  }
}
