import { statement } from '#postgres';

type One = [organizationId: string, webhookId: string];

export type DeliveryRow = {
  delivery_id: string;
  sequence: number;
  event_id: string | null;
  revision: number | null;
  kind: string;
  status: 'pending' | 'delivered' | 'dead';
  happened_at: string;
  created_at: string;
  attempts: number;
  last_attempt_at: string | null;
  next_at: string | null;
  finished_at: string | null;
  response_status: number | null;
  response_body: string | null;
  duration_ms: number | null;
  error: string | null;
};

const COLUMNS = `delivery_id, sequence, event_id, revision, kind, status, happened_at, created_at,
     attempts, last_attempt_at, next_at, finished_at, response_status, response_body, duration_ms,
     error`;

/**
 * Found by its key. An endpoint that is compared like this is not looked for: Postgres would walk
 * through all deliveries of the endpoint, as long as it believes that there are few.
 */
const BY_KEY = `organization_id = $1 and delivery_id = $3 and webhook_id is not distinct from $2`;

/** The youngest first. */
export const listDeliveries = statement<
  DeliveryRow,
  [...One, status: string | null, kind: string | null, before: number | null, most: number]
>(
  'deliveries.list',
  `select ${COLUMNS} from webhook_deliveries
   where organization_id = $1 and webhook_id = $2 and ($3::text is null or status = $3)
     and ($4::text is null or kind = $4) and ($5::bigint is null or sequence < $5)
   order by sequence desc limit $6`,
);

export const findDelivery = statement<
  DeliveryRow & { payload: unknown },
  [...One, deliveryId: string]
>(
  'deliveries.find',
  `select ${COLUMNS}, payload from webhook_deliveries
   where ${BY_KEY}`,
);

/** At the end of the queue, as if it were new. One that is waiting keeps its place. */
export const replayDelivery = statement<DeliveryRow, [...One, deliveryId: string, now: string]>(
  'deliveries.replay',
  `with w as (
     update webhooks set queued = queued + 1,
       next_at = case when status = 'active' then $4::timestamptz end
     where organization_id = $1 and webhook_id = $2 returning queued
   )
   update webhook_deliveries set
     sequence = case when status = 'pending' then sequence else w.queued end,
     status = 'pending', attempts = 0, first_attempt_at = null, next_at = null, finished_at = null
   from w where ${BY_KEY}
   returning ${COLUMNS}`,
);

/** Given up by hand, so that what waits behind it can go. */
export const skipDelivery = statement<DeliveryRow, [...One, deliveryId: string, now: string]>(
  'deliveries.skip',
  `with w as (
     update webhooks set next_at = case when status = 'active' then $4::timestamptz end
     where organization_id = $1 and webhook_id = $2
   )
   update webhook_deliveries set status = 'dead', finished_at = $4, next_at = null,
     error = coalesce(error, 'skipped')
   where ${BY_KEY} and finished_at is null
   returning ${COLUMNS}`,
);

/** A test is sent beside the queue; only what came of it is written down. */
export const insertTest = statement<
  DeliveryRow,
  [
    ...One,
    deliveryId: string,
    payload: string,
    at: string,
    status: string,
    responseStatus: number | null,
    responseBody: string | null,
    duration_ms: number,
    error: string | null,
  ]
>(
  'deliveries.insert_test',
  `with w as (
     update webhooks set queued = queued + 1 where organization_id = $1 and webhook_id = $2
     returning queued
   )
   insert into webhook_deliveries (organization_id, webhook_id, delivery_id, sequence, kind,
     payload, happened_at, created_at, status, attempts, first_attempt_at, last_attempt_at,
     finished_at, response_status, response_body, duration_ms, error)
   select $1, $2, $3, w.queued, 'test', $4::json, $5, $5, $6, 1, $5, $5, $5, $7, $8, $9, $10
   from w returning ${COLUMNS}`,
);

/** What has ended is kept for a month; what waits is kept until it has arrived or was given up. */
export const pruneDeliveries = statement<
  { pruned: number },
  [organizationId: string, most: number]
>(
  'deliveries.prune',
  `with gone as (
     delete from webhook_deliveries where ctid = any (array(
       select ctid from webhook_deliveries
       where organization_id = $1 and finished_at < now() - interval '30 days' limit $2))
     returning 1
   )
   select count(*) as pruned from gone`,
);
