import {
  type ChainHead,
  ORGANIZATION_CHAIN,
  readEventHead,
  readOrganizationHead,
  type Verdict,
  verifyChain,
} from '#audit';
import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import type { Caller, Engine } from './change.ts';

/** One snapshot for head and rows: an entry that is written meanwhile is not a contradiction. */
const SNAPSHOT = 'isolation level repeatable read read only' as const;

/** One verification of a chain at a time; who asks meanwhile waits for the same answer. */
const running = new Map<string, Promise<Verdict | null>>();

/**
 * Verifies a chain, all of it or what came after a head that is trusted: the organization's own, or
 * an event's. Null: there is no such event on sale.
 */
export function verifyAudit(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  chain: { id: string; trusted?: ChainHead | undefined; most?: number | undefined },
): Promise<Verdict | null> {
  const { scope } = caller;
  const { id, trusted, most } = chain;
  const hash = trusted?.hash.toString('hex');
  const name = [scope.organizationId, id, trusted?.count, hash, most].join(' ');
  const known = running.get(name);
  if (known) return known;
  const options = { name: 'audit.verify', mode: SNAPSHOT, pool: 'jobs' } as const;
  const verdict = engine.postgres
    .transaction(scope, options, async (transaction) => {
      const head = await headOf(transaction, scope, id);
      const part = { ...(trusted ? { trusted } : {}), ...(most ? { most } : {}) };
      return head && verifyChain(transaction, scope, { id, head, ...part });
    })
    .finally(() => running.delete(name));
  running.set(name, verdict);
  return verdict;
}

/** Null: there is no such event on sale. */
export function auditHead(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  chainId: string,
): Promise<ChainHead | null> {
  const { scope } = caller;
  return engine.postgres.transaction(scope, { name: 'audit.head' }, (transaction) =>
    headOf(transaction, scope, chainId),
  );
}

async function headOf(
  transaction: Transaction,
  { organizationId }: Scope,
  chainId: string,
): Promise<ChainHead | null> {
  const [row] = await transaction.query(
    chainId === ORGANIZATION_CHAIN
      ? readOrganizationHead(organizationId)
      : readEventHead(organizationId, chainId),
  );
  return row ? { count: row.audit_count, hash: row.audit_head } : null;
}
