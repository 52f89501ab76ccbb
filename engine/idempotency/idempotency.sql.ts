import { statement } from '#postgres';

/** Answers that name a user may show what is personal about them. */
export const forgetAnswers = statement<object, [organizationId: string, userId: string]>(
  'idempotency.forget',
  `delete from idempotency_keys
   where organization_id = $1 and (user_id = $2 or position($2::text in answer::text) > 0)`,
);

/** A few old ones with every new one: the table stays as large as a day is. */
export const dropOldKeys = statement<object, [organizationId: string]>(
  'idempotency.drop_old',
  `delete from idempotency_keys where ctid = any (array(
     select ctid from idempotency_keys
     where organization_id = $1
       and created_at < (select event_now()) - interval '24 hours' limit 20))`,
);

export const findKey = statement<
  { body_hash: Buffer; answer: unknown },
  [organizationId: string, eventId: string, userId: string, route: string, key: string]
>(
  'idempotency.find',
  `select body_hash, answer from idempotency_keys
   where organization_id = $1 and event_id = $2 and user_id = $3 and route = $4 and key = $5
     and created_at > (select event_now()) - interval '24 hours'`,
);

/** What a key was used for, in whatever event. */
export const findUses = statement<
  { event_id: string; body_hash: Buffer },
  [organizationId: string, userId: string, route: string, key: string]
>(
  'idempotency.uses',
  `select event_id, body_hash from idempotency_keys
   where organization_id = $1 and user_id = $2 and route = $3 and key = $4
     and created_at > (select event_now()) - interval '24 hours'`,
);

/**
 * Two copies at the same moment: the second waits here for the first one's commit, then finds it.
 */
export const lockKey = statement<object, [name: string]>(
  'idempotency.lock',
  `select pg_advisory_xact_lock(hashtextextended($1, 0))`,
);

export const insertKey = statement<
  object,
  [
    organizationId: string,
    eventId: string,
    userId: string,
    route: string,
    key: string,
    bodyHash: Buffer,
    answer: string,
  ]
>(
  'idempotency.insert',
  `insert into idempotency_keys
     (organization_id, event_id, user_id, route, key, body_hash, answer, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, event_now())
   on conflict (organization_id, event_id, user_id, route, key) do update
   set body_hash = excluded.body_hash, answer = excluded.answer,
     created_at = excluded.created_at
   where idempotency_keys.created_at <= excluded.created_at - interval '24 hours'`,
);

/**
 * A WAL record about nothing, whose commit waits for the synchronous standby. A transaction that
 * only reads waits for no standby, and what it has found may not be on it.
 */
export const writeRecord = statement<object, []>(
  'idempotency.write_record',
  `select pg_logical_emit_message(true, 'voelgoed', '')`,
);
