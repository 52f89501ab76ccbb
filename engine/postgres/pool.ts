import pg from 'pg';
import { type Clock, OperatingError, Semaphore } from '#kit';
import type { Telemetry } from '#telemetry';
import { Connection, type Sign } from './connection.ts';
import { toOperatingError } from './failures.ts';
import { type Backend, backendOf, OrganizationKey } from './organizations.ts';
import { parsers } from './types.ts';

export type PoolKind = 'writers' | 'reads' | 'logins' | 'jobs';

export type PoolOptions = Readonly<{
  kind: PoolKind;
  url: string;
  size: number;
  /** A request that waits longer than this for a connection is better refused (default 250 ms). */
  wait_ms?: number;
  clock: Clock;
  telemetry: Telemetry;
}>;

const WAIT_MS = 250;
/** As many as a pool can serve within that time; whoever comes later would wait in vain. */
const MOST_WAITING = 2_000;
/**
 * A new connection over TLS to another machine takes tens of milliseconds; 2 s means it is down.
 */
const CONNECT_MS = 2_000;
const STATEMENT_MS = 2_000;

/**
 * Time limits by kind. A writer holds the lock of an event, so everybody waits for it: half a
 * second for the lock and one second of silence inside the transaction are the most it may cost
 * others.
 */
type Limits = { lock_ms: number; idle_in_transaction_ms: number; silence_ms: number };
const LIMITS: Readonly<Record<PoolKind, Limits>> = {
  // A lost answer must be noticed while there is still time to find out what became of it.
  writers: { lock_ms: 500, idle_in_transaction_ms: 1_000, silence_ms: 1_500 },
  reads: { lock_ms: 1_500, idle_in_transaction_ms: 5_000, silence_ms: STATEMENT_MS + 1_000 },
  logins: { lock_ms: 500, idle_in_transaction_ms: 5_000, silence_ms: STATEMENT_MS + 1_000 },
  jobs: { lock_ms: 1_500, idle_in_transaction_ms: 5_000, silence_ms: STATEMENT_MS + 1_000 },
};

/**
 * Connections of one kind. Writers, reads and jobs have pools of their own so that a flood of one
 * never starves another. Waiting is bounded and in order; opening a connection has its own limit.
 */
export class Pool {
  readonly kind: PoolKind;
  readonly #pool: pg.Pool;
  readonly #places: Semaphore;
  readonly #wait_ms: number;
  readonly #clock: Clock;
  readonly #telemetry: Telemetry;
  /** Null: the role of writers is trusted with its few tables, and signs nothing. */
  readonly #key: OrganizationKey | null;
  readonly #backends = new WeakMap<pg.PoolClient, Backend>();

  constructor(options: PoolOptions) {
    this.kind = options.kind;
    this.#places = new Semaphore(options.size);
    this.#wait_ms = options.wait_ms ?? WAIT_MS;
    this.#clock = options.clock;
    this.#telemetry = options.telemetry;
    const { password } = new URL(options.url);
    this.#key = options.kind === 'writers' ? null : new OrganizationKey(password);
    this.#pool = new pg.Pool(clientConfig(options));
    // Without a listener an idle connection that dies would end the process.
    this.#pool.on('error', (error) => this.#lost(error));
    // A connection in use has no listener of the pool's: it needs one of its own.
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  get waiting(): number {
    return this.#places.waiting;
  }

  get inUse(): number {
    return this.#places.taken;
  }

  /** Lends a connection to `work`; it comes back clean or is destroyed. */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const isFull = this.#places.waiting >= MOST_WAITING;
    if (isFull || !(await this.#places.acquire(this.#wait_ms))) {
      this.#telemetry.emit({ kind: 'postgres.pool_full', pool: this.kind });
      const message = `no ${this.kind} connection became free within ${this.#wait_ms} ms`;
      throw new OperatingError('overloaded', message, { retryable: true });
    }
    try {
      const client = await this.#pool.connect();
      const sign = await this.#signerFor(client);
      const connection = new Connection(client, this.#clock, this.#telemetry, sign);
      try {
        return await work(connection);
      } finally {
        await connection.giveBack();
      }
    } finally {
      this.#places.release();
    }
  }

  /** How organizations are named on this connection. A new one says first which backend it is. */
  async #signerFor(client: pg.PoolClient): Promise<Sign | null> {
    const key = this.#key;
    if (!key) return null;
    let backend = this.#backends.get(client);
    if (!backend) {
      try {
        backend = await backendOf(client);
      } catch (error) {
        client.release(true);
        throw error;
      }
      this.#backends.set(client, backend);
    }
    const known = backend;
    return (organizationId) => key.sign(organizationId, known);
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  #lost(error: Error): void {
    this.#telemetry.emit({
      kind: 'postgres.connection_lost',
      pool: this.kind,
      reason: error.message,
    });
  }
}

function clientConfig(options: PoolOptions): pg.PoolConfig & { pipeline: boolean } {
  const limits = LIMITS[options.kind];
  return {
    connectionString: options.kind === 'writers' ? withOptions(options.url) : options.url,
    max: options.size,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: `voelgoed ${options.kind}`,
    statement_timeout: STATEMENT_MS,
    lock_timeout: limits.lock_ms,
    idle_in_transaction_session_timeout: limits.idle_in_transaction_ms,
    // The server stops a slow statement; this stops waiting for a server that says nothing at all.
    query_timeout: limits.silence_ms,
    types: parsers,
  };
}

/**
 * The writer's statements find every row by its key, and are planned once for all values. Planned
 * for the values of an event that was published after the last ANALYZE, Postgres expects one seat
 * where 100,000 are, reads them all for each flush, and thinks so cheap a plan worth making again
 * and again: measured 115 ms instead of 1 ms for 64 seats of such an event, joined. A plan that
 * is kept must not have been made for an empty table either, so tables are never read from end to
 * end where there is a key.
 */
const PLAN_ONCE = '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off';

function withOptions(url: string): string {
  const changed = new URL(url);
  const given = changed.searchParams.get('options');
  changed.searchParams.set('options', given ? `${given} ${PLAN_ONCE}` : PLAN_ONCE);
  return changed.href;
}

/** Runs `work` and lets only operating errors and bugs out. */
export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toOperatingError(error);
  }
}
