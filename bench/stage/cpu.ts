import { readFile } from 'node:fs/promises';

/** Processor nanoseconds by process number, as the scheduler counts them. */
export type CpuTimes = ReadonlyMap<string, number>;

/** Linux only: zeros elsewhere. */
export async function cpuTimes(names: readonly string[]): Promise<CpuTimes> {
  const times = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(`/proc/${name}/schedstat`, 'utf8').catch(() => '0');
      return [name, Number(text.split(' ')[0])] as const;
    }),
  );
  return new Map(times);
}

/** Seconds between two readings. What has ended in between is left out, as nobody can read it. */
export function secondsBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [name, time]) => sum + time - (before.get(name) ?? 0), 0) / 1e9;
}

/** Clock ticks of /proc/…/stat: a hundred a second on every Linux that we know. */
const TICKS_PER_SECOND = 100;

/** Seconds of a process with all its threads, in steps of 10 ms. Linux only: nothing elsewhere. */
export async function processSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The fields after the command, which may contain anything, also spaces and brackets.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0] = fields.slice(11, 13).map(Number);
  return (user + system) / TICKS_PER_SECOND;
}
