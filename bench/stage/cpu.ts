import { readdir, readFile } from 'node:fs/promises';

/**
 * Processor seconds of a process and of the children it has now. From the scheduler, which counts
 * nanoseconds; the usual times of a process are counted in hundredths of a second. Linux only: zero
 * elsewhere.
 */
export async function cpuSecondsOf(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const family = await Promise.all(
    names.map(async (name) => (await isOf(name, pid)) && nanosecondsOf(name)),
  );
  return family.reduce((sum: number, one) => sum + Number(one), 0) / 1e9;
}

async function isOf(name: string, pid: number): Promise<boolean> {
  if (Number(name) === pid) return true;
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
  // The command may contain anything, also spaces: fields are counted from its closing bracket.
  const [, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(parent) === pid;
}

async function nanosecondsOf(name: string): Promise<number> {
  const text = await readFile(`/proc/${name}/schedstat`, 'utf8').catch(() => '0');
  return Number(text.split(' ')[0]);
}
