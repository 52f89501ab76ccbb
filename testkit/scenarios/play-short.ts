import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Outcome, openRig, play, type Rig, SHORT } from '#rig';
import { printedRandom } from '#seeds';
import { aTestFolder } from '#services';
import { SCENARIOS } from './list.ts';
import { summaryOf } from './summary.ts';

const LOAD = { seconds: 1, before_s: 1, workers: 10, viewers: 10 };
/** Two rigs share the machine: what heals, heals in time, by a slower clock. */
const FACTOR = 6;

type Played = Readonly<{ outcomes: readonly Outcome[]; rig(): Rig | null }>;

/**
 * Registers a test for each of these scenarios, on one rig and in short; `npm run faults` plays all
 * of them, and longer. Returns the list that the outcomes are added to, and the rig.
 */
export function playShort(names: readonly string[]): Played {
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

  it.each(names)('%s', { timeout: 240_000 }, async (name) => {
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
      // Whatever state it is in, the next scenario gets another rig.
      await rig.stop();
      rig = null;
      throw ended.length === 0 ? error : new Error(ended.join('\n'), { cause: error });
    }
  });
  return { outcomes, rig: () => rig };
}
