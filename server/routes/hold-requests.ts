import type { HoldWish as HoldBody, ReserveWish } from '@voelgoed/client/wire';
import type { HoldItem } from '@voelgoed/engine/board';
import {
  type EventMissing,
  type Held,
  type HoldRefusal,
  type HoldWish,
  holdSeats,
  isRepeat,
  type KeyReused,
  newSeats,
} from '@voelgoed/engine/workflows';
import type { Static } from 'typebox';
import { type AnyReply, type AnyRequest, answerDone, callerOf, refuse } from '#http';
import { refuseLimit, showLimit } from '#limits';
import type { RouteContext } from './context.ts';
import { holdView, minutesSentence, refuseByBoard, timeLeft } from './hold-views.ts';

export const RESERVE = '/api/events/:event_id/seats/:seat_id/reserve';
export const HOLDS = '/api/events/:event_id/holds';
export const BEST = '/api/events/:event_id/holds/best-available';
export const BUSY = ['event_busy', 'outcome_unknown', 'idempotency_key_reused'] as const;
const MISSING = 'There is no such event.';
const TOO_MANY = 'You have held many seats in a short time. Please wait a moment.';
const TOO_OFTEN = 'Too many of your requests were refused. Please wait a moment.';
export const TOO_MANY_PEOPLE = '`for_user_ids` names more people than there are places.';

/** Seat by seat nobody knows yet what the cart will be: it is told, and judged at checkout. */
export function reserveWish({ params, body }: AnyRequest): HoldWish {
  const { seat_id } = params as { seat_id: string };
  const { source = 'web', cart_token } = body as Static<typeof ReserveWish>;
  return { items: [{ seat_id }], cart_token: cart_token ?? null, source, orphans: 'tell' };
}

/** One seat. Shapes were judged before, here and below. */
export function reserve<Reply extends AnyReply>(
  context: RouteContext,
  request: AnyRequest,
  reply: Reply,
): Promise<Reply> {
  const { event_id } = request.params as { event_id: string };
  return hold(context, request, reply, event_id, reserveWish(request), (held) => {
    const [first] = held.holds;
    if (!first) throw new Error('a reserved seat has a hold');
    const view = holdView(event_id, first, held.at_ms);
    const minutes = minutesSentence(view.expires_in_seconds);
    const message = held.existing
      ? `Seat ${view.label} is yours already, for ${minutes}.`
      : `Seat ${view.label} is held for you for ${minutes}.`;
    return { ...view, ...momentOf(held), message: withOrphans(message, held) };
  });
}

/** Null: more people than places. */
export function holdWish({ body }: AnyRequest): HoldWish | null {
  const { source = 'web', cart_token, allow_orphan, ...wish } = body as Static<typeof HoldBody>;
  const items = itemsOf(wish.items);
  const insists = allow_orphan ? ({ orphans: 'allow' } as const) : {};
  return items && { items, cart_token: cart_token ?? null, source, ...insists };
}

/** Several seats and places, all or nothing. */
export async function holdTogether<Reply extends AnyReply>(
  context: RouteContext,
  request: AnyRequest,
  reply: Reply,
): Promise<Reply> {
  const { event_id } = request.params as { event_id: string };
  const wish = holdWish(request);
  if (!wish) return refuse(reply, 'invalid_request', TOO_MANY_PEOPLE);
  return hold(context, request, reply, event_id, wish, (held) => cartView(event_id, held));
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
  const what = countedPlaces(seats, held.holds);
  const message = `${what} held for you for ${minutesSentence(left.expires_in_seconds)}.`;
  return { cart_token: held.cart_token, holds, ...left, ...momentOf(held), message };
}

/** A place to stand is no seat. */
function countedPlaces(number: number, holds: Held['holds']): string {
  const places = holds.filter(({ place }) => place.seat === null).length;
  const [one, many] = places === 0 ? ['seat', 'seats'] : ['place', 'places'];
  if (number === 1) return `One ${one} is`;
  const mixed = places > 0 && places < holds.length;
  return `${number} ${mixed ? 'seats and places' : many} are`;
}

function momentOf({ at_ms, revision, existing, orphans }: Held) {
  const server_time = new Date(at_ms).toISOString();
  const alone = orphans ? { orphans: [...orphans.labels] } : {};
  return { server_time, revision, ...(existing ? { existing } : {}), ...alone };
}

/** Limits first, then the wish; what is refused is given back. */
export async function hold<Reply extends AnyReply>(
  { engine, limits }: RouteContext,
  request: AnyRequest,
  reply: Reply,
  eventId: string,
  wish: HoldWish,
  view: (held: Held) => object,
): Promise<Reply> {
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

export function answerHold<Reply extends AnyReply>(
  reply: Reply,
  outcome: Held | HoldRefusal | EventMissing | KeyReused,
  view: (held: Held) => object,
): Reply {
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
