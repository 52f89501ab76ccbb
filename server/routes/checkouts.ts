import {
  CancelReply,
  CancelWish,
  CheckoutParams,
  CheckoutReply,
  CheckoutWish,
  Data,
  PayReply,
  PayWish,
} from '@voelgoed/client/wire';
import { totalOf } from '@voelgoed/engine/checkouts';
import type { Taken } from '@voelgoed/engine/kit';
import {
  type Caller,
  type CancelledCheckout,
  type CheckoutView,
  cancelCheckout,
  isNoNewCheckout,
  payCheckout,
  readCheckout,
  startCheckout,
} from '@voelgoed/engine/workflows';
import type { FastifyRequest } from 'fastify';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import { type Limit, refuseLimit } from '#limits';
import type { Payments, PaymentToMake, RouteContext } from './context.ts';
import { refuseByBoard } from './hold-views.ts';
import { releasedSentence } from './release-views.ts';

const TAGS = { tags: ['checkouts'], ...WITH_CREDENTIAL };
const BUYER = { access: { kind: 'buyer' } } as const;
const BUSY = ['event_busy', 'outcome_unknown', 'idempotency_key_reused'] as const;
const TOO_SOON = 'You have just started a checkout for this event. Please wait a moment.';
const NO_CHECKOUT = 'You have no such checkout.';

export function registerCheckouts(http: Http, context: RouteContext): void {
  startRoute(http, context);
  readRoute(http, context);
  payRoute(http, context);
  cancelRoute(http, context);
}

const START = {
  ...TAGS,
  summary: 'Check out what you hold',
  description:
    '201 for a new one, whose holds are made longer once. While one is open: 200, the same ' +
    'one, with the named holds in it from now on. A new one has to wait some seconds after ' +
    'the last new one of the event.',
  body: CheckoutWish,
  response: repliesOr(
    { 200: Data(CheckoutReply), 201: Data(CheckoutReply) },
    'event_not_found',
    'event_not_available',
    'event_sales_closed',
    'no_active_holds',
    'mixed_events',
    'hold_not_found',
    'hold_expired',
    'zone_access_denied',
    'seat_not_available',
    'payment_in_progress',
    'orphan_rule',
    'no_adjacent_seats',
    'forbidden',
    'wheelchair_limit',
    'companion_reserved',
    'hold_limit_reached',
    'rate_limited',
    ...BUSY,
  ),
};

function startRoute(http: Http, context: RouteContext): void {
  const { payments } = context;
  http.post(
    '/api/checkouts',
    {
      config: BUYER,
      schema: START,
    },
    async (request, reply) => {
      const { event_id, hold_ids = null, cart_token = null, allow_orphan = false } = request.body;
      const carted = { holdIds: hold_ids, cartToken: cart_token, allowOrphan: allow_orphan };
      const wish = { eventId: event_id.toLowerCase(), ...carted };
      const caller = callerOf(request);
      const outcome = await startInTime(context, caller, wish);
      switch (outcome.kind) {
        case 'too_soon':
          return refuseLimit(reply, outcome.limit, outcome.taken, TOO_SOON);
        case 'checkout': {
          const { view, existing, replayed } = outcome;
          const own = checkoutView(view, payUrls(payments, request));
          const answer = { ...own, ...(existing ? { existing } : {}) };
          const status = existing ? 200 : 201;
          return answerDone(reply, { kind: 'done', answer, replayed }, { status });
        }
        case 'mixed_events': {
          const message = 'A checkout is for one event; some of these holds are of another.';
          return refuse(reply, 'mixed_events', message);
        }
        case 'hold_expired':
          return refuse(reply, 'hold_expired', 'Hold expired. Please choose again.');
        case 'refused':
          return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
        case 'event_not_found':
          return refuse(reply, 'event_not_found', 'There is no such event.');
        case 'key_reused':
          return answerDone(reply, outcome);
      }
    },
  );
}

type StartWish = Parameters<typeof startCheckout>[2];
type TooSoon = Readonly<{ kind: 'too_soon'; limit: Limit; taken: Taken }>;

/** One new checkout in a while; what turns out to be none gives its turn back. */
async function startInTime(
  { engine, limits }: RouteContext,
  caller: Caller,
  wish: StartWish,
): Promise<Awaited<ReturnType<typeof startCheckout>> | TooSoon> {
  const limit = limits.checkouts(caller, wish.eventId);
  const taken = await limit?.take(1);
  if (limit && taken && !taken.ok && !(await isNoNewCheckout(engine, caller, wish.eventId))) {
    return { kind: 'too_soon', limit, taken };
  }
  let isNew = false;
  try {
    const outcome = await startCheckout(engine, caller, wish);
    isNew = outcome.kind === 'checkout' && !outcome.existing && !outcome.replayed;
    return outcome;
  } finally {
    if (taken?.ok && !isNew) limit?.giveBack(1);
  }
}

function readRoute(http: Http, { engine, payments }: RouteContext): void {
  http.get(
    '/api/checkouts/:id',
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'One of your checkouts',
        params: CheckoutParams,
        response: repliesOr({ 200: Data(CheckoutReply) }, 'checkout_not_found'),
      },
    },
    async (request, reply) => {
      const view = await readCheckout(engine, callerOf(request), request.params.id);
      if (!view) return refuse(reply, 'checkout_not_found', NO_CHECKOUT) as never;
      return { data: checkoutView(view, payUrls(payments, request)) };
    },
  );
}

type PayUrl = (payment: PaymentToMake) => string | null;

/** Where payments are made, seen from where the buyer has come to us. */
function payUrls({ payUrl }: Payments, { protocol, host }: FastifyRequest): PayUrl {
  return (payment) => payUrl(payment, `${protocol}://${host}`);
}

function checkoutView(view: CheckoutView, payUrl: PayUrl) {
  const { eventId, checkout, places, until_ms, at_ms } = view;
  const { checkout_id, status, currency, declined } = checkout;
  return {
    checkout_id,
    event_id: eventId,
    status,
    items: checkout.items.map((item, index) => {
      const place = places[index];
      const { hold_id, seat_id, zone_id, quantity, price_cents } = item;
      return {
        ...{ hold_id, seat_id, zone_id, quantity, price_cents },
        block_name: place?.zone_name ?? null,
        label: place?.seat?.label ?? null,
        row: place?.seat?.row ?? null,
        seat_number: place?.seat?.number ?? null,
        total_cents: price_cents * quantity,
      };
    }),
    total_cents: totalOf(checkout.items),
    currency,
    expires_at: until_ms === null ? null : new Date(until_ms).toISOString(),
    expires_in_seconds:
      until_ms === null ? null : Math.max(0, Math.floor((until_ms - at_ms) / 1_000)),
    declined,
    attempts: checkout.attempts.map((attempt) => ({
      attempt_id: attempt.attempt_id,
      status: attempt.status,
      amount_cents: attempt.amount_cents,
      deadline: new Date(attempt.deadline_ms).toISOString(),
      // Also for a buyer who never got the answer to the wish to pay.
      pay_url: attempt.status === 'pending' ? payUrl({ ...attempt, checkout_id, currency }) : null,
    })),
    server_time: new Date(at_ms).toISOString(),
  };
}

function payRoute(http: Http, { engine, payments }: RouteContext): void {
  http.post(
    '/api/checkouts/:id/pay',
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Begin to pay',
        description:
          'Until the deadline nothing of the checkout ends. A declined payment leaves some time ' +
          'for another one; the first that succeeds counts. What is left of a checkout after ' +
          'something of it was given back is judged here as at its start.',
        params: CheckoutParams,
        body: PayWish,
        response: repliesOr(
          { 200: Data(PayReply) },
          'checkout_not_found',
          'checkout_closed',
          'ticket_already_paid',
          'hold_expired',
          'seat_not_available',
          'event_not_available',
          'orphan_rule',
          'no_adjacent_seats',
          'forbidden',
          'companion_reserved',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const provider = request.body?.provider ?? payments.providers[0];
      if (!payments.providers.includes(provider)) {
        const message = `is not one of: ${payments.providers.join(', ')}`;
        const problems = [{ path: 'provider', message }];
        return refuse(reply, 'invalid_request', 'There is no such provider.', { problems });
      }
      const outcome = await payCheckout(engine, callerOf(request), request.params.id, provider);
      switch (outcome.kind) {
        case 'payment_begun': {
          const { replayed } = outcome;
          const { checkout_id, attempt_id, amount_cents, currency, deadline_ms } = outcome.payment;
          const about = { checkout_id, attempt_id, provider };
          const payment = { ...about, amount_cents, currency, deadline_ms };
          const pay_url = payUrls(payments, request)(payment);
          const deadline = new Date(deadline_ms).toISOString();
          const begun = { checkout_id, status: 'paying', attempt_id, deadline };
          const answer = { ...begun, amount_cents, currency, pay_url };
          return answerDone(reply, { kind: 'done', answer, replayed });
        }
        case 'completed': {
          const { checkout_id, replayed, currency } = outcome;
          const nothing = { attempt_id: null, deadline: null, amount_cents: 0, pay_url: null };
          const answer = { checkout_id, status: 'completed', currency, ...nothing };
          return answerDone(reply, { kind: 'done', answer, replayed });
        }
        case 'refused':
          return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
        case 'checkout_not_found':
          return refuse(reply, 'checkout_not_found', NO_CHECKOUT);
        case 'key_reused':
          return answerDone(reply, outcome);
      }
    },
  );
}

function cancelRoute(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/checkouts/:id/cancel',
    {
      config: BUYER,
      schema: {
        ...TAGS,
        summary: 'Give everything in a checkout back; what was cancelled stays so',
        params: CheckoutParams,
        body: CancelWish,
        response: repliesOr(
          { 200: Data(CancelReply) },
          'checkout_not_found',
          'checkout_closed',
          'payment_in_progress',
          'ticket_already_paid',
          ...BUSY,
        ),
      },
    },
    async (request, reply) => {
      const note = request.body?.notes ?? null;
      const outcome = await cancelCheckout(engine, callerOf(request), request.params.id, note);
      switch (outcome.kind) {
        case 'cancelled': {
          const { replayed } = outcome;
          return answerDone(reply, { kind: 'done', answer: cancelView(outcome), replayed });
        }
        case 'refused':
          return refuseByBoard(reply, outcome.refusal, outcome.at_ms);
        case 'checkout_not_found':
          return refuse(reply, 'checkout_not_found', NO_CHECKOUT);
        case 'key_reused':
          return answerDone(reply, outcome);
      }
    },
  );
}

function cancelView({ checkout_id, released }: CancelledCheckout) {
  const released_count = released.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    status: 'cancelled' as const,
    checkout_id,
    released_seats: released.map(({ place, quantity }) => ({
      seat_id: place.seat?.seat_id ?? null,
      zone_id: place.zone_id,
      block: place.zone_name,
      row: place.seat?.row ?? null,
      number: place.seat?.number ?? null,
      quantity,
    })),
    released_count,
    message: releasedSentence(released_count),
  };
}
