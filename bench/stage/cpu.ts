import { readdir, readFile } from 'node:fs/promises';

/** The kernel's unit in /proc/<pid>/stat on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Processor seconds of a process, the children it has and the children it had. Linux only: zero
 * elsewhere.
 */
export async function cpuSecondsOf(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(names.map(timesOf));
  const ticks = all.reduce((sum, one) => {
    if (!one) return sum;
    if (one.pid === pid) return sum + one.own + one.ended;
    return one.parent === pid ? sum + one.own : sum;
  }, 0);
  return ticks / TICKS_PER_SECOND;
}

async function timesOf(name: string) {
  const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The command may contain anything, also spaces: fields are counted from its closing bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index - 3]);
  return { pid: Number(name), parent: at(4), own: at(14) + at(15), ended: at(16) + at(17) };
}
