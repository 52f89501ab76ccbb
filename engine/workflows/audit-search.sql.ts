import { statement } from '#postgres';

type Found = { sequence: number };

const OF_CHAIN = `from audit_log where organization_id = $1 and chain_id = $2`;

/** Entries about holds, checkouts, tickets and refunds, which are in a list called `related`. */
const ABOUT_RELATED = `select sequence ${OF_CHAIN}
     and entity_id = any (array(select id from related))`;

/** Refunds of tickets (`ticket_id`) and of payments for checkouts (`checkout_id`). */
const REFUNDS = `select r.refund_id from owned
       join refunds_due r on r.organization_id = $1 and r.ticket_id = owned.ticket_id
     union
     select r.refund_id from begun
       join payment_attempts a on a.organization_id = $1 and a.checkout_id = begun.id
       join refunds_due r on r.organization_id = $1 and r.attempt_id = a.attempt_id`;

/**
 * What happened to users in an event: to their holds, checkouts, tickets and refunds, by any actor;
 * and what they did themselves, as staff, to those of others.
 */
export const aboutUsers = statement<
  Found,
  [organizationId: string, chainId: string, userIds: readonly string[]]
>(
  'audit.about_users',
  `with begun as (
     select hold_id as id from seat_holds
     where organization_id = $1 and event_id = $2 and user_id = any ($3::uuid[])
     union
     select checkout_id from checkouts
     where organization_id = $1 and event_id = $2 and user_id = any ($3::uuid[])
   ), owned as (
     select ticket_id from tickets
     where organization_id = $1 and event_id = $2 and user_id = any ($3::uuid[])
     union
     select t.ticket_id from begun
       join tickets t on t.organization_id = $1 and t.checkout_id = begun.id
   ), related as (
     select id from begun union select ticket_id from owned union (${REFUNDS})
     union select unnest($3::uuid[])
   )
   ${ABOUT_RELATED}
   union
   select sequence ${OF_CHAIN} and actor_id = any ($3::uuid[]) and actor_id is not null
     and actor_role is distinct from 'customer'`,
);

/** What happened to a checkout: to its holds, payments, tickets and refunds as well. */
export const aboutCheckout = statement<
  Found,
  [organizationId: string, chainId: string, checkoutId: string]
>(
  'audit.about_checkout',
  `with begun as (
     select $3::uuid as id
   ), owned as (
     select ticket_id from tickets where organization_id = $1 and checkout_id = $3
   ), related as (
     select id from begun
     union
     select jsonb_array_elements_text(changes -> 'hold_ids')::uuid ${OF_CHAIN}
       and entity_id = $3
       and action in ('checkout_started', 'checkout_changed', 'checkout_completed')
     union select ticket_id from owned union (${REFUNDS})
   )
   ${ABOUT_RELATED}`,
);

/**
 * Who had seats: holds of them, tickets for them and their sales, moves and blocks. A change of the
 * layout moves holds and tickets without entries: those that are alive are found where they are.
 */
export const aboutSeats = statement<
  Found,
  [organizationId: string, chainId: string, seatIds: readonly string[]]
>(
  'audit.about_seats',
  `with begun as (
     select entity_id as id from lookup_begun($2, $3)
     union
     select hold_id from seat_holds
     where organization_id = $1 and event_id = $2 and seat_id = any ($3::uuid[])
       and status = 'active'
   ), moved as (
     select sequence, action, entity_id ${OF_CHAIN}
       and action in ('seats_unblocked', 'ticket_reseated')
       and (changes -> 'seats' ?| $3::text[] or changes ->> 'from' = any ($3::text[])
         or changes ->> 'to' = any ($3::text[]))
   ), sold as (
     select t.ticket_id, t.checkout_id from begun
       join tickets t on t.organization_id = $1 and t.hold_id = begun.id
     union
     select t.ticket_id, t.checkout_id from moved
       join tickets t on t.organization_id = $1 and t.ticket_id = moved.entity_id
     union
     select ticket_id, checkout_id from tickets
     where organization_id = $1 and event_id = $2 and seat_id = any ($3::uuid[])
       and status = 'active'
   ), related as (
     select id from begun union select ticket_id from sold union select unnest($3::uuid[])
   )
   ${ABOUT_RELATED}
   union
   select sequence ${OF_CHAIN} and action = 'checkout_completed'
     and entity_id = any (array(select checkout_id from sold))
   union
   select sequence from moved
   union
   select sequence ${OF_CHAIN} and action = 'seats_blocked' and changes -> 'seats' ?| $3::text[]`,
);

/** In which event a checkout is. */
export const eventOfCheckout = statement<
  { event_id: string },
  [organizationId: string, checkoutId: string]
>(
  'audit.event_of_checkout',
  'select event_id from checkouts where organization_id = $1 and checkout_id = $2',
);

/** People by their exact address, however it is written. */
export const usersByEmail = statement<
  { user_id: string },
  [organizationId: string, email: string, most: number]
>(
  'users.by_email',
  `select user_id from users
   where organization_id = $1 and email is not null and lower(email) = lower($2) limit $3`,
);
