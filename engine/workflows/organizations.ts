import {
  describeUser,
  findOrganization,
  insertKey,
  insertOrganization,
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
import { uuidv7 } from '#kit';
import type { Transaction } from '#postgres';
import { scopeOf } from '#scope';
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

type PlatformCaller = Omit<Caller, 'scope' | 'idempotency'>;

/** A new tenant with its first owner and a first key that has all of an owner's scopes. */
export async function createOrganization(
  engine: Engine,
  caller: PlatformCaller,
  wanted: NewOrganization,
): Promise<Done<CreatedOrganization> | { kind: 'slug_taken' } | KeyReused> {
  const scope = scopeOf(uuidv7(engine));
  const { organizationId } = scope;
  const asOrganization = { ...caller, scope, idempotency: null };
  return change(engine, asOrganization, 'organization.create', async (transaction) => {
    const [organization] = await transaction.query(
      insertOrganization(organizationId, wanted.slug, wanted.name),
    );
    if (!organization) return { kind: 'slug_taken' as const };
    const entries: AuditEntry[] = [
      {
        action: 'organization_created',
        entityType: 'organization',
        entityId: organizationId,
        changes: { slug: wanted.slug },
      },
    ];
    const owner = wanted.owner && (await firstOwner(engine, transaction, organizationId, wanted));
    if (owner) entries.push(...owner.entries);
    const answer = {
      organization,
      owner_user_id: owner?.userId ?? null,
      key: owner?.key ?? null,
    };
    return changed(answer, entries);
  });
}

async function firstOwner(
  engine: Engine,
  transaction: Transaction,
  organizationId: string,
  { owner }: NewOrganization,
): Promise<{ userId: string; key: string; entries: AuditEntry[] }> {
  const { subject = '', email = null } = owner ?? {};
  const userId = userIdOf(organizationId, subject);
  const key = makeKey(engine);
  const scopes = [...scopesOf('owner')];
  await transaction.query(describeUser(organizationId, userId, subject, email, null));
  await transaction.query(putMember(organizationId, userId, 'owner', null, 'active', null));
  await transaction.query(
    insertKey(organizationId, key.keyId, 'First key', key.secretHash, scopes, userId, null, null),
  );
  const entries = [
    {
      action: 'member_added',
      entityType: 'user',
      entityId: userId,
      changes: { role: 'owner' },
    },
    { action: 'api_key_created', entityType: 'api_key', entityId: key.keyId, changes: { scopes } },
  ];
  return { userId, key: key.text, entries };
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
    };
    return changed(after ?? before, [entry]);
  });
}

export async function readOrganization(
  engine: Engine,
  organizationId: string,
): Promise<OrganizationRow | null> {
  const rows = await engine.postgres.transaction(
    scopeOf(organizationId),
    { name: 'organization.read' },
    (transaction) => transaction.query(findOrganization(organizationId)),
  );
  return rows[0] ?? null;
}

/** Every tenant, by slug: for the platform's administrator alone. */
export function listOrganizations(
  engine: Engine,
  page: { after: string; limit: number },
): Promise<{ organization_id: string; slug: string; status: OrganizationStatus }[]> {
  return engine.postgres.transaction(null, { name: 'organizations.list' }, (transaction) =>
    transaction.query(lookupOrganizations(page.after, page.limit)),
  );
}
