import type { AuditAction } from '#audit';
import { type Clock, NIL_ID, uuidv7 } from '#kit';
import {
  countWebhooks,
  deleteWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhooks,
  moveCursors,
  patchWebhook,
  rewindCursor,
  rewindCursors,
  rotateWebhook,
  setDisabled,
  startCursors,
  type WebhookKind,
  type WebhookRow,
} from '#webhooks';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';

/** One for the mailer, one for the accounts, one for the statistics, and some that are tried. */
export const MOST_WEBHOOKS = 20;
const SALT_BYTES = 32;

type WebhookWithSecret = WebhookRow & { secret: string | null };
type NotFound = Readonly<{ kind: 'not_found' }>;
const NOT_FOUND: NotFound = { kind: 'not_found' };

export type WebhookFields = Readonly<{
  url: string;
  description: string | null;
  kinds: readonly WebhookKind[];
  event_ids: readonly string[];
}>;

export function listAllWebhooks(
  { postgres }: Engine,
  { scope }: Caller,
  page: { after?: string | undefined; limit: number },
): Promise<WebhookRow[]> {
  return postgres.ask(scope, listWebhooks(scope.organizationId, page.after ?? NIL_ID, page.limit));
}

export async function readWebhook(
  { postgres }: Engine,
  { scope }: Caller,
  webhookId: string,
): Promise<WebhookRow | null> {
  const [row] = await postgres.ask(scope, findWebhook(scope.organizationId, webhookId));
  return row ?? null;
}

/** It is told what happens from now on. Its secret is in the first answer alone. */
export function createWebhook(
  engine: Engine,
  caller: Caller,
  wanted: WebhookFields,
): Promise<Done<WebhookWithSecret> | { kind: 'too_many' } | KeyReused> {
  const { organizationId } = caller.scope;
  const { url, description, kinds, event_ids } = wanted;
  return change(engine, caller, 'webhook.create', async (transaction) => {
    await transaction.query(lockWebhooks(organizationId));
    const [count] = await transaction.query(countWebhooks(organizationId));
    if ((count?.webhooks ?? 0) >= MOST_WEBHOOKS) return { kind: 'too_many' as const };
    const id = uuidv7(engine);
    const salt = Buffer.from(engine.random.bytes(SALT_BYTES));
    const fields = [url, description, kinds, event_ids] as const;
    const made = insertWebhook(organizationId, id, ...fields, salt, nowOf(engine));
    const [row] = await transaction.query(made);
    if (!row) throw new Error('a webhook that was just inserted is there');
    await transaction.query(startCursors(organizationId, id));
    const entry = entryOf('webhook_created', id, { host: hostOf(url), kinds, event_ids });
    const secret = engine.webhookSecrets.secretOf(id, salt);
    return changed<WebhookWithSecret>({ ...row, secret }, [entry], { ...row, secret: null });
  });
}

/** Events that it was not told about before begin now. */
export function changeWebhook(
  engine: Engine,
  caller: Caller,
  webhookId: string,
  wanted: Partial<WebhookFields>,
): Promise<Done<WebhookRow> | NotFound | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'webhook.change', async (transaction) => {
    const [before] = await transaction.query(findWebhook(organizationId, webhookId));
    if (!before) return NOT_FOUND;
    const { url, description, kinds, event_ids } = { ...before, ...wanted };
    const fields = [url, description, kinds, event_ids] as const;
    const retryAt = url === before.url ? null : nowOf(engine);
    const patch = patchWebhook(organizationId, webhookId, ...fields, retryAt);
    const [row] = await transaction.query(patch);
    if (!row) return NOT_FOUND;
    if (wanted.event_ids && before.event_ids.length > 0) {
      await transaction.query(moveCursors(organizationId, webhookId, before.event_ids));
    }
    const changes = { host: hostOf(url), kinds, event_ids };
    return changed(row, [entryOf('webhook_changed', webhookId, changes)]);
  });
}

export function removeWebhook(
  engine: Engine,
  caller: Caller,
  webhookId: string,
): Promise<Done<{ webhook_id: string }> | NotFound | KeyReused> {
  return change(engine, caller, 'webhook.remove', async (transaction) => {
    const [row] = await transaction.query(deleteWebhook(caller.scope.organizationId, webhookId));
    if (!row) return NOT_FOUND;
    return changed(row, [entryOf('webhook_removed', webhookId, {})]);
  });
}

/** A new secret; both sign during the overlap, so that a receiver can change over without a gap. */
export function rotateWebhookSecret(
  engine: Engine,
  caller: Caller,
  webhookId: string,
  overlapHours: number,
): Promise<Done<WebhookWithSecret> | NotFound | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'webhook.rotate', async (transaction) => {
    const salt = Buffer.from(engine.random.bytes(SALT_BYTES));
    const [row] = await transaction.query(
      rotateWebhook(organizationId, webhookId, salt, overlapHours),
    );
    if (!row) return NOT_FOUND;
    const entry = entryOf('webhook_secret_rotated', webhookId, { overlap_hours: overlapHours });
    const secret = engine.webhookSecrets.secretOf(webhookId, salt);
    return changed<WebhookWithSecret>({ ...row, secret }, [entry], { ...row, secret: null });
  });
}

/** It goes on where it stopped: what happened in between is told now. */
export function switchWebhook(
  engine: Engine,
  caller: Caller,
  webhookId: string,
  to: 'enabled' | 'disabled',
): Promise<Done<WebhookRow> | NotFound | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, `webhook.${to}`, async (transaction) => {
    const switched =
      to === 'enabled'
        ? enableWebhook(organizationId, webhookId, nowOf(engine))
        : setDisabled(organizationId, webhookId, 'by_hand');
    const [row] = await transaction.query(switched);
    const changes = to === 'enabled' ? {} : { reason: 'by_hand' };
    if (row) return changed(row, [entryOf(`webhook_${to}`, webhookId, changes)]);
    // It is so already, which is harmless and leaves no second entry.
    const [found] = await transaction.query(findWebhook(organizationId, webhookId));
    return found ? changed(found, []) : NOT_FOUND;
  });
}

export type ReplayPoint = Readonly<
  { from: string; event_id?: string | undefined } | { event_id: string; after_revision: number }
>;

/** Tells again what happened since a time or after a revision; deliveries keep their ids. */
export function replayWebhook(
  engine: Engine,
  caller: Caller,
  webhookId: string,
  point: ReplayPoint,
): Promise<Done<{ webhook_id: string; events: number }> | NotFound | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'webhook.replay', async (transaction) => {
    const [found] = await transaction.query(findWebhook(organizationId, webhookId));
    if (!found) return NOT_FOUND;
    const now = nowOf(engine);
    const { event_id } = point;
    const rewound =
      'after_revision' in point
        ? rewindCursor(organizationId, webhookId, point.event_id, point.after_revision, now)
        : rewindCursors(organizationId, webhookId, point.from, event_id ?? null, now);
    const rows = await transaction.query(rewound);
    const entry = entryOf('webhook_replayed', webhookId, { ...point, events: rows.length });
    return changed({ webhook_id: webhookId, events: rows.length }, [entry]);
  });
}

/** Addresses may have passwords in their paths: the trail gets the host alone. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

function nowOf({ clock }: { clock: Clock }): string {
  return new Date(clock.now()).toISOString();
}

function entryOf(action: AuditAction, entityId: string, changes: Record<string, unknown>) {
  return { action, entityType: 'webhook', entityId, changes };
}
