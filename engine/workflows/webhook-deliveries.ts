import { uuidv7 } from '#kit';
import {
  type DeliveryRow,
  findDelivery,
  findWebhook,
  headersOf,
  insertTest,
  listDeliveries,
  type Post,
  postOnce,
  readSigning,
  replayDelivery,
  skipDelivery,
} from '#webhooks';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';

type NotFound = Readonly<{ kind: 'not_found' }>;
const NOT_FOUND: NotFound = { kind: 'not_found' };

type Page = Readonly<{
  status?: string | undefined;
  kind?: string | undefined;
  before?: number | undefined;
  limit: number;
}>;

/** What was sent and what came of it, the youngest first; null: no such endpoint. */
export function webhookDeliveries(
  { postgres }: Engine,
  { scope }: Caller,
  webhookId: string,
  { status, kind, before, limit }: Page,
): Promise<DeliveryRow[] | null> {
  const place = [scope.organizationId, webhookId] as const;
  return postgres.transaction(scope, { name: 'deliveries.list' }, async (transaction) => {
    const [found] = await transaction.query(findWebhook(...place));
    if (!found) return null;
    const filter = [status ?? null, kind ?? null, before ?? null] as const;
    return transaction.query(listDeliveries(...place, ...filter, limit));
  });
}

export async function webhookDelivery(
  { postgres }: Engine,
  { scope }: Caller,
  webhookId: string,
  deliveryId: string,
): Promise<(DeliveryRow & { payload: unknown }) | null> {
  const [row] = await postgres.ask(
    scope,
    findDelivery(scope.organizationId, webhookId, deliveryId),
  );
  return row ?? null;
}

/** Sent again with the same id, after everything that waits; or given up, if it waits. */
export function redeliver(
  engine: Engine,
  caller: Caller,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
  what: 'replay' | 'skip',
): Promise<Done<DeliveryRow> | NotFound | KeyReused> {
  const place = [caller.scope.organizationId, webhookId, deliveryId] as const;
  return change(engine, caller, `webhook.${what}`, async (transaction) => {
    const now = new Date(engine.clock.now()).toISOString();
    const order = what === 'replay' ? replayDelivery : skipDelivery;
    const [row] = await transaction.query(order(...place, now));
    if (!row) {
      const [found] = await transaction.query(findDelivery(...place));
      if (!found) return NOT_FOUND;
      const { payload: _, ...rest } = found;
      return changed<DeliveryRow>(rest, []);
    }
    const action = what === 'replay' ? 'delivery_replayed' : 'delivery_skipped';
    const changes = { webhook_id: webhookId, kind: row.kind };
    const entry = { action, entityType: 'delivery', entityId: deliveryId, changes } as const;
    return changed(row, [entry]);
  });
}

/** Sends a message of kind `test` now, beside the queue, also to an endpoint that is disabled. */
export async function testWebhook(
  engine: Engine,
  { scope }: Caller,
  webhookId: string,
  post: Post,
): Promise<DeliveryRow | null> {
  const { postgres, clock, webhookSecrets } = engine;
  const place = [scope.organizationId, webhookId] as const;
  const [webhook] = await postgres.ask(scope, readSigning(...place));
  if (!webhook) return null;
  const id = uuidv7(engine);
  const now_ms = clock.now();
  const timestamp = new Date(now_ms).toISOString();
  const ids = { organization_id: scope.organizationId, webhook_id: webhookId };
  const data = { message: 'This is a test. Nothing has happened.' };
  const rest = { event_id: null, revision: null, timestamp, event: null, data, people: [] };
  const body = JSON.stringify({ id, kind: 'test', ...ids, ...rest });
  const parcel = { delivery_id: id, kind: 'test', attempt: 1, body };
  const headers = headersOf(webhookSecrets, webhook, parcel, now_ms);
  const posted = await postOnce(post, clock, { url: webhook.url, headers, body, signal: null });
  const status = posted.arrived ? 'delivered' : 'dead';
  const { response_status, response_body, duration_ms, error } = posted;
  const came = [status, response_status, response_body, duration_ms, error] as const;
  const [row] = await postgres.transaction(scope, { name: 'webhooks.tested' }, (transaction) =>
    transaction.query(insertTest(...place, id, body, timestamp, ...came)),
  );
  return row ?? null;
}
