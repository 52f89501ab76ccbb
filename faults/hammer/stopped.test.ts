import { readFileSync } from 'node:fs';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRuns } from '@voelgoed/testkit/stages';
import { describe, expect, it } from 'vitest';

/** The state of a process, by its letter. */
function stateOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .slice(0, 1);
}

describe('a node that is stopped between lock and write', () => {
  const database = useDatabase();
  const aRun = useRuns();

  it('keeps nobody waiting and does nothing wrong when it wakes up', async () => {
    const run = await aRun('SIGSTOP', database);
    const [sleeper, other, third] = await run.startAll('sleeper', 'other', 'third');
    if (!sleeper || !other || !third) throw new Error('three nodes were started');
    await run.load();
    await run.goesOn(50);
    await sleeper.tell({ kind: 'stop_inside' });
    await eventually(() => stateOf(sleeper.pid) === 'T');
    const [mark] = sleeper.history().marks;
    await run.goesOn(60, [other, third]);
    const recovery_ms = run.recovery_ms(mark?.at_ms ?? 0, [other, third]);
    console.log(`SIGSTOP: others went on after ${recovery_ms.toFixed(0)} ms`);
    sleeper.kill('SIGCONT');
    await run.goesOn(20, [sleeper]);
    await run.rest();
    await run.settle();
    const { violations } = await run.verdict();
    expect(violations).toEqual([]);
    expect(recovery_ms).toBeLessThan(1_500);
  });
});
