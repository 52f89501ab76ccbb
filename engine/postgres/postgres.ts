/**
 * Postgres: connections, transactions, listening, migrations and roles. It knows how to talk to
 * the database and which failures pass; it knows no table of the domain. Rooms own their tables
 * and their statements (`<noun>.sql.ts`) and call `transaction` with a scope; only the event
 * writer in the registry borrows a connection directly.
 */
import type { Clock, Random, Timers } from '#kit';
import type { Scope } from '#scope';
import type { Telemetry } from '#telemetry';
import { hostUrls, Servers } from './addresses.ts';
import { Pool, type PoolKind } from './pool.ts';
import type { Statement } from './statement.ts';
import type { Reason } from './states.ts';
import {
  runStatement,
  runTransaction,
  type Transaction,
  type TransactionOptions,
} from './transaction.ts';

export { addressProblem, editAddress } from './addresses.ts';
export { printCatalogue } from './catalogue.ts';
export { withClient } from './client.ts';
export type { Connection, Finish } from './connection.ts';
export { classify, stateOf, wordsOf } from './failures.ts';
export { type DatabaseReport, inspectDatabase } from './inspect.ts';
export { type Listener, startListener } from './listener.ts';
export { migrate, pendingMigrations, tooOldFor } from './migrations.ts';
export { Pool, type PoolKind } from './pool.ts';
export { type Pooling, refuseSharedSessions, SHARED_SENTENCE } from './pooling.ts';
export {
  ensureLogins,
  loginUrl,
  requireSigned,
  type ServingUrls,
  servingProblems,
  servingUrls,
} from './roles.ts';
export { NAME_LIMIT, type Statement, statement } from './statement.ts';
export type { Transaction, TransactionOptions } from './transaction.ts';
export { WriteProbe } from './write-probe.ts';

/** Connection strings of the serving roles; see `servingUrls`. */
export type PostgresOptions = Readonly<{
  appUrl: string;
  jobsUrl: string;
  writerUrl: string;
  sizes?: Partial<Record<PoolKind, number>>;
  /** A request that waits longer than this for a connection is refused (default 250 ms). */
  wait_ms?: number | undefined;
  /** No connection is used for longer than this (default ten minutes). */
  life_ms?: number | undefined;
  clock: Clock & Timers;
  random: Random;
  telemetry: Telemetry;
}>;

/**
 * Connections per node. Writers commit one flush per event at a time and two cores of Postgres are
 * busy with eight; reads are short; jobs are few. 25 in all leaves room for three nodes on a server
 * with Postgres's default of 100.
 */
const SIZES: Readonly<Record<PoolKind, number>> = { writers: 8, reads: 10, logins: 3, jobs: 4 };

/** Refusals after which no write can succeed, on any connection. */
const UNWRITABLE: readonly Reason[] = ['read_only', 'disk_full'];

export class Postgres {
  readonly writers: Pool;
  readonly reads: Pool;
  /** Finding out who is calling: apart, so that slow requests of one keep nobody else out. */
  readonly logins: Pool;
  readonly jobs: Pool;
  readonly #tools: Pick<PostgresOptions, 'clock' | 'random' | 'telemetry'>;
  #refused: { reason: Reason; at_ms: number } | null = null;

  constructor(options: PostgresOptions) {
    this.#tools = options;
    const servers = new Servers(hostUrls(options.appUrl).length);
    const { clock } = options;
    const onRefusal = (reason: Reason) => {
      if (UNWRITABLE.includes(reason)) this.#refused = { reason, at_ms: clock.monotonic() };
    };
    const shared = { ...options, servers, onRefusal };
    const pool = (kind: PoolKind, url: string) =>
      new Pool({ ...shared, kind, url, size: options.sizes?.[kind] ?? SIZES[kind] });
    this.writers = pool('writers', options.writerUrl);
    this.reads = pool('reads', options.appUrl);
    this.logins = pool('logins', options.appUrl);
    this.jobs = pool('jobs', options.jobsUrl);
  }

  /** When a write was last refused for a reason that every write meets; null: never. */
  get lastRefusal(): Readonly<{ reason: Reason; at_ms: number }> | null {
    return this.#refused;
  }

  /** One transaction on behalf of one organization, on the pool for requests or for jobs. */
  transaction<Result>(
    scope: Scope | null,
    options: TransactionOptions & { pool?: 'reads' | 'logins' | 'jobs' },
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return runTransaction(this[options.pool ?? 'reads'], this.#tools, scope, options, work);
  }

  /** One statement that may be run again, in a transaction and an exchange of its own. */
  ask<Row>(
    scope: Scope | null,
    statement: Statement<Row>,
    options: Omit<TransactionOptions, 'name'> & { pool?: 'reads' | 'logins' | 'jobs' } = {},
  ): Promise<Row[]> {
    return runStatement(this[options.pool ?? 'reads'], this.#tools, scope, options, statement);
  }

  async close(): Promise<void> {
    const pools = [this.writers, this.reads, this.logins, this.jobs];
    await Promise.all(pools.map((pool) => pool.close()));
  }
}
