import type { RunSettings } from './run.ts';
import { runSchedule } from './run.ts';
import type { Schedule } from './schedule.ts';

export type Shrunk = Readonly<{ schedule: Schedule; problems: readonly string[]; runs: number }>;

/** The same failure in another schedule: the words without names and numbers. */
export function kindOf(problem: string): string {
  return (problem.split(': wish')[0] ?? '').replaceAll(/[0-9a-f-]{36}|\d+/g, '#').slice(0, 80);
}

/**
 * Leaves out commands and faults while the failure stays: first large parts, then smaller ones,
 * until nothing more can go or the time is over. What is left out changes nothing about the luck of
 * the others, so most of what does not matter goes at once.
 */
export async function shrink(
  schedule: Schedule,
  problems: readonly string[],
  settings: RunSettings & Readonly<{ isOver(): boolean }>,
): Promise<Shrunk> {
  const kinds = new Set(problems.map(kindOf));
  let best: Shrunk = { schedule, problems, runs: 0 };
  const attempt = async (smaller: Schedule): Promise<boolean> => {
    const run = await runSchedule(smaller, settings);
    const same = run.problems.filter((problem) => kinds.has(kindOf(problem)));
    const runs = best.runs + 1;
    best = same.length > 0 ? { schedule: smaller, problems: same, runs } : { ...best, runs };
    return same.length > 0;
  };
  for (let size = -1; size !== sizeOf(best.schedule) && !settings.isOver(); ) {
    size = sizeOf(best.schedule);
    await leaveOut(() => best.schedule, 'faults', attempt, settings.isOver);
    await leaveOut(() => best.schedule, 'commands', attempt, settings.isOver);
  }
  return best;
}

function sizeOf({ commands, faults }: Schedule): number {
  return commands.length + faults.length;
}

async function leaveOut(
  current: () => Schedule,
  what: 'commands' | 'faults',
  attempt: (smaller: Schedule) => Promise<boolean>,
  isOver: () => boolean,
): Promise<void> {
  for (let size = current()[what].length; size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < current()[what].length; ) {
      if (isOver()) return;
      const list = current()[what] as readonly { index: number }[];
      const rest = [...list.slice(0, from), ...list.slice(from + size)];
      const isLess = await attempt({ ...current(), [what]: rest } as Schedule);
      if (!isLess) from += size;
    }
  }
}
