import {
  type AccessScope,
  endKey,
  findKey,
  findSuccessor,
  insertKey,
  insertSuccessor,
  isAccessScope,
  type KeyRow,
  listKeys,
  makeKey,
  type NewKey,
  revokeKey,
} from '#accounts';
import type { AuditAction } from '#audit';
import { assert, NIL_ID } from '#kit';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';

/** A key with its text, which is there only in the first answer. */
export type KeyWithText = KeyRow & { key: string | null };

type NotAllowed = Readonly<{ kind: 'not_allowed'; scopes: readonly AccessScope[] }>;
type NotFound = Readonly<{ kind: 'not_found' }>;

export function listApiKeys(
  engine: Engine,
  caller: Caller,
  page: { after?: string | undefined; limit: number },
): Promise<KeyRow[]> {
  const { scope } = caller;
  return engine.postgres.ask(
    scope,
    listKeys(scope.organizationId, page.after ?? NIL_ID, page.limit),
  );
}

/** Nobody makes a key that may more than they may themselves. */
export function createApiKey(
  engine: Engine,
  caller: Caller,
  wanted: { name: string; scopes: readonly AccessScope[]; expiresInDays: number | null },
): Promise<Done<KeyWithText> | NotAllowed | KeyReused> {
  return change(engine, caller, 'key.create', async (transaction) => {
    const refusal = beyond(caller, wanted);
    if (refusal) return refusal;
    const key = makeKey(engine);
    const [row] = await transaction.query(
      insertKey(
        caller.scope.organizationId,
        key.keyId,
        wanted.name,
        key.secretHash,
        [...new Set(wanted.scopes)].sort(),
        caller.actor.id,
        wanted.expiresInDays,
        null,
      ),
    );
    return shownOnce(row, key, 'api_key_created', { scopes: wanted.scopes });
  });
}

/**
 * A successor with the same name and scopes. The old key lives on for the overlap, so that whoever
 * uses it can change over without a gap; its own predecessor ends now, so there are never three.
 */
export function rotateApiKey(
  engine: Engine,
  caller: Caller,
  keyId: string,
  overlapHours: number,
): Promise<
  Done<KeyWithText> | NotFound | NotAllowed | { kind: 'already_rotated'; by: string } | KeyReused
> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'key.rotate', async (transaction) => {
    const [old] = await transaction.query(findKey(organizationId, keyId));
    if (!old?.live) return { kind: 'not_found' as const };
    const refusal = beyond(caller, old);
    if (refusal) return refusal;
    const [successor] = await transaction.query(findSuccessor(organizationId, keyId));
    if (successor) return { kind: 'already_rotated' as const, by: successor.key_id };
    const key = makeKey(engine);
    const [row] = await transaction.query(
      insertSuccessor(organizationId, key.keyId, key.secretHash, caller.actor.id, keyId),
    );
    await transaction.query(endKey(organizationId, keyId, overlapHours));
    if (old.replaces) await transaction.query(endKey(organizationId, old.replaces, 0));
    return shownOnce(row, key, 'api_key_rotated', { replaces: keyId, overlapHours });
  });
}

/** Nobody ends a key that may more than they may themselves. */
export function revokeApiKey(
  engine: Engine,
  caller: Caller,
  keyId: string,
): Promise<Done<KeyRow> | NotFound | NotAllowed | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'key.revoke', async (transaction) => {
    const [before] = await transaction.query(findKey(organizationId, keyId));
    if (!before) return { kind: 'not_found' as const };
    const refusal = beyond(caller, before);
    if (refusal) return refusal;
    const [row] = await transaction.query(revokeKey(organizationId, keyId));
    // Revoking twice is harmless and leaves no second entry.
    if (!row) return changed(before, []);
    const target = { entityType: 'api_key', entityId: keyId, changes: {} };
    return changed(row, [{ action: 'api_key_revoked', ...target }]);
  });
}

function beyond(caller: Caller, key: { scopes: readonly string[] }): NotAllowed | null {
  const scopes = key.scopes.filter(isAccessScope).filter((scope) => !caller.scopes.has(scope));
  return scopes.length > 0 ? { kind: 'not_allowed', scopes } : null;
}

/** The secret is in the first answer alone: what is kept for a repeated wish does not have it. */
function shownOnce(
  row: KeyRow | undefined,
  key: NewKey,
  action: AuditAction,
  changes: Record<string, unknown>,
) {
  assert(row, 'a key that was just inserted is there');
  const entry = { action, entityType: 'api_key', entityId: key.keyId, changes } as const;
  return changed<KeyWithText>({ ...row, key: key.text }, [entry], { ...row, key: null });
}
