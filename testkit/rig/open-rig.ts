import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, seededRandom } from '@voelgoed/engine/kit';
import { CrowdProcess } from '@voelgoed/faults/crowd';
import { startProxy } from '@voelgoed/faults/proxy';
import { freePort, type RedisServer, startRedisServer } from '#redises';
import { RigDatabase } from './databases.ts';
import { type Links, RigNode } from './nodes.ts';
import { emptyDemo } from './stages.ts';

export const AUTH_SECRET = 'a secret that only the nodes of this rig know';
export const PAYMENT_SECRET = 'a secret of the provider of this rig and its nodes';
export type Pace = Readonly<{
  /** Each node has its own, so that holds of several lengths meet. */
  hold_seconds: readonly string[];
  /** Between the answer to one request and the next, at most. */
  pause_ms: number;
  /** For so long a slow viewer does not read. */
  slow_ms: number;
}>;

/** As `npm run faults` plays: the end waits for the longest hold and the slowest viewer. */
const LONG: Pace = { hold_seconds: ['2', '3', '5'], pause_ms: 5, slow_ms: 3_000 };
/** As `npm test` plays, beside other tests: shorter to wait for, and some processor is left. */
export const SHORT: Pace = { hold_seconds: ['1', '1', '2'], pause_ms: 20, slow_ms: 500 };

/** Sees what passes between a node and Postgres, and may do something about it. */
export type Watch = (
  direction: 'up' | 'down',
  chunk: Buffer,
  connection: number,
) => 'pass' | 'swallow' | 'cut';

export type Rig = {
  readonly folder: string;
  readonly nodes: readonly RigNode[];
  readonly database: RigDatabase;
  readonly redis: RedisServer;
  readonly crowd: CrowdProcess;
  readonly random: Random;
  /** By node; none: everything passes. */
  readonly watches: (Watch | null)[];
  /** The load before and after a fault. */
  readonly workers: number;
  readonly pause_ms: number;
  readonly slow_ms: number;
  /** Times of healing are so many times as long: 1, or more where the machine is not ours alone. */
  readonly factor: number;
  stop(): Promise<void>;
};

type Load = { workers: number; factor: number; pace?: Pace };

/** Everything runs and nobody asks for anything yet. */
export async function openRig(parent: string, seed: number, load: Load): Promise<Rig> {
  const folder = await mkdtemp(join(parent, 'rig-'));
  await chmod(folder, 0o755);
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await build(folder, seed, load, undo, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(
  folder: string,
  seed: number,
  { pace = LONG, ...load }: Load,
  undo: (() => Promise<unknown>)[],
  stop: () => Promise<void>,
): Promise<Rig> {
  const random = seededRandom(seed);
  const database = await RigDatabase.start(folder, AUTH_SECRET);
  undo.push(() => database.stop());
  await emptyDemo(database);
  const redisFolder = join(folder, 'redis');
  await mkdir(redisFolder);
  const redis = await startRedisServer({}, redisFolder);
  undo.push(() => redis.stop());
  const crowd = new CrowdProcess();
  undo.push(() => crowd.stop());
  const { hold_seconds, ...times } = pace;
  const watches: (Watch | null)[] = hold_seconds.map(() => null);
  const parts = { folder, database, redis, crowd, random, watches, stop };
  const rig = { ...parts, ...load, ...times };
  const nodes: RigNode[] = [];
  const whole: Rig = { ...rig, nodes };
  for (const [index, seconds] of hold_seconds.entries()) {
    const node = await aNode(whole, { index, seconds }, undo);
    nodes.push(node);
    undo.push(() => node.stop());
  }
  await Promise.all(nodes.map((node) => node.start({})));
  return whole;
}

async function aNode(
  rig: Rig,
  { index, seconds }: { index: number; seconds: string },
  undo: (() => Promise<unknown>)[],
): Promise<RigNode> {
  const port = await freePort();
  const { database, redis, random } = rig;
  const links: Links = {
    http: await startProxy({ upstream: { host: '127.0.0.1', port }, random }),
    postgres: await startProxy({
      upstream: { path: database.socket },
      random,
      onChunk: (...seen) => rig.watches[index]?.(...seen) ?? 'pass',
    }),
    redis: await startProxy({ upstream: { host: '127.0.0.1', port: redis.port }, random }),
  };
  undo.push(() => Promise.all(Object.values(links).map((proxy) => proxy.close())));
  return new RigNode({
    index,
    links,
    port,
    logFile: join(rig.folder, `node-${index}.log`),
    settings: () => ({
      HOST: '127.0.0.1',
      DATABASE_URL: rig.database.urlThrough(links.postgres),
      REDIS_URL: `redis://${links.redis.address}`,
      REDIS_PROBE_SECONDS: '1',
      AUTH_SECRET,
      PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
      DEMO: '1',
      DEMO_HOLD_TTL_SECONDS: seconds,
      STREAMS_PER_ADDRESS: '10000',
      LOG_LEVEL: 'info',
    }),
  });
}
