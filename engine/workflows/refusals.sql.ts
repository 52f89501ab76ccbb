import { statement } from '#postgres';

export const insertRefusals = statement<object, [organizationId: string, rows: string]>(
  'refusals.insert',
  `insert into refusal_log (organization_id, refusal_id, event_id, at, action, code, user_id,
     seat_ids, times)
   select $1, r.refusal_id, r.event_id, to_timestamp(r.at_ms / 1000.0), 'seat_reserve_failed',
     r.code, r.user_id, r.seat_ids, r.times
   from jsonb_to_recordset($2::jsonb) as r (refusal_id uuid, event_id uuid, at_ms float8,
     code text, user_id uuid, seat_ids uuid[], times int)`,
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
