import { type FaultProxy, startProxy } from '@voelgoed/faults/proxy';
import { control } from '@voelgoed/testkit/controls';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { testServices } from '@voelgoed/testkit/services';
import { afterEach, describe, expect, it } from 'vitest';
import { manualClock, systemClock, systemRandom } from '#kit';
import { silentTelemetry } from '#telemetry';
import { Servers } from './addresses.ts';
import { Pool, type PoolKind } from './pool.ts';
import { Postgres, withClient } from './postgres.ts';
import { statement } from './statement.ts';

const database = useDatabase();
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const pid = statement<{ pid: number }>('test.pid', 'select pg_backend_pid() as pid');
const write = statement<object>(
  'test.write',
  `update event_boards set revision = revision where false`,
);
const setting = statement<{ value: string }, [name: string]>(
  'test.setting',
  'select current_setting($1) as value',
);

function aPool(url: string, more: Partial<ConstructorParameters<typeof Pool>[0]> = {}): Pool {
  const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
  const pool = new Pool({ ...tools, kind: 'writers' as PoolKind, url, size: 2, ...more });
  undo.push(() => pool.close());
  return pool;
}

const pidOf = async (pool: Pool) => (await pool.use((one) => one.query(pid())))[0]?.pid;

/** A way to the server of its own. */
async function aHost(): Promise<FaultProxy> {
  const path = `${new URL(testServices().ownerUrl).searchParams.get('host')}/.s.PGSQL.5432`;
  const proxy = await startProxy({ upstream: { path } });
  undo.push(() => proxy.close());
  return proxy;
}

function through(hosts: readonly FaultProxy[], url = database.appUrl): string {
  const changed = new URL(url);
  changed.searchParams.delete('host');
  const [scheme, login, rest] = /^(\w+:\/\/)([^@]*@)[^/]*(.*)$/.exec(changed.href)?.slice(1) ?? [];
  return `${scheme}${login}${hosts.map(({ address }) => address).join(',')}${rest}`;
}

/** For this role and database alone: other tests do not notice. */
async function readOnly(is: 'on' | 'off'): Promise<void> {
  await database.asSuperuser(
    `alter role voelgoed_app in database ${database.name}
     set default_transaction_read_only = ${is}`,
  );
}

describe('a connection', () => {
  it('has its limits by a statement, not by parameters that a pooler ignores', async () => {
    const pool = aPool(database.appUrl);
    const value = async (name: string) =>
      (await pool.use((one) => one.query(setting(name))))[0]?.value;
    expect(await value('statement_timeout')).toBe('2s');
    expect(await value('lock_timeout')).toBe('500ms');
    expect(await value('idle_in_transaction_session_timeout')).toBe('1s');
    expect(await value('plan_cache_mode')).toBe('force_generic_plan');
    expect(await value('enable_seqscan')).toBe('off');
  });

  it('is used for its life and not longer', async () => {
    const clock = manualClock();
    const pool = aPool(database.appUrl, { clock, life_ms: 60_000 });
    const first = await pidOf(pool);
    clock.advance(47_000);
    expect(await pidOf(pool)).toBe(first);
    clock.advance(13_000);
    expect(await pidOf(pool)).not.toBe(first);
  });

  it('lives for a time of its own: those made together do not end together', async () => {
    const clock = manualClock();
    const pool = aPool(database.appUrl, { clock, life_ms: 100_000, size: 8 });
    const together = () => Promise.all(Array.from({ length: 8 }, () => pidOf(pool)));
    const before = new Set(await together());
    expect(before.size).toBe(8);
    clock.advance(90_000);
    const kept = (await together()).filter((one) => before.has(one)).length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(8);
  });

  it('to a server that accepts no writes is not made, and the reason is said', async () => {
    const pool = aPool(database.appUrl);
    await readOnly('on');
    undo.push(() => readOnly('off'));
    await expect(pidOf(pool)).rejects.toThrow('is read-only');
  });
});

describe('a primary that became a standby under its connections', () => {
  it('is left by all pools at once, those of reading too', async () => {
    const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
    const sizes = { writers: 1, reads: 1 };
    const { appUrl, jobsUrl, writerUrl } = database;
    const postgres = new Postgres({ ...tools, appUrl, jobsUrl, writerUrl, sizes });
    undo.push(() => postgres.close());
    const reading = await pidOf(postgres.reads);
    await postgres.writers.use((one) => one.query(turnReadOnly()));
    await expect(postgres.writers.use((one) => one.query(write()))).rejects.toMatchObject({
      code: '25006',
    });
    expect(postgres.lastRefusal?.reason).toBe('read_only');
    expect(await pidOf(postgres.reads)).not.toBe(reading);
    await postgres.writers.use((one) => one.query(write()));
  });
});

/** The session itself: what `alter system` does to all of them. */
const turnReadOnly = statement<object>(
  'test.read_only',
  `select set_config('default_transaction_read_only', 'on', false)`,
);

control('generation of connections', async (off) => {
  const shared = new Servers(1);
  const servers = () => (off.has('generation of connections') ? new Servers(1) : shared);
  const writers = aPool(database.appUrl, { size: 1, servers: servers() });
  const reads = aPool(database.appUrl, { size: 1, kind: 'reads', servers: servers() });
  const before = await pidOf(reads);
  await writers.use((one) => one.query(turnReadOnly()));
  await writers.use((one) => one.query(write())).catch(() => {});
  return (await pidOf(reads)) === before ? ['a reader stays with the former primary'] : [];
});

describe('several hosts', () => {
  it('are tried until one can be reached, and again after it is lost', async () => {
    const [dead, first, second] = [await aHost(), await aHost(), await aHost()];
    dead.refuse();
    const pool = aPool(through([dead, first, second]), { size: 1 });
    await pool.use((one) => one.query(write()));
    expect([first.connections, second.connections]).toEqual([1, 0]);
    first.refuse();
    first.cutAll();
    await eventually(() => pool.use((one) => one.query(write())).then(Boolean, () => false));
    expect([first.connections, second.connections]).toEqual([0, 1]);
    // The one that failed first is back, and the only one.
    await dead.accept();
    second.refuse();
    second.cutAll();
    await eventually(() => pool.use((one) => one.query(write())).then(Boolean, () => false));
    expect(dead.connections).toBe(1);
  });

  it('are all asked for the one that accepts writes, by operations too', async () => {
    const [standby, primary] = [await aHost(), await aHost()];
    const proxy = await readOnlyHost(standby);
    const url = through([proxy, primary]);
    const pool = aPool(url, { size: 1 });
    await pool.use((one) => one.query(write()));
    expect(primary.connections).toBe(1);
    const operations = through([proxy, primary], database.ownerUrl);
    await withClient(operations, (client) => client.query(`select setval('write_probe', 1)`));
  });

  it('of which none can be used: each is named with its reason, the password is not', async () => {
    const [one, other] = [await aHost(), await aHost()];
    one.refuse();
    other.refuse();
    const url = through([one, other], database.ownerUrl);
    const failed = await withClient(url, async () => '').catch((error: Error) => error.message);
    expect(failed).toContain(`${one.address}: connect ECONNREFUSED`);
    expect(failed).toContain(`${other.address}: connect ECONNREFUSED`);
    expect(failed).not.toContain(new URL(database.ownerUrl).password);
  });
});

/** The answer of a standby to the question whether it is one: `t` instead of `f` on the wire. */
async function readOnlyHost(behind: FaultProxy): Promise<FaultProxy> {
  const READ_ONLY = Buffer.from('read_only\0');
  const proxy = await startProxy({
    upstream: { host: behind.host, port: behind.port },
    onChunk: (direction, chunk) => {
      if (direction === 'up' || !chunk.includes(READ_ONLY)) return 'pass';
      // A row begins with D, its length, the number of columns and the length of the first.
      const row = chunk.indexOf(Buffer.from([0, 0, 0, 1, 'f'.charCodeAt(0)]));
      if (row >= 0) chunk.write('t', row + 4, 'latin1');
      return 'pass';
    },
  });
  undo.push(() => proxy.close());
  return proxy;
}
