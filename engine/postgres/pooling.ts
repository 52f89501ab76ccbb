import type pg from 'pg';
import { OperatingError } from '#kit';
import { withClient } from './client.ts';

/**
 * What is between us and the server. `direct`: nothing. `session`: a pooler that keeps one server
 * process for each of our connections, which is as good. `shared`: one that gives the process to
 * others after each transaction or statement.
 */
export type Pooling = 'direct' | 'session' | 'shared';

/** A pooler lets a client wait that gets no server process; then no other has it. */
const ANSWER_MS = 2_000;
/** Not alternating: a pooler that goes round two processes would answer as two sessions do. */
const ORDER = ['a', 'b', 'b', 'a', 'a', 'b', 'b', 'b', 'a'] as const;

/**
 * Found by behaviour, whatever the pooler is called: the process that answers is not the one that
 * the start of the connection named; and two open connections are answered by the same process, or
 * one connection by several.
 */
export async function poolingOf(url: string): Promise<Pooling> {
  return withClient(url, async (first) => {
    if ((await processOf(first)) === announced(first)) return 'direct';
    return withClient(url, async (second) => {
      const isShared = await areShared({ a: first, b: second }).catch(() => false);
      return isShared ? 'shared' : 'session';
    });
  });
}

async function areShared(clients: Readonly<Record<'a' | 'b', pg.Client>>): Promise<boolean> {
  const seen = { a: new Set<number>(), b: new Set<number>() };
  for (const name of ORDER) seen[name].add(await processOf(clients[name]));
  const common = [...seen.a].some((pid) => seen.b.has(pid));
  return common || seen.a.size > 1 || seen.b.size > 1;
}

async function processOf(client: pg.Client): Promise<number> {
  const asked = { text: 'select pg_backend_pid() as pid', query_timeout: ANSWER_MS };
  const { rows } = await client.query<{ pid: number }>(asked);
  return rows[0]?.pid ?? 0;
}

/** The driver keeps it for cancelling; its types do not name it. */
function announced(client: pg.Client): number | null {
  return (client as { processID?: number | null }).processID ?? null;
}

export const SHARED_SENTENCE =
  'DATABASE_URL leads through a pooler that gives a session to other clients after each ' +
  'transaction (PgBouncer: pool_mode = transaction or statement). Prepared statements, ' +
  'LISTEN and locks need a session of their own: set pool_mode = session for this database, ' +
  'or connect to Postgres directly.';

/** Refuses at the start what would fail at the first sale. */
export async function refuseSharedSessions(url: string): Promise<void> {
  if ((await poolingOf(url)) !== 'shared') return;
  throw new OperatingError('pooler_not_usable', SHARED_SENTENCE, { retryable: false });
}
