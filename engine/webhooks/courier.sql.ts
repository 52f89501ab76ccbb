import { statement } from '#postgres';

/** Across organizations: every active endpoint, the most urgent first. */
export const lookupWebhooks = statement<
  { organization_id: string; webhook_id: string; next_at: string | null; leased: boolean },
  [most: number]
>('courier.lookup', `select * from lookup_webhooks($1)`);

/**
 * Across organizations: the next endpoints that wait for something to happen, each with the time
 * of the oldest row of the log that it has not read; null: it has read all.
 */
export const lookupBehind = statement<
  { organization_id: string; webhook_id: string; since: string | null },
  [after: string, endpoints: number]
>('courier.lookup_behind', `select * from lookup_webhooks_behind($1, $2)`, { long: true });

export const lookupLag = statement<{ happened_at: string | null }>(
  'courier.lookup_lag',
  `select happened_at from lookup_webhook_lag()`,
);

export type LeasedWebhook = {
  webhook_id: string;
  url: string;
  kinds: string[];
  event_ids: string[];
  secret_salt: Buffer;
  previous_salt: Buffer | null;
  previous_until: string | null;
  failing_since: string | null;
};

type Leased = [organizationId: string, webhookId: string, leaseId: string];

/**
 * Takes an endpoint for one courier. The time is Postgres's: nodes whose clocks disagree must not
 * both believe that it is theirs. Who dies without giving it back keeps it for this long.
 */
export const takeLease = statement<LeasedWebhook, [...Leased, seconds: number]>(
  'courier.take',
  `update webhooks set lease_id = $3, leased_until = clock_timestamp() + make_interval(secs => $4)
   where organization_id = $1 and webhook_id = $2 and status = 'active'
     and (leased_until is null or leased_until <= clock_timestamp())
   returning webhook_id, url, kinds, event_ids::text[] as event_ids, secret_salt, previous_salt,
     previous_until, failing_since`,
);

/**
 * When to look again: at once if there is more, else when the first that waits may be tried, or
 * when somebody has wished it since the turn began.
 */
export const giveBack = statement<object, [...Leased, more: boolean, now: string, since: string]>(
  'courier.give_back',
  `update webhooks w set lease_id = null, leased_until = null, next_at = case
     when w.status <> 'active' then null when $4::boolean then $5::timestamptz
     else coalesce((select coalesce(d.next_at, $5::timestamptz) from webhook_deliveries d
       where d.webhook_id = $2 and d.organization_id = $1 and d.status = 'pending'
       order by d.sequence limit 1),
       case when w.next_at > $6::timestamptz then w.next_at end) end
   where organization_id = $1 and webhook_id = $2 and lease_id = $3`,
);

export type PendingRow = {
  delivery_id: string;
  kind: string;
  payload: { data: Record<string, unknown> };
  attempts: number;
  first_attempt_at: string | null;
  next_at: string | null;
};

export const readPending = statement<
  PendingRow,
  [organizationId: string, webhookId: string, most: number]
>(
  'courier.pending',
  `select delivery_id, kind, payload, attempts, first_attempt_at, next_at from webhook_deliveries
   where organization_id = $1 and webhook_id = $2 and status = 'pending'
   order by sequence limit $3`,
);

/**
 * Events whose log this endpoint has not read to its end. Cursors are found one by one: joined,
 * Postgres compares each event with all of them, as long as it believes that there are few.
 */
export const eventsBehind = statement<
  { event_id: string },
  [organizationId: string, webhookId: string, most: number]
>(
  'courier.behind',
  `select b.event_id from webhooks w
   join event_boards b on b.organization_id = w.organization_id
     and (cardinality(w.event_ids) = 0 or b.event_id = any (w.event_ids))
   where w.organization_id = $1 and w.webhook_id = $2 and b.revision > coalesce(
     (select c.revision from webhook_cursors c where c.organization_id = $1
        and c.webhook_id = $2 and c.event_id = b.event_id), 0)
   limit $3`,
);

/** The cursor, locked; made when the event is new. */
export const lockCursor = statement<
  { revision: number; levels: Record<string, number> },
  [organizationId: string, webhookId: string, eventId: string]
>(
  'courier.lock_cursor',
  `insert into webhook_cursors (organization_id, webhook_id, event_id, revision)
   values ($1, $2, $3, 0)
   on conflict (organization_id, webhook_id, event_id)
     do update set revision = webhook_cursors.revision
   returning revision, levels`,
);

export const moveCursor = statement<
  object,
  [organizationId: string, webhookId: string, eventId: string, revision: number, levels: string]
>(
  'courier.move_cursor',
  `update webhook_cursors set revision = $4, levels = $5::jsonb
   where organization_id = $1 and webhook_id = $2 and event_id = $3`,
);

/** Numbers for so many deliveries; none when the lease is lost. Whoever comes next has to look. */
export const reserveNumbers = statement<
  { last: number },
  [...Leased, many: number, since: string, seconds: number]
>(
  'courier.reserve',
  `update webhooks set queued = queued + $4,
     next_at = case when $4 > 0 then $5::timestamptz else next_at end,
     leased_until = clock_timestamp() + make_interval(secs => $6)
   where organization_id = $1 and webhook_id = $2 and lease_id = $3
   returning queued as last`,
);

/** What is told again keeps its id and goes to the end; what still waits keeps its place. */
export const insertDeliveries = statement<
  object,
  [organizationId: string, webhookId: string, now: string, rows: string]
>(
  'courier.insert',
  `insert into webhook_deliveries as old (organization_id, webhook_id, created_at, delivery_id,
     sequence, event_id, revision, kind, payload, happened_at)
   select $1, $2, $3, r.delivery_id, r.sequence, r.event_id, r.revision, r.kind, r.payload,
     r.happened_at
   from json_to_recordset($4::json) as r (delivery_id uuid, sequence bigint, event_id uuid,
     revision bigint, kind text, payload json, happened_at timestamptz)
   on conflict (organization_id, delivery_id) do update set sequence = excluded.sequence,
     payload = excluded.payload, status = 'pending', attempts = 0, first_attempt_at = null,
     next_at = null, finished_at = null
   where old.status <> 'pending'`,
);

/**
 * What came of one try, and the lease made longer, in one statement. No row: the endpoint is
 * somebody else's by now, or gone, and nothing was written. (`finished_at is null` is what waits:
 * asked for the status, Postgres may walk through all that waits anywhere.)
 */
export const recordAttempt = statement<
  { status: string },
  [
    ...Leased,
    seconds: number,
    deliveryId: string,
    status: string,
    at: string,
    next: string | null,
    responseStatus: number | null,
    responseBody: string | null,
    duration_ms: number,
    error: string | null,
    disable: string | null,
  ]
>(
  'courier.record',
  `with w as (
     update webhooks set leased_until = clock_timestamp() + make_interval(secs => $4),
       last_success_at = case when $6 = 'delivered' then $7::timestamptz else last_success_at end,
       failing_since = case when $6 = 'delivered' then null
         else coalesce(failing_since, $7::timestamptz) end,
       last_error = $12,
       status = case when $13::text is null then status else 'disabled' end,
       disabled_at = case when $13::text is null then disabled_at
         else coalesce(disabled_at, $7::timestamptz) end,
       disabled_reason = coalesce(disabled_reason, $13)
     where organization_id = $1 and webhook_id = $2 and lease_id = $3 returning status
   ), d as (
     update webhook_deliveries set status = $6, attempts = attempts + 1,
       first_attempt_at = coalesce(first_attempt_at, $7), last_attempt_at = $7, next_at = $8,
       finished_at = case when $6 = 'pending' then null else $7::timestamptz end,
       response_status = $9, response_body = $10, duration_ms = $11, error = $12
     from w where organization_id = $1 and delivery_id = $5 and finished_at is null
   )
   select status from w`,
);
