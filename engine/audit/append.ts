import { assert } from '#kit';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import {
  insertAuditRows,
  insertContext,
  lockOrganizationChain,
  moveOrganizationChain,
} from './audit.sql.ts';
import {
  type AuditActor,
  type AuditEntry,
  type AuditRow,
  hashRow,
  ORGANIZATION_CHAIN,
} from './chain.ts';

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
  let hash = head.audit_head;
  let sequence = head.audit_count;
  const rows = entries.map((entry) => {
    sequence++;
    const row: AuditRow = {
      chain_id: ORGANIZATION_CHAIN,
      sequence,
      at: head.at,
      actor_kind: actor.kind,
      actor_id: actor.id,
      actor_role: actor.role,
      action: entry.action,
      entity_type: entry.entityType,
      entity_id: entry.entityId,
      changes: entry.changes,
      context_id: context.id,
    };
    hash = hashRow(scope.organizationId, hash, row);
    return { ...row, hash: hash.toString('hex') };
  });
  const personal = actor.kind === 'user' ? actor.id : null;
  const { organizationId } = scope;
  await transaction.exchange([
    insertContext(organizationId, context.id, personal, context.ip, context.userAgent),
    insertAuditRows(organizationId, JSON.stringify(rows)),
    moveOrganizationChain(organizationId, sequence, hash),
  ]);
}
