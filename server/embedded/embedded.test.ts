import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withClient } from '@voelgoed/engine/postgres';
import { eventually } from '@voelgoed/testkit/eventually';
import { aTestFolder, redisServer } from '@voelgoed/testkit/services';
import { afterEach, describe, expect, it } from 'vitest';
import {
  claimFolder,
  type EmbeddedPostgres,
  findRedisServer,
  isAlive,
  isClaimed,
  startPostgres,
  startRedis,
  stopOrphans,
} from './embedded.ts';

const asRoot = process.getuid?.() === 0;
const undo: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function folderNamed(...names: string[]): Promise<string> {
  const base = await aTestFolder('embedded');
  undo.push(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, ...names);
  await mkdir(folder, { recursive: true });
  return folder;
}

async function start(dataFolder: string) {
  const said: string[] = [];
  const postgres = await startPostgres({
    dataFolder,
    settings: { fsync: 'off', shared_buffers: '16MB' },
    log: (line) => said.push(line),
    onGone: (error) => said.push(error.message),
  });
  undo.push(postgres.stop);
  return { postgres, said };
}

async function ask({ ownerUrl }: EmbeddedPostgres, text: string): Promise<unknown[]> {
  return (await withClient(ownerUrl, (client) => client.query(text))).rows;
}

/** A server whose owner was killed with -9: returns the server's process number. */
async function startAndKillOwner(dataFolder: string): Promise<number> {
  const door = new URL('./embedded.ts', import.meta.url).href;
  const script = `const { startPostgres } = await import(${JSON.stringify(door)});
    const quiet = () => {};
    const options = { dataFolder: ${JSON.stringify(dataFolder)}, log: quiet, onGone: quiet };
    const postgres = await startPostgres(options);
    console.log(postgres.pid());`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const [pid] = (await once(owner.stdout, 'data')) as [Buffer];
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  return Number(pid.toString());
}

describe('embedded Postgres', { timeout: 60_000 }, () => {
  it('keeps its data over a stop and a second start', async () => {
    const folder = await folderNamed('data');
    const first = await start(folder);
    await ask(first.postgres, 'create table kept as select 42 as answer');
    await first.postgres.stop();
    expect(isAlive(first.postgres.pid())).toBe(false);
    const second = await start(folder);
    expect(await ask(second.postgres, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('comes back by itself after kill -9, with its data', async () => {
    const { postgres, said } = await start(await folderNamed('data'));
    await ask(postgres, 'create table kept as select 42 as answer');
    const killed = postgres.pid();
    process.kill(killed, 'SIGKILL');
    await eventually(() => postgres.pid() !== killed && said.includes('Postgres is back'), {
      within_ms: 30_000,
    });
    expect(await ask(postgres, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  it('stops the server that a killed owner left behind, and starts anew', async () => {
    const folder = await folderNamed('data');
    const orphan = await startAndKillOwner(folder);
    expect(isAlive(orphan)).toBe(true);
    const { postgres, said } = await start(folder);
    expect(said[0]).toContain(`process ${orphan}`);
    expect(isAlive(orphan)).toBe(false);
    expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is not kept out by a process number that belongs to somebody else now', async () => {
    const folder = await folderNamed('data');
    const first = await start(folder);
    await first.postgres.stop();
    const home = await realpath(join(folder, 'postgres'));
    await writeFile(join(home, 'data/postmaster.pid'), `${process.pid}\n`);
    const second = await start(folder);
    expect(await ask(second.postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(process.pid)).toBe(true);
  });

  it('begins again when the first initialisation was interrupted', async () => {
    const folder = await folderNamed('data');
    await mkdir(join(folder, 'postgres/data.unfinished'), { recursive: true });
    await writeFile(join(folder, 'postgres/data.unfinished/half'), 'x');
    const { postgres } = await start(folder);
    expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('works in a path with spaces that is too long for a socket', async () => {
    const folder = await folderNamed('a path with spaces', 'and quite long '.repeat(6).trim());
    const { postgres } = await start(folder);
    expect(Buffer.byteLength(postgres.socket)).toBeLessThan(108);
    expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.stop();
    await expect(stat(dirname(postgres.socket))).rejects.toThrow('ENOENT');
  });

  it.runIf(asRoot)('works as root in a folder that nobody else can enter', async () => {
    const closed = await folderNamed('closed');
    await chmod(closed, 0o700);
    const { postgres } = await start(join(closed, 'data'));
    expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }]);
    const home = await realpath(join(closed, 'data/postgres'));
    undo.unshift(() => rm(home, { recursive: true, force: true }));
    expect(home.startsWith('/var/lib/voelgoed/')).toBe(true);
  });

  it.runIf(asRoot)('does not run as root', async () => {
    const { postgres } = await start(await folderNamed('data'));
    expect((await stat(`/proc/${postgres.pid()}`)).uid).not.toBe(0);
  });

  it('shows the end of the log when it cannot start', async () => {
    const folder = await folderNamed('data');
    const first = await start(folder);
    await first.postgres.stop();
    const home = await realpath(join(folder, 'postgres'));
    await writeFile(join(home, 'data/postgresql.auto.conf'), `shared_buffers = 'nonsense'\n`);
    const failing = startPostgres({ dataFolder: folder, log: () => {}, onGone: () => {} });
    await expect(failing).rejects.toThrow(/could not be started.*server\.log[\s\S]*nonsense/);
  });
});

describe('embedded Redis', () => {
  it('comes back after kill -9 and stops when it is told to', async () => {
    const dataFolder = await folderNamed('data');
    const command = await redisServer();
    const said: string[] = [];
    const log = (line: string) => said.push(line);
    const redis = await startRedis({ command, dataFolder, log, onGone: () => {} });
    undo.push(redis.stop);
    const killed = redis.pid();
    process.kill(killed, 'SIGKILL');
    await eventually(() => said.includes('Redis is back'), { within_ms: 10_000 });
    expect(isAlive(killed)).toBe(false);
    await redis.stop();
    await stopOrphans(dataFolder, log);
    expect(isAlive(redis.pid())).toBe(false);
  });

  it('is not found where there is none', async () => {
    expect(await findRedisServer('/nowhere:')).toBeNull();
  });
});

describe('a claimed folder', () => {
  it('lets one process in and tells the other who is there', async () => {
    const folder = await folderNamed('data');
    const claim = await claimFolder(folder);
    expect(await isClaimed(folder)).toBe(true);
    await expect(claimFolder(folder)).rejects.toThrow(`in use by another Voelgoed server`);
    await claim.release();
    expect(await isClaimed(folder)).toBe(false);
  });

  it('is free again when its owner was killed', async () => {
    const folder = await folderNamed('data');
    const owner = spawn('sleep', ['60']);
    await writeFile(join(folder, 'owner'), `${owner.pid} 12345\n`);
    const claim = await claimFolder(folder);
    expect(await readFile(join(folder, 'owner'), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    await claim.release();
    owner.kill();
    await eventually(() => !isAlive(owner.pid ?? 0));
  });
});
