import { seededRandom } from '@voelgoed/engine/kit';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRuns } from '@voelgoed/testkit/stages';
import { afterEach, describe, expect, it } from 'vitest';
import type { ProxyOptions } from '#proxy';
import { type Detour, openDetour } from './detour.ts';

const detours: Detour[] = [];

afterEach(async () => {
  await Promise.all(detours.splice(0).map(({ proxy }) => proxy.close()));
});

async function aDetour(url: string, seed: number, onChunk: NonNullable<ProxyOptions['onChunk']>) {
  const detour = await openDetour(url, seededRandom(seed), onChunk);
  detours.push(detour);
  return detour;
}

const WRITE = 'flush.write';

describe('COMMIT on a bad wire', () => {
  const database = useDatabase();
  const aRun = useRuns();

  it('never arrives late, and holds up nobody when it is late', async () => {
    const run = await aRun('late', database);
    let armed = false;
    const { proxy, through } = await aDetour(database.writerUrl, run.seed, (direction, chunk) => {
      if (armed && direction === 'up' && chunk.includes(WRITE)) {
        armed = false;
        proxy.setToxic({ kind: 'blackhole', direction: 'up' });
      }
      return 'pass';
    });
    const late = await run.start('late', { writerUrl: through(database.writerUrl) });
    const [other] = await run.startAll('other');
    if (!other) throw new Error('another node was started');
    await run.load();
    await run.goesOn(20, [late]);
    armed = true;
    await eventually(() => !armed);
    await run.goesOn(40, [other]);
    // By now Postgres has given up on the transaction; its write and COMMIT arrive all the same.
    proxy.setToxic({ kind: 'latency', latency_ms: 5, jitter_ms: 20 });
    await run.goesOn(10, [late]);
    // The same for answers: they arrive when nobody waits for them any more.
    proxy.setToxic({ kind: 'blackhole', direction: 'down' });
    await run.goesOn(40, [other]);
    proxy.setToxic(null);
    await run.goesOn(10, [late]);
    await run.rest();
    await run.settle();
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });
});
