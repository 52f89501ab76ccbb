import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import { readTrailPage } from './audit.sql.ts';
import type { AuditRow } from './chain.ts';

export type AuditQuery = Readonly<{
  chainId: string;
  actorId?: string | undefined;
  action?: string | undefined;
  entityId?: string | undefined;
  /** Entries before this one, for paging. */
  before?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  limit: number;
}>;

/** An entry with its personal context, as far as that was not erased. */
export type AuditRecord = AuditRow & { ip_address: string | null; user_agent: string | null };

export function readTrail(
  transaction: Transaction,
  scope: Scope,
  query: AuditQuery,
): Promise<AuditRecord[]> {
  return transaction.query(
    readTrailPage(
      scope.organizationId,
      query.chainId,
      query.actorId ?? null,
      query.action ?? null,
      query.entityId ?? null,
      query.before ?? null,
      query.from ?? null,
      query.to ?? null,
      query.limit,
    ),
  );
}
