import type * as shape from '#shapes';
import type { Call, Options } from './call.ts';

export type Organizing = ReturnType<typeof organizing>;

/** People, their credentials, and messages to the organization. */
export function organizing(call: Call) {
  return {
    webhooks: { ...webhooks(call), ...deliveries(call) },
    members: {
      /** Who the credential is, and what it is good for. */
      me: (options?: Options) => call('GET /api/me', {}, options),
      list: (query?: shape.PageQuery, options?: Options) =>
        call('GET /api/admin/members', { query }, options),
      /** Adds a member, or sets an existing membership. */
      add: (wish: shape.NewMember, options?: Options) =>
        call('POST /api/admin/members', { body: wish }, options),
      change: (user_id: string, change: shape.MemberChange, options?: Options) =>
        call('PATCH /api/admin/members/:id', { params: { id: user_id }, body: change }, options),
      revoke: (user_id: string, query: shape.ReasonQuery = {}, options?: Options) =>
        call('DELETE /api/admin/members/:id', { params: { id: user_id }, query }, options),
      /** Erases what is personal about a user; holds, tickets and the trail keep the id. */
      erase: (user_id: string, query: shape.ReasonQuery = {}, options?: Options) =>
        call(
          'DELETE /api/admin/users/:id/personal-data',
          { params: { id: user_id }, query },
          options,
        ),
    },
    keys: {
      list: (query?: shape.PageQuery, options?: Options) =>
        call('GET /api/admin/api-keys', { query }, options),
      /** The text of the key is shown this once. */
      create: (wish: shape.NewApiKey, options?: Options) =>
        call('POST /api/admin/api-keys', { body: wish }, options),
      rotate: (key_id: string, body: shape.KeyRotation = {}, options?: Options) =>
        call('POST /api/admin/api-keys/:id/rotate', { params: { id: key_id }, body }, options),
      revoke: (key_id: string, query: shape.ReasonQuery = {}, options?: Options) =>
        call('DELETE /api/admin/api-keys/:id', { params: { id: key_id }, query }, options),
    },
    issuers: {
      list: (options?: Options) => call('GET /api/admin/issuers', {}, options),
      add: (wish: shape.NewIssuer, options?: Options) =>
        call('POST /api/admin/issuers', { body: wish }, options),
      remove: (issuer_id: string, query: shape.ReasonQuery = {}, options?: Options) =>
        call('DELETE /api/admin/issuers/:id', { params: { id: issuer_id }, query }, options),
    },
  };
}

/** Where messages go, and which. */
function webhooks(call: Call) {
  return {
    list: (query?: shape.PageQuery, options?: Options) =>
      call('GET /api/admin/webhooks', { query }, options),
    get: (webhook_id: string, options?: Options) =>
      call('GET /api/admin/webhooks/:id', { params: { id: webhook_id } }, options),
    /** The secret is shown this once. */
    create: (wish: shape.NewWebhook, options?: Options) =>
      call('POST /api/admin/webhooks', { body: wish }, options),
    change: (webhook_id: string, change: shape.WebhookChange, options?: Options) =>
      call('PATCH /api/admin/webhooks/:id', { params: { id: webhook_id }, body: change }, options),
    remove: (webhook_id: string, query: shape.ReasonQuery = {}, options?: Options) =>
      call('DELETE /api/admin/webhooks/:id', { params: { id: webhook_id }, query }, options),
    /** A new secret; for a while both sign. */
    rotate: (webhook_id: string, body: shape.SecretRotation = {}, options?: Options) =>
      call('POST /api/admin/webhooks/:id/rotate', { params: { id: webhook_id }, body }, options),
    /** Sends again; what happened in between is told now. */
    enable: (webhook_id: string, query: shape.ReasonQuery = {}, options?: Options) =>
      call('POST /api/admin/webhooks/:id/enable', { params: { id: webhook_id }, query }, options),
    disable: (webhook_id: string, query: shape.ReasonQuery = {}, options?: Options) =>
      call('POST /api/admin/webhooks/:id/disable', { params: { id: webhook_id }, query }, options),
    /** Sends a test now, and says what came of it. */
    test: (webhook_id: string, options?: Options) =>
      call('POST /api/admin/webhooks/:id/test', { params: { id: webhook_id } }, options),
    /** Everything since a time, or after a revision of an event, once more. */
    replay: (webhook_id: string, body: shape.WebhookReplay, options?: Options) =>
      call('POST /api/admin/webhooks/:id/replay', { params: { id: webhook_id }, body }, options),
  };
}

/** What was sent, and what came of it. */
function deliveries(call: Call) {
  return {
    deliveries: (webhook_id: string, query?: shape.DeliveryQuery, options?: Options) =>
      call(
        'GET /api/admin/webhooks/:id/deliveries',
        { params: { id: webhook_id }, query },
        options,
      ),
    delivery: (webhook_id: string, delivery_id: string, options?: Options) =>
      call(
        'GET /api/admin/webhooks/:id/deliveries/:delivery_id',
        { params: { id: webhook_id, delivery_id } },
        options,
      ),
    /** Sends one again, with the same id. */
    replayDelivery: (webhook_id: string, delivery_id: string, options?: Options) =>
      call(
        'POST /api/admin/webhooks/:id/deliveries/:delivery_id/replay',
        { params: { id: webhook_id, delivery_id } },
        options,
      ),
    /** Gives one up that others wait for. */
    skipDelivery: (
      webhook_id: string,
      delivery_id: string,
      query: shape.ReasonQuery = {},
      options?: Options,
    ) =>
      call(
        'POST /api/admin/webhooks/:id/deliveries/:delivery_id/skip',
        { params: { id: webhook_id, delivery_id }, query },
        options,
      ),
  };
}
