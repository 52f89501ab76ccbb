/**
 * The scope: on whose behalf a call works. It is the first argument of everything that touches a
 * tenant's data, and it always comes from a credential or from a public handle that Postgres itself
 * resolved, never from a request parameter. Postgres shows nothing while it is unset.
 */
import { assert, isUuid } from '#kit';

export type Scope = Readonly<{ kind: 'scope'; organizationId: string }>;

export function scopeOf(organizationId: string): Scope {
  assert(isUuid(organizationId), 'a scope needs an organization id');
  return Object.freeze({ kind: 'scope', organizationId });
}
