import { createHash, timingSafeEqual } from 'node:crypto';
import { type Clock, isUuid, type Random, uuidv7 } from '#kit';
import type { Postgres } from '#postgres';
import { scopeOf } from '#scope';
import { findKeyForLogin, lookupKey, touchKeys } from './keys.sql.ts';
import type { OrganizationStatus } from './organization.ts';
import { type AccessScope, scopesOfKey } from './roles.ts';

/** A new key: the text is shown once, only its hash is stored. */
export type NewKey = Readonly<{ keyId: string; text: string; secretHash: Buffer }>;

const SECRET_BYTES = 32;

/** `vk_<id>_<secret>`: recognisable in a leak, found by its id, proven by its secret. */
export function makeKey(source: { clock: Clock; random: Random }): NewKey {
  const keyId = uuidv7(source);
  const secret = Buffer.from(source.random.bytes(SECRET_BYTES)).toString('base64url');
  const text = `vk_${keyId.replaceAll('-', '')}_${secret}`;
  return { keyId, text, secretHash: hashSecret(secret) };
}

function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The two parts of a key's text; null when it is none. */
export function splitKey(text: string): { keyId: string; secret: string } | null {
  const [, hex, secret] = /^vk_([0-9a-f]{32})_([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  if (!hex || !secret) return null;
  const keyId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return isUuid(keyId) ? { keyId, secret } : null;
}

export type KeyStanding = Readonly<{
  keyId: string;
  organizationId: string;
  organization: OrganizationStatus;
  scopes: ReadonlySet<AccessScope>;
}>;

/** Who a key is, if its secret is right and it is neither revoked nor expired. */
export async function standingOfKey(
  postgres: Postgres,
  key: { keyId: string; secret: string },
): Promise<KeyStanding | null> {
  const { keyId } = key;
  const [found] = await postgres.ask(null, lookupKey(keyId), { pool: 'logins' });
  if (!found) return null;
  const scope = scopeOf(found.organization_id);
  const [row] = await postgres.ask(scope, findKeyForLogin(scope.organizationId, keyId), {
    pool: 'logins',
  });
  if (!row?.live || !timingSafeEqual(row.secret_hash, hashSecret(key.secret))) return null;
  return Object.freeze({
    keyId,
    organizationId: scope.organizationId,
    organization: row.organization_status,
    scopes: scopesOfKey(row.scopes),
  });
}

/** Remembers when keys were last used; to the minute is enough to find the ones nobody needs. */
export async function recordKeyUse(
  postgres: Postgres,
  organizationId: string,
  keyIds: readonly string[],
): Promise<void> {
  const scope = scopeOf(organizationId);
  await postgres.ask(scope, touchKeys(organizationId, keyIds), { pool: 'jobs' });
}
