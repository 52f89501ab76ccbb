import type { Clock } from '#kit';
import { silentTelemetry } from '#telemetry';
import { RedisConnection } from './connection.ts';

export type RedisReport = Readonly<{
  version: string;
  /** master or slave; a replica takes no writes. */
  role: string;
  /** Null: not a cluster. */
  clusterState: string | null;
  maxmemory: number;
  used: number;
  /** Null: the server does not tell its settings. */
  settings: Readonly<Record<string, string>> | null;
  clock: Readonly<{ redis_ms: number; before_ms: number; after_ms: number }>;
}>;

/** Nobody waits at the counter while the doctor looks. */
const COMMAND_MS = 2_000;
const SETTINGS = ['maxmemory-policy', 'timeout', 'client-output-buffer-limit'] as const;

/** Looks at Redis from outside. Changes nothing. */
export async function inspectRedis(url: string, clock: Clock): Promise<RedisReport> {
  const redis = new RedisConnection({
    url,
    clock,
    telemetry: silentTelemetry,
    command_ms: COMMAND_MS,
  });
  try {
    await redis.connect();
    const info = readInfo(String(await redis.call('info')));
    const before_ms = clock.now();
    const time = (await redis.call('time')) as [string, string];
    const after_ms = clock.now();
    return {
      version: info.redis_version ?? 'unknown',
      role: info.role ?? 'unknown',
      clusterState: info.cluster_enabled === '1' ? await clusterState(redis) : null,
      maxmemory: Number(info.maxmemory ?? 0),
      used: Number(info.used_memory ?? 0),
      settings: await settingsOf(redis),
      clock: { redis_ms: Number(time[0]) * 1_000 + Number(time[1]) / 1_000, before_ms, after_ms },
    };
  } finally {
    redis.close();
  }
}

async function clusterState(redis: RedisConnection): Promise<string> {
  return readInfo(String(await redis.call('cluster', 'info'))).cluster_state ?? 'unknown';
}

/** Servers that are rented often keep CONFIG to themselves. */
async function settingsOf(redis: RedisConnection): Promise<RedisReport['settings']> {
  try {
    const found: Record<string, string> = {};
    for (const name of SETTINGS) {
      const [, value] = (await redis.call('config', 'get', name)) as string[];
      if (value !== undefined) found[name] = value;
    }
    return found;
  } catch {
    return null;
  }
}

function readInfo(text: string): Partial<Record<string, string>> {
  const lines = text.split(/\r?\n/).map((line) => line.split(':'));
  return Object.fromEntries(lines.map(([name = '', ...value]) => [name, value.join(':')]));
}
