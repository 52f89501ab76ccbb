import { hash } from 'node:crypto';
import { canonicalJson, NIL_ID } from '#kit';
import type { AuditAction } from './actions.ts';

/** Who acts: a person, an API key, the platform's administrator, or the system by itself. */
export type AuditActor = Readonly<{
  kind: 'user' | 'key' | 'platform' | 'system';
  id: string | null;
  role: string | null;
}>;

/** What is written down. `changes` holds opaque ids, numbers and codes, nothing personal. */
export type AuditEntry = Readonly<{
  action: AuditAction;
  entityType: string;
  entityId: string | null;
  changes: Readonly<Record<string, unknown>>;
}>;

/** A row as it is hashed. Times are texts with microseconds, as Postgres gives them back. */
export type AuditRow = Readonly<{
  chain_id: string;
  sequence: number;
  at: string;
  actor_kind: string;
  actor_id: string | null;
  actor_role: string | null;
  action: string;
  entity_type: string;
  entity_id: string | null;
  changes: unknown;
  context_id: string | null;
}>;

export type ChainHead = Readonly<{ count: number; hash: Buffer }>;

/** The chain of what belongs to no event. */
export const ORGANIZATION_CHAIN = NIL_ID;

export const EMPTY_HEAD: ChainHead = { count: 0, hash: Buffer.alloc(32) };

/** Binds a row to everything before it, and to its organization: rows cannot change tenants. */
export function hashRow(organizationId: string, previous: Buffer, row: AuditRow): Buffer {
  const fields = [
    organizationId,
    row.chain_id,
    row.sequence,
    row.at,
    row.actor_kind,
    row.actor_id,
    row.actor_role,
    row.action,
    row.entity_type,
    row.entity_id,
    row.changes,
    row.context_id,
  ];
  // In one call: half of what an object that is told piece by piece takes.
  const bytes = Buffer.concat([previous, Buffer.from(canonicalJson(fields))]);
  return hash('sha256', bytes, 'buffer');
}

/** Part of a trail: whose doing, from where, what. */
export type Deed = Readonly<{
  actor: AuditActor;
  contextId: string | null;
  entries: readonly AuditEntry[];
}>;

/** Chains deeds to what is there, in order. */
export function chainRows(
  organizationId: string,
  chainId: string,
  head: ChainHead,
  at: string,
  deeds: readonly Deed[],
): { rows: (AuditRow & { hash: Buffer })[]; head: ChainHead } {
  let { count, hash: last } = head;
  const rows: (AuditRow & { hash: Buffer })[] = [];
  for (const { actor, contextId, entries } of deeds) {
    for (const entry of entries) {
      count++;
      const row: AuditRow = {
        chain_id: chainId,
        sequence: count,
        at,
        actor_kind: actor.kind,
        actor_id: actor.id,
        actor_role: actor.role,
        action: entry.action,
        entity_type: entry.entityType,
        entity_id: entry.entityId,
        changes: entry.changes,
        context_id: contextId,
      };
      last = hashRow(organizationId, last, row);
      rows.push({ ...row, hash: last });
    }
  }
  return { rows, head: { count, hash: last } };
}
