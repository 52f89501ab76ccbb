import { readdir, readFile } from 'node:fs/promises';

/** Processor nanoseconds by process number, as the scheduler counts them. */
export type CpuTimes = ReadonlyMap<string, number>;

/** Clock ticks of /proc/…/stat: a hundred a second on every Linux that we know. */
const TICK_NS = 1e7;

/** Of a process, its children and those it has had. Linux only: nothing elsewhere. */
export async function cpuTimesOf(pid: number): Promise<CpuTimes> {
  if (process.platform !== 'linux') return new Map();
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const family = await Promise.all(names.map((name) => isOf(name, pid)));
  const living = await cpuTimes(names.filter((_, index) => family[index]));
  const [user = 0, system = 0] = (await statOf(String(pid))).slice(13, 15).map(Number);
  return new Map([...living, ['ended', (user + system) * TICK_NS]]);
}

/** Seconds of a process with all its threads, in steps of 10 ms. Linux only: nothing elsewhere. */
export async function processSeconds(pid: number): Promise<number> {
  const [user = 0, system = 0] = (await statOf(String(pid))).slice(11, 13).map(Number);
  return ((user + system) * TICK_NS) / 1e9;
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

/** Seconds between two readings. */
export function secondsBetween(before: CpuTimes, after: CpuTimes): number {
  return (sum(after) - sum(before)) / 1e9;
}

function sum(times: CpuTimes): number {
  return [...times.values()].reduce((all, time) => all + time, 0);
}

async function isOf(name: string, pid: number): Promise<boolean> {
  if (Number(name) === pid) return true;
  const [, parent] = await statOf(name);
  return Number(parent) === pid;
}

/** The fields after the command, which may contain anything, also spaces and brackets. */
async function statOf(name: string): Promise<string[]> {
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
