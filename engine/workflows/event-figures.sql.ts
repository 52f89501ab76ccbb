import { statement } from '#postgres';

export type FiguresRow = {
  event_id: string;
  /** Capacity of the zones that are not closed. */
  places: number;
  sold: number;
  held: number;
  /** Valid ones, and what they cost together. */
  tickets: number;
  tickets_cents: number;
};

/** How many places and tickets events have; one that was never on sale has no row. */
export const listFigures = statement<
  FiguresRow,
  [organizationId: string, eventIds: readonly string[]]
>(
  'events.figures',
  `select z.event_id, z.places, z.sold, z.held, t.tickets, t.tickets_cents
   from (
     select event_id, coalesce(sum(capacity), 0)::int as places,
       coalesce(sum(sold), 0)::int as sold, coalesce(sum(held), 0)::int as held
     from event_zones
     where organization_id = $1 and event_id = any ($2::uuid[]) and not disabled
     group by event_id
   ) z cross join lateral (
     select count(*)::int as tickets, coalesce(sum(price_cents), 0)::bigint as tickets_cents
     from tickets
     where organization_id = $1 and event_id = z.event_id and status = 'active'
   ) t`,
);

export type StakesRow = {
  /** Voided and refunded ones. */
  tickets_ended: number;
  /** Valid tickets for which nothing is owed or paid back yet. */
  refund_tickets: number;
  refund_cents: number;
  /** Held, and not being paid for. */
  held_places: number;
  /** Checkouts that wait for a payment. */
  paying: number;
  paying_cents: number;
};

/** What else depends on an event. */
export const findStakes = statement<StakesRow, [organizationId: string, eventId: string]>(
  'events.stakes',
  `select e.ended as tickets_ended, r.tickets as refund_tickets, r.cents as refund_cents,
     h.places as held_places, c.paying, c.cents as paying_cents
   from (
     select count(*)::int as ended from tickets
     where organization_id = $1 and event_id = $2 and status <> 'active'
   ) e, (
     select count(*)::int as tickets, coalesce(sum(t.price_cents), 0)::bigint as cents
     from tickets t left join refunds_due d
       on d.organization_id = t.organization_id and d.ticket_id = t.ticket_id
     where t.organization_id = $1 and t.event_id = $2 and t.status = 'active'
       and d.refund_id is null
   ) r, (
     select coalesce(sum(h.quantity), 0)::int as places
     from seat_holds h left join checkouts p
       on p.organization_id = h.organization_id and p.checkout_id = h.checkout_id
       and p.status = 'paying'
     where h.organization_id = $1 and h.event_id = $2 and h.status = 'active'
       and h.held_until > (select event_now()) and p.checkout_id is null
   ) h, (
     select count(*)::int as paying, coalesce(sum(total_cents), 0)::bigint as cents
     from checkouts
     where organization_id = $1 and event_id = $2 and status = 'paying'
   ) c`,
);
