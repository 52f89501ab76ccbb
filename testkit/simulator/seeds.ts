import type { RunSettings } from './run.ts';
import { runSchedule } from './run.ts';
import { type Mode, scheduleOf } from './schedule.ts';

export type SeedsFailure = Readonly<{ seed: number; mode: Mode; problems: readonly string[] }>;

/** What many seeds came to. */
export type SeedsReport = {
  schedules: number;
  commands: number;
  commits: number;
  steps: number;
  /** Seconds of simulated time. */
  simulated_s: number;
  faults: Record<string, number>;
  answers: Record<string, number>;
  failures: SeedsFailure[];
};

export type SeedsWanted = Readonly<{
  first: number;
  /** From one seed to the next: several workers share them. */
  step: number;
  mode: Mode | 'both';
  /** Of each schedule. */
  commands: number;
  /** Asked before each schedule, with how many were run. */
  isOver(schedules: number): boolean;
}>;

/** Failures that are kept; after so many nobody reads on. */
const MOST_FAILURES = 5;

export function modeOf(seed: number, mode: Mode | 'both'): Mode {
  if (mode !== 'both') return mode;
  return seed % 2 === 0 ? 'safety' : 'liveness';
}

/** One schedule after the other, in this thread. */
export async function simulateSeeds(
  { first, step, mode, commands, isOver }: SeedsWanted,
  settings: RunSettings = {},
): Promise<SeedsReport> {
  const report: SeedsReport = {
    schedules: 0,
    commands: 0,
    commits: 0,
    steps: 0,
    simulated_s: 0,
    faults: {},
    answers: {},
    failures: [],
  };
  for (let seed = first; !isOver(report.schedules); seed += step) {
    const schedule = scheduleOf(seed, modeOf(seed, mode), { size: commands });
    const { problems, world } = await runSchedule(schedule, settings);
    report.schedules++;
    report.commands += schedule.commands.length;
    report.commits += world.database.commits.length;
    report.steps += world.simulation.steps;
    report.simulated_s += world.simulation.time_ms / 1_000;
    for (const { kind } of schedule.faults) count(report.faults, kind);
    for (const { attempts } of world.ops) {
      for (const { answer } of attempts) count(report.answers, wordFor(answer));
    }
    if (problems.length === 0) continue;
    report.failures.push({ seed, mode: schedule.mode, problems });
    if (report.failures.length >= MOST_FAILURES) break;
  }
  return report;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

type Answer = Awaited<ReturnType<typeof runSchedule>>['world']['ops'][number]['attempts'][number];

export function wordFor(answer: Answer['answer']): string {
  if (answer === null) return 'nothing';
  if (typeof answer === 'string') return answer;
  if (answer.kind !== 'done') return answer.kind;
  return answer.replayed ? 'again' : answer.outcome.kind;
}
