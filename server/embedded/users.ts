import { chmod, chown, lstat, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A user of the operating system that a service runs as; null means: as we ourselves. */
export type ServiceUser = Readonly<{ uid: number; gid: number; name: string }> | null;

/**
 * Postgres refuses to run as root, rightly. As root we use Debian's `postgres` user if it is there,
 * else `nobody`; as anybody else we are that user ourselves.
 */
export async function serviceUser(home: string): Promise<ServiceUser> {
  if (process.getuid?.() !== 0) return null;
  // Data that is there already belongs to somebody: it stays theirs.
  const owner = await stat(home).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `${owner.uid}` };
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const entry = lines.find((fields) => fields[0] === name);
    if (entry) return { uid: Number(entry[2]), gid: Number(entry[3]), name };
  }
  throw new Error('running as root needs a user "postgres" or "nobody" for the embedded Postgres');
}

/** Can this user walk into the folder? All folders above it must let others pass. */
export async function canReach(user: ServiceUser, folder: string): Promise<boolean> {
  if (user === null) return true;
  for (let path = folder; ; path = dirname(path)) {
    const entry = await stat(path).catch(() => null);
    if (entry && !mayEnter(user, entry)) return false;
    if (path === dirname(path)) return true;
  }
}

function mayEnter(
  user: NonNullable<ServiceUser>,
  entry: { uid: number; gid: number; mode: number },
): boolean {
  if (entry.uid === user.uid) return (entry.mode & 0o100) !== 0;
  if (entry.gid === user.gid) return (entry.mode & 0o010) !== 0;
  return (entry.mode & 0o001) !== 0;
}

/**
 * A folder that only this user (and root) can look into. One that exists is not given to anybody
 * else; a link in its place would be somebody's trap.
 */
export async function makePrivate(user: ServiceUser, folder: string): Promise<void> {
  const existing = await lstat(folder).catch(() => null);
  if (existing?.isSymbolicLink()) throw new Error(`${folder} is a link; remove it`);
  const wanted = user?.uid ?? process.getuid?.();
  if (existing && existing.uid !== wanted && existing.uid !== 0) {
    throw new Error(`${folder} belongs to user ${existing.uid}; run as that user, or remove it`);
  }
  await mkdir(folder, { recursive: true });
  if (user) await chown(folder, user.uid, user.gid);
  await chmod(folder, 0o700);
}
