import type { KnownMessage, TicketRecord } from '#board';
import { CHECKOUT_JSON, type Checkout } from '#checkouts';
import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string];

export type SalesRow = {
  checkouts: Checkout[] | null;
  messages: (KnownMessage & { provider: string; message_id: string })[] | null;
  tickets: TicketRecord[] | null;
};

/** Checkouts, payment messages and tickets that commands of a flush are about, after the lock. */
export const readSales = statement<
  SalesRow,
  [
    ...Place,
    checkoutIds: readonly string[],
    providers: readonly string[],
    messageIds: readonly string[],
    ticketIds: readonly string[],
  ]
>(
  'flush.read_sales',
  `select
     (select json_agg(${CHECKOUT_JSON}) from checkouts c
      where c.organization_id = $1 and c.checkout_id = any ($3::uuid[])
        and (c.event_id = $2) is true) as checkouts,
     (select json_agg(json_build_object('provider', m.provider, 'message_id', m.message_id,
        'type', m.type, 'attempt_id', m.attempt_id, 'outcome', m.outcome))
      from unnest($4::text[], $5::text[]) as asked (provider, message_id)
      cross join lateral (select * from payment_messages one where one.organization_id = $1
        and one.provider = asked.provider and one.message_id = asked.message_id limit 1) m)
       as messages,
     (select json_agg(json_build_object('ticket_id', t.ticket_id, 'checkout_id', t.checkout_id,
        'attempt_id', c.attempt_id, 'user_id', t.user_id, 'status', t.status,
        'seat_id', t.seat_id, 'zone_id', t.zone_id, 'price_cents', t.price_cents,
        'currency', t.currency, 'owed', exists (select from refunds_due r
          where r.organization_id = $1 and r.ticket_id = t.ticket_id),
        'paid_back', exists (select from payment_attempts a where a.organization_id = $1
          and a.attempt_id = c.attempt_id and a.status = 'refunded')))
      from tickets t
      cross join lateral (select attempt_id from checkouts one where one.organization_id = $1
        and one.checkout_id = t.checkout_id limit 1) c
      where t.organization_id = $1 and t.ticket_id = any ($6::uuid[])
        and (t.event_id = $2) is true) as tickets`,
);

/** Open checkouts of an event, for its board. */
export const readOpenCheckouts = statement<{ checkout: Checkout }, Place>(
  'board.checkouts',
  `select ${CHECKOUT_JSON} as checkout from checkouts c
   where c.organization_id = $1 and c.event_id = $2 and c.status in ('started', 'paying')
   order by c.checkout_id`,
);

/**
 * What a flush writes about sales, which most flushes do not: a statement of its own before the
 * others in the same pipeline. Each row says what it must find, and raises if it does not. What
 * ends is written before what begins, for the unique indexes. Rows come as JSON: there are few of
 * them, and arrays would be sixty. What is changed is found by `any` of its keys and then takes its
 * values: joined with the JSON, Postgres reads all rows of the organization under the event's lock,
 * as long as it believes that there are few.
 */
export const writeSales = statement<
  object,
  [
    ...Place,
    at_ms: number,
    checkouts: string,
    attempts: string,
    messages: string,
    refunds: string,
    refunded: string,
    tickets: string,
    ended: string,
    reseated: string,
  ]
>(
  'flush.write_sales',
  `with rows as (
     select * from json_to_recordset($4::json) as d (checkout_id uuid, expected text, user_id uuid,
       status text, currency text, items jsonb, total_cents bigint, declined boolean,
       given_back boolean, method text, attempt_id uuid, sold_by uuid, close_reason text)
   ), changed as (
     update checkouts c set (status, items, total_cents, declined, given_back, method, attempt_id,
       sold_by, closed_at, close_reason) = (select d.status, coalesce(d.items, c.items),
         coalesce(d.total_cents, c.total_cents), d.declined, d.given_back, d.method, d.attempt_id,
         d.sold_by,
         case when d.status not in ('started', 'paying') then to_timestamp($3 / 1000.0) end,
         d.close_reason from rows d where d.checkout_id = c.checkout_id)
     where c.organization_id = $1
       and c.checkout_id = any (array(select checkout_id from rows where expected is not null))
       and (c.event_id = $2) is true
       and (c.status = (select d.expected from rows d where d.checkout_id = c.checkout_id)) is true
     returning 1
   ), new_checkouts as (
     insert into checkouts (organization_id, event_id, checkout_id, user_id, status, currency,
       total_cents, items, declined, given_back, method, attempt_id, sold_by, created_at,
       closed_at, close_reason)
     select $1, $2, checkout_id, user_id, status, currency, total_cents, items, declined,
       given_back, method, attempt_id, sold_by, to_timestamp($3 / 1000.0),
       case when status not in ('started', 'paying') then to_timestamp($3 / 1000.0) end,
       close_reason
     from rows where expected is null and (select count(*) from changed) >= 0
     returning 1
   ), tries as (
     select * from json_to_recordset($5::json) as d (attempt_id uuid, checkout_id uuid, status text,
       made jsonb)
   ), new_attempts as (
     insert into payment_attempts (organization_id, event_id, attempt_id, checkout_id, place,
       provider, amount_cents, status, created_at, deadline_at)
     select $1, $2, attempt_id, checkout_id, (made ->> 'place')::int, made ->> 'provider',
       (made ->> 'amount_cents')::bigint, status, to_timestamp($3 / 1000.0),
       to_timestamp((made ->> 'deadline_ms')::float8 / 1000.0)
     from tries where jsonb_typeof(made) = 'object'
     returning 1
   ), changed_attempts as (
     update payment_attempts a set status = (select d.status from tries d
       where d.attempt_id = a.attempt_id and d.checkout_id = a.checkout_id)
     where a.organization_id = $1 and a.attempt_id = any (array(select attempt_id from tries
       where jsonb_typeof(made) is distinct from 'object'))
     returning 1
   ), messages as (
     insert into payment_messages (organization_id, event_id, provider, message_id, attempt_id,
       type, amount_cents, currency, outcome, at)
     select $1, $2, provider, message_id, attempt_id, type, amount_cents, currency, outcome,
       to_timestamp($3 / 1000.0)
     from json_to_recordset($6::json) as d (provider text, message_id text, attempt_id uuid,
       type text, amount_cents bigint, currency text, outcome text)
     returning 1
   ), owed as (
     insert into refunds_due (organization_id, event_id, refund_id, checkout_id, attempt_id,
       ticket_id, amount_cents, currency, reason, created_at)
     select $1, $2, refund_id, checkout_id, attempt_id, ticket_id, amount_cents, currency, reason,
       to_timestamp($3 / 1000.0)
     from json_to_recordset($7::json) as d (refund_id uuid, checkout_id uuid, attempt_id uuid,
       ticket_id uuid, amount_cents bigint, currency text, reason text)
     returning 1
   ), given as (
     select * from json_to_recordset($8::json) as d (attempt_id uuid, amount_cents bigint)
   ), due as (
     select r.refund_id, g.amount_cents as given,
       sum(r.amount_cents) over (partition by r.attempt_id order by r.refund_id) as so_far,
       first_value(r.refund_id) over (partition by r.attempt_id
         order by r.amount_cents <> g.amount_cents, r.refund_id) as best,
       bool_or(r.amount_cents = g.amount_cents) over (partition by r.attempt_id) as exact
     from given g cross join lateral (select * from refunds_due one
       where one.attempt_id = g.attempt_id and (one.organization_id = $1) is true
         and one.status = 'due' offset 0) r
   ), settled as (
     -- The oldest that is exactly this money; else the oldest first, as far as it goes.
     update refunds_due r set status = 'refunded', refunded_at = to_timestamp($3 / 1000.0)
     where r.organization_id = $1 and r.refund_id = any (array(select refund_id from due
       where case when exact then refund_id = best else so_far <= given end))
   ), ends as (
     select * from json_to_recordset($10::json) as d (ticket_id uuid, status text, vacates boolean,
       reason text)
   ), ended as (
     update tickets t set (status, ended_at, end_reason) = (
       select d.status, to_timestamp($3 / 1000.0), d.reason from ends d
       where d.ticket_id = t.ticket_id)
     where t.organization_id = $1 and t.ticket_id = any (array(select ticket_id from ends))
       and (t.event_id = $2) is true
       and (t.status = (select case when d.vacates then 'active' else 'voided' end from ends d
         where d.ticket_id = t.ticket_id)) is true
     returning 1
   ), moves as (
     select * from json_to_recordset($11::json) as d (ticket_id uuid, "from" uuid, "to" uuid,
       zone_id uuid)
   ), reseated as (
     update tickets t set (seat_id, zone_id) = (select d.to, d.zone_id from moves d
       where d.ticket_id = t.ticket_id)
     where t.organization_id = $1 and t.ticket_id = any (array(select ticket_id from moves))
       and (t.event_id = $2) is true and (t.status = 'active') is true
       and (t.seat_id = (select d.from from moves d where d.ticket_id = t.ticket_id)) is true
     returning 1
   ), new_tickets as (
     insert into tickets (organization_id, event_id, ticket_id, checkout_id, hold_id, user_id,
       seat_id, zone_id, code, status, price_cents, currency, member_id, created_at)
     select $1, $2, ticket_id, checkout_id, hold_id, user_id, seat_id, zone_id, code, 'active',
       price_cents, currency, member_id, to_timestamp($3 / 1000.0)
     from json_to_recordset($9::json) as d (ticket_id uuid, checkout_id uuid, hold_id uuid,
       user_id uuid, seat_id uuid, zone_id uuid, code text, price_cents int, currency text,
       member_id uuid)
     where (select count(*) from ended) + (select count(*) from reseated) >= 0
     returning 1
   )
   select
     case when (select count(*) from new_checkouts) + (select count(*) from changed)
       <> json_array_length($4::json) then refuse_flush('checkouts') end,
     case when (select count(*) from new_attempts) + (select count(*) from changed_attempts)
       <> json_array_length($5::json) then refuse_flush('payment attempts') end,
     case when (select count(*) from messages) <> json_array_length($6::json)
       then refuse_flush('payment messages') end,
     case when (select count(*) from owed) <> json_array_length($7::json)
       then refuse_flush('refunds') end,
     case when (select count(*) from new_tickets) <> json_array_length($9::json)
       then refuse_flush('new tickets') end,
     case when (select count(*) from ended) <> json_array_length($10::json)
       then refuse_flush('ended tickets') end,
     case when (select count(*) from reseated) <> json_array_length($11::json)
       then refuse_flush('reseated tickets') end`,
);
