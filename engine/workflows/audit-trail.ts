import {
  type AuditQuery,
  type AuditRecord,
  type ChainHead,
  ORGANIZATION_CHAIN,
  readOrganizationHead,
  readTrail,
  type Verdict,
  verifyChain,
} from '#audit';
import { assert } from '#kit';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import type { Caller, Engine } from './change.ts';

/** One snapshot for head and rows: an entry that is written meanwhile is not a contradiction. */
const SNAPSHOT = 'isolation level repeatable read read only' as const;

export function readAuditTrail(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  query: AuditQuery,
): Promise<AuditRecord[]> {
  return engine.postgres.transaction(caller.scope, { name: 'audit.trail' }, (transaction) =>
    readTrail(transaction, caller.scope, query),
  );
}

/** One verification per organization at a time; who asks meanwhile waits for the same answer. */
const running = new Map<string, Promise<Verdict>>();

/** Verifies the organization's chain, all of it or what came after a head that is trusted. */
export function verifyAudit(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  trusted?: ChainHead,
): Promise<Verdict> {
  const { scope } = caller;
  const name = `${scope.organizationId} ${trusted?.count} ${trusted?.hash.toString('hex')}`;
  const known = running.get(name);
  if (known) return known;
  const options = { name: 'audit.verify', mode: SNAPSHOT, pool: 'jobs' } as const;
  const verdict = engine.postgres
    .transaction(scope, options, async (transaction) => {
      const head = await headOf(transaction, scope);
      const chain = { id: ORGANIZATION_CHAIN, head, ...(trusted ? { trusted } : {}) };
      return verifyChain(transaction, scope, chain);
    })
    .finally(() => running.delete(name));
  running.set(name, verdict);
  return verdict;
}

export function auditHead(engine: Engine, caller: Pick<Caller, 'scope'>): Promise<ChainHead> {
  const { scope } = caller;
  return engine.postgres.transaction(scope, { name: 'audit.head' }, (transaction) =>
    headOf(transaction, scope),
  );
}

async function headOf(transaction: Transaction, scope: Scope): Promise<ChainHead> {
  const [row] = await transaction.query(readOrganizationHead(scope.organizationId));
  assert(row, 'a chain needs its organization');
  return { count: row.audit_count, hash: row.audit_head };
}
