import { readdir, readFile } from 'node:fs/promises';

/** Processor nanoseconds by process number, as the scheduler counts them. */
export type CpuTimes = ReadonlyMap<string, number>;

/** Of a process and the children it has now. Linux only: nothing elsewhere. */
export async function cpuTimesOf(pid: number): Promise<CpuTimes> {
  if (process.platform !== 'linux') return new Map();
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const family = await Promise.all(names.map((name) => isOf(name, pid)));
  return cpuTimes(names.filter((_, index) => family[index]));
}

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

async function isOf(name: string, pid: number): Promise<boolean> {
  if (Number(name) === pid) return true;
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
  // The command may contain anything, also spaces: fields are counted from its closing bracket.
  const [, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(parent) === pid;
}
