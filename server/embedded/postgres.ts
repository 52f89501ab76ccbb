import { execFile } from 'node:child_process';
import { chown, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatingError, systemRandom } from '@voelgoed/engine/kit';
import { withClient } from '@voelgoed/engine/postgres';
import { type Binaries, postgresBinaries } from './binaries.ts';
import { removeSocketFolder, serviceHome, socketFolder, socketPath } from './homes.ts';
import { isServerOf, waitUntilGone } from './process-table.ts';
import { type ServiceLog, startService } from './service.ts';
import { type ServiceUser, serviceUser } from './users.ts';

const run = promisify(execFile);

export type EmbeddedPostgres = Readonly<{
  /** For migrations and roles: owns the database, is no superuser. */
  ownerUrl: string;
  /** Only for tests, which make and drop databases. */
  superuserUrl: string;
  /** The unix socket, for a proxy in front of it. */
  socket: string;
  pid(): number;
  stop(): Promise<void>;
  /** Only for tests of failovers: killed, and not started again. */
  die(): Promise<void>;
}>;

export type PostgresOptions = Readonly<{
  dataFolder: string;
  /** Additional server settings, as `name: value`. */
  settings?: Readonly<Record<string, string>>;
  /** The folder has a copy of another server's, which it follows: nothing is made in it. */
  isStandby?: boolean;
  /** Added to the clean environment: the fault rig preloads a clock that can be set. */
  environment?: Readonly<Record<string, string>>;
  log: ServiceLog;
  onGone(error: Error): void;
}>;

const PORT = 5432;
const DATABASE = 'voelgoed';
const OWNER = 'voelgoed_owner';

/**
 * Every setting that differs from Postgres's own. No network: a unix socket in a folder that only
 * we can enter, so nothing collides with another server and nobody else can knock.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  log_line_prefix: '%m [%p] %a ',
};

/**
 * The owner's connection to the server that another process runs in this folder; null if none
 * does.
 */
export async function runningPostgres(dataFolder: string): Promise<string | null> {
  try {
    const home = await realpath(join(dataFolder, 'postgres'));
    const password = (await readFile(join(home, 'password'), 'utf8')).trim();
    const url = urlOf(OWNER, password, DATABASE, socketPath(home));
    return (await answers(url)) ? url : null;
  } catch {
    return null;
  }
}

export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const user = await serviceUser(join(options.dataFolder, 'postgres'));
  const binaries = await postgresBinaries(user);
  const home = await serviceHome(options.dataFolder, 'postgres', user);
  const data = join(home, 'data');
  const password = await initialise(home, data, binaries, user);
  await stopOrphan(data, options.log);
  const sockets = await socketFolder(home, user);
  const superuserUrl = urlOf('postgres', password, 'postgres', sockets);
  const settings = { ...SETTINGS, unix_socket_directories: sockets, ...options.settings };
  const service = await startService({
    name: 'Postgres',
    command: binaries.postgres,
    args: [
      '-D',
      data,
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    cwd: data,
    user,
    logFile: join(home, 'server.log'),
    environment: options.environment,
    isReady: () => answers(superuserUrl),
    stopSignal: 'SIGINT',
    log: options.log,
    onGone: options.onGone,
  });
  try {
    if (!options.isStandby) await createDatabase(superuserUrl, password);
  } catch (error) {
    await service.stop();
    throw error;
  }
  return {
    ownerUrl: urlOf(OWNER, password, DATABASE, sockets),
    superuserUrl,
    socket: join(sockets, `.s.PGSQL.${PORT}`),
    pid: service.pid,
    die: async () => {
      await service.die();
      await removeSocketFolder(home, sockets);
    },
    stop: async () => {
      await service.stop();
      await removeSocketFolder(home, sockets);
    },
  };
}

function urlOf(role: string, password: string, database: string, sockets: string): string {
  const host = encodeURIComponent(sockets);
  const where = `localhost:${PORT}/${database}?host=${host}&sslmode=disable`;
  return `postgresql://${role}:${password}@${where}`;
}

/** Makes the cluster once. It gets its name only when it is complete. Returns the password. */
async function initialise(
  home: string,
  data: string,
  binaries: Binaries,
  user: ServiceUser,
): Promise<string> {
  const passwordFile = join(home, 'password');
  if (await stat(data).catch(() => null)) return (await readFile(passwordFile, 'utf8')).trim();
  const password = Buffer.from(systemRandom.bytes(24)).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (user) await chown(passwordFile, user.uid, user.gid);
  const unfinished = `${data}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  const flags = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--username=postgres'];
  try {
    await run(binaries.initdb, ['-D', unfinished, ...flags, `--pwfile=${passwordFile}`], {
      cwd: home,
      env: { LC_ALL: 'C', TZ: 'UTC' },
      ...(user ? { uid: user.uid, gid: user.gid } : {}),
    });
  } catch (cause) {
    const said = (cause as { stderr?: string }).stderr?.trim() || String(cause);
    throw new OperatingError('service_failed', `initdb failed: ${said}`, {
      retryable: false,
      cause,
    });
  }
  await rename(unfinished, data);
  return password;
}

/**
 * A server that is still running on our data without an owner: ours was killed before it could
 * stop it. The data folder is claimed, so nobody else uses it. A process number that belongs to
 * something else by now would keep Postgres from starting: then only the file is removed.
 */
export async function stopOrphan(data: string, log: ServiceLog): Promise<void> {
  const pidFile = join(data, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!pid) return;
  if (!(await isServerOf(pid, 'postgres', data))) {
    await rm(pidFile, { force: true });
    return;
  }
  log(`A Postgres of an earlier run (process ${pid}) is still there and is stopped`);
  process.kill(pid, 'SIGINT');
  if (await waitUntilGone(pid, 15_000)) return;
  process.kill(pid, 'SIGQUIT');
  await waitUntilGone(pid, 15_000);
}

function answers(url: string): Promise<boolean> {
  return withClient(url, async () => true);
}

async function createDatabase(superuserUrl: string, password: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query('select from pg_roles where rolname = $1', [OWNER]);
    // The password is the one in our folder and has no character that needs quoting (base64url).
    const rights = `login createrole password '${password}'`;
    await client.query(`${rows.length > 0 ? 'alter' : 'create'} role ${OWNER} ${rights}`);
    // Migrations pass it on: an old snapshot of anybody's slows every commit, and must be seen.
    await client.query(`grant pg_read_all_stats to ${OWNER} with admin option`);
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE} owner ${OWNER}`);
  });
}
