import { startProxy } from '@voelgoed/faults/proxy';
import { anOrganization } from '@voelgoed/testkit/builders';
import { control, type Off } from '@voelgoed/testkit/controls';
import { useDatabase } from '@voelgoed/testkit/database';
import { testServices } from '@voelgoed/testkit/services';
import type pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import type { Scope } from '#scope';
import { silentTelemetry } from '#telemetry';
import { Connection, type Finish } from './connection.ts';
import { type Postgres, withClient } from './postgres.ts';
import { statement } from './statement.ts';

const database = useDatabase();

const names = statement<{ name: string }>('test.names', 'select name from organizations');
const rename = statement<{ name: string }, [name: string]>(
  'test.rename',
  'update organizations set name = $1 returning name',
  { repeatable: true },
);
const lock = statement<{ name: string }>('test.lock', 'select name from organizations for update');
const broken = statement<object>('test.broken', 'select 1 / 0');

/** What is written here is no statement of the product: roles get rights that they do not have. */
beforeAll(async () => {
  await database.asOwner('grant select, update on organizations to voelgoed_writer');
  await database.asOwner('grant update (name) on organizations to voelgoed_app');
});

/** The tag of a successful COMMIT on the wire: message type C, length 11, "COMMIT". */
const COMMIT_TAG = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

async function nameOf(scope: Scope): Promise<string | undefined> {
  const rows = await database.postgres.transaction(scope, { name: 'test' }, (one) =>
    one.query(names()),
  );
  return rows[0]?.name;
}

async function renameTo(postgres: Postgres, scope: Scope, name: string): Promise<Finish<object>> {
  return postgres.writers.use(async (connection) => {
    await connection.begin(scope.organizationId, [lock()]);
    return connection.finish(rename(name));
  });
}

/** Pools whose writers go through a proxy. */
async function throughProxy(onChunk?: Parameters<typeof startProxy>[0]['onChunk']) {
  const path = `${new URL(testServices().ownerUrl).searchParams.get('host')}/.s.PGSQL.5432`;
  const proxy = await startProxy({ upstream: { path }, ...(onChunk ? { onChunk } : {}) });
  const url = new URL(proxy.through(database.appUrl));
  url.searchParams.delete('host');
  return { proxy, postgres: database.open({ appUrl: url.href, sizes: { writers: 1 } }) };
}

/** Reads every answer to COMMIT as COMMIT. */
function believing(client: pg.Client): pg.Client {
  const query = async (config: pg.QueryConfig) => {
    const answer = await client.query(config);
    return config.text === 'commit' ? { ...answer, command: 'COMMIT' } : answer;
  };
  const listening = { on: () => {}, off: () => {} };
  return { query, ...listening } as unknown as pg.Client;
}

/** A statement has failed, whoever sent it has overlooked that, and COMMIT follows. */
async function overlooked(off: Off): Promise<string[]> {
  const scope = await anOrganization(database.postgres, { name: 'Before' });
  const isBelieving = off.has('commit tag check');
  const finish = await withClient(database.writerUrl, async (client) => {
    const used = (isBelieving ? believing(client) : client) as unknown as pg.PoolClient;
    const connection = new Connection(used, systemClock, silentTelemetry);
    await connection.begin(scope.organizationId);
    await connection.query(rename('After'));
    await connection.query(broken()).catch(() => {});
    return connection.commit();
  });
  const isThere = (await nameOf(scope)) === 'After';
  if (finish.kind !== 'committed' || isThere) return [];
  return ['said to be committed, and is not there'];
}

describe('connection', () => {
  control('commit tag check', overlooked);

  it('locks, reads and writes in two exchanges', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const finish = await database.postgres.writers.use(async (connection) => {
      const [locked] = await connection.begin(scope.organizationId, [lock()]);
      expect(locked).toEqual([{ name: 'Before' }]);
      return connection.finish(rename('After'));
    });
    expect(finish).toEqual({ kind: 'committed', rows: [{ name: 'After' }] });
    expect(await nameOf(scope)).toBe('After');
  });

  it('takes a failed write for rolled back, although COMMIT answers without an error', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const finish = await database.postgres.writers.use(async (connection) => {
      await connection.begin(scope.organizationId);
      await connection.query(rename('After'));
      return connection.finish(broken());
    });
    expect(finish).toMatchObject({ kind: 'rolled_back', error: { code: '22012' } });
    expect(await nameOf(scope)).toBe('Before');
  });

  it('gives a clean connection back after every kind of failure', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const postgres = database.open({ sizes: { writers: 1 } });
    const failing = postgres.writers.use(async (connection) => {
      await connection.begin(scope.organizationId, [rename('After')]);
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    expect(await nameOf(scope)).toBe('Before');
    expect((await renameTo(postgres, scope, 'Later')).kind).toBe('committed');
  });

  it('says unknown when the answer to COMMIT is swallowed, and the write is there', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const { proxy, postgres } = await throughProxy();
    proxy.setToxic({ kind: 'swallow_reply', from: COMMIT_TAG });
    expect(await renameTo(postgres, scope, 'After')).toMatchObject({ kind: 'unknown' });
    expect(await nameOf(scope)).toBe('After');
    proxy.setToxic(null);
    expect(await renameTo(postgres, scope, 'Again')).toMatchObject({ kind: 'committed' });
    await postgres.close();
    await proxy.close();
  });

  it.each([
    ['BEGIN goes out', 'up', 'begin', 'failed'],
    ['the lock goes out', 'up', 'test.lock', 'failed'],
    ['the lock is answered', 'down', 'Before', 'failed'],
    ['the write goes out', 'up', 'After', 'unknown'],
    ['COMMIT goes out', 'up', 'commit', 'unknown'],
    ['the write is answered', 'down', 'UPDATE 1', 'unknown'],
    ['COMMIT is answered', 'down', 'COMMIT', 'unknown'],
    ['something else passes', 'down', 'no such bytes', 'committed'],
  ] as const)('knows what it knows when it is cut as %s: %s', async (_, way, bytes, expected) => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const { proxy, postgres } = await throughProxy((direction, chunk) =>
      direction === way && chunk.includes(bytes) ? 'cut' : 'pass',
    );
    const kind = await renameTo(postgres, scope, 'After').then(
      (finish) => finish.kind,
      () => 'failed',
    );
    expect(kind).toBe(expected);
    if (kind === 'failed') expect(await nameOf(scope)).toBe('Before');
    if (kind === 'committed') expect(await nameOf(scope)).toBe('After');
    await postgres.close();
    await proxy.close();
  });

  it('sends a statement of its own in one piece, again when nobody heard the answer', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const pieces: string[] = [];
    let cuts = 1;
    const { proxy, postgres } = await throughProxy((way, chunk) => {
      if (way === 'up' && chunk.includes('begin')) pieces.push(chunk.toString('latin1'));
      return way === 'down' && chunk.includes('COMMIT') && cuts-- > 0 ? 'cut' : 'pass';
    });
    expect(await postgres.ask(scope, rename('After'))).toEqual([{ name: 'After' }]);
    expect(pieces).toHaveLength(2);
    for (const piece of pieces) expect(piece).toMatch(/begin.*set_config.*test.rename.*commit/s);
    await postgres.close();
    await proxy.close();
  });
});
