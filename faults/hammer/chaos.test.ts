import { type Random, seededRandom, systemClock } from '@voelgoed/engine/kit';
import { useDatabase } from '@voelgoed/testkit/database';
import { useRuns } from '@voelgoed/testkit/stages';
import { afterEach, describe, expect, it } from 'vitest';
import type { Toxic } from '#proxy';
import { type Detour, openDetour } from './detour.ts';

/** A few seconds; more steps find more. */
const STEPS = 10;
const STEP_MS = 300;

const detours: Detour[] = [];

afterEach(async () => {
  await Promise.all(detours.splice(0).map(({ proxy }) => proxy.close()));
});

/** What can happen to a wire, or nothing. */
function anything(random: Random): Toxic | null {
  const latency_ms = Math.floor(random.next() ** 3 * 900);
  const direction = random.next() < 0.5 ? 'up' : 'down';
  const toxics: (Toxic | null)[] = [
    null,
    null,
    { kind: 'latency', latency_ms, jitter_ms: 20, direction },
    { kind: 'blackhole', direction },
    { kind: 'blackhole' },
    { kind: 'reset' },
    { kind: 'swallow_reply', from: Buffer.from('COMMIT\0') },
    { kind: 'drop_after_bytes', bytes: Math.floor(random.next() * 20_000) },
  ];
  return toxics[Math.floor(random.next() * toxics.length)] ?? null;
}

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
where datname = current_database() and application_name = 'voelgoed writers'
order by state_change desc limit $1`;

describe('everything at once', () => {
  const database = useDatabase();
  const aRun = useRuns();

  it('breaks no promise', async () => {
    const run = await aRun('chaos', database);
    const random = seededRandom(run.seed);
    for (const name of ['one', 'two']) {
      const detour = await openDetour(database.appUrl, random);
      detours.push(detour);
      await run.start(name, { appUrl: detour.through(database.appUrl) });
    }
    await run.startAll('direct');
    await run.load();
    for (let step = 0; step < STEPS; step++) {
      const detour = detours[Math.floor(random.next() * detours.length)];
      detour?.proxy.setToxic(anything(random));
      if (random.next() < 0.2) await database.asSuperuser(TERMINATE, [1]);
      await systemClock.sleep(STEP_MS * random.next() * 2);
    }
    for (const { proxy } of detours) proxy.setToxic(null);
    for (const node of run.nodes) await run.goesOn(10, [node]);
    await run.rest();
    const asked = await run.settle();
    console.log(`chaos: ${asked} wishes were asked again`);
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });
});
