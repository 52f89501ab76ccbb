import { statement } from '#postgres';

/** Where something is, as people say it. What is null is not so: a zone has no row, a seat has. */
type PlaceRow = {
  seat_id: string | null;
  label: string | null;
  section: string | null;
  row: string | null;
  number: number | null;
  zone_id: string | null;
  zone_name: string | null;
};

export type HoldFact = PlaceRow & {
  hold_id: string;
  user_id: string;
  quantity: number;
  cart_token: string;
  created_at: string;
};

/**
 * Seats are found one by one, as the first from an id on: only the index by id has that order.
 * Asked for the id alone, Postgres reads all seats of a plan for each, as long as it believes that
 * there are few.
 */
const PLACE = `left join event_layouts l on l.organization_id = $1 and l.event_id = $2
   left join lateral (select * from seats one
     where (one.organization_id, one.layout_id, one.version, one.seat_id)
       >= ($1, l.layout_id, l.layout_version, t.seat_id)
     order by one.organization_id, one.layout_id, one.version, one.seat_id limit 1) s
     on s.organization_id = $1 and s.layout_id = l.layout_id and s.version = l.layout_version
       and s.seat_id = t.seat_id
   left join event_zones z on z.organization_id = $1 and z.event_id = $2
     and z.zone_id = coalesce(t.zone_id, s.zone_id)`;
const PLACE_COLUMNS = `t.seat_id, s.label, s.section, s.row_name as row, s.number,
     coalesce(t.zone_id, s.zone_id) as zone_id, z.name as zone_name`;

type Asked = [organizationId: string, eventId: string, ids: readonly string[]];

export const holdFacts = statement<HoldFact, Asked>(
  'webhooks.holds',
  `select t.hold_id, t.user_id, t.quantity, t.cart_token, t.created_at, ${PLACE_COLUMNS}
   from seat_holds t ${PLACE}
   where t.organization_id = $1 and t.hold_id = any ($3::uuid[])`,
);

export type TicketFact = PlaceRow & {
  ticket_id: string;
  code: string;
  user_id: string;
  checkout_id: string;
  price_cents: number;
  currency: string;
};

export const ticketFacts = statement<TicketFact, Asked>(
  'webhooks.tickets',
  `select t.ticket_id, t.code, t.user_id, t.checkout_id, t.price_cents, t.currency,
     ${PLACE_COLUMNS}
   from tickets t ${PLACE}
   where t.organization_id = $1 and t.ticket_id = any ($3::uuid[])`,
);

export type CheckoutFact = {
  checkout_id: string;
  user_id: string;
  total_cents: number;
  currency: string;
};

export const checkoutFacts = statement<
  CheckoutFact,
  [organizationId: string, ids: readonly string[]]
>(
  'webhooks.checkouts',
  `select checkout_id, user_id, total_cents, currency from checkouts
   where organization_id = $1 and checkout_id = any ($2::uuid[])`,
);

export type EventFact = {
  name: string;
  slug: string;
  status: string;
  starts_at: string;
  ends_at: string;
  venue_name: string | null;
  timezone: string;
};

export const eventFacts = statement<EventFact, [organizationId: string, eventId: string]>(
  'webhooks.event',
  `select e.name, e.slug, e.status, e.starts_at, e.ends_at, v.name as venue_name,
     coalesce(v.timezone, o.timezone) as timezone
   from events e join organizations o on o.organization_id = e.organization_id
   left join venues v on v.organization_id = e.organization_id and v.venue_id = e.venue_id
   where e.organization_id = $1 and e.event_id = $2`,
);

export type ZoneFact = { zone_id: string; name: string; capacity: number; taken: number };

export const zoneFacts = statement<ZoneFact, [organizationId: string, eventId: string]>(
  'webhooks.zones',
  `select zone_id, name, capacity, held + sold + blocked as taken from event_zones
   where organization_id = $1 and event_id = $2`,
);

/** Looked up when a message is sent and never stored with it: what is erased is gone. */
export const peopleFacts = statement<
  { user_id: string; subject: string | null; email: string | null; name: string | null },
  [organizationId: string, ids: readonly string[]]
>(
  'webhooks.people',
  `select user_id, subject, email, name from users
   where organization_id = $1 and user_id = any ($2::uuid[])`,
);
