import { assert } from '#kit';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import {
  insertAuditRows,
  insertContext,
  lockOrganizationChain,
  moveOrganizationChain,
} from './audit.sql.ts';
import { type AuditActor, type AuditEntry, chainRows, ORGANIZATION_CHAIN } from './chain.ts';

export type AuditContext = Readonly<{
  id: string;
  ip: string | null;
  userAgent: string | null;
}>;

/**
 * Appends to the organization's own chain. The organization's row is locked until the transaction
 * ends, so entries of one organization are in one order; changes to its accounts are rare.
 */
export async function appendToOrganization(
  transaction: Transaction,
  scope: Scope,
  actor: AuditActor,
  context: AuditContext,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const [head] = await transaction.query(lockOrganizationChain(scope.organizationId));
  assert(head, 'an audit entry needs its organization');
  const start = { count: head.audit_count, hash: head.audit_head };
  const deed = { actor, contextId: context.id, entries };
  const chained = chainRows(scope.organizationId, ORGANIZATION_CHAIN, start, head.at, [deed]);
  const rows = chained.rows.map((row) => ({ ...row, hash: row.hash.toString('hex') }));
  const personal = actor.kind === 'user' ? actor.id : null;
  const { organizationId } = scope;
  await transaction.exchange([
    insertContext(organizationId, context.id, personal, context.ip, context.userAgent),
    insertAuditRows(organizationId, JSON.stringify(rows)),
    moveOrganizationChain(organizationId, chained.head.count, chained.head.hash),
  ]);
}
