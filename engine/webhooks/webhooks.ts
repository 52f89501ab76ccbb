/**
 * Webhooks: telling an organization's own systems what has happened. It knows endpoints, what a
 * message says, how it is signed, in which order and how often it is sent. It reads the change log
 * behind the writers, so a sale never waits for it, and it opens no connection to anybody: the
 * server hands in what posts. Workflows manage endpoints; the server starts the courier.
 */
export { Courier, type CourierTools } from './courier.ts';
export {
  type DeliveryRow,
  findDelivery,
  insertTest,
  listDeliveries,
  pruneDeliveries,
  replayDelivery,
  skipDelivery,
} from './deliveries.sql.ts';
export { WEBHOOK_KINDS, type WebhookKind } from './kinds.ts';
export { headersOf, type Post, type Posted, postOnce } from './post.ts';
export { WebhookSecrets } from './secrets.ts';
export {
  countWebhooks,
  deleteWebhook,
  enableWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhooks,
  moveCursors,
  patchWebhook,
  readSigning,
  rewindCursor,
  rewindCursors,
  rotateWebhook,
  setDisabled,
  startCursors,
  type WebhookRow,
} from './webhooks.sql.ts';
