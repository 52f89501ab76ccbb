/**
 * Clusters: a Postgres as Debian brings it, with psql and pg_dump of the same version, for what an
 * operator does with them; the embedded server has neither. It knows how to find, start and stop
 * it, and no table.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '@voelgoed/engine/postgres';
import { eventually } from '#eventually';
import { freePort } from '#redises';
import { aTestFolder } from '#services';

const run = promisify(execFile);
const HOME = '/usr/lib/postgresql';

export type Cluster = Readonly<{
  /** Where psql, pg_dump and pg_restore are. */
  programs: string;
  superuserUrl: string;
  /** Makes a database of an owner who is no superuser; the address is the owner's. */
  database(name: string): Promise<string>;
  stop(): Promise<void>;
}>;

/** The folder of the newest that is complete: a client alone has no server. */
export async function findDebianPostgres(): Promise<string | null> {
  const versions = (await readdir(HOME).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  for (const version of versions) {
    const folder = join(HOME, version, 'bin');
    const needed = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore'];
    const there = await Promise.all(
      needed.map((name) =>
        access(join(folder, name)).then(
          () => true,
          () => false,
        ),
      ),
    );
    if (there.every(Boolean)) return folder;
  }
  return null;
}

export async function startCluster(): Promise<Cluster> {
  const programs = await findDebianPostgres();
  if (programs === null) throw new Error("tests need pg_dump: install Debian's postgresql");
  const folder = await aTestFolder('cluster');
  const data = join(folder, 'data');
  await mkdir(data);
  await chmod(folder, 0o755);
  const user = await postgresUser();
  if (user) await chown(data, user.uid, user.gid);
  const flags = ['-A', 'trust', '-U', 'postgres', '--locale=C', '-E', 'UTF8', '--no-sync'];
  await run(join(programs, 'initdb'), ['-D', data, ...flags], { ...user, cwd: data });
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'fsync=off'];
  settings.push('unix_socket_directories=', 'max_connections=50');
  const args = ['-D', data, ...settings.flatMap((one) => ['-c', one])];
  const options = { ...user, cwd: data, stdio: 'ignore' } as const;
  const child = spawn(join(programs, 'postgres'), args, options);
  const superuserUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await eventually(() => withClient(superuserUrl, async () => true).catch(() => false), {
    within_ms: 30_000,
  });
  const owner = 'voelgoed_owner';
  await withClient(superuserUrl, (client) =>
    client.query(`create role ${owner} login createrole password 'owner'`),
  );
  return {
    programs,
    superuserUrl,
    database: async (name) => {
      await withClient(superuserUrl, (client) =>
        client.query(`create database ${name} owner ${owner}`),
      );
      return `postgres://${owner}:owner@127.0.0.1:${port}/${name}`;
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGINT');
      await gone;
    },
  };
}

/** A server refuses to run as root. */
async function postgresUser(): Promise<{ uid: number; gid: number } | null> {
  if (process.getuid?.() !== 0) return null;
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}
