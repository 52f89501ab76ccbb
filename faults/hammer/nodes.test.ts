import { useDatabase } from '@voelgoed/testkit/database';
import { useRuns } from '@voelgoed/testkit/stages';
import { describe, expect, it } from 'vitest';

const MINUTES_5 = 5 * 60_000;

describe('nodes that share one event', () => {
  const database = useDatabase();
  const aRun = useRuns();

  it.each([2, 3])('keep every promise (%i nodes)', async (count) => {
    const run = await aRun(`${count} nodes`, database);
    await run.startAll(...['one', 'two', 'three'].slice(0, count));
    await run.load();
    await run.goesOn(250);
    await run.rest();
    await run.settle();
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });

  it('do not need clocks that are right', async () => {
    const run = await aRun('clocks', database);
    await Promise.all([
      run.start('early', { clock_shift_ms: -MINUTES_5 }),
      run.start('late', { clock_shift_ms: MINUTES_5 }),
    ]);
    await run.load();
    await run.goesOn(150);
    await run.rest();
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });

  it('lose nothing when one of them is killed', async () => {
    const run = await aRun('kill -9 of a node', database);
    const [victim, other] = await run.startAll('victim', 'other');
    if (!victim || !other) throw new Error('two nodes were started');
    await run.load();
    await run.goesOn(60, [victim]);
    victim.kill('SIGKILL');
    await victim.exited;
    await run.goesOn(60, [other]);
    // A node that takes its place begins with nothing but what Postgres has.
    const heir = await run.start('heir');
    await run.load([heir]);
    await run.goesOn(20, [heir]);
    await run.rest();
    const asked = await run.settle();
    console.log(`kill -9 of a node: ${asked} wishes were asked again`);
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });
});
