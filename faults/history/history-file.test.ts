import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { completeHistory, judgeRun, readHistory } from './history.ts';
import { aGoodHistory } from './planted.ts';

const folder = mkdtempSync(join(tmpdir(), 'history-'));
afterAll(() => rm(folder, { recursive: true }));

/** A file as the rig writes it: operations first, then what there was in the end. */
function aFile(name: string, change: (operations: { user: string }[]) => void = () => {}): string {
  const file = join(folder, name);
  const { operations, state, boards, wall_offset_ms } = aGoodHistory();
  change(operations);
  const lines = operations.map((one) => JSON.stringify({ kind: 'operation', event: 'e1', ...one }));
  writeFileSync(file, `${lines.join('\n')}\n`);
  const events = new Map([['e1', { state, boards }]]) as never;
  const nothing = { faults: [], forgotten: [], seen: [], unjudged: {} };
  completeHistory(file, { scenario: 'test', seed: 7, wall_offset_ms, events, ...nothing });
  return file;
}

describe('a file', () => {
  it('says what the run said', () => {
    const run = readHistory(aFile('good'));
    const { state, operations } = aGoodHistory();
    expect(run).toMatchObject({ scenario: 'test', seed: 7 });
    expect(run.operations).toMatchObject(operations);
    expect(run.events.get('e1')?.state).toMatchObject(state);
    expect(judgeRun(run)).toEqual([]);
  });

  it('with a lie in it is judged, and what a failover lost is not', () => {
    const lie = aFile('lie', (operations) => {
      for (const one of operations) one.user = 'somebody else';
    });
    const run = readHistory(lie);
    expect(judgeRun(run).map(({ invariant }) => invariant)).toContain('I2');
    run.forgotten.push({ from_ms: 0, to_ms: 9_000 });
    expect(judgeRun(run).map(({ invariant }) => invariant)).not.toContain('I2');
  });

  it('with copies of a wish on both sides of what was lost asks nobody to ask again', () => {
    const run = readHistory(aFile('both sides'));
    const first = run.operations.find(({ key }) => key !== null);
    if (!first) throw new Error('the good history has a wish with a key');
    run.operations.push({ ...first, number: 99, invoked_ms: 9_000, returned_ms: 9_100 });
    run.forgotten.push({ from_ms: 9_050, to_ms: 9_200 });
    expect(judgeRun(run)).toEqual([]);
  });

  it('that is not complete, or of another format, is not judged', () => {
    const file = join(folder, 'half');
    writeFileSync(file, '{"kind":"mark","name":"x","at_ms":1}\n');
    expect(() => readHistory(file)).toThrow('what there was in the end');
    writeFileSync(file, '{"kind":"run","format":2,"scenario":"x","seed":1,"wall_offset_ms":0}\n');
    expect(() => readHistory(file)).toThrow('format 2');
  });
});
