import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@voelgoed/engine/kit';
import { type RedisCluster, type RedisServer, startCluster } from '#redises';
import type { Act, Scenario } from '#rig';

/** Something that is wrong with Redis for a while. */
function redisScenario(
  name: string,
  sentence: string,
  harm: (redis: RedisServer, act: Act) => Promise<unknown>,
  heal: (redis: RedisServer, act: Act) => Promise<unknown> = async () => {},
): Scenario {
  return {
    name,
    sentence,
    fault: async (act) => {
      const { rig, rates, say } = act;
      const per_s = await rates.during(() => harm(rig.redis, act));
      await heal(rig.redis, act);
      await wellAgain(act);
      say(`meanwhile ${per_s.toFixed(0)} answers a second`);
    },
  };
}

const WELL_MS = 20_000;

/** Nodes ask for a Redis that failed once a second; healed is when they believe it again. */
async function wellAgain({ rig, pause }: Act): Promise<void> {
  const deadline = systemClock.monotonic() + WELL_MS;
  while (systemClock.monotonic() < deadline) {
    const open = await Promise.all(
      rig.nodes.map((node) => node.metric('voelgoed_redis_breaker_open')),
    );
    if (open.every((value) => value === 0)) return;
    await pause(0.3);
  }
}

/** Again and again while the fault lasts. */
async function again({ seconds, pause }: Act, every_s: number, work: () => Promise<unknown>) {
  for (let left = seconds; left > 0; left -= every_s) {
    await work();
    await pause(Math.min(every_s, left));
  }
}

async function someKeys(redis: RedisServer, most: number): Promise<string[]> {
  const keys: string[] = [];
  for (let tries = 0; tries < most; tries++) {
    const key = await redis.command('randomkey');
    if (key !== null) keys.push(String(key));
  }
  return keys;
}

/** Strings become lists, hashes become nonsense. */
async function corrupt(redis: RedisServer): Promise<void> {
  for (const key of await someKeys(redis, 30)) {
    await redis.command('del', key);
    await redis.command('rpush', key, 'a list').catch(() => {});
  }
  for (const key of await someKeys(redis, 10)) {
    await redis.command('set', key, '{"hold_id": "nonsense", "state": "held"').catch(() => {});
  }
}

/** The cluster of the scenario that has one. */
let cluster: RedisCluster | null = null;

const redisCluster: Scenario = {
  name: 'redis-cluster',
  sentence: 'a node of a Redis cluster is killed and comes back empty',
  prepare: async ({ rig }) => {
    cluster = await startCluster(() => mkdtemp(join(rig.folder, 'cluster-')));
    const { url } = cluster;
    await Promise.all(rig.nodes.map((node) => node.ensure({ REDIS_URL: url })));
  },
  fault: async (act) => {
    const { seconds, pause, rates, say } = act;
    const [, lost] = cluster?.nodes ?? [];
    await lost?.kill('SIGKILL');
    const per_s = await rates.during(() => pause(seconds));
    await lost?.restart();
    await wellAgain(act);
    say(`a third of the slots is gone: ${per_s.toFixed(0)} answers a second`);
  },
  cleanup: async ({ rig }) => {
    await Promise.all(rig.nodes.map((node) => node.ensure({})));
    await cluster?.stop();
    cluster = null;
  },
};

export const REDIS_SCENARIOS = [
  redisScenario(
    'redis-loss',
    'kill -9 of Redis, which comes back empty',
    async (redis, { seconds, pause }) => {
      await redis.kill('SIGKILL');
      await pause(seconds);
    },
    (redis) => redis.restart(),
  ),
  redisScenario('redis-flushall', 'Redis forgets everything, again and again', (redis, act) =>
    again(act, 0.5, () => redis.command('flushall')),
  ),
  redisScenario(
    'redis-stopped',
    'Redis is stopped (SIGSTOP) and goes on where it was',
    async (redis, { seconds, pause }) => {
      await redis.kill('SIGSTOP');
      await pause(seconds);
    },
    (redis) => redis.kill('SIGCONT'),
  ),
  redisScenario(
    'redis-oom',
    'Redis has no memory left',
    async (redis, { seconds, pause }) => {
      await redis.command('config', 'set', 'maxmemory', '1');
      await pause(seconds);
    },
    (redis) => redis.command('config', 'set', 'maxmemory', '0'),
  ),
  redisScenario(
    'redis-readonly',
    'Redis is a replica that takes no writes',
    async (redis, { seconds, pause }) => {
      await redis.command('replicaof', '127.0.0.1', '1');
      await pause(seconds);
    },
    (redis) => redis.command('replicaof', 'no', 'one'),
  ),
  redisScenario('redis-corrupt', 'values in Redis become nonsense', (redis, act) =>
    again(act, 0.2, () => corrupt(redis)),
  ),
  redisScenario(
    'redis-partition',
    'one node does not reach Redis',
    async (_, { rig, seconds, pause }) => {
      rig.nodes[0]?.links.redis.setToxic({ kind: 'blackhole' });
      await pause(seconds);
    },
    async (_, { rig }) => rig.nodes[0]?.links.redis.setToxic(null),
  ),
  redisScenario(
    'redis-late',
    'Redis hears some requests of a node when nobody waits for them any more',
    async (_, { rig, seconds, pause }) => {
      const toxic = { kind: 'latency', latency_ms: 30, jitter_ms: 60, direction: 'up' } as const;
      rig.nodes[0]?.links.redis.setToxic(toxic);
      await pause(seconds);
    },
    async (_, { rig }) => rig.nodes[0]?.links.redis.setToxic(null),
  ),
  redisCluster,
];
