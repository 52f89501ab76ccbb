import { statement } from '#postgres';

const AT = 'to_timestamp(r.at_ms / 1000.0)';

/** Gathered before an erasure and written after it, by clocks that agree within a minute. */
const UNLESS_ERASED = (column: string) =>
  `case when u.erased_at is null or u.erased_at < ${AT} - interval '1 minute' then r.${column} end`;

export const insertRefusals = statement<object, [organizationId: string, rows: string]>(
  'refusals.insert',
  `insert into refusal_log (organization_id, refusal_id, event_id, at, action, code, user_id,
     seat_ids, zone_ids, ip_hash, user_agent, times)
   select $1, r.refusal_id, r.event_id, ${AT}, 'seat_reserve_failed', r.code, r.user_id,
     r.seat_ids, r.zone_ids, ${UNLESS_ERASED('ip_hash')}, ${UNLESS_ERASED('user_agent')}, r.times
   from jsonb_to_recordset($2::jsonb) as r (refusal_id uuid, event_id uuid, at_ms float8,
     code text, user_id uuid, seat_ids uuid[], zone_ids uuid[], ip_hash text, user_agent text,
     times int)
     left join users u on u.organization_id = $1 and u.user_id = r.user_id`,
);

export type RefusalRow = {
  refusal_id: string;
  event_id: string;
  at: string;
  code: string;
  user_id: string | null;
  seat_ids: string[];
  zone_ids: string[];
  ip_hash: string | null;
  user_agent: string | null;
  times: number;
};

type Conditions = [
  organizationId: string,
  code: string | null,
  seatIds: readonly string[] | null,
  from: string | null,
  to: string | null,
  before: string | null,
  most: number,
  stretch: number,
];

/** Without a refusal: no row of the stretch meets the conditions. */
export type LookedRow = (RefusalRow | { refusal_id: null }) & { stretch_end: string | null };

/**
 * Newest first, from behind the row that a page ended with. Codes and seats have no index on this
 * table, which is written at every refusal: a stretch of rows is looked at, and `stretch_end` is
 * its last one, if it was full.
 */
const listOf = (which: string) => `with stretch as materialized (
     select * from refusal_log where organization_id = $1 and ${which}
       and at >= coalesce($4::timestamptz, '-infinity')
       and at < coalesce($5::timestamptz, 'infinity')
       and at <= coalesce((select l.at from refusal_log l
         where l.organization_id = $1 and l.refusal_id = $6), 'infinity')
       and ($6::uuid is null or (at, refusal_id) < (select l.at, l.refusal_id from refusal_log l
         where l.organization_id = $1 and l.refusal_id = $6))
     order by at desc, refusal_id desc limit $8
   ), found as (
     select * from stretch
     where ($2::text is null or code = $2) and ($3::uuid[] is null or seat_ids && $3)
     order by at desc, refusal_id desc limit $7
   ), last as (
     select case when count(*) = $8 then (array_agg(refusal_id order by at, refusal_id))[1] end
       as stretch_end from stretch
   )
   select refusal_id, event_id,
     to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, code, user_id,
     seat_ids, zone_ids, ip_hash, user_agent, times, last.stretch_end
   from last left join found f on true
   order by f.at desc, f.refusal_id desc`;

export const listRefusals = statement<LookedRow, Conditions>('refusals.list', listOf('true'));

export const listRefusalsOfEvent = statement<LookedRow, [...Conditions, eventId: string]>(
  'refusals.list_of_event',
  listOf('event_id = $9'),
);

export const listRefusalsOfUsers = statement<
  LookedRow,
  [...Conditions, eventId: string | null, userIds: readonly string[]]
>(
  'refusals.list_of_users',
  listOf('user_id = any ($10::uuid[]) and ($9::uuid is null or event_id = $9)'),
);

export type RefusalCount = { bucket: string; code: string; refused: number };

/** What was refused when: by time first, which the event's index is in the order of. */
export const countRefusals = statement<
  RefusalCount,
  [organizationId: string, eventId: string, seconds: number, from: string, to: string]
>(
  'refusals.count',
  `select date_bin(make_interval(secs => $3::int), at, 'epoch'::timestamptz) as bucket, code,
     sum(times)::int as refused
   from refusal_log
   where organization_id = $1 and event_id = $2 and at >= $4 and at < $5
   group by 1, 2 order by 1, 2`,
);
