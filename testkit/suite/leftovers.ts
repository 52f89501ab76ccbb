import { readdir, readFile, readlink } from 'node:fs/promises';
import { isAlive } from '@voelgoed/server/embedded';
import { testFolder } from '#services';

/**
 * Processes that work in, or were started from, the folder of a test run that is over. Another run
 * beside this one is nobody's leftover. Linux only.
 */
export async function leftovers(): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const mark = new RegExp(`${testFolder('')}(\\d+)`);
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    const owner = mark.exec(command)?.[1] ?? mark.exec(cwd)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) {
      found.push(`process ${pid}: ${command.replaceAll('\0', ' ').slice(0, 100)}`);
    }
  }
  return found;
}
