import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import { readTrailPage, readTrailRows } from './audit.sql.ts';
import type { AuditRow } from './chain.ts';

export type AuditQuery = Readonly<{
  chainId: string;
  /** Of any of them. */
  actorIds?: readonly string[] | undefined;
  action?: string | undefined;
  entityId?: string | undefined;
  /** Entries before this one, for paging. */
  before?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
  /** Only these entries, which were found by what they are about. */
  sequences?: readonly number[] | undefined;
}>;

/** An entry with its personal context, as far as that was not erased. */
export type AuditRecord = AuditRow & { ip_address: string | null; user_agent: string | null };

export function readTrail(
  transaction: Transaction,
  { organizationId }: Scope,
  query: AuditQuery,
): Promise<AuditRecord[]> {
  const { chainId, sequences } = query;
  const conditions = [
    query.actorIds ?? null,
    query.action ?? null,
    query.entityId ?? null,
    query.before ?? null,
    query.from ?? null,
    query.to ?? null,
    query.limit,
  ] as const;
  return transaction.query(
    sequences
      ? readTrailRows(organizationId, chainId, ...conditions, sequences)
      : readTrailPage(organizationId, chainId, ...conditions),
  );
}
