import { seededRandom, systemClock } from '@voelgoed/engine/kit';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { type RedisServer, useRedis } from '@voelgoed/testkit/redises';
import { aLongerTime, useRuns } from '@voelgoed/testkit/stages';
import { describe, expect, it } from 'vitest';
import { startProxy } from '#proxy';
import type { Run } from './hammer.ts';

/** A few seconds each; `FAULTS=long` gives every fault the time that the requirements name. */
const SHORT_MS = 1_500;
const LONG_MS = 10_000;
/** What Redis has is right this soon after it is well again. */
const HEALED_MS = 5_000;

const lasts_ms = () => (aLongerTime() ? LONG_MS : SHORT_MS);
const during = (ms = lasts_ms()) => systemClock.sleep(ms);

type Fault = (redis: RedisServer, run: Run) => Promise<void>;

async function again(every_ms: number, work: () => Promise<unknown>): Promise<void> {
  const until_ms = systemClock.monotonic() + lasts_ms();
  while (systemClock.monotonic() < until_ms) {
    await work();
    await during(every_ms);
  }
}

/** Some of all keys that are there. */
async function someKeys(redis: RedisServer, count: number): Promise<string[]> {
  const keys = (await redis.command('keys', 'voelgoed:*')) as string[];
  return keys.filter((_, index) => index % Math.max(1, Math.floor(keys.length / count)) === 0);
}

const FAULTS: Readonly<Record<string, Fault>> = {
  'is killed and comes back empty': async (redis) => {
    await redis.kill('SIGKILL');
    await during();
    await redis.restart();
  },
  'is restarted empty in a moment': async (redis) => {
    await again(700, () => redis.restart());
  },
  'forgets everything again and again': async (redis) => {
    await again(300, () => redis.command('flushall'));
  },
  'is stopped and goes on': async (redis) => {
    await redis.kill('SIGSTOP');
    await during();
    await redis.kill('SIGCONT');
  },
  'has values that nobody wrote': async (redis) => {
    await again(100, async () => {
      for (const key of await someKeys(redis, 20)) {
        await redis.command('set', key, '{"state":"held"');
      }
    });
  },
  'has keys of the wrong type': async (redis) => {
    await again(100, async () => {
      for (const key of await someKeys(redis, 20)) {
        await redis.command('del', key);
        // Somebody may have written it in between.
        await redis.command('rpush', key, 'a list').catch(() => {});
      }
    });
  },
  'is a replica that takes no writes': async (redis) => {
    await redis.command('replicaof', '127.0.0.1', '1');
    await during();
    await redis.command('replicaof', 'no', 'one');
  },
  'has no memory left': async (redis) => {
    await redis.command('config', 'set', 'maxmemory', '1');
    await during();
    await redis.command('config', 'set', 'maxmemory', '0');
  },
};

describe('under load of three nodes, a Redis that', () => {
  const database = useDatabase();
  const redis = useRedis();
  const aRun = useRuns();

  it.each(Object.keys(FAULTS))('%s', async (name) => {
    const run = await aRun(`Redis ${name}`, database);
    await startThree(run, redis().url);
    await run.load();
    await run.goesOn(60);
    await FAULTS[name]?.(redis(), run);
    await run.goesOn(60);
    await isHonest(run);
  });

  it('one node cannot reach', async () => {
    const run = await aRun('a partition of one node', database);
    const proxy = await startProxy({ upstream: { host: '127.0.0.1', port: redis().port } });
    try {
      await startThree(run, redis().url, { two: proxy.through(redis().url) });
      await run.load();
      await run.goesOn(60);
      proxy.setToxic({ kind: 'blackhole' });
      await during();
      await run.goesOn(60);
      proxy.setToxic(null);
      await isHonest(run);
    } finally {
      await run.end();
      await proxy.close();
    }
  });

  it('answers so late that claims are executed when nobody waits for them', async () => {
    const run = await aRun('late claims', database);
    const random = seededRandom(run.seed);
    const proxy = await startProxy({ upstream: { host: '127.0.0.1', port: redis().port }, random });
    try {
      await startThree(run, redis().url, { two: proxy.through(redis().url) });
      await run.load();
      await run.goesOn(60);
      // Each request is late, some more than the node waits: ghosts of claims are left behind.
      proxy.setToxic({ kind: 'latency', latency_ms: 30, jitter_ms: 60, direction: 'up' });
      await during();
      await run.goesOn(60);
      proxy.setToxic(null);
      const happened = await isHonest(run);
      expect(happened['hold.redis_fallback'] ?? 0).toBeGreaterThan(0);
    } finally {
      await run.end();
      await proxy.close();
    }
  });
});

describe('a replica', () => {
  const database = useDatabase();
  // A copy begins at once, not when others may have joined.
  const redis = useRedis({ 'repl-diskless-sync-delay': '0' });
  const stale = useRedis({ 'repl-diskless-sync-delay': '0' });
  const aRun = useRuns();

  it('that is promoted and has missed the last while tells nobody anything wrong', async () => {
    const run = await aRun('a stale replica', database);
    await startThree(run, redis().url);
    await run.load();
    await run.goesOn(60);
    const link = (from: RedisServer, to: RedisServer) =>
      from.command('replicaof', '127.0.0.1', to.port);
    await link(stale(), redis());
    const isLinked = async (one: RedisServer) =>
      String(await one.command('info', 'replication')).includes('master_link_status:up');
    await eventually(() => isLinked(stale()));
    await stale().command('replicaof', 'no', 'one');
    await run.goesOn(100);
    // From now on nodes talk to what the replica had then.
    await link(redis(), stale());
    await eventually(() => isLinked(redis()));
    await redis().command('replicaof', 'no', 'one');
    await run.goesOn(60);
    await isHonest(run);
  });
});

async function startThree(run: Run, redisUrl: string, others: Record<string, string> = {}) {
  const names = ['one', 'two', 'three'];
  await Promise.all(names.map((name) => run.start(name, { redisUrl: others[name] ?? redisUrl })));
}

/** Nobody was told anything but the truth, and after a moment all tiers agree. */
async function isHonest(run: Run): Promise<Readonly<Record<string, number>>> {
  await run.rest();
  const strange = run.operations().filter(({ outcome }) => outcome === 'failed');
  expect(strange.map(({ code }) => code)).toEqual([]);
  expect(await run.everySeatIsFree(HEALED_MS)).toBe(true);
  await eventually(
    async () => {
      const reports = await Promise.all(run.alive.map((node) => node.tell({ kind: 'board' })));
      const isWell = reports.every(({ redis }) => redis?.state === 'closed' && redis.isEqual);
      if (isWell) return true;
      throw new Error(JSON.stringify(reports));
    },
    { within_ms: HEALED_MS, every_ms: 100 },
  );
  const { violations, reports } = await run.verdict();
  expect(violations).toEqual([]);
  const happened: Record<string, number> = {};
  for (const report of reports) {
    for (const [kind, count] of Object.entries(report.happened)) {
      happened[kind] = (happened[kind] ?? 0) + count;
    }
  }
  console.log(warmWords(happened));
  return happened;
}

function warmWords(happened: Readonly<Record<string, number>>): string {
  return Object.entries(happened)
    .filter(([kind]) => /^(warm|redis|hold.redis)/.test(kind))
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(', ');
}
