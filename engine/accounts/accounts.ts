/**
 * Accounts: organizations, the tenants of this system. It knows who they are and what state they
 * are in; it knows nothing of seats. Workflows and the server call it.
 */
import type { Postgres, Transaction } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import type { Organization } from './organization.ts';
import { findOrganization, insertOrganization, lookupOrganization } from './organizations.sql.ts';

export type { Organization, OrganizationStatus } from './organization.ts';

/** Turns a public handle into a scope, which is all that a request without a credential has. */
export async function scopeOfSlug(postgres: Postgres, slug: string): Promise<Scope | null> {
  const rows = await postgres.transaction(null, { name: 'accounts.lookup' }, (transaction) =>
    transaction.query(lookupOrganization(slug)),
  );
  return rows[0] ? scopeOf(rows[0].organization_id) : null;
}

export async function organizationOf(
  transaction: Transaction,
  scope: Scope,
): Promise<Organization | null> {
  const [row] = await transaction.query(findOrganization(scope.organizationId));
  if (!row) return null;
  return Object.freeze({
    organizationId: row.organization_id,
    slug: row.slug,
    name: row.name,
    status: row.status,
  });
}

/** Creates the organization of this scope; false when it, or its slug, exists already. */
export async function createOrganization(
  transaction: Transaction,
  scope: Scope,
  wanted: { slug: string; name: string },
): Promise<boolean> {
  const rows = await transaction.query(
    insertOrganization(scope.organizationId, wanted.slug, wanted.name),
  );
  return rows.length === 1;
}
