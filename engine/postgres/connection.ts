import type { Writable } from 'node:stream';
import type pg from 'pg';
import { assert, type Clock, isUuid } from '#kit';
import type { Telemetry } from '#telemetry';
import { dropsConnection, endsSession, isCertainlyRolledBack } from './failures.ts';
import { type Statement, statement } from './statement.ts';

/** How a write that travelled together with its COMMIT ended. */
export type Finish<Row> =
  | { kind: 'committed'; rows: Row[] }
  | { kind: 'rolled_back'; error: unknown }
  /** The answer was lost: only reading the database again can tell. */
  | { kind: 'unknown'; error: unknown };

const LONG_STATEMENT_MS = 30_000;

/** Makes the setting of an organization that this connection's role is believed. */
export type Sign = (organizationId: string) => string;

export type ConnectionOptions = Readonly<{
  /** What applies again after a long statement. */
  limits?: Readonly<{ statement_ms: number; lock_ms: number }>;
  /** Each statement that failed, whatever becomes of its error. */
  onFailure?: (error: unknown) => void;
  /** Without it the role is one that need not sign: that of the writers. */
  sign?: Sign | null;
}>;

/** The function of Postgres in which a commit waits for the synchronous standby. */
const STANDBY_WAIT = 'SyncRepWaitForLSN';

type Notice = Readonly<{ routine: string | undefined; message: string | undefined }>;
type Answer<Row> = { rows: Row[]; command: string };

/**
 * One borrowed connection in pipeline mode: statements go out without waiting for each other's
 * answers, each with its own snapshot, and come back in order. After any failure the connection is
 * rolled back before it returns to the pool, and destroyed if that fails.
 */
export class Connection {
  readonly #client: pg.PoolClient;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  readonly #options: ConnectionOptions;
  #inTransaction = false;
  #broken = false;

  constructor(
    client: pg.PoolClient,
    clock: Clock,
    telemetry: Telemetry,
    options: ConnectionOptions = {},
  ) {
    this.#options = options;
    this.#client = client;
    this.#clock = clock;
    this.#telemetry = telemetry;
  }

  async query<Row>(statement: Statement<Row>): Promise<Row[]> {
    if (statement.long) return this.#queryLong(statement);
    return (await this.#send<Row>(statement)).rows;
  }

  /**
   * Sends all statements in one exchange. Every promise is awaited, whatever happens to the first:
   * awaiting them one after the other would leave rejections that nobody handles.
   */
  async exchange(statements: readonly Statement<unknown>[]): Promise<unknown[][]> {
    assert(!statements.some(({ long }) => long), 'a long statement goes alone');
    const sent = this.#together(() => statements.map((one) => this.#send(one)));
    const answers = await Promise.allSettled(sent);
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason;
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.rows : []));
  }

  /** The beginning, with the organization for row level security, and the first statements. */
  async begin(
    organizationId: string | null,
    statements: readonly Statement<unknown>[] = [],
    mode = '',
  ): Promise<unknown[][]> {
    assert(!this.#inTransaction, 'a connection has one transaction at a time');
    this.#inTransaction = true;
    const first = opening(organizationId, mode, this.#options.sign ?? null);
    return (await this.exchange([...first, ...statements])).slice(first.length);
  }

  /**
   * Sends the write, whatever goes before it, and COMMIT together. COMMIT is then on the wire
   * before the write's result is known, so success needs both: the write fulfilled and the command
   * tag COMMIT. After a failed write Postgres answers ROLLBACK to COMMIT, without an error.
   */
  async finish<Row>(
    write: Statement<Row>,
    before: readonly Statement<unknown>[] = [],
  ): Promise<Finish<Row>> {
    assert(this.#inTransaction, 'finish needs a transaction');
    const [earlier, both] = this.#together(() => [
      Promise.allSettled(before.map((one) => this.#send(one))),
      Promise.allSettled([this.#send<Row>(write), this.#sendCommit()]),
    ]);
    const [written, committed] = await both;
    const failed = (await earlier).find((answer) => answer.status === 'rejected');
    if (committed.status === 'fulfilled') {
      this.#inTransaction = false;
      if (written.status === 'fulfilled' && committed.value.command === 'COMMIT') {
        return { kind: 'committed', rows: written.value.rows };
      }
      const error = written.status === 'rejected' ? written.reason : unexpectedTag(committed.value);
      // After the first failure all others only say that the transaction is over.
      return { kind: 'rolled_back', error: failed?.reason ?? error };
    }
    const error = written.status === 'rejected' ? written.reason : committed.reason;
    if (isCertainlyRolledBack(committed.reason)) return { kind: 'rolled_back', error };
    this.#broken = true;
    return { kind: 'unknown', error };
  }

  /**
   * A transaction of one statement, all of it in one exchange. Whoever asks so may ask again: when
   * the answer is lost nobody knows whether it was done.
   */
  async once<Row>(
    organizationId: string | null,
    statement: Statement<Row>,
    mode = '',
  ): Promise<Row[]> {
    assert(!statement.long, 'a long statement needs a transaction, which bounds its setting');
    assert(statement.repeatable, 'what may be done only once needs a transaction');
    const [opened, finished] = this.#together(() => [
      Promise.allSettled([this.begin(organizationId, [], mode)]),
      this.finish(statement),
    ]);
    const finish = await finished;
    const [opening] = await opened;
    if (opening?.status === 'rejected') throw opening.reason;
    if (finish.kind === 'committed') return finish.rows;
    throw finish.error;
  }

  /** COMMIT alone, for transactions that do not travel with their last statement. */
  async commit(): Promise<Finish<never>> {
    assert(this.#inTransaction, 'commit needs a transaction');
    try {
      const answer = await this.#sendCommit();
      this.#inTransaction = false;
      if (answer.command === 'COMMIT') return { kind: 'committed', rows: [] };
      return { kind: 'rolled_back', error: unexpectedTag(answer) };
    } catch (error) {
      if (isCertainlyRolledBack(error)) return { kind: 'rolled_back', error };
      this.#broken = true;
      return { kind: 'unknown', error };
    }
  }

  async rollback(): Promise<void> {
    if (!this.#inTransaction || this.#broken) return;
    try {
      await this.#send(plain('rollback'));
      this.#inTransaction = false;
    } catch {
      this.#broken = true;
    }
  }

  /** Back to the pool, clean; or destroyed when its state is not known. */
  async giveBack(): Promise<void> {
    await this.rollback();
    this.#client.release(this.#broken || this.#inTransaction);
  }

  async #queryLong<Row>(statement: Statement<Row>): Promise<Row[]> {
    assert(this.#inTransaction, 'a long statement needs a transaction, which bounds its setting');
    await this.#send(LONGER);
    const { rows } = await this.#send<Row>(statement);
    await this.#send(limitedTo(this.#options.limits));
    return rows;
  }

  /** One write to the socket for all of them, and not one for each. */
  #together<Sent>(send: () => Sent): Sent {
    const { connection } = this.#client as { connection?: { stream: Writable } };
    connection?.stream.cork();
    try {
      return send();
    } finally {
      connection?.stream.uncork();
    }
  }

  /**
   * Fails when Postgres has given up waiting for the synchronous standby (`pg_cancel_backend`): it
   * says COMMIT all the same, with a warning that the commit may be on no other server.
   */
  async #sendCommit(): Promise<Answer<unknown>> {
    let warning: string | null = null;
    const onNotice = ({ routine, message }: Notice) => {
      // By the function that says it: the words come in the server's own language.
      if (routine === STANDBY_WAIT) warning = message ?? routine;
    };
    this.#client.on('notice', onNotice);
    try {
      const answer = await this.#send(plain('commit'));
      if (warning === null) return answer;
      throw new Error(`the commit may not be on the standby: ${warning}`);
    } finally {
      this.#client.off('notice', onNotice);
    }
  }

  async #send<Row>(statement: Statement<Row>): Promise<Answer<Row>> {
    const started = this.#clock.monotonic();
    let failed = true;
    try {
      const answer = await this.#client.query(queryConfig(statement));
      failed = false;
      return { rows: answer.rows, command: answer.command };
    } catch (error) {
      if (endsSession(error) || dropsConnection(error)) this.#broken = true;
      this.#options.onFailure?.(error);
      throw error;
    } finally {
      const duration_ms = this.#clock.monotonic() - started;
      this.#telemetry.emit({
        kind: 'postgres.statement',
        name: statement.label ?? (statement.name || statement.text),
        duration_ms,
        failed,
      });
    }
  }
}

/** BEGIN, COMMIT and ROLLBACK have no parameters and gain nothing from being prepared. */
function plain(text: string): Statement<unknown> {
  return { name: '', text, values: [], long: false };
}

/**
 * BEGIN with the organization. Unsigned both are one message, which saves a statement in every
 * transaction: some 40 µs of a node and 20 of Postgres. It takes no parameters, so that nothing but
 * the id of an organization may be in it. A signature is always a parameter: lists of sessions and
 * of slow statements show the text alone.
 */
function opening(
  organizationId: string | null,
  mode: string,
  sign: Sign | null,
): Statement<unknown>[] {
  assert(organizationId === null || isUuid(organizationId), 'an organization has a UUID');
  if (sign && organizationId !== null) {
    const begin = { ...plain(`begin ${mode}`), label: 'begin' };
    return [begin, setOrganization(sign(organizationId))];
  }
  const set = `set local voelgoed.organization_id = '${organizationId ?? ''}'`;
  return [{ ...plain(`begin ${mode}; ${set}`), label: 'begin' }];
}

const setOrganization = statement<object, [signed: string]>(
  'begin.organization',
  `select set_config('voelgoed.organization_id', $1, true)`,
);

/** What a long statement may wait for locks and take, until the limits of the pool come back. */
const LONGER = limitedTo({ statement_ms: LONG_STATEMENT_MS, lock_ms: LONG_STATEMENT_MS });

function limitedTo(limits: ConnectionOptions['limits']): Statement<unknown> {
  return plain(
    `select set_config('statement_timeout', '${limits?.statement_ms ?? 0}', true),
       set_config('lock_timeout', '${limits?.lock_ms ?? 0}', true)`,
  );
}

function queryConfig(statement: Statement<unknown>): pg.QueryConfig & { query_timeout?: number } {
  return {
    ...(statement.name ? { name: statement.name } : {}),
    text: statement.text,
    values: [...statement.values],
    ...(statement.long ? { query_timeout: LONG_STATEMENT_MS + 1_000 } : {}),
  };
}

function unexpectedTag(answer: Answer<unknown>): Error {
  return new Error(`COMMIT was answered by ${answer.command}: the transaction had failed before`);
}
