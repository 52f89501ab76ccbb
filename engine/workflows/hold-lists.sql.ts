import { statement } from '#postgres';

/** A hold of any event, with its place in words as far as the event's plan still knows it. */
export type HoldEntryRow = {
  hold_id: string;
  event_id: string;
  event_name: string;
  status: 'held' | 'converted' | 'expired' | 'cancelled';
  seat_id: string | null;
  zone_id: string | null;
  block_name: string | null;
  label: string | null;
  quantity: number;
  user_id: string;
  holder: string | null;
  source: string;
  made_by: string | null;
  notes: string | null;
  checkout_id: string | null;
  paying: boolean;
  created_at: string;
  held_until: string;
  ended_at: string | null;
  end_reason: string | null;
};

/** Which holds; null: any. */
export type HoldTerms = [
  organizationId: string,
  /** The first id of the time from which on, and the id before which. */
  from: string,
  before: string,
  eventId: string | null,
  userId: string | null,
  seatId: string | null,
  zoneId: string | null,
  checkoutId: string | null,
  paying: boolean | null,
  dueWithin: number | null,
];

const MATCHES = `h.hold_id >= $2 and h.hold_id < $3
     and ($4::uuid is null or h.event_id = $4) and ($5::uuid is null or h.user_id = $5)
     and ($6::uuid is null or h.seat_id = $6)
     and ($7::uuid is null or h.zone_id = $7 or exists (select from event_layouts l
       join seats s on s.organization_id = $1 and s.layout_id = l.layout_id
         and s.version = l.layout_version and s.seat_id = h.seat_id and s.zone_id = $7
       where l.organization_id = $1 and l.event_id = h.event_id))
     and ($8::uuid is null or h.checkout_id = $8)
     and ($9::boolean is null or $9 = exists (select from checkouts c
       where c.organization_id = $1 and c.checkout_id = h.checkout_id and c.status = 'paying'))
     and ($10::int is null or h.held_until <= (select event_now()) + make_interval(secs => $10))`;

const COLUMNS = `h.hold_id, h.event_id, e.name as event_name,
     case h.status when 'active' then 'held' else h.status end as status, h.seat_id,
     coalesce(h.zone_id, s.zone_id) as zone_id, z.name as block_name, s.label, h.quantity,
     h.user_id, u.name as holder, h.source, h.made_by, h.notes, h.checkout_id,
     coalesce(c.status = 'paying', false) as paying, h.created_at, h.held_until, h.ended_at,
     h.end_reason`;

/** Each joined row is found by its key, for the rows of one page. */
const JOINS = `left join events e on e.organization_id = $1 and e.event_id = h.event_id
   left join event_layouts l on l.organization_id = $1 and l.event_id = h.event_id
   left join seats s on s.organization_id = $1 and s.layout_id = l.layout_id
     and s.version = l.layout_version and s.seat_id = h.seat_id
   left join event_zones z on z.organization_id = $1 and z.event_id = h.event_id
     and z.zone_id = coalesce(h.zone_id, s.zone_id)
   left join users u on u.organization_id = $1 and u.user_id = h.user_id
   left join checkouts c on c.organization_id = $1 and c.checkout_id = h.checkout_id`;

/**
 * Live holds of all events. Those of an organization are found by the index of live holds, and
 * `offset 0` keeps it so: in the order of the primary key Postgres would walk over all that have
 * ended since the organization began.
 */
export const listLiveHolds = statement<HoldEntryRow, [...HoldTerms, most: number]>(
  'holds.list_live',
  `select ${COLUMNS} from (
     select * from (select * from seat_holds live
       where live.organization_id = $1 and live.status = 'active' offset 0) h
     where h.held_until > (select event_now()) and ${MATCHES}
     order by h.hold_id desc limit $11) h
   ${JOINS}
   order by h.hold_id desc`,
);

/**
 * Ended holds in a stretch of the timeline, which is the primary key: a hold's id begins with its
 * time. One row without a hold says where the stretch ended when none of it is wanted.
 */
export const listEndedHolds = statement<
  HoldEntryRow & { stretch_end: string | null },
  [...HoldTerms, most: number, status: string, stretch: number]
>(
  'holds.list_ended',
  `with stretch as materialized (
     select * from seat_holds timeline
     where timeline.organization_id = $1 and timeline.hold_id >= $2 and timeline.hold_id < $3
     order by timeline.hold_id desc limit $13
   ), found as (
     select * from stretch h where h.status = $12 and ${MATCHES}
     order by h.hold_id desc limit $11
   ), last as (
     select case when count(*) = $13 then (array_agg(hold_id order by hold_id))[1] end
       as stretch_end from stretch
   )
   select ${COLUMNS}, last.stretch_end from last left join found h on true
   ${JOINS}
   order by h.hold_id desc`,
);
