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
  // A standby whose link was cut is back as soon as the link is.
  wal_retrieve_retry_interval: '100ms',
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
  /** What was mounted for a small disk. */
  readonly #mounts: string[] = [];
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
  async follow(isSynchronous: boolean, room_bytes?: number): Promise<FaultProxy> {
    const proxy = await startProxy({ upstream: { path: this.#primary.socket } });
    const home = await aFolder(this.#folder, `copy-${++this.#copies}`);
    await baseBackup(this.#primary.superuserUrl, this.#home, home);
    if (room_bytes !== undefined) this.#mounts.push(await smallDisk(home, room_bytes));
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

  /** What the standby has, which may be less. */
  async onStandby(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    if (!this.#standby) throw new Error('there is no standby');
    const url = new URL(this.#standby.superuserUrl);
    url.pathname = new URL(this.#primary.ownerUrl).pathname;
    return (await withClient(url.href, (client) => client.query(text, values))).rows;
  }

  /** The first server dies and the other takes over. */
  async failOver(): Promise<void> {
    const standby = this.#standby;
    if (!standby) throw new Error('somebody has to follow first');
    await this.#primary.die();
    await this.#promote(standby);
  }

  /**
   * As managed databases do it: the first server goes on and is read-only, the other takes over.
   * Returns the first.
   */
  async switchOver(): Promise<Former> {
    const standby = this.#standby;
    if (!standby) throw new Error('a standby has to follow first');
    const former = this.#primary;
    await this.asSuperuser('alter system set default_transaction_read_only = on');
    await this.asSuperuser('select pg_reload_conf()');
    // What was under way is committed or not by now; then the standby has all of it.
    await eventually(async () => (await this.asSuperuser(WRITING)).length === 0, HANDOVER);
    const [end] = await this.asSuperuser('select pg_current_wal_flush_lsn()::text as at');
    await eventually(async () => {
      const { rows } = await withClient(standby.superuserUrl, (client) =>
        client.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as all', [end?.at]),
      );
      return rows[0]?.all === true;
    }, HANDOVER);
    await this.#promote(standby);
    const { superuserUrl } = former;
    return {
      end: () => former.die(),
      listeners: async () =>
        (await withClient(superuserUrl, (client) => client.query(LISTENERS))).rows.length,
    };
  }

  async #promote(standby: EmbeddedPostgres): Promise<void> {
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

  /** The disk of the server has no byte left; returns what frees it. */
  async fillDisk(): Promise<() => Promise<void>> {
    const file = join(this.#home, 'postgres/data/base/filler');
    const full = await run('dd', ['if=/dev/zero', `of=${file}`, 'bs=4k']).catch(String);
    if (!String(full).includes('No space left')) throw new Error(`the disk is not full: ${full}`);
    return () => rm(file, { force: true });
  }

  /** Nothing of a server that has ended needs its small disk. */
  async removeSmallDisks(): Promise<void> {
    for (const folder of this.#mounts.splice(0)) await run('umount', [folder]);
  }

  /** Started again with a clock that `setClock` sets; null: with the machine's own. */
  async restart(preload: string | null): Promise<void> {
    await this.setClock(0);
    await this.#postgres.close();
    await this.#primary.stop();
    const fake = preload === null ? {} : fakeClock(preload, this.#clockFile);
    this.#primary = await startServer(this.#home, {}, true, fake);
    this.#postgres = this.#open();
  }

  /** Every process of the server reads it each time that it looks at its clock. */
  setClock(ahead_s: number): Promise<void> {
    const sign = ahead_s < 0 ? '-' : '+';
    return writeFile(this.#clockFile, `${sign}${Math.abs(ahead_s)}s\n`);
  }

  get #clockFile(): string {
    return join(this.#folder, 'clock');
  }

  async stop(): Promise<void> {
    await this.#postgres.close();
    await this.#standby?.stop();
    await this.#replication?.close();
    await this.#primary.stop();
    await this.removeSmallDisks();
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

/** A server that was the primary and is still there. */
export type Former = Readonly<{
  /** How many nodes still listen there, where no notice is sent any more. */
  listeners(): Promise<number>;
  end(): Promise<void>;
}>;

const LISTENERS = `select from pg_stat_activity where application_name = 'voelgoed listener'`;
const HANDOVER = { within_ms: 30_000, every_ms: 20 };
/** Transactions that have changed something and are not over. */
const WRITING = `select pid from pg_stat_activity
  where backend_xid is not null and pid <> pg_backend_pid()`;

/** The tables are on a disk with so much room left; the log of Postgres is not. Needs root. */
async function smallDisk(home: string, room_bytes: number): Promise<string> {
  const base = join(home, 'postgres/data/base');
  const before = `${base}.before`;
  await run('mv', [base, before]);
  await mkdir(base);
  const { stdout } = await run('du', ['-sk', before]);
  const size = `${Number.parseInt(stdout, 10) + Math.ceil(room_bytes / 1_024)}k`;
  await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', base]);
  await run('cp', ['-a', `${before}/.`, base]);
  await run('chown', [`--reference=${before}`, base]);
  await run('chmod', [`--reference=${before}`, base]);
  await rm(before, { recursive: true, force: true });
  return base;
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

function fakeClock(preload: string, file: string): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: preload,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // Only the time of day is set: nobody can set the other clocks of a machine.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}

function startServer(
  dataFolder: string,
  more: Readonly<Record<string, string>>,
  isStandby = false,
  environment: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const quiet = () => {};
  const settings = { ...SETTINGS, ...more };
  const handlers = { log: quiet, onGone: quiet };
  return startPostgres({ dataFolder, settings, isStandby, environment, ...handlers });
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
