import { access, constants, readFile, realpath, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { removeSocketFolder, serviceHome, socketFolder, socketPath } from './homes.ts';
import { isServerOf, waitUntilGone } from './process-table.ts';
import { type ServiceLog, startService } from './service.ts';
import { serviceUser } from './users.ts';

export type EmbeddedRedis = Readonly<{
  /** The unix socket's path; the Redis client takes it in place of a URL. */
  url: string;
  pid(): number;
  stop(): Promise<void>;
}>;

const SOCKET = 'redis.sock';

/** Redis or Valkey, whichever the machine has. */
export async function findRedisServer(path: string): Promise<string | null> {
  for (const name of ['redis-server', 'valkey-server']) {
    for (const folder of path.split(delimiter)) {
      const file = join(folder, name);
      const runs = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (folder && runs) return file;
    }
  }
  return null;
}

/**
 * A private Redis that keeps nothing on disk: it is a cache that may vanish at any moment, and the
 * truth is in Postgres. When memory is full it refuses writes; evicting a claim would be a silent
 * lie.
 */
export async function startRedis(options: {
  command: string;
  dataFolder: string;
  log: ServiceLog;
  onGone(error: Error): void;
}): Promise<EmbeddedRedis> {
  const user = await serviceUser(join(options.dataFolder, 'redis'));
  const home = await serviceHome(options.dataFolder, 'redis', user);
  await stopOrphan(home, options.log);
  const sockets = await socketFolder(home, user);
  const socket = join(sockets, SOCKET);
  await rm(socket, { force: true });
  const settings: Record<string, string> = {
    port: '0',
    unixsocket: socket,
    unixsocketperm: '700',
    dir: home,
    pidfile: join(home, 'redis.pid'),
    save: '',
    appendonly: 'no',
    maxmemory: '512mb',
    'maxmemory-policy': 'noeviction',
  };
  const service = await startService({
    name: 'Redis',
    command: options.command,
    args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
    cwd: home,
    user,
    logFile: join(home, 'server.log'),
    isReady: () => answers(socket),
    stopSignal: 'SIGTERM',
    log: options.log,
    onGone: options.onGone,
  });
  const stop = async () => {
    await service.stop();
    await removeSocketFolder(home, sockets);
  };
  return { url: socket, pid: service.pid, stop };
}

/** The address of a Redis that a server started in this folder; null when none answers. */
export async function runningRedis(dataFolder: string): Promise<string | null> {
  const home = await realpath(join(dataFolder, 'redis')).catch(() => null);
  if (home === null) return null;
  const socket = join(socketPath(home), SOCKET);
  return (await answers(socket)) ? socket : null;
}

export async function stopOrphan(home: string, log: ServiceLog): Promise<void> {
  const pid = Number(await readFile(join(home, 'redis.pid'), 'utf8').catch(() => ''));
  if (!pid || !(await isServerOf(pid, '-server', home))) return;
  log(`A Redis of an earlier run (process ${pid}) is still there and is stopped`);
  process.kill(pid, 'SIGTERM');
  if (!(await waitUntilGone(pid, 5_000))) process.kill(pid, 'SIGKILL');
  await waitUntilGone(pid, 5_000);
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.setTimeout(1_000, () => connection.destroy());
    connection.once('connect', () => connection.write('PING\r\n'));
    connection.once('data', (reply) => {
      resolve(reply.toString().startsWith('+PONG'));
      connection.destroy();
    });
    connection.once('error', () => resolve(false));
    connection.once('close', () => resolve(false));
  });
}
