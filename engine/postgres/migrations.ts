import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { withClient } from './client.ts';
import { statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

const FOLDER = fileURLToPath(new URL('../../db/migrations', import.meta.url));
const TABLE = 'schema_migrations';

/**
 * Brings the schema up to this version. Any number of nodes may call it at once: they wait for each
 * other under an advisory lock. All new migrations are one transaction: all or none.
 * Returns the names of those that were run now. `most` limits their number, which makes an empty
 * database one of an earlier version.
 */
export async function migrate(
  ownerUrl: string,
  options: { most?: number } = {},
): Promise<string[]> {
  const done = await withClient(ownerUrl, (client) =>
    runner({
      dbClient: client,
      dir: FOLDER,
      direction: 'up',
      migrationsTable: TABLE,
      advisoryLockMode: 'wait',
      checkOrder: true,
      singleTransaction: true,
      count: options.most ?? Number.POSITIVE_INFINITY,
      log: () => {},
    }),
  );
  return done.map((migration) => migration.name);
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
