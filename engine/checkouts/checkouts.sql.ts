import { statement } from '#postgres';
import type { Checkout, CheckoutState } from './checkout.ts';

/**
 * A checkout as the board knows it. Where each item is, its hold says, which moves when an event
 * gets another plan. Holds are looked up one by one (`limit 1`): joined, Postgres reads all of the
 * organization's, as long as it believes that there are few. A node of 0.1.0 that begins a payment
 * leaves `given_back` as it is: what is being paid for is not judged again.
 */
export const CHECKOUT_JSON = `json_build_object('checkout_id', c.checkout_id, 'user_id', c.user_id,
  'status', c.status, 'currency', c.currency, 'declined', c.declined,
  'given_back', c.given_back and c.status = 'started',
  'created_ms', floor(extract(epoch from c.created_at) * 1000)::bigint,
  'items', (select json_agg(json_build_object('hold_id', h.hold_id, 'seat_id', h.seat_id,
      'zone_id', coalesce(h.zone_id, (i.item ->> 'zone_id')::uuid), 'quantity', h.quantity,
      'price_cents', (i.item ->> 'price_cents')::int,
      'until_ms', (i.item ->> 'until_ms')::bigint) order by i.place)
    from jsonb_array_elements(c.items) with ordinality as i (item, place)
    cross join lateral (select * from seat_holds one where one.organization_id = c.organization_id
      and one.hold_id = (i.item ->> 'hold_id')::uuid limit 1) h),
  'attempts', coalesce((select json_agg(json_build_object('attempt_id', a.attempt_id,
      'provider', a.provider, 'amount_cents', a.amount_cents, 'status', a.status,
      'created_ms', floor(extract(epoch from a.created_at) * 1000)::bigint,
      'deadline_ms', floor(extract(epoch from a.deadline_at) * 1000)::bigint) order by a.place)
    from payment_attempts a where a.organization_id = c.organization_id
      and a.checkout_id = c.checkout_id), '[]'))`;

export type CheckoutRow = { event_id: string; total_cents: number; checkout: Checkout };

export const findCheckout = statement<CheckoutRow, [organizationId: string, checkoutId: string]>(
  'checkouts.find',
  `select c.event_id, c.total_cents, ${CHECKOUT_JSON} as checkout from checkouts c
   where c.organization_id = $1 and c.checkout_id = $2`,
);

export type CheckoutEntry = {
  checkout_id: string;
  user_id: string;
  status: CheckoutState;
  method: string | null;
  total_cents: number;
  currency: string;
  seats: number;
  created_at: string;
  closed_at: string | null;
  close_reason: string | null;
};

/** The checkouts of an event, the youngest first. */
export const listCheckouts = statement<
  CheckoutEntry,
  [
    organizationId: string,
    eventId: string,
    status: string | null,
    before: string | null,
    most: number,
  ]
>(
  'checkouts.list',
  `select checkout_id, user_id, status, method, total_cents, currency,
     (select coalesce(sum((i ->> 'quantity')::int), 0)::int from jsonb_array_elements(items) i)
       as seats, created_at, closed_at, close_reason
   from checkouts where organization_id = $1 and event_id = $2
     and ($3::text is null or status = $3) and ($4::uuid is null or checkout_id < $4)
   order by checkout_id desc limit $5`,
);

/** Whose attempt it is that a payment message speaks of. */
export const lookupAttempt = statement<
  { organization_id: string; event_id: string; checkout_id: string; provider: string },
  [attemptId: string]
>('checkouts.lookup_attempt', 'select * from lookup_attempt($1)');

export type RefundRow = {
  refund_id: string;
  event_id: string;
  checkout_id: string;
  attempt_id: string | null;
  ticket_id: string | null;
  amount_cents: number;
  currency: string;
  reason: string;
  status: 'due' | 'refunded';
  created_at: string;
  refunded_at: string | null;
};

/** Money to be given back, the oldest first. */
export const listRefunds = statement<
  RefundRow,
  [
    organizationId: string,
    eventId: string | null,
    status: string | null,
    after: string | null,
    most: number,
  ]
>(
  'refunds.list',
  `select refund_id, event_id, checkout_id, attempt_id, ticket_id, amount_cents, currency, reason,
     status, created_at, refunded_at
   from refunds_due where organization_id = $1 and ($2::uuid is null or event_id = $2)
     and ($3::text is null or status = $3) and ($4::uuid is null or refund_id > $4)
   order by refund_id limit $5`,
);
