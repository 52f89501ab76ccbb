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
