import type * as shape from '#shapes';
import type { Call, Options } from './call.ts';

export type Organizing = ReturnType<typeof organizing>;

/** People and their credentials. */
export function organizing(call: Call) {
  return {
    members: {
      list: (query?: shape.PageQuery, options?: Options) =>
        call('GET /api/admin/members', { query }, options),
      /** Adds a member, or sets an existing membership. */
      add: (wish: shape.NewMember, options?: Options) =>
        call('POST /api/admin/members', { body: wish }, options),
      change: (user_id: string, change: shape.MemberChange, options?: Options) =>
        call('PATCH /api/admin/members/:id', { params: { id: user_id }, body: change }, options),
      revoke: (user_id: string, options?: Options) =>
        call('DELETE /api/admin/members/:id', { params: { id: user_id } }, options),
      /** Erases what is personal about a user; holds, tickets and the trail keep the id. */
      erase: (user_id: string, options?: Options) =>
        call('DELETE /api/admin/users/:id/personal-data', { params: { id: user_id } }, options),
    },
    keys: {
      list: (query?: shape.PageQuery, options?: Options) =>
        call('GET /api/admin/api-keys', { query }, options),
      /** The text of the key is shown this once. */
      create: (wish: shape.NewApiKey, options?: Options) =>
        call('POST /api/admin/api-keys', { body: wish }, options),
      rotate: (key_id: string, body: shape.KeyRotation = {}, options?: Options) =>
        call('POST /api/admin/api-keys/:id/rotate', { params: { id: key_id }, body }, options),
      revoke: (key_id: string, options?: Options) =>
        call('DELETE /api/admin/api-keys/:id', { params: { id: key_id } }, options),
    },
    issuers: {
      list: (options?: Options) => call('GET /api/admin/issuers', {}, options),
      add: (wish: shape.NewIssuer, options?: Options) =>
        call('POST /api/admin/issuers', { body: wish }, options),
      remove: (issuer_id: string, options?: Options) =>
        call('DELETE /api/admin/issuers/:id', { params: { id: issuer_id } }, options),
    },
  };
}
