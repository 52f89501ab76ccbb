import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRuns } from '@voelgoed/testkit/stages';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Run } from './hammer.ts';
import type { Weakness } from './messages.ts';

/** So many operations, then the checker looks; a control that is not red yet goes on. */
const ROUND = 500;
const ROUNDS = 4;
/** On an idle machine the first one is enough; nodes may be kept from meeting by other programs. */
const MEETINGS = 50;

/** Two nodes with a guard taken away, until what was expected has been found to be broken. */
async function weakened(run: Run, weakness: Weakness, expected: readonly string[]) {
  await Promise.all(['one', 'other'].map((name) => run.start(name, { weakness })));
  for (let round = 1; ; round++) {
    const before = run.operations().length;
    await run.load();
    const enough = () => run.operations().length > before + ROUND;
    await eventually(enough, { within_ms: 15_000, every_ms: 100 });
    await run.rest();
    const { violations, reports } = await run.verdict(run.operations(), 1_500);
    const broken = [...new Set<string>(violations.map(({ invariant }) => invariant))];
    const guarded = reports.map(({ happened }) => happened['flush.guard'] ?? 0);
    const found = expected.every((invariant) => broken.includes(invariant));
    if (found || round === ROUNDS) return { broken, violations, guarded };
  }
}

describe('guards behind the lock', () => {
  const database = useDatabase();
  const aRun = useRuns();

  it('stop a node that decides without catching up', async () => {
    const run = await aRun('stale, guards on', database);
    const { violations, guarded } = await weakened(run, 'stale', []);
    expect(violations).toEqual([]);
    expect(Math.max(...guarded)).toBeGreaterThan(0);
  });

  it('stop nodes that do not take the lock', async () => {
    const run = await aRun('unlocked, guards on', database);
    const { violations, guarded } = await weakened(run, 'unlocked', []);
    expect(violations).toEqual([]);
    expect(Math.max(...guarded)).toBeGreaterThan(0);
  });
});

/** The database without the guards in the statement and behind it. */
const GUARDS_OFF = `
create or replace function refuse_flush(guard text) returns boolean language sql as 'select true';
drop index seat_holds_one_active;
alter table seat_changes drop constraint seat_changes_pkey;
alter table audit_log drop constraint audit_log_pkey`;

describe('without any guard the checker is red', () => {
  const database = useDatabase();
  const aRun = useRuns();
  beforeAll(async () => {
    await database.asSuperuser(GUARDS_OFF);
  });

  it('about nodes that decide without catching up', async () => {
    const run = await aRun('stale, guards off', database);
    const { broken } = await weakened(run, 'stale', ['I1', 'I9']);
    expect(broken).toEqual(expect.arrayContaining(['I1', 'I9']));
  });

  // The first two flushes that meet leave a log that no board can be loaded from, and nothing is
  // done any more: they have to be about the same seat, which random commands seldom are.
  it('about nodes that do not take the lock', async () => {
    const run = await aRun('unlocked, guards off', database);
    const settings = { weakness: 'unlocked', sweeps: false } as const;
    await Promise.all(['one', 'other'].map((name) => run.start(name, settings)));
    const broken = new Set<string>();
    for (let seat = 0; seat < MEETINGS && !broken.has('I1'); seat++) {
      await run.meetAt(seat);
      const { violations } = await run.verdict(run.operations(), 0);
      for (const { invariant } of violations) broken.add(invariant);
    }
    expect([...broken]).toContain('I1');
  });

  it('about a node that answers before it commits', async () => {
    const run = await aRun('boastful', database);
    const { broken } = await weakened(run, 'boastful', ['I2']);
    expect(broken).toContain('I2');
  });
});
