import type * as shape from '#shapes';
import { signWebhook } from '#webhooks';
import type { Call, Options } from './call.ts';

export type Running = ReturnType<typeof running>;

/** Looking back, looking after, and what the platform itself does. */
export function running(call: Call, now: () => number) {
  return {
    ...past(call),
    platform: platform(call),
    payments: {
      /** A payment provider tells what became of an attempt. The secret is that of the server. */
      tell: async (
        provider: string,
        message: shape.PaymentBody,
        secret: string,
        options?: Options,
      ) => {
        const body = JSON.stringify(message);
        const headers = { 'x-signature': await signWebhook(secret, body, now()) };
        const input = { params: { provider }, body, headers };
        return call('POST /webhooks/payments/:provider', input, options);
      },
    },
    health: {
      live: (options?: Options) => call('GET /health/live', {}, options),
      /** Fails with `unavailable` when the node is not ready; `details.parts` tells why. */
      ready: (options?: Options) => call('GET /health/ready', {}, options),
      /** As Prometheus reads them. */
      metrics: (options?: Options) => call('GET /metrics', {}, options),
      openapi: (options?: Options) => call('GET /openapi.json', {}, options),
    },
  };
}

function past(call: Call) {
  return {
    history: {
      /** What happened after a revision, with who and why. */
      changes: (event_id: string, query?: shape.ChangesQuery, options?: Options) =>
        call('GET /api/admin/events/:id/changes', { params: { id: event_id }, query }, options),
      /** The whole log as it is kept: one JSON object per line. */
      export: (event_id: string, query?: shape.ExportQuery, options?: Options) =>
        call(
          'GET /api/admin/events/:id/changes/export',
          { params: { id: event_id }, query },
          options,
        ),
      /** The board as it was at a revision or a time. */
      board: (event_id: string, query?: shape.BoardQuery, options?: Options) =>
        call('GET /api/admin/events/:id/board', { params: { id: event_id }, query }, options),
      /** How full it was, minute by minute. */
      occupancy: (event_id: string, query?: shape.HistoryQuery, options?: Options) =>
        call(
          'GET /api/admin/events/:id/occupancy/history',
          { params: { id: event_id }, query },
          options,
        ),
      /** What happened when, and how many came how far. */
      activity: (event_id: string, query?: shape.ActivityQuery, options?: Options) =>
        call('GET /api/admin/events/:id/activity', { params: { id: event_id }, query }, options),
    },
    audit: {
      list: (query?: shape.AuditSearch, options?: Options) =>
        call('GET /api/admin/audit', { query }, options),
      /** Requests for seats that were refused. */
      refusals: (query?: shape.RefusalSearch, options?: Options) =>
        call('GET /api/admin/refusals', { query }, options),
      /** Verifies the chain, and names the first bad row. */
      verify: (query?: shape.AuditStart, options?: Options) =>
        call('GET /api/admin/audit/verify', { query }, options),
      /** A signed statement about the end of the chain. */
      head: (query?: shape.AuditChain, options?: Options) =>
        call('GET /api/admin/audit/head', { query }, options),
    },
    registry: {
      status: (query: shape.RegistryQuery, options?: Options) =>
        call('GET /api/admin/registry', { query }, options),
      reconcile: (wish: shape.ReconcileWish = {}, options?: Options) =>
        call('POST /api/admin/registry/reconcile', { body: wish }, options),
    },
  };
}

/** With the platform's secret as the token. */
function platform(call: Call) {
  return {
    organizations: (query?: { after?: string; limit?: number }, options?: Options) =>
      call('GET /api/platform/organizations', { query }, options),
    organization: (organization_id: string, options?: Options) =>
      call('GET /api/platform/organizations/:id', { params: { id: organization_id } }, options),
    /** With its first owner and first key, which is shown this once. */
    create: (wish: shape.NewOrganization, options?: Options) =>
      call('POST /api/platform/organizations', { body: wish }, options),
    /** For an owner who has lost every key. */
    newKey: (organization_id: string, options?: Options) =>
      call(
        'POST /api/platform/organizations/:id/keys',
        { params: { id: organization_id } },
        options,
      ),
    suspend: (organization_id: string, options?: Options) =>
      call(
        'POST /api/platform/organizations/:id/suspend',
        { params: { id: organization_id } },
        options,
      ),
    resume: (organization_id: string, options?: Options) =>
      call(
        'POST /api/platform/organizations/:id/resume',
        { params: { id: organization_id } },
        options,
      ),
    archive: (organization_id: string, options?: Options) =>
      call(
        'POST /api/platform/organizations/:id/archive',
        { params: { id: organization_id } },
        options,
      ),
    /** Also locked fields, and which are locked. */
    setPolicy: (organization_id: string, changes: shape.Policy, options?: Options) =>
      call(
        'PUT /api/platform/organizations/:id/policy',
        { params: { id: organization_id }, body: changes },
        options,
      ),
  };
}
