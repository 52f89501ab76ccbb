import { judgeRun, readHistory } from '@voelgoed/faults/history';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Outcome, openRig, play, type Rig, SHORT } from '#rig';
import { printedRandom } from '#seeds';
import { aTestFolder } from '#services';
import { SCENARIOS } from './list.ts';
import { summaryOf } from './summary.ts';

/** These in short, at least one of every kind; `npm run faults` plays all of them, and longer. */
const PLAYED: readonly string[] = [
  ...['node-kill', 'rolling-restart', 'node-stopped', 'postgres-kill', 'commit-swallowed'],
  ...['lock-timeout', 'failover', 'failover-lossy', 'redis-loss', 'redis-corrupt'],
  ...['switchover'],
  ...['redis-partition', 'bad-network', 'moment-of-expiry', 'payment-messages', 'layout-change'],
];
const LOAD = { seconds: 1, before_s: 1, workers: 12, viewers: 12 };
/** The machine is not ours alone: what heals, heals in time, by a slower clock. */
const FACTOR = 6;

const { seed } = printedRandom('scenarios');
const outcomes: Outcome[] = [];
let rig: Rig | null = null;
let folder = '';

beforeAll(async () => {
  folder = await aTestFolder('scenarios');
});

afterAll(async () => {
  await rig?.stop();
  console.log(summaryOf(outcomes));
});

it.each(PLAYED)(
  '%s',
  {
    timeout: 240_000,
  },
  async (name) => {
    const scenario = SCENARIOS.find((one) => one.name === name);
    if (!scenario) throw new Error('every name has its scenario');
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    rig ??= await openRig(folder, seed, { workers: LOAD.workers, factor: FACTOR, pace: SHORT });
    const options = { ...LOAD, seed, factor: FACTOR, historyFolder: folder, say };
    try {
      const outcome = await play(rig, scenario, options);
      outcomes.push(outcome);
      expect(outcome.violations, lines.join('\n')).toEqual([]);
      expect(outcome.counts.done).toBeGreaterThan(0);
    } catch (error) {
      const ended = rig.nodes.filter((node) => !node.isAlive).map((node) => node.lastWords());
      // Whatever state it is in, the next scenario gets another one.
      await rig.stop();
      rig = null;
      throw ended.length === 0 ? error : new Error(ended.join('\n'), { cause: error });
    }
  },
);

it('would notice: a history with a lie in it is judged', () => {
  const run = readHistory(outcomes[0]?.history ?? '');
  expect(judgeRun(run)).toEqual([]);
  const told = run.operations.findIndex(
    ({ asked, outcome, holds }) => asked.op === 'hold' && outcome === 'done' && holds.length > 0,
  );
  const operation = run.operations[told];
  if (operation) run.operations[told] = { ...operation, user: 'somebody else' };
  expect(judgeRun(run).map(({ invariant }) => invariant)).toContain('I2');
});
