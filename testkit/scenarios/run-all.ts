import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reasonOf, systemClock } from '@voelgoed/engine/kit';
import { type Outcome, openRig, play, type Rig } from '#rig';
import { startTestServices, stopWhenInterrupted } from '#services';
import { SCENARIOS } from './list.ts';
import { RESTORE, type RunOptions } from './options.ts';
import { restore } from './restore.ts';
import { type NotPlayed, summaryOf } from './summary.ts';

const BEFORE_S = 3;

/** All that was asked for, one after the other on one rig; true when every promise was kept. */
export async function runAll(options: RunOptions): Promise<boolean> {
  const { stop, ...services } = await startTestServices();
  const history = options.history ?? (await mkdtemp(join(services.folder, 'history-')));
  await mkdir(history, { recursive: true });
  const outcomes: Outcome[] = [];
  const problems: string[] = [];
  const notPlayed: NotPlayed[] = [];
  let rig: Rig | null = null;
  stopWhenInterrupted(async () => {
    await rig?.stop();
    await stop();
  });
  try {
    for (const name of options.names) {
      console.log(`\n${name} (${options.seconds} s, seed ${options.seed})`);
      const say = (line: string) => console.log(`  ${line}`);
      const lacking = SCENARIOS.find((one) => one.name === name)?.lacks?.() ?? null;
      if (lacking !== null) {
        notPlayed.push({ name, lacking });
        say(`not played: needs ${lacking}`);
        continue;
      }
      if (name === RESTORE) {
        const { seconds, seed } = options;
        const found = await restore({ services, seconds, seed, say });
        problems.push(...found.map((one) => `${name}: ${one}`));
        console.log(found.length > 0 ? `  BROKEN: ${found[0]}` : '  every promise was kept');
        continue;
      }
      try {
        rig ??= await openRig(services.folder, options.seed, options);
        const outcome = await playOne(rig, name, options, history, say);
        outcomes.push(outcome);
        await writeFile(verdictFile(outcome), `${JSON.stringify(outcome, null, 2)}\n`);
        tell(outcome, say);
      } catch (error) {
        // The rig may be in any state now; the next scenario gets another one.
        problems.push(`${name}: ${reasonOf(error)}`);
        say(`CANNOT BE PLAYED: ${reasonOf(error)}`);
        await rig?.stop();
        rig = null;
      }
    }
  } finally {
    await rig?.stop();
    await stop();
  }
  console.log(`\n${summaryOf(outcomes, notPlayed)}`);
  for (const problem of problems) console.log(problem);
  if (options.json) await writeJson(options.json, options, { outcomes, notPlayed, problems });
  return problems.length === 0 && outcomes.every(({ violations }) => violations.length === 0);
}

/** Beside the history that it is about. */
function verdictFile({ history }: Outcome): string {
  return history.replace(/ndjson$/, 'verdict.json');
}

function playOne(
  rig: Rig,
  name: string,
  { seconds, seed, viewers, workers, factor }: RunOptions,
  historyFolder: string,
  say: (line: string) => void,
): Promise<Outcome> {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (!scenario) throw new Error(`there is no scenario ${name}`);
  const common = { seconds, seed, viewers, workers, factor, historyFolder, say };
  return play(rig, scenario, { ...common, before_s: BEFORE_S });
}

function tell({ counts, lasted_s, violations }: Outcome, say: (line: string) => void): void {
  const { operations, done, refused, failed, unknown } = counts;
  const words = `${done} done, ${refused} refused, ${failed} failed, ${unknown} unknown`;
  say(`${operations} operations in ${lasted_s.toFixed(0)} s: ${words}`);
  for (const { invariant, message } of violations.slice(0, 20)) say(`${invariant} ${message}`);
  say(violations.length > 0 ? `BROKEN: ${violations.length} violations` : 'every promise was kept');
}

async function writeJson(
  file: string,
  { seconds, seed, workers, viewers }: RunOptions,
  played: Readonly<{
    outcomes: readonly Outcome[];
    notPlayed: readonly NotPlayed[];
    problems: readonly string[];
  }>,
): Promise<void> {
  const at = new Date(systemClock.now()).toISOString();
  const settings = { seconds, seed, workers, viewers };
  await writeFile(file, `${JSON.stringify({ at, settings, ...played }, null, 2)}\n`);
}
