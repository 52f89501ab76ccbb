/**
 * Embedded services: a real Postgres and, where the machine has one, a private Redis, both inside
 * a data folder, both started, watched and stopped by us. It knows processes, folders and users of
 * the operating system; it knows no table and no route. The start command and the test kit call
 * it.
 */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { stopOrphan as stopOrphanedPostgres } from './postgres.ts';
import { stopOrphan as stopOrphanedRedis } from './redis.ts';
import type { ServiceLog } from './service.ts';

export { claimFolder, type FolderClaim, isClaimed } from './folder.ts';
export { type EmbeddedPostgres, runningPostgres, startPostgres } from './postgres.ts';
export { isAlive } from './process-table.ts';
export { type EmbeddedRedis, findRedisServer, runningRedis, startRedis } from './redis.ts';
export type { ServiceLog } from './service.ts';

/** Stops what an earlier, killed process left running in a folder that nobody claims any more. */
export async function stopOrphans(dataFolder: string, log: ServiceLog): Promise<void> {
  const home = (name: string) => realpath(join(dataFolder, name)).catch(() => null);
  const postgres = await home('postgres');
  const redis = await home('redis');
  if (postgres) await stopOrphanedPostgres(join(postgres, 'data'), log);
  if (redis) await stopOrphanedRedis(redis, log);
}
