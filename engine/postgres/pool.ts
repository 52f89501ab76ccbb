import pg from 'pg';
import { type Clock, OperatingError, type Random, Semaphore } from '#kit';
import type { Telemetry } from '#telemetry';
import { hostUrls, Servers } from './addresses.ts';
import { Connection, type Sign } from './connection.ts';
import { toOperatingError, unavailabilityOf } from './failures.ts';
import { type Backend, backendOf, OrganizationKey } from './organizations.ts';
import { prepareSession } from './session.ts';
import type { Reason } from './states.ts';
import { parsers } from './types.ts';

export type PoolKind = 'writers' | 'reads' | 'logins' | 'jobs';

export type PoolOptions = Readonly<{
  kind: PoolKind;
  /** It may name several hosts. */
  url: string;
  /** Shared with other pools of the same servers. */
  servers?: Servers;
  size: number;
  /** No connection is used for longer (default ten minutes); each has its own share of it. */
  life_ms?: number | undefined;
  /** Why the server refused, each time it did. */
  onRefusal?: (reason: Reason) => void;
  /** A request that waits longer than this for a connection is better refused (default 250 ms). */
  wait_ms?: number | undefined;
  clock: Clock;
  random: Random;
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
export type Limits = Readonly<{
  statement_ms: number;
  lock_ms: number;
  idle_in_transaction_ms: number;
  silence_ms: number;
}>;
const usual = { statement_ms: STATEMENT_MS, idle_in_transaction_ms: 5_000 };
const patient = { ...usual, silence_ms: STATEMENT_MS + 1_000 };
const LIMITS: Readonly<Record<PoolKind, Limits>> = {
  // A lost answer must be noticed while there is still time to find out what became of it.
  writers: { ...usual, lock_ms: 500, idle_in_transaction_ms: 1_000, silence_ms: 1_500 },
  reads: { ...patient, lock_ms: 1_500 },
  logins: { ...patient, lock_ms: 500 },
  jobs: { ...patient, lock_ms: 1_500 },
};

/** When a connection was made, and until when it is used. */
type Birth = Readonly<{ generation: number; until_ms: number }>;

/**
 * Connections of one kind. Writers, reads and jobs have pools of their own so that a flood of one
 * never starves another. Waiting is bounded and in order; opening a connection has its own limit.
 */
export class Pool {
  readonly kind: PoolKind;
  readonly #options: PoolOptions;
  readonly #servers: Servers;
  readonly #pool: pg.Pool;
  readonly #places: Semaphore;
  readonly #wait_ms: number;
  readonly #births = new WeakMap<pg.PoolClient, Birth>();
  /** Null: the role of writers is trusted with its few tables, and signs nothing. */
  readonly #key: OrganizationKey | null;
  readonly #backends = new WeakMap<pg.PoolClient, Backend>();

  constructor(options: PoolOptions) {
    this.kind = options.kind;
    this.#options = options;
    this.#servers = options.servers ?? new Servers(hostUrls(options.url).length);
    this.#places = new Semaphore(options.size);
    this.#wait_ms = options.wait_ms ?? WAIT_MS;
    const { password } = new URL(hostUrls(options.url)[0] ?? options.url);
    this.#key = options.kind === 'writers' ? null : new OrganizationKey(password);
    this.#pool = new pg.Pool(clientConfig(options, this.#servers));
    // Without a listener an idle connection that dies would end the process.
    this.#pool.on('error', (error) => this.#lost(error));
    this.#pool.on('connect', (client) => {
      // A connection in use has no listener of the pool's: it needs one of its own.
      client.on('error', () => {});
      this.#births.set(client, this.#birth());
    });
  }

  get waiting(): number {
    return this.#places.waiting;
  }

  get inUse(): number {
    return this.#places.taken;
  }

  /** Lends a connection to `work`; it comes back clean or is destroyed. */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const { clock, telemetry } = this.#options;
    const isFull = this.#places.waiting >= MOST_WAITING;
    if (isFull || !(await this.#places.acquire(this.#wait_ms))) {
      telemetry.emit({ kind: 'postgres.pool_full', pool: this.kind });
      const message = `no ${this.kind} connection became free within ${this.#wait_ms} ms`;
      throw new OperatingError('overloaded', message, { retryable: true });
    }
    try {
      const client = await this.#connect();
      const sign = await this.#signerFor(client);
      const { generation = 0 } = this.#births.get(client) ?? {};
      const connection = new Connection(client, clock, telemetry, {
        limits: LIMITS[this.kind],
        onFailure: (error) => this.#failed(error, generation),
        sign,
      });
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

  /** A connection that is young enough, to the first host that can be used. */
  async #connect(): Promise<pg.PoolClient> {
    const servers = this.#servers;
    const errors: unknown[] = [];
    for (;;) {
      const host = servers.current;
      try {
        const client = await this.#pool.connect();
        if (this.#isGood(client)) return client;
        client.release(true);
      } catch (error) {
        servers.passOver(host);
        errors.push(error);
        if (errors.length < servers.count) continue;
        // That a standby is read-only is no news: what is wrong with the primary is.
        const telling = errors.find((one) => unavailabilityOf(one) !== 'read_only') ?? error;
        this.#refused(telling);
        throw telling;
      }
    }
  }

  #isGood(client: pg.PoolClient): boolean {
    const birth = this.#births.get(client);
    if (!birth) return false;
    if (birth.generation !== this.#servers.generation) return false;
    return this.#options.clock.monotonic() < birth.until_ms;
  }

  /** Not all at once: connections that were made together would end together. */
  #birth(): Birth {
    const { clock, random, life_ms = LIFE_MS } = this.#options;
    const until_ms = clock.monotonic() + life_ms * (1 - random.next() * LIFE_SPREAD);
    return { generation: this.#servers.generation, until_ms };
  }

  /** A primary that became a standby: all connections to it are left, those of reading too. */
  #failed(error: unknown, generation: number): void {
    if (unavailabilityOf(error) === 'read_only') this.#servers.leave(generation);
    this.#refused(error);
  }

  #refused(error: unknown): void {
    const { telemetry, onRefusal } = this.#options;
    const reason = unavailabilityOf(error);
    if (reason === null) return;
    telemetry.emit({ kind: 'postgres.refused', pool: this.kind, reason });
    onRefusal?.(reason);
  }

  #lost(error: Error): void {
    this.#options.telemetry.emit({
      kind: 'postgres.connection_lost',
      pool: this.kind,
      reason: error.message,
    });
  }
}

/**
 * Long enough that making connections costs nothing, short enough that a server which was replaced
 * and still answers is left without a restart. Lives differ by a fifth.
 */
const LIFE_MS = 600_000;
const LIFE_SPREAD = 0.2;

type Config = pg.PoolConfig & {
  pipeline: boolean;
  onConnect: (client: pg.ClientBase) => Promise<void>;
};

function clientConfig(options: PoolOptions, servers: Servers): Config {
  const limits = LIMITS[options.kind];
  return {
    Client: clientOf(options.url, servers),
    max: options.size,
    pipeline: true,
    connectionTimeoutMillis: CONNECT_MS,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: `voelgoed ${options.kind}`,
    // The server stops a slow statement; this stops waiting for a server that says nothing at all.
    query_timeout: limits.silence_ms,
    types: parsers,
    onConnect: (client) => prepareSession(client, settingsOf(options.kind)),
  } as Config;
}

/** The host is chosen at the moment at which a connection is made. */
function clientOf(url: string, servers: Servers): typeof pg.Client {
  const urls = hostUrls(url);
  return class extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connectionString: urls[servers.current] ?? url });
    }
  } as typeof pg.Client;
}

function settingsOf(kind: PoolKind): Record<string, string> {
  const limits = LIMITS[kind];
  return {
    statement_timeout: String(limits.statement_ms),
    lock_timeout: String(limits.lock_ms),
    idle_in_transaction_session_timeout: String(limits.idle_in_transaction_ms),
    ...(kind === 'writers' ? PLAN_ONCE : {}),
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
const PLAN_ONCE = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };

/** Runs `work` and lets only operating errors and bugs out. */
export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw toOperatingError(error);
  }
}
