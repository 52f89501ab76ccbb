/**
 * Simulate: `npm run simulate`. Runs seed after seed on all cores and says how many and how fast. A
 * seed that fails is printed with the command that repeats it, made smaller, and told in the code's
 * own words. It knows the simulator and the command line; the exit code is 1 when a promise was
 * broken.
 */
import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { reasonOf, systemClock, systemRandom } from '@voelgoed/engine/kit';
import {
  type Mode,
  modeOf,
  runSchedule,
  type SeedsFailure,
  type SeedsReport,
  scheduleOf,
  shrink,
} from '#simulator';
import { GUARDS, type Guard } from '#stores';
import type { WorkerTask } from './worker.ts';

const USAGE = `npm run simulate -- [--seconds N] [--seeds N] [--seed N]
  [--mode safety|liveness|both] [--commands N] [--trace] [--json FILE]
  [--workers N] [--first N] [--without "guard, guard"]
guards: ${GUARDS.join(', ')}`;
/** A failure is made smaller for at most so long. */
const SHRINK_MS = 60_000;
/** Most objects live for one command: they should not be looked at by the slow collector. */
const YOUNG_MB = 64;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string' },
    seeds: { type: 'string' },
    seed: { type: 'string' },
    first: { type: 'string' },
    commands: { type: 'string', default: '200' },
    mode: { type: 'string', default: 'both' },
    trace: { type: 'boolean', default: false },
    json: { type: 'string' },
    workers: { type: 'string' },
    without: { type: 'string', default: '' },
  },
});

type Finished = Readonly<{ report: SeedsReport; cpu_ms: number }>;

function guardsOff(): Guard[] {
  const names = values.without.split(',').flatMap((name) => name.trim() || []);
  const isGuard = (name: string): name is Guard => (GUARDS as readonly string[]).includes(name);
  const unknown = names.find((name) => !isGuard(name));
  if (unknown !== undefined) throw new Error(`There is no guard "${unknown}".\n${USAGE}`);
  return names.filter(isGuard);
}

function modeGiven(): Mode | 'both' {
  const { mode } = values;
  if (mode === 'safety' || mode === 'liveness' || mode === 'both') return mode;
  throw new Error(`There is no mode "${mode}".\n${USAGE}`);
}

function numberOf(text: string | undefined, otherwise: number): number {
  const number = Number(text ?? otherwise);
  if (!(number >= 0)) throw new Error(`"${text}" is not a number from 0 on.\n${USAGE}`);
  return number;
}

function sizeGiven(): { size: number } {
  return { size: numberOf(values.commands, 200) };
}

/** One seed, with what is wrong with it and, if asked for, its story. */
async function one(seed: number): Promise<void> {
  const mode = modeOf(seed, modeGiven());
  const off = new Set(guardsOff());
  const { problems, world } = await runSchedule(scheduleOf(seed, mode, sizeGiven()), {
    off,
    trace: values.trace,
  });
  for (const line of world.trace.lines) console.log(line);
  const { faults, commands } = world.schedule;
  console.log(`seed ${seed}, ${mode}: ${commands.length} commands, ${faults.length} faults,`);
  console.log(`${world.database.commits.length} commits, ${problems.length} problems`);
  for (const problem of problems) console.log(`  BROKEN: ${problem}`);
  if (problems.length > 0) await makeSmaller({ seed, mode, problems });
}

async function makeSmaller({ seed, mode, problems }: SeedsFailure): Promise<void> {
  const until_ms = systemClock.monotonic() + SHRINK_MS;
  const isOver = () => systemClock.monotonic() >= until_ms;
  const off = new Set(guardsOff());
  const shrunk = await shrink(scheduleOf(seed, mode, sizeGiven()), problems, { off, isOver });
  const { commands, faults } = shrunk.schedule;
  console.log(
    `\nAfter ${shrunk.runs} runs ${commands.length} commands and ${faults.length} faults`,
  );
  console.log('are left, and it still fails:');
  const { world } = await runSchedule(shrunk.schedule, { off, trace: true });
  for (const line of world.trace.lines) console.log(line);
  for (const problem of shrunk.problems) console.log(`  BROKEN: ${problem}`);
  process.exitCode = 1;
}

function work(task: WorkerTask): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: task,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function many(): Promise<void> {
  const seconds = numberOf(values.seconds, 10);
  const seeds = numberOf(values.seeds, 0);
  const workers = Math.max(1, numberOf(values.workers, availableParallelism()));
  const first = numberOf(values.first, Math.floor(systemRandom.next() * 2 ** 30));
  const [mode, off] = [modeGiven(), guardsOff()];
  console.log(`seeds from ${first} on ${workers} cores (${mode})`);
  const started = systemClock.monotonic();
  const finished = await Promise.all(
    Array.from({ length: workers }, (_, index) =>
      work({
        first: first + index,
        step: workers,
        mode,
        commands: sizeGiven().size,
        seconds,
        seeds: seeds / workers,
        off,
      }),
    ),
  );
  const took_s = (systemClock.monotonic() - started) / 1_000;
  const summary = summaryOf(finished, took_s);
  console.log(summary.sentence);
  if (values.json)
    await writeFile(values.json, JSON.stringify({ first, mode, ...summary }, null, 2));
  for (const { seed, mode: its, problems } of summary.failures) {
    const size = values.commands === '200' ? '' : ` --commands ${values.commands}`;
    const without = off.length === 0 ? '' : ` --without "${off.join(', ')}"`;
    const again = `npm run simulate -- --seed ${seed} --mode ${its}${size}${without} --trace`;
    console.log(`\nseed ${seed} (${its}) fails; to repeat it: ${again}`);
    for (const problem of problems.slice(0, 5)) console.log(`  BROKEN: ${problem}`);
  }
  const [worst] = summary.failures;
  if (worst) await makeSmaller(worst);
}

function summaryOf(finished: readonly Finished[], took_s: number) {
  const sum = (of: (one: Finished) => number) => finished.reduce((all, one) => all + of(one), 0);
  const schedules = sum(({ report }) => report.schedules);
  const commands = sum(({ report }) => report.commands);
  const commits = sum(({ report }) => report.commits);
  const cpu_ms = sum((one) => one.cpu_ms) / Math.max(1, schedules);
  const failures = finished.flatMap(({ report }) => report.failures);
  const rate = schedules / took_s;
  const sentence =
    `${schedules} schedules in ${took_s.toFixed(1)} s (${rate.toFixed(0)}/s; each takes ` +
    `${cpu_ms.toFixed(1)} ms of a core), ${commands} commands, ${commits} commits, ` +
    `${Math.round(sum(({ report }) => report.simulated_s))} simulated seconds: ` +
    `${failures.length === 0 ? 'every promise was kept' : `${failures.length} fail`}`;
  const faults = merged(finished.map(({ report }) => report.faults));
  const answers = merged(finished.map(({ report }) => report.answers));
  return {
    sentence,
    schedules,
    took_s,
    rate,
    cpu_ms,
    commands,
    commits,
    faults,
    answers,
    failures,
  };
}

function merged(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

async function main(): Promise<void> {
  if (values.seed === undefined) await many();
  else await one(numberOf(values.seed, 0));
}

await main()
  .catch((error: unknown) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  })
  // The channel to the wrapper would keep this process alive. What was said is heard first.
  .finally(() => process.stdout.write('', () => process.exit()));
