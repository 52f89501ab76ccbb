import { systemRandom } from '@voelgoed/engine/kit';
import {
  ensureLogins,
  migrate,
  refuseSharedSessions,
  requireSigned,
} from '@voelgoed/engine/postgres';
import type { MigrateOptions } from '#cli';
import type { Services } from './services.ts';

/**
 * Schema and logins; any number of nodes may do this at once. Returns what was run now. The logins
 * of a database that is ours alone follow the secret; those of one that others use too are left
 * alone.
 */
export async function migrateDatabase(
  services: Pick<Services, 'ownerUrl' | 'authSecret' | 'ownsDatabase'>,
  options: MigrateOptions = {},
): Promise<string[]> {
  const { ownerUrl, authSecret, ownsDatabase } = services;
  // Migrations of several nodes wait for each other by a lock, which is the session's.
  await refuseSharedSessions(ownerUrl);
  const done = await migrate(ownerUrl);
  const mayReset = ownsDatabase || (options.newSecret ?? false);
  await ensureLogins(ownerUrl, authSecret, { random: systemRandom, mayReset });
  const { organizations, force = false } = options;
  if (organizations) {
    await requireSigned(ownerUrl, authSecret, organizations === 'signed', { force });
  }
  return done;
}
