import { backoff, type Clock, OperatingError, type Random, type Timers } from '#kit';
import type { Scope } from '#scope';
import type { Telemetry } from '#telemetry';
import type { Connection } from './connection.ts';
import { classify, type Failure, stateOf } from './failures.ts';
import { type Pool, translated } from './pool.ts';
import type { Statement } from './statement.ts';

/** What work inside a transaction may do: ask and write, nothing about how it ends. */
export type Transaction = Pick<Connection, 'query' | 'exchange'>;

export type TransactionOptions = Readonly<{
  /** Names the transaction in logs and metrics. */
  name: string;
  /** On the monotonic clock: nothing is asked and nothing is committed after it. */
  deadline_ms?: number | undefined;
  mode?: 'read only' | 'isolation level repeatable read read only' | 'isolation level serializable';
}>;

type Tools = Readonly<{ clock: Clock & Timers; random: Random; telemetry: Telemetry }>;

/** Conflicts are short and many, an absent server is long and rare; everything is bounded. */
const RETRIES: Readonly<Record<Failure, { tries: number; first_ms: number; most_ms: number }>> = {
  conflict: { tries: 3, first_ms: 10, most_ms: 40 },
  unavailable: { tries: 2, first_ms: 100, most_ms: 400 },
  too_slow: { tries: 0, first_ms: 0, most_ms: 0 },
  final: { tries: 0, first_ms: 0, most_ms: 0 },
};

/**
 * Runs `work` in one transaction of one organization (`null`: in none, which sees no tenant's
 * row). It is run again, from the start, when Postgres refused for a reason that passes; so `work`
 * must do nothing but talk to its transaction. A COMMIT whose answer was lost is never repeated
 * here.
 */
export async function runTransaction<Result>(
  pool: Pool,
  tools: Tools,
  scope: Scope | null,
  options: TransactionOptions,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return again(pool, tools, options, (one) => inTransaction(one, tools, scope, options, work));
}

/**
 * One statement in a transaction of its own, all of it in one exchange: for questions, and for
 * what is the same when it is done twice.
 */
export function runStatement<Row>(
  pool: Pool,
  tools: Tools,
  scope: Scope | null,
  options: Omit<TransactionOptions, 'name'>,
  statement: Statement<Row>,
): Promise<Row[]> {
  return again(pool, tools, statement, (connection) => {
    refuseLate(tools.clock, options.deadline_ms);
    return connection.once(scope?.organizationId ?? null, statement, options.mode);
  });
}

async function again<Result>(
  pool: Pool,
  tools: Tools,
  { name }: { name: string },
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await pool.use(work);
    } catch (error) {
      const limits = RETRIES[error instanceof OperatingError ? 'final' : classify(error)];
      if (attempt >= limits.tries) return translated(() => Promise.reject(error));
      tools.telemetry.emit({
        kind: 'postgres.retry',
        transaction: name,
        code: stateOf(error) ?? 'connection',
        attempt,
      });
      await tools.clock.sleep(backoff(attempt, limits, tools.random));
    }
  }
}

async function inTransaction<Result>(
  connection: Connection,
  tools: Tools,
  scope: Scope | null,
  options: TransactionOptions,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const inTime = () => refuseLate(tools.clock, options.deadline_ms);
  inTime();
  await connection.begin(scope?.organizationId ?? null, [], options.mode);
  const result = await work(connection);
  // Whoever asked has been told that nothing was changed by now, so nothing may be.
  inTime();
  const finish = await connection.commit();
  if (finish.kind === 'committed') return result;
  if (finish.kind === 'rolled_back') throw finish.error;
  throw new OperatingError('outcome_unknown', 'the answer to COMMIT was lost', {
    retryable: false,
    cause: finish.error,
  });
}

function refuseLate(clock: Clock, deadline_ms: number | undefined): void {
  if (deadline_ms === undefined || clock.monotonic() < deadline_ms) return;
  const message = 'the time for this request is over';
  throw new OperatingError('unavailable', message, { retryable: true });
}
