import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRuns } from '@voelgoed/testkit/stages';
import { describe, expect, it } from 'vitest';

const MINUTES_5 = 5 * 60_000;

describe('nodes that share one event', () => {
  const database = useDatabase();
  const aRun = useRuns();

  it.each([2, 3])('keep every promise (%i nodes)', async (count) => {
    const run = await aRun(`${count} nodes`, database);
    for (let number = 1; number <= count; number++) await run.start(`node${number}`);
    await run.load();
    await eventually(() => run.acknowledged().length > 500, { within_ms: 15_000, every_ms: 100 });
    await run.rest();
    await run.settle();
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });

  it('do not need clocks that are right', async () => {
    const run = await aRun('clocks', database);
    await run.start('early', { clock_shift_ms: -MINUTES_5 });
    await run.start('late', { clock_shift_ms: MINUTES_5 });
    await run.load();
    await eventually(() => run.acknowledged().length > 400, { within_ms: 15_000, every_ms: 100 });
    await run.rest();
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });

  it('lose nothing when one of them is killed', async () => {
    const run = await aRun('kill -9 of a node', database);
    const victim = await run.start('victim');
    const other = await run.start('other');
    await run.load();
    await eventually(() => run.acknowledged([victim]).length > 100, { every_ms: 50 });
    victim.kill('SIGKILL');
    await victim.exited;
    const before = run.acknowledged([other]).length;
    const going = () => run.acknowledged([other]).length > before + 100;
    await eventually(going, { within_ms: 10_000, every_ms: 50 });
    // A node that takes its place begins with nothing but what Postgres has.
    const heir = await run.start('heir');
    await run.load([heir]);
    await eventually(() => run.acknowledged([heir]).length > 50, { every_ms: 50 });
    await run.rest();
    const asked = await run.settle();
    console.log(`kill -9 of a node: ${asked} wishes were asked again`);
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
  });
});
