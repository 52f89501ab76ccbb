import { statement } from '#postgres';

type Place = [organizationId: string, eventId: string];

/** The last revision that was there at a time; none: the event had no board yet. */
export const revisionAt = statement<{ revision: number }, [...Place, at: string]>(
  'log.revision_at',
  `select revision from seat_changes where organization_id = $1 and event_id = $2 and at <= $3
   order by revision desc limit 1`,
);

/** Holds that a board has forgotten, with where they were. */
export const pastHolds = statement<
  {
    hold_id: string;
    user_id: string;
    seat_id: string | null;
    zone_id: string | null;
    quantity: number;
  },
  [...Place, holdIds: readonly string[]]
>(
  'holds.past',
  `select hold_id, user_id, seat_id, zone_id, quantity from seat_holds
   where organization_id = $1 and event_id = $2 and hold_id = any ($3::uuid[])`,
);

export type ActivityRow = {
  bucket: string;
  seats_held: number;
  holds: number;
  /** Holds that came to a checkout, and those that a sale has ended. */
  checked_out: number;
  converted: number;
  checkouts_started: number;
  payments_initiated: number;
  checkouts_completed: number;
  tickets: number;
  expired: number;
  released: number;
  checkouts_abandoned: number;
};

/**
 * What happened in each stretch of time, from the log alone. Kinds are counted where they are: one
 * change may be several holds or tickets. A checkout whose items change, or that is paid for a
 * second time, is counted when it first came so far.
 */
export const countActivity = statement<
  ActivityRow,
  [...Place, seconds: number, from: string, to: string]
>(
  'log.activity',
  `with each as (
     select date_bin(make_interval(secs => $3::int), c.at, 'epoch'::timestamptz) as bucket,
       e ->> 'kind' as kind, e as change, row_number() over
         (partition by e ->> 'kind', e ->> 'checkout_id' order by c.revision) = 1 as is_first
     from seat_changes c, json_array_elements(c.changes -> 'changes') e
     where c.organization_id = $1 and c.event_id = $2 and c.at >= $4 and c.at < $5
   ), counted as (
     select bucket, kind, is_first, change ->> 'reason' as reason,
       case kind
         when 'held' then coalesce(json_array_length(change -> 'seats'), 0)
           + coalesce(json_array_length(change -> 'places'), 0)
         when 'ended' then json_array_length(change -> 'holds')
         when 'sold' then json_array_length(change -> 'tickets')
         else 1 end as many,
       case when kind = 'held' then coalesce(json_array_length(change -> 'seats'), 0)
         + coalesce((select sum((p ->> 2)::int) from json_array_elements(change -> 'places') p), 0)
         end as seats,
       case when kind = 'sold' then json_array_length(change -> 'holds') end as converted
     from each
   ), checked_out as (
     select bucket, count(*)::int as holds from (
       select min(bucket) as bucket from each, json_array_elements(change -> 'items') i
       where kind = 'checkout_started' group by i ->> 0) each_hold
     group by bucket
   )
   select bucket, coalesce(sum(seats), 0)::int as seats_held,
     coalesce(sum(many) filter (where kind = 'held'), 0)::int as holds,
     coalesce(max(o.holds), 0) as checked_out,
     coalesce(sum(converted), 0)::int as converted,
     count(*) filter (where kind = 'checkout_started' and is_first)::int as checkouts_started,
     count(*) filter (where kind = 'payment_begun' and is_first)::int as payments_initiated,
     count(*) filter (where kind = 'sold')::int as checkouts_completed,
     coalesce(sum(many) filter (where kind = 'sold'), 0)::int as tickets,
     coalesce(sum(many) filter (where kind = 'ended' and reason = 'ttl_expired'), 0)::int
       as expired,
     coalesce(sum(many) filter (where kind = 'ended' and reason <> 'ttl_expired'), 0)::int
       as released,
     count(*) filter (where kind = 'checkout_closed')::int as checkouts_abandoned
   from counted left join checked_out o using (bucket) group by bucket order by bucket`,
);

export const findHeadRevision = statement<{ revision: number }, Place>(
  'board.head_revision',
  `select revision from event_boards where organization_id = $1 and event_id = $2`,
);
