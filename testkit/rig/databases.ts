import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import {
  ensureLogins,
  migrate,
  Postgres,
  servingUrls,
  withClient,
} from '@voelgoed/engine/postgres';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { type FaultProxy, startProxy } from '@voelgoed/faults/proxy';
import { type EmbeddedPostgres, startPostgres } from '@voelgoed/server/embedded';
import { eventually } from '#eventually';

const run = promisify(execFile);

/**
 * Only processes die here, never the machine: what the kernel has, a killed process does not take
 * away. Many connections: three nodes, and whoever exhausts them.
 */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_connections: '300',
  max_wal_senders: '4',
  // In its folder, which goes: a server that was killed and is not started again tidies nothing.
  dynamic_shared_memory_type: 'mmap',
};

/** The database of the rig: one server, or one that another follows and can take over from. */
export class RigDatabase {
  readonly #folder: string;
  readonly #secret: string;
  #primary: EmbeddedPostgres;
  #standby: EmbeddedPostgres | null = null;
  #replication: FaultProxy | null = null;
  #copies = 0;
  #home: string;
  #postgres: Postgres;

  private constructor(folder: string, home: string, secret: string, primary: EmbeddedPostgres) {
    this.#folder = folder;
    this.#home = home;
    this.#secret = secret;
    this.#primary = primary;
    this.#postgres = this.#open();
  }

  static async start(folder: string, secret: string): Promise<RigDatabase> {
    const home = await aFolder(folder, 'first');
    const primary = await startServer(home, {});
    await migrate(primary.ownerUrl);
    await ensureLogins(primary.ownerUrl, secret, { random: systemRandom, mayReset: true });
    return new RigDatabase(folder, home, secret, primary);
  }

  /** As the app role, not through any proxy. */
  get postgres(): Postgres {
    return this.#postgres;
  }

  get socket(): string {
    return this.#primary.socket;
  }

  /** All processes at once, as when the machine dies; it is started again by its supervisor. */
  async kill(): Promise<void> {
    const pid = this.#primary.pid();
    for (const one of [pid, ...childrenOf(pid)]) killOne(one);
    await eventually(() => this.#primary.pid() !== pid, { within_ms: 60_000 });
    await eventually(() => this.asSuperuser('select 1').catch(() => null), {
      within_ms: 60_000,
      every_ms: 20,
    });
  }

  /** The way by a proxy, for a node. */
  urlThrough(proxy: FaultProxy): string {
    const url = new URL(proxy.through(this.#primary.ownerUrl));
    url.searchParams.delete('host');
    return url.href;
  }

  get ownerUrl(): string {
    return this.#primary.ownerUrl;
  }

  get superuserUrl(): string {
    const url = new URL(this.#primary.superuserUrl);
    url.pathname = new URL(this.#primary.ownerUrl).pathname;
    return url.href;
  }

  async asSuperuser(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    return (await withClient(this.superuserUrl, (client) => client.query(text, values))).rows;
  }

  /**
   * Another server that follows this one by way of a proxy. Synchronous: nobody is told that
   * something is committed before the other one has it.
   */
  async follow(isSynchronous: boolean): Promise<FaultProxy> {
    const proxy = await startProxy({ upstream: { path: this.#primary.socket } });
    const home = await aFolder(this.#folder, `copy-${++this.#copies}`);
    await baseBackup(this.#primary.superuserUrl, this.#home, home);
    const { password } = new URL(this.#primary.superuserUrl);
    const where = `host=127.0.0.1 port=${proxy.port} user=postgres password=${password}`;
    this.#standby = await startServer(home, { primary_conninfo: where }, true);
    this.#replication = proxy;
    await eventually(
      async () => (await this.asSuperuser('select 1 from pg_stat_replication')).length > 0,
      { within_ms: 30_000 },
    );
    await this.#waitForStandby(isSynchronous);
    this.#home = home;
    return proxy;
  }

  /** The first server dies and the other takes over. */
  async failOver(): Promise<void> {
    const standby = this.#standby;
    if (!standby) throw new Error('somebody has to follow first');
    await this.#primary.die();
    await this.#replication?.close();
    await withClient(standby.superuserUrl, (client) => client.query('select pg_promote(true)'));
    await this.#postgres.close();
    this.#primary = standby;
    this.#standby = null;
    this.#replication = null;
    this.#postgres = this.#open();
    await this.asSuperuser(`alter system reset synchronous_standby_names`);
    await this.asSuperuser('select pg_reload_conf()');
  }

  async stop(): Promise<void> {
    await this.#postgres.close();
    await this.#standby?.stop();
    await this.#replication?.close();
    await this.#primary.stop();
  }

  async #waitForStandby(isSynchronous: boolean): Promise<void> {
    const names = isSynchronous ? '*' : '';
    await this.asSuperuser(`alter system set synchronous_standby_names = '${names}'`);
    await this.asSuperuser('select pg_reload_conf()');
    const wanted = isSynchronous ? 'sync' : 'async';
    await eventually(async () => {
      const [row] = await this.asSuperuser('select sync_state from pg_stat_replication');
      return row?.sync_state === wanted;
    });
  }

  #open(): Postgres {
    const { ownerUrl } = this.#primary;
    return new Postgres({
      ...servingUrls(ownerUrl, this.#secret),
      clock: systemClock,
      random: systemRandom,
      telemetry: silentTelemetry,
    });
  }
}

function childrenOf(pid: number): number[] {
  const parentOf = (one: string) => {
    try {
      return Number(readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
    } catch {
      return 0;
    }
  };
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.filter((name) => parentOf(name) === pid).map(Number);
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

async function aFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  return folder;
}

function startServer(
  dataFolder: string,
  more: Readonly<Record<string, string>>,
  isStandby = false,
): Promise<EmbeddedPostgres> {
  const quiet = () => {};
  const settings = { ...SETTINGS, ...more };
  return startPostgres({ dataFolder, settings, isStandby, log: quiet, onGone: quiet });
}

/** As an operator does it without any tool: tell Postgres, copy the files, tell it again. */
async function baseBackup(superuserUrl: string, from: string, to: string): Promise<void> {
  await withClient(superuserUrl, async (client) => {
    await client.query(`select pg_backup_start('rig', fast => true)`);
    await run('cp', ['-a', join(from, 'postgres'), to]).catch(copied);
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
    const data = join(to, 'postgres', 'data');
    await rm(join(data, 'postmaster.pid'), { force: true });
    // The sockets in it are the other server's.
    await rm(join(to, 'postgres', 'run'), { recursive: true, force: true });
    await run('cp', ['-a', `${join(from, 'postgres/data/pg_wal')}/.`, join(data, 'pg_wal')]).catch(
      copied,
    );
    for (const [name, text] of [
      ['backup_label', String(rows[0]?.labelfile)],
      ['standby.signal', ''],
    ] as const) {
      await writeFile(join(data, name), text);
      await run('chown', [`--reference=${data}`, join(data, name)]);
    }
  });
}

/** A file that was deleted while the others were copied is not needed: the log tells of it. */
function copied(error: unknown): void {
  const said = String((error as { stderr?: string }).stderr ?? error);
  const others = said.split('\n').filter((line) => line && !/No such file|vanished/.test(line));
  if (others.length > 0) throw new Error(others.join('\n'));
}
