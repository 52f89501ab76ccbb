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
