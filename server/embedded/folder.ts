import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
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
  const draft = join(folder, `owner.${process.pid}`);
  // Written first and linked then: nobody ever reads half a claim.
  await writeFile(draft, mine);
  try {
    for (;;) {
      if (await takes(draft, file)) return { release: () => releaseOwn(file, mine) };
      const owner = await ownerOf(folder);
      if (owner !== null) throw inUse(folder, owner);
      // The claim of a dead owner is moved away, which only one of us can do.
      const stale = join(folder, `owner.stale.${process.pid}`);
      await rename(file, stale).catch(() => {});
      await rm(stale, { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function takes(draft: string, file: string): Promise<boolean> {
  return link(draft, file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

async function releaseOwn(file: string, mine: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === mine) await rm(file, { force: true });
}

function inUse(folder: string, owner: number): OperatingError {
  const message =
    `the data folder ${folder} is in use by another Voelgoed server (process ${owner}). ` +
    'Set DATA_DIR (and PORT) to run a second one.';
  return new OperatingError('data_dir_in_use', message, { retryable: false });
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
