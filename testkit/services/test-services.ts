import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemRandom } from '@voelgoed/engine/kit';
import { ensureLogins, migrate } from '@voelgoed/engine/postgres';
import { findRedisServer, isAlive, startPostgres, startRedis } from '@voelgoed/server/embedded';
import { inject } from 'vitest';

export type TestServices = Readonly<{
  /** Everything of this test run that is on disk. */
  folder: string;
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

/** Where programs of this machine are found. */
export function searchPath(): string {
  return process.env.PATH ?? '';
}

export function testServices(): TestServices {
  return inject('services');
}

/** By user and process: nobody touches another user's runs, and a killed run is recognised. */
const PREFIX = `voelgoed-test-${process.getuid?.() ?? 0}-`;
/** The database that the embedded server makes and the suite migrates; tests clone it. */
const TEMPLATE = 'voelgoed';
const AUTH_SECRET = 'a secret that only the tests of this machine know';

/**
 * Nothing here must survive the machine, so the disk is not waited for; a killed process loses
 * nothing by that. Durability against the machine's death is not what these tests are about.
 */
const QUICK = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_wal_size: '256MB',
};

/**
 * In memory where there is room for it: every test file makes and drops a database of some hundred
 * files, and a real disk makes that a third of what the tests ask of the machine.
 */
const MEMORY = '/dev/shm';
/** A database is 10 MB, a few exist at a time, and logs end at 256 MB: far more than enough. */
const ROOM_BYTES = 4 * 2 ** 30;

async function homeOfRuns(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => null);
  return memory && memory.bavail * memory.bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}

/** The program; `npm test` has installed it, or said what is missing. */
export async function redisServer(): Promise<string> {
  const command = await findRedisServer(process.env.PATH ?? '');
  if (command === null) throw new Error('tests need redis-server or valkey-server on PATH');
  return command;
}

/** `settings` are of Postgres, besides those of every run. */
export async function startTestServices(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestServices & { stop(): Promise<void> }> {
  const command = await redisServer();
  await removeRemains();
  const folder = join(await homeOfRuns(), `${PREFIX}${process.pid}`);
  const dataFolder = join(folder, 'services');
  await mkdir(dataFolder, { recursive: true });
  for (const one of [folder, dataFolder]) await chmod(one, 0o755);
  const common = { dataFolder, log: () => {}, onGone: (error: Error) => console.error(error) };
  const postgres = await startPostgres({ ...common, settings: { ...QUICK, ...settings } });
  const redis = await startRedis({ ...common, command });
  await migrate(postgres.ownerUrl);
  await ensureLogins(postgres.ownerUrl, AUTH_SECRET, { random: systemRandom, mayReset: true });
  return {
    folder,
    superuserUrl: postgres.superuserUrl,
    ownerUrl: postgres.ownerUrl,
    template: TEMPLATE,
    redisUrl: redis.url,
    authSecret: AUTH_SECRET,
    stop: async () => {
      await redis.stop();
      await postgres.stop();
      await removeFolder(folder);
    },
  };
}

/** For commands: Ctrl-C and `kill` leave nothing running either, and are no success. */
export function stopWhenInterrupted(stop: () => Promise<unknown>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  }
}

/**
 * A folder of its own for a test, inside the run's, so that nothing is left when a run is killed.
 */
export async function aTestFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(testServices().folder, `${name}-`));
  await chmod(folder, 0o755);
  return folder;
}

/** Stops and deletes what this user's test runs left that were killed. */
async function removeRemains(): Promise<void> {
  for (const { folder } of await pastRuns()) await removeFolder(folder);
}

async function pastRuns(): Promise<{ folder: string; owner: number }[]> {
  const runs: { folder: string; owner: number }[] = [];
  for (const home of [MEMORY, tmpdir()]) {
    const names = await readdir(home).catch(() => []);
    for (const name of names.filter((one) => one.startsWith(PREFIX))) {
      runs.push({ folder: join(home, name), owner: Number(name.slice(PREFIX.length)) });
    }
  }
  return runs.filter(({ owner }) => !isAlive(owner));
}

/** Cleaning up must never fail a run that has nothing to do with it. */
async function removeFolder(folder: string): Promise<void> {
  for (const { pid } of await processesIn(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
}

/** Processes that belong to test runs that are over. */
export async function leftovers(): Promise<string[]> {
  const found: string[] = [];
  for (const { folder } of await pastRuns()) {
    for (const { pid, command } of await processesIn(folder)) {
      found.push(`process ${pid}: ${command.slice(0, 100)}`);
    }
  }
  return found;
}

/** Processes that work in a folder or were started with its name. Linux only. */
async function processesIn(folder: string): Promise<{ pid: number; command: string }[]> {
  if (process.platform !== 'linux') return [];
  const found: { pid: number; command: string }[] = [];
  for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${name}/cwd`).catch(() => '');
    if (Number(name) !== process.pid && (command.includes(folder) || cwd.startsWith(folder))) {
      found.push({ pid: Number(name), command: command.replaceAll('\0', ' ') });
    }
  }
  return found;
}
