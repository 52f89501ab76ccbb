import { chmod, mkdir, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@voelgoed/engine/kit';
import { ensureLogins, migrate } from '@voelgoed/engine/postgres';
import {
  findRedisServer,
  isAlive,
  startPostgres,
  startRedis,
  stopOrphans,
} from '@voelgoed/server/embedded';
import { inject } from 'vitest';

export type TestServices = Readonly<{
  superuserUrl: string;
  ownerUrl: string;
  template: string;
  redisUrl: string;
  authSecret: string;
}>;

declare module 'vitest' {
  interface ProvidedContext {
    services: TestServices;
  }
}

export function testServices(): TestServices {
  return inject('services');
}

const PREFIX = 'voelgoed-test-';
/** The database that the embedded server makes and the suite migrates; tests clone it. */
const TEMPLATE = 'voelgoed';
const AUTH_SECRET = 'a secret that only the tests of this machine know';

/**
 * Nothing here must survive the machine, so the disk is not waited for; a killed process loses
 * nothing by that. Durability against the machine's death is not what these tests are about.
 */
const QUICK = { fsync: 'off', full_page_writes: 'off', shared_buffers: '128MB' };

/** The program; `npm test` has installed it, or said what is missing. */
export async function redisServer(): Promise<string> {
  const command = await findRedisServer(process.env.PATH ?? '');
  if (command === null) throw new Error('tests need redis-server or valkey-server on PATH');
  return command;
}

export async function startTestServices(): Promise<TestServices & { stop(): Promise<void> }> {
  const command = await redisServer();
  await removeRemains();
  const dataFolder = testFolder(String(process.pid));
  await mkdir(dataFolder, { recursive: true });
  await chmod(dataFolder, 0o755);
  const common = { dataFolder, log: () => {}, onGone: (error: Error) => console.error(error) };
  const postgres = await startPostgres({ ...common, settings: QUICK });
  const redis = await startRedis({ ...common, command });
  await migrate(postgres.ownerUrl);
  await ensureLogins(postgres.ownerUrl, AUTH_SECRET, { random: systemRandom, mayReset: true });
  return {
    superuserUrl: postgres.superuserUrl,
    ownerUrl: postgres.ownerUrl,
    template: TEMPLATE,
    redisUrl: redis.url,
    authSecret: AUTH_SECRET,
    stop: async () => {
      await redis.stop();
      await postgres.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

export function testFolder(name: string): string {
  return join(tmpdir(), `${PREFIX}${name}`);
}

/** Stops and deletes what test runs left that were killed. */
async function removeRemains(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const owner = Number(new RegExp(`^${PREFIX}(\\d+)$`).exec(name)?.[1]);
    if (!owner || isAlive(owner)) continue;
    await stopOrphans(join(tmpdir(), name), () => {});
    await rm(join(tmpdir(), name), { recursive: true, force: true });
  }
}
