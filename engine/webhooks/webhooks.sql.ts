import { statement } from '#postgres';

export type WebhookRow = {
  webhook_id: string;
  url: string;
  description: string | null;
  kinds: string[];
  event_ids: string[];
  status: 'active' | 'disabled';
  disabled_at: string | null;
  disabled_reason: 'failing' | 'gone' | 'by_hand' | null;
  previous_secret_until: string | null;
  created_at: string;
  changed_at: string;
  last_success_at: string | null;
  failing_since: string | null;
  last_error: string | null;
  pending: number;
};

/** What a request to an endpoint is made with; for the courier and for tests of an endpoint. */
export const readSigning = statement<
  {
    webhook_id: string;
    url: string;
    secret_salt: Buffer;
    previous_salt: Buffer | null;
    previous_until: string | null;
  },
  [organizationId: string, webhookId: string]
>(
  'webhooks.signing',
  `select webhook_id, url, secret_salt, previous_salt, previous_until from webhooks
   where organization_id = $1 and webhook_id = $2`,
);

/** Never the salts: what is shown has nothing to do with what signs. */
const COLUMNS = `w.webhook_id, w.url, w.description, w.kinds, w.event_ids::text[] as event_ids,
     w.status, w.disabled_at, w.disabled_reason,
     case when w.previous_until > now() then w.previous_until end as previous_secret_until,
     w.created_at, w.changed_at, w.last_success_at, w.failing_since, w.last_error,
     (select count(*) from webhook_deliveries d where d.webhook_id = w.webhook_id
        and d.organization_id = w.organization_id and d.status = 'pending')::int as pending`;

type One = [organizationId: string, webhookId: string];

export const listWebhooks = statement<
  WebhookRow,
  [organizationId: string, after: string, most: number]
>(
  'webhooks.list',
  `select ${COLUMNS} from webhooks w
   where w.organization_id = $1 and w.webhook_id > $2 order by w.webhook_id limit $3`,
);

export const findWebhook = statement<WebhookRow, One>(
  'webhooks.find',
  `select ${COLUMNS} from webhooks w where w.organization_id = $1 and w.webhook_id = $2`,
);

/** Two at once must not both be the last that fits. */
export const lockWebhooks = statement<object, [organizationId: string]>(
  'webhooks.lock',
  `select from organizations where organization_id = $1 for no key update`,
);

export const countWebhooks = statement<{ webhooks: number }, [organizationId: string]>(
  'webhooks.count',
  `select count(*)::int as webhooks from webhooks where organization_id = $1`,
);

/** To be looked at now: couriers hear of it in their next round, and something may come before. */
export const insertWebhook = statement<
  WebhookRow,
  [
    ...One,
    url: string,
    description: string | null,
    kinds: readonly string[],
    eventIds: readonly string[],
    salt: Buffer,
    now: string,
  ]
>(
  'webhooks.insert',
  `with w as (
     insert into webhooks (organization_id, webhook_id, url, description, kinds, event_ids,
       secret_salt, next_at)
     values ($1, $2, $3, $4, $5, $6::uuid[], $7, $8) returning *
   )
   select ${COLUMNS} from w`,
);

/** What happened before an endpoint was made is not told to it. */
export const startCursors = statement<object, One>(
  'webhooks.start_cursors',
  `insert into webhook_cursors (organization_id, webhook_id, event_id, revision)
   select organization_id, $2, event_id, revision from event_boards where organization_id = $1
   on conflict do nothing`,
);

/** Events that the endpoint was not told about begin now, those of these ids go on as they were. */
export const moveCursors = statement<object, [...One, before: readonly string[]]>(
  'webhooks.move_cursors',
  `insert into webhook_cursors (organization_id, webhook_id, event_id, revision)
   select organization_id, $2, event_id, revision from event_boards
   where organization_id = $1 and event_id <> all ($3::uuid[])
   on conflict (organization_id, webhook_id, event_id) do update set revision = excluded.revision`,
);

/** What waits for another try need not wait where there is another address. */
export const patchWebhook = statement<
  WebhookRow,
  [
    ...One,
    url: string,
    description: string | null,
    kinds: readonly string[],
    eventIds: readonly string[],
    retryAt: string | null,
  ]
>(
  'webhooks.patch',
  `with w as (
     update webhooks set url = $3, description = $4, kinds = $5, event_ids = $6::uuid[],
       next_at = case when status = 'active' then coalesce($7, next_at) end, changed_at = now()
     where organization_id = $1 and webhook_id = $2 returning *
   ), fresh as (
     update webhook_deliveries d set next_at = null
     from w where d.organization_id = $1 and d.webhook_id = $2 and d.status = 'pending'
       and $7 is not null
   )
   select ${COLUMNS} from w`,
);

/** Long: a month of deliveries goes with it. */
export const deleteWebhook = statement<{ webhook_id: string }, One>(
  'webhooks.delete',
  `delete from webhooks where organization_id = $1 and webhook_id = $2 returning webhook_id`,
  { long: true },
);

/** The secret before the last one ends now: there are never three. */
export const rotateWebhook = statement<WebhookRow, [...One, salt: Buffer, overlapHours: number]>(
  'webhooks.rotate',
  `with w as (
     update webhooks set secret_salt = $3, previous_salt = secret_salt,
       previous_until = now() + make_interval(hours => $4::int), changed_at = now()
     where organization_id = $1 and webhook_id = $2 returning *
   )
   select ${COLUMNS} from w`,
);

/** What is queued is tried afresh, from now on. */
export const enableWebhook = statement<WebhookRow, [...One, now: string]>(
  'webhooks.enable',
  `with w as (
     update webhooks set status = 'active', disabled_at = null, disabled_reason = null,
       failing_since = null, next_at = $3, changed_at = now()
     where organization_id = $1 and webhook_id = $2 and status = 'disabled' returning *
   ), fresh as (
     update webhook_deliveries d set first_attempt_at = null, next_at = null
     from w where d.organization_id = $1 and d.webhook_id = $2 and d.status = 'pending'
   )
   select ${COLUMNS} from w`,
);

export const setDisabled = statement<WebhookRow, [...One, reason: string]>(
  'webhooks.disable',
  `with w as (
     update webhooks set status = 'disabled', disabled_at = now(), disabled_reason = $3,
       next_at = null, changed_at = now()
     where organization_id = $1 and webhook_id = $2 and status = 'active' returning *
   )
   select ${COLUMNS} from w`,
);

/** Everything after this revision of an event is told again. */
export const rewindCursor = statement<
  { event_id: string },
  [...One, eventId: string, revision: number, now: string]
>(
  'webhooks.rewind_cursor',
  `with w as (
     update webhooks set next_at = $5
     where organization_id = $1 and webhook_id = $2 and status = 'active'
   )
   update webhook_cursors set revision = least(revision, $4)
   where organization_id = $1 and webhook_id = $2 and event_id = $3 returning event_id`,
);

/** Everything since a time, of one event or of all, is told again. */
export const rewindCursors = statement<
  { event_id: string },
  [...One, from: string, eventId: string | null, now: string]
>(
  'webhooks.rewind_cursors',
  `with w as (
     update webhooks set next_at = $5
     where organization_id = $1 and webhook_id = $2 and status = 'active'
   ), point as (
     select c.event_id, coalesce((select s.revision from seat_changes s
         where s.organization_id = $1 and s.event_id = c.event_id and s.at < $3
         order by s.revision desc limit 1), 0) as revision
     from webhook_cursors c where c.organization_id = $1 and c.webhook_id = $2
       and ($4::uuid is null or c.event_id = $4)
   )
   update webhook_cursors c set revision = p.revision from point p
   where c.organization_id = $1 and c.webhook_id = $2 and c.event_id = p.event_id
     and c.revision > p.revision
   returning c.event_id`,
  { long: true },
);
