import type { Transaction } from '#postgres';
import type { Scope } from '#scope';
import { readChain } from './audit.sql.ts';
import { type AuditRow, type ChainHead, EMPTY_HEAD, hashRow } from './chain.ts';

export type Verdict = Readonly<{
  ok: boolean;
  /** How many rows were looked at. */
  rows: number;
  /** The first row that is not what it was, and what is wrong with it. */
  first_bad: Readonly<{ sequence: number; problem: 'altered' | 'missing' | 'unexpected' }> | null;
  /** As many rows as were wanted are good, up to this one, and there are more. */
  next?: ChainHead;
}>;

/** About 5 ms of hashing; between pages others have their turn. */
const PAGE = 1_000;

/**
 * Follows a chain and names the first bad row. `head` is what the chain's owner says about its
 * length and end, so a tail that was cut off is missed. It may begin after a row whose hash is
 * already trusted, for example from a signed head, and then only looks at what came since.
 */
export async function verifyChain(
  transaction: Transaction,
  scope: Scope,
  chain: { id: string; head: ChainHead; trusted?: ChainHead; most?: number },
): Promise<Verdict> {
  const { most = Number.POSITIVE_INFINITY } = chain;
  let previous = chain.trusted ?? EMPTY_HEAD;
  let seen = 0;
  const bad = (sequence: number, problem: 'altered' | 'missing' | 'unexpected'): Verdict => ({
    ok: false,
    rows: seen,
    first_bad: { sequence, problem },
  });
  const good = () => ({ ok: true, rows: seen, first_bad: null });
  if (previous.count > chain.head.count) return bad(chain.head.count + 1, 'missing');
  for (;;) {
    const wanted = Math.min(PAGE, most - seen);
    if (wanted <= 0 && previous.count < chain.head.count) return { ...good(), next: previous };
    const page = await transaction.query(
      readChain(scope.organizationId, chain.id, previous.count, Math.max(wanted, 1)),
    );
    for (const row of page) {
      if (row.sequence > chain.head.count) return bad(row.sequence, 'unexpected');
      if (row.sequence !== previous.count + 1) return bad(previous.count + 1, 'missing');
      const problem = problemOf(scope, previous, row);
      if (problem) return bad(row.sequence, problem);
      previous = { count: row.sequence, hash: row.hash };
      seen++;
    }
    if (page.length < wanted || wanted <= 0) break;
  }
  if (previous.count < chain.head.count) return bad(previous.count + 1, 'missing');
  if (!previous.hash.equals(chain.head.hash)) return bad(previous.count, 'altered');
  return good();
}

function problemOf(
  scope: Scope,
  previous: ChainHead,
  row: AuditRow & { hash: Buffer },
): 'altered' | null {
  const expected = hashRow(scope.organizationId, previous.hash, row);
  return expected.equals(row.hash) ? null : 'altered';
}
