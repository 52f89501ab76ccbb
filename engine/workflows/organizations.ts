import {
  describeUser,
  findOrganization,
  insertKey,
  insertOrganization,
  type KeyRow,
  lockMembers,
  lookupOrganizations,
  makeKey,
  mayBecome,
  type OrganizationRow,
  type OrganizationStatus,
  putMember,
  scopesOf,
  setOrganizationStatus,
  userIdOf,
} from '#accounts';
import type { AuditEntry } from '#audit';
import { assert, uuidOf, uuidv7 } from '#kit';
import type { Transaction } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';

export type NewOrganization = Readonly<{
  slug: string;
  name: string;
  /** Without an owner nobody but the operator's own tokens can administer it (demo data). */
  owner: { subject: string; email: string | null } | null;
}>;

export type CreatedOrganization = Readonly<{
  organization: OrganizationRow;
  owner_user_id: string | null;
  /** The first API key, shown this once. */
  key: string | null;
}>;

/**
 * A new tenant with its first owner and a first key that has all of an owner's scopes. A wish with
 * an Idempotency-Key always means the same organization, so a repeated one finds it there.
 */
export async function createOrganization(
  engine: Engine,
  caller: Omit<Caller, 'scope'>,
  wanted: NewOrganization,
): Promise<Done<CreatedOrganization> | { kind: 'slug_taken' } | KeyReused> {
  const { idempotency } = caller;
  const scope = scopeOf(idempotency ? uuidOf('organization', idempotency.key) : uuidv7(engine));
  const { organizationId } = scope;
  return change(engine, { ...caller, scope }, 'organization.create', async (transaction) => {
    const [organization] = await transaction.query(
      insertOrganization(organizationId, wanted.slug, wanted.name),
    );
    if (!organization) return { kind: 'slug_taken' as const };
    const entry = {
      action: 'organization_created',
      entityType: 'organization',
      entityId: organizationId,
      changes: { slug: wanted.slug },
    } as const;
    const owner = wanted.owner && (await firstOwner(engine, transaction, scope, wanted.owner));
    const answer = { organization, owner_user_id: owner?.userId ?? null };
    return changed<CreatedOrganization>(
      { ...answer, key: owner?.key ?? null },
      [entry, ...(owner?.entries ?? [])],
      { ...answer, key: null },
    );
  });
}

async function firstOwner(
  engine: Engine,
  transaction: Transaction,
  { organizationId }: Scope,
  { subject, email }: { subject: string; email: string | null },
): Promise<{ userId: string; key: string; entries: AuditEntry[] }> {
  const userId = userIdOf(organizationId, subject);
  await transaction.query(describeUser(organizationId, userId, subject, email, null));
  await transaction.query(putMember(organizationId, userId, 'owner', null, 'active', null));
  const added = {
    action: 'member_added',
    entityType: 'user',
    entityId: userId,
    changes: { role: 'owner' },
  } as const;
  const { key, entry } = await ownerKey(engine, transaction, organizationId, userId);
  return { userId, key: key.text, entries: [added, entry] };
}

async function ownerKey(
  engine: Engine,
  transaction: Transaction,
  organizationId: string,
  createdBy: string | null,
) {
  const key = makeKey(engine);
  const scopes = [...scopesOf('owner')].sort();
  const { keyId, secretHash } = key;
  const [row] = await transaction.query(
    insertKey(organizationId, keyId, 'Owner key', secretHash, scopes, createdBy, null, null),
  );
  assert(row, 'a key that was just inserted is there');
  const changes = { scopes };
  const entry = {
    action: 'api_key_created',
    entityType: 'api_key',
    entityId: keyId,
    changes,
  } as const;
  return { key, row, entry };
}

/** For an organization whose owner has lost every key: only the platform can let them in again. */
export function issueOwnerKey(
  engine: Engine,
  caller: Caller,
): Promise<Done<KeyRow & { key: string | null }> | { kind: 'not_found' } | KeyReused> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'organization.owner_key', async (transaction) => {
    const [organization] = await transaction.query(findOrganization(organizationId));
    if (!organization) return { kind: 'not_found' as const };
    const { key, row, entry } = await ownerKey(engine, transaction, organizationId, null);
    const shown = { ...row, key: key.text as string | null };
    return changed(shown, [entry], { ...row, key: null });
  });
}

export async function changeOrganizationStatus(
  engine: Engine,
  caller: Caller,
  status: OrganizationStatus,
): Promise<
  | Done<OrganizationRow>
  | { kind: 'not_found' }
  | { kind: 'not_possible'; from: OrganizationStatus }
  | KeyReused
> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'organization.status', async (transaction) => {
    await transaction.query(lockMembers(organizationId));
    const [before] = await transaction.query(findOrganization(organizationId));
    if (!before) return { kind: 'not_found' as const };
    if (!mayBecome(before.status, status)) {
      return { kind: 'not_possible' as const, from: before.status };
    }
    const [after] = await transaction.query(setOrganizationStatus(organizationId, status));
    const entry = {
      action: `organization_${status}`,
      entityType: 'organization',
      entityId: organizationId,
      changes: { from: before.status, to: status },
    } as const;
    return changed(after ?? before, [entry]);
  });
}

export async function readOrganization(
  engine: Engine,
  organizationId: string,
): Promise<OrganizationRow | null> {
  const rows = await engine.postgres.ask(scopeOf(organizationId), findOrganization(organizationId));
  return rows[0] ?? null;
}

/** Every tenant, by slug: for the platform's administrator alone. */
export function listOrganizations(
  engine: Engine,
  page: { after: string; limit: number },
): Promise<{ organization_id: string; slug: string; status: OrganizationStatus }[]> {
  return engine.postgres.ask(null, lookupOrganizations(page.after, page.limit));
}
