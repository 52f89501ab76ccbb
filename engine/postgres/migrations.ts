import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PG_MIGRATE_LOCK_ID, runner } from 'node-pg-migrate';
import type pg from 'pg';
import { OperatingError, systemClock, type Timers } from '#kit';
import { withClient } from './client.ts';
import { stateOf } from './failures.ts';
import { type LockHolder, lockHolders, sentenceAbout } from './lock-holders.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

const FOLDER = fileURLToPath(new URL('../../db/migrations', import.meta.url));
const TABLE = 'schema_migrations';

export type MigrateSettings = Readonly<{
  /** Limits the number of migrations, which makes an empty database one of an earlier version. */
  most?: number;
  /** How often it is tried to get the locks of all tables (default 20). */
  tries?: number;
  timers?: Timers;
}>;

/**
 * Less than the least that a node waits for a lock (500 ms for a hold): requests that queue behind
 * a migration which waits are late and do not fail. Less than deadlock_timeout (1 s) too: in a
 * deadlock with a node it is the migration that gives way.
 */
const LOCK_MS = 400;
/** Nodes have most of the time to themselves; a minute in all, for a transaction that is short. */
const PAUSE_MS = 3_000;
const TRIES = 20;

/** The lock of the library's own: taken once more in the same session, it is there at once. */
const WAIT_FOR_OTHERS = `set lock_timeout = 0; select pg_advisory_lock(${PG_MIGRATE_LOCK_ID})`;

/**
 * Brings the schema up to this version. Any number of nodes may call it at once: they wait for each
 * other under an advisory lock, as long as it takes. All new migrations are one transaction: all or
 * none. Tables that somebody else uses are waited for briefly and often, so that nobody waits for
 * long behind the migration. Returns the names of those that were run now.
 */
export function migrate(ownerUrl: string, options: MigrateSettings = {}): Promise<string[]> {
  const { tries = TRIES, timers = systemClock } = options;
  return withClient(ownerUrl, async (client) => {
    await client.query(WAIT_FOR_OTHERS);
    await client.query(`set lock_timeout = ${LOCK_MS}`);
    let before: readonly LockHolder[] = [];
    for (let left = tries - 1; ; left--) {
      try {
        return await runMigrations(client, options.most);
      } catch (error) {
        if (!isLocked(error)) throw error;
        const holders = await lockHolders(client);
        const lasting = holders.filter(({ id }) => before.some((one) => one.id === id));
        if (left <= 0) throw stillLocked(lasting.length > 0 ? lasting : holders, error);
        before = holders;
        await timers.sleep(PAUSE_MS);
      }
    }
  });
}

async function runMigrations(
  client: pg.Client,
  most = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const done = await runner({
    dbClient: client,
    dir: FOLDER,
    direction: 'up',
    migrationsTable: TABLE,
    advisoryLockMode: 'wait',
    checkOrder: true,
    singleTransaction: true,
    count: most,
    log: () => {},
  });
  return done.map((migration) => migration.name);
}

/** Somebody else has a lock that is needed, or needs one that we have. */
function isLocked(error: unknown): boolean {
  const state = stateOf(error);
  return state === '55P03' || state === '40P01';
}

function stillLocked(holders: readonly LockHolder[], cause: unknown): OperatingError {
  const found = holders.length > 0 ? ` They are held by ${sentenceAbout(holders)}.` : '';
  const message =
    'The migrations need the locks of all tables and did not get them; nothing was changed.' +
    `${found} Wait until that has ended, or end it with select pg_terminate_backend(<pid>), ` +
    'and run migrate again.';
  return new OperatingError('schema_locked', message, { retryable: true, cause });
}

/**
 * Counts releases that a schema can tell apart. A release that no longer needs what the one before
 * needed has the next number, and the migration that takes it away demands that number.
 */
const GENERATION = 1;

const leastGeneration = statement<{ least: number }>(
  'migrations.least_generation',
  'select least from schema_generation',
);

/** Why this version may not serve on the schema, which is newer than it; null: it may. */
export async function tooOldFor(
  transaction: Pick<Transaction, 'query'>,
  own = GENERATION,
): Promise<string | null> {
  const [row] = await transaction.query(leastGeneration());
  if (!row || row.least <= own) return null;
  return (
    `the schema is of a newer release: it needs nodes of generation ${row.least}, ` +
    `and this one is of generation ${own}. Start the release that ran the last migration`
  );
}

const appliedMigrations = statement<{ name: string }>(
  'migrations.applied',
  `select name from ${TABLE}`,
);

/** Which migrations of this version the database does not have yet: a node is not ready before. */
export async function pendingMigrations(
  transaction: Pick<Transaction, 'query'>,
): Promise<string[]> {
  const applied = new Set((await transaction.query(appliedMigrations())).map((row) => row.name));
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.sql'));
  const names = files.map((file) => file.slice(0, -'.sql'.length)).sort();
  return names.filter((name) => !applied.has(name));
}
