import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemRandom } from '@voelgoed/engine/kit';
import type { Config } from '#config';
import {
  claimFolder,
  findRedisServer,
  isClaimed,
  runningPostgres,
  runningRedis,
  type ServiceLog,
  startPostgres,
  startRedis,
} from '#embedded';

export type Services = Readonly<{
  ownerUrl: string;
  authSecret: string;
  redisUrl: string | null;
  /** The database is embedded and we started it: nobody else can be using it. */
  ownsDatabase: boolean;
  stop(): Promise<void>;
}>;

/**
 * Everything a node needs around it: what the configuration names, or else embedded in the data
 * folder. Stops in the opposite order.
 */
export async function startServices(
  config: Config,
  path: string,
  log: ServiceLog,
  onGone: (error: Error) => void,
): Promise<Services> {
  const undo: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    if (needsFolder(config)) {
      const claim = await claimFolder(config.dataDir);
      undo.push(claim.release);
    }
    const dataFolder = config.dataDir;
    const ownerUrl = config.databaseUrl ?? (await embeddedPostgres());
    const redisUrl = config.redisUrl ?? (await embeddedRedis());
    const authSecret = config.authSecret ?? (await keptSecret(dataFolder, 'auth-secret'));
    const ownsDatabase = config.databaseUrl === null;
    return { ownerUrl, authSecret, redisUrl: redisUrl || null, ownsDatabase, stop };

    async function embeddedPostgres(): Promise<string> {
      const postgres = await startPostgres({ dataFolder, log, onGone });
      undo.push(postgres.stop);
      return postgres.ownerUrl;
    }

    async function embeddedRedis(): Promise<string | null> {
      const command = await findRedisServer(path);
      if (command === null) return null;
      const redis = await startRedis({ command, dataFolder, log, onGone });
      undo.push(redis.stop);
      return redis.url;
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The services of a server that is already running on this data folder; null when there is none.
 * Stopping does nothing: they are not ours.
 */
export async function attachServices(config: Config): Promise<Services | null> {
  if (!needsFolder(config) || !(await isClaimed(config.dataDir))) return null;
  const ownerUrl = config.databaseUrl ?? (await runningPostgres(config.dataDir));
  if (ownerUrl === null) return null;
  const authSecret = config.authSecret ?? (await readSecret(config.dataDir, 'auth-secret'));
  if (authSecret === null) {
    throw new Error('the running server was given an AUTH_SECRET: set the same one here');
  }
  const redisUrl = config.redisUrl ?? (await runningRedis(config.dataDir));
  return {
    ownerUrl,
    authSecret,
    redisUrl: redisUrl || null,
    ownsDatabase: false,
    stop: async () => {},
  };
}

function needsFolder(config: Config): boolean {
  return config.databaseUrl === null || config.redisUrl === null || config.authSecret === null;
}

/**
 * A secret that nobody had to think of: made once, kept in the data folder, readable by us alone.
 */
async function keptSecret(dataFolder: string, name: string): Promise<string> {
  const kept = await readSecret(dataFolder, name);
  if (kept !== null) return kept;
  await mkdir(dataFolder, { recursive: true });
  const secret = Buffer.from(systemRandom.bytes(32)).toString('base64url');
  const draft = join(dataFolder, `${name}.${process.pid}`);
  // Complete or not there: half a secret would be taken for one.
  await writeFile(draft, `${secret}\n`, { mode: 0o600 });
  await rename(draft, join(dataFolder, name));
  return secret;
}

async function readSecret(dataFolder: string, name: string): Promise<string | null> {
  const text = await readFile(join(dataFolder, name), 'utf8').catch(() => '');
  if (text !== '' && text.trim().length < 32) {
    throw new Error(`${join(dataFolder, name)} is not complete; remove it to make a new one`);
  }
  return text.trim() || null;
}
