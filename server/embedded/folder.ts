import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatingError } from '@voelgoed/engine/kit';
import { isAlive, startedAt } from './process-table.ts';

export type FolderClaim = Readonly<{ release(): Promise<void> }>;

/**
 * One server per data folder. The claim names its owner by process number and start time, so that a
 * number that the system gave to somebody else after a crash does not keep us out.
 */
export async function claimFolder(folder: string): Promise<FolderClaim> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'owner');
  const mine = `${process.pid} ${await startedAt(process.pid)}\n`;
  for (;;) {
    try {
      await writeFile(file, mine, { flag: 'wx' });
      return { release: () => rm(file, { force: true }) };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const owner = await ownerOf(folder);
    if (owner !== null) {
      const message =
        `the data folder ${folder} is in use by another Voelgoed server (process ${owner}). ` +
        `Set DATA_DIR (and PORT) to run a second one.`;
      throw new OperatingError('data_dir_in_use', message, { retryable: false });
    }
    await rm(file, { force: true });
  }
}

export async function isClaimed(folder: string): Promise<boolean> {
  return (await ownerOf(folder)) !== null;
}

/** The living process that has claimed the folder. */
async function ownerOf(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'owner'), 'utf8').catch(() => '');
  const [pid = '0', started = ''] = text.trim().split(' ');
  const alive = Number(pid) > 0 && isAlive(Number(pid));
  return alive && (await startedAt(Number(pid))) === started ? Number(pid) : null;
}
