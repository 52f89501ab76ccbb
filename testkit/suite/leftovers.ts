import { readdir, readFile, readlink } from 'node:fs/promises';
import { testFolder } from '#services';

/** Processes that work in, or were started from, a folder of this test run. Linux only. */
export async function leftovers(): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const mark = testFolder('');
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if (command.includes(mark) || cwd.startsWith(mark)) {
      found.push(`process ${pid}: ${command.replaceAll('\0', ' ').slice(0, 100)}`);
    }
  }
  return found;
}
