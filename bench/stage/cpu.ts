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
