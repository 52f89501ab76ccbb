import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { type RedisServer, useRedis } from '@voelgoed/testkit/redises';
import { useRuns } from '@voelgoed/testkit/stages';
import { describe, expect, it } from 'vitest';
import type { Run } from './hammer.ts';

/** What Redis has is right this soon after it is well again. */
const HEALED_MS = 5_000;

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

async function startThree(run: Run, redisUrl: string) {
  await Promise.all(['one', 'two', 'three'].map((name) => run.start(name, { redisUrl })));
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
