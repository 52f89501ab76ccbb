/**
 * A database of its own for a test file: cloned from the migrated template before the first test
 * and dropped after the last, when nobody may be connected any more. It knows databases and roles,
 * no table.
 */
import {
  type Clock,
  type Random,
  systemClock,
  systemRandom,
  type Timers,
} from '@voelgoed/engine/kit';
import {
  loginUrl,
  Postgres,
  type PostgresOptions,
  servingUrls,
  withClient,
} from '@voelgoed/engine/postgres';
import { silentTelemetry, type Telemetry } from '@voelgoed/engine/telemetry';
import { afterAll, beforeAll } from 'vitest';
import { eventually } from '#eventually';
import { type TestServices, testServices } from '#services';

export { planOf } from './plans.ts';

export type TestDatabase = {
  readonly name: string;
  readonly ownerUrl: string;
  readonly superuserUrl: string;
  readonly appUrl: string;
  readonly jobsUrl: string;
  readonly writerUrl: string;
  /** The Redis of nodes on this database. */
  readonly redisUrl: string;
  /** As the app role, with real pools; closed for you after the last test. */
  readonly postgres: Postgres;
  /** More pools with other parts, for a test that plays a second node; also closed for you. */
  open(options?: OpenOptions): Postgres;
  /** One statement as the owner or a superuser, for what the app role may not do. */
  asOwner(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  asSuperuser(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
};

type OpenOptions = {
  clock?: Clock & Timers;
  random?: Random;
  telemetry?: Telemetry;
  sizes?: NonNullable<PostgresOptions['sizes']>;
  wait_ms?: number | undefined;
  /** Where requests go, and flushes with them: by way of a proxy, say. */
  appUrl?: string;
};

type UseOptions = {
  /** What it is cloned from; else it is the migrated, empty one. */
  template?: () => Promise<string>;
  /** Then it begins without any schema, and is filled before the first test. */
  fill?: (database: TestDatabase) => Promise<void>;
  /** Another Redis than that of the run. */
  redisUrl?: () => string;
};

export function useDatabase({ template, fill, redisUrl }: UseOptions = {}): TestDatabase {
  let database: OpenDatabase | undefined;
  beforeAll(async () => {
    const opened = await openDatabase(fill ? EMPTY : await template?.());
    database = redisUrl ? { ...opened, redisUrl: redisUrl() } : opened;
    await fill?.(database);
  });
  afterAll(async () => {
    await database?.close();
    if (database) await dropDatabase(database.name);
  });
  // Tests name the database before it exists; the first use is inside a test, when it does.
  return new Proxy({} as TestDatabase, {
    get: (_, property) => Reflect.get(database ?? {}, property),
  });
}

type OpenDatabase = TestDatabase & { close(): Promise<void> };

/** Tests prepare much at once, on machines that do other things, too. */
const BUILDERS_WAIT_MS = 30_000;

/** The database of every server that has nothing in it. */
const EMPTY = 'template0';

/** A database that its caller closes and, unless it is to stay, drops. */
export async function openDatabase(template = testServices().template): Promise<OpenDatabase> {
  const services = testServices();
  const opened: Postgres[] = [];
  const name = `test_${Buffer.from(systemRandom.bytes(6)).toString('hex')}`;
  // Files are copied as they are, not by way of the log: 25 ms instead of 53.
  await query(
    services.superuserUrl,
    `create database ${name} template ${template} owner voelgoed_owner strategy file_copy`,
  );
  const ownerUrl = databaseUrl(services.ownerUrl, name);
  const superuserUrl = databaseUrl(services.superuserUrl, name);
  const urls = servingUrls(ownerUrl, services.authSecret);
  const open = (options: OpenOptions = {}) => {
    const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
    const { appUrl = urls.appUrl } = options;
    const writerUrl = loginUrl(appUrl, 'voelgoed_writer', services.authSecret);
    const wait_ms = BUILDERS_WAIT_MS;
    const postgres = new Postgres({ wait_ms, ...urls, ...tools, ...options, writerUrl });
    opened.push(postgres);
    return postgres;
  };
  return {
    name,
    ownerUrl,
    superuserUrl,
    ...urls,
    redisUrl: services.redisUrl,
    open,
    postgres: open(),
    asOwner: (text, values) => query(ownerUrl, text, values),
    asSuperuser: (text, values) => query(superuserUrl, text, values),
    close: async () => {
      await Promise.all(opened.map((postgres) => postgres.close()));
    },
  };
}

/** Fails when somebody is still connected: a pool that was not closed is a leak. */
async function dropDatabase(name: string): Promise<void> {
  const { superuserUrl }: TestServices = testServices();
  const connected = `select application_name from pg_stat_activity where datname = $1`;
  const left = async () => query(superuserUrl, connected, [name]);
  await eventually(async () => (await left()).length === 0, { within_ms: 10_000 }).catch(
    async () => {
      const names = (await left()).map((row) => row.application_name);
      throw new Error(`connections are left open: ${names.join(', ')}`);
    },
  );
  await query(superuserUrl, `drop database ${name}`);
}

function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

async function query(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return (await withClient(url, (client) => client.query(text, values))).rows;
}
