import { systemClock } from '@voelgoed/engine/kit';
import type { Run } from '@voelgoed/faults/hammer';
import { startRedisServer } from '#redises';
import { judged, pause, rateDuring, type Scenario, withSet } from './set.ts';

const BEFORE_S = 2;
/** What Redis has is right this soon after it is well again; nodes of the rig probe each second. */
const HEALED_MS = 15_000;

/** Redis is killed, stays away, and comes back empty. */
export const redisLoss: Scenario = (setting) =>
  withSet(setting, async ({ run, stage }) => {
    const { say, seconds } = setting;
    const redis = await startRedisServer({}, stage.folder);
    try {
      const redisUrl = redis.url;
      await Promise.all(['one', 'two', 'three'].map((name) => run.start(name, { redisUrl })));
      await run.load();
      say(`with Redis: ${await rateDuring(run, BEFORE_S, () => pause(BEFORE_S))}`);
      await redis.kill('SIGKILL');
      say(`Redis is gone: ${await rateDuring(run, seconds, () => pause(seconds))}`);
      say(`breakers: ${await breakers(run)}`);
      await redis.restart();
      const healed = await healedAfter(run);
      say(`Redis is back, empty; breakers: ${await breakers(run)}`);
      const problems = await judged(run, say);
      if (healed === null) return [...problems, 'Redis does not say what the boards say'];
      say(`all nodes believe Redis again and it says what they say, after ${healed} s`);
      return problems;
    } finally {
      await redis.stop();
    }
  });

async function breakers(run: Run): Promise<string> {
  const reports = await Promise.all(run.alive.map((node) => node.tell({ kind: 'board' })));
  return reports.map(({ redis }) => redis?.state ?? 'none').join(', ');
}

/** The load rests meanwhile: what changes all the time is never equal. */
async function healedAfter(run: Run): Promise<string | null> {
  await run.rest();
  const started = systemClock.monotonic();
  while (systemClock.monotonic() < started + HEALED_MS) {
    const reports = await Promise.all(run.alive.map((node) => node.tell({ kind: 'board' })));
    const isWell = reports.every(({ redis }) => redis?.state === 'closed' && redis.isEqual);
    if (isWell) return ((systemClock.monotonic() - started) / 1_000).toFixed(1);
    await systemClock.sleep(100);
  }
  return null;
}
