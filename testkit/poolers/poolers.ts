/**
 * Poolers: a real PgBouncer between a test and its database. It knows how to start it in each of
 * its modes and to stop it; what should become of nodes behind it is the tests'.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, constants, stat, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { withClient } from '@voelgoed/engine/postgres';
import { eventually } from '#eventually';
import { freePort } from '#redises';
import { aTestFolder } from '#services';

export type PoolMode = 'session' | 'transaction' | 'statement';

export type Pooler = Readonly<{
  /** The same URL, but by way of the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}>;

/** Debian has it where only root looks. */
const ALSO = '/usr/sbin';

export async function findPgBouncer(path: string): Promise<string | null> {
  for (const folder of [...path.split(delimiter).filter(Boolean), ALSO]) {
    const file = join(folder, 'pgbouncer');
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/** `urls` are those of the roles that may log in; all are on the same unix socket. */
export async function startPgBouncer(
  mode: PoolMode,
  urls: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Pooler> {
  const command = await findPgBouncer(process.env.PATH ?? '');
  if (command === null) throw new Error("tests need pgbouncer: install Debian's pgbouncer");
  const folder = await aTestFolder('pgbouncer');
  const port = await freePort();
  const sockets = new URL(urls[0] ?? '').searchParams.get('host') ?? '';
  const users = urls.map((url) => {
    const { username, password } = new URL(url);
    return `"${username}" "${decodeURIComponent(password)}"`;
  });
  const all = {
    ...{ listen_addr: '127.0.0.1', listen_port: String(port), unix_socket_dir: '' },
    ...{ auth_type: 'scram-sha-256', auth_file: join(folder, 'users.txt') },
    ...{ pool_mode: mode, default_pool_size: '60', max_client_conn: '200' },
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const config = ['[databases]', `* = host=${sockets} port=5432`, '[pgbouncer]', ...lines];
  // It refuses to run as root, and only the user of Postgres may enter the folder of its socket.
  const { uid, gid } = await stat(sockets);
  const files = [
    ['pgbouncer.ini', config],
    ['users.txt', users],
  ] as const;
  await chmod(folder, 0o755);
  for (const [name, text] of files) {
    await writeFile(join(folder, name), `${text.join('\n')}\n`, { mode: 0o600 });
    if (process.getuid?.() === 0) await chown(join(folder, name), uid, gid);
  }
  const user = process.getuid?.() === 0 ? { uid, gid } : {};
  const child = spawn(command, ['-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore', ...user });
  const through = (url: string) => {
    const changed = new URL(url);
    changed.host = `127.0.0.1:${port}`;
    changed.searchParams.delete('host');
    return changed.href;
  };
  await eventually(() => withClient(through(urls[0] ?? ''), async () => true).catch(() => false), {
    within_ms: 20_000,
  });
  return {
    through,
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      // It waits for clients that are still there.
      child.kill('SIGQUIT');
      await gone;
    },
  };
}
