import { systemRandom } from '@voelgoed/engine/kit';
import { ensureLogins, migrate } from '@voelgoed/engine/postgres';

/** Schema and logins; any number of nodes may do this at once. Returns what was run now. */
export async function migrateDatabase(ownerUrl: string, authSecret: string): Promise<string[]> {
  const done = await migrate(ownerUrl);
  await ensureLogins(ownerUrl, authSecret, systemRandom);
  return done;
}
