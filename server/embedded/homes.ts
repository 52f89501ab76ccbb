import { createHash } from 'node:crypto';
import { chmod, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import { SHARED_HOME } from './binaries.ts';
import { canReach, makePrivate, type ServiceUser } from './users.ts';

/** The kernel allows 107 bytes for a socket's path; `/.s.PGSQL.5432` is the longest name we add. */
const SOCKET_FOLDER_BYTES = 107 - '/.s.PGSQL.5432'.length;

/**
 * The folder of one service inside the data folder. When the service's user cannot get there (the
 * project lies under /root), it is a link to a folder that it can reach; deleting the data folder
 * still forgets the data.
 */
export async function serviceHome(
  dataFolder: string,
  name: string,
  user: ServiceUser,
): Promise<string> {
  const home = join(resolve(dataFolder), name);
  const existing = await realpath(home).catch(() => null);
  if (existing === null && !(await canReach(user, resolve(dataFolder)))) {
    const id = uuidv7({ clock: systemClock, random: systemRandom });
    const elsewhere = join(SHARED_HOME, `${name}-${id}`);
    await mkdir(elsewhere, { recursive: true });
    await chmod(SHARED_HOME, 0o755);
    await mkdir(dataFolder, { recursive: true });
    await symlink(elsewhere, home);
  }
  const folder = existing ?? (await realpath(home).catch(() => home));
  await makePrivate(user, folder);
  return realpath(folder);
}

/**
 * Where the service's socket is: in its home, or under the temporary folder if that is too long.
 */
export function socketPath(home: string): string {
  const inside = join(home, 'run');
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 12);
  const fits = Buffer.byteLength(inside) <= SOCKET_FOLDER_BYTES;
  return fits ? inside : join(tmpdir(), `voelgoed-${hash}`);
}

export async function socketFolder(home: string, user: ServiceUser): Promise<string> {
  const folder = socketPath(home);
  await makePrivate(user, folder);
  return folder;
}

/** A socket folder outside of the home goes with its service; inside it stays for the next time. */
export async function removeSocketFolder(home: string, folder: string): Promise<void> {
  if (!folder.startsWith(home)) await rm(folder, { recursive: true, force: true });
}
