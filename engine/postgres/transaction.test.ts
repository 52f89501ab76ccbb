import { anOrganization } from '@voelgoed/testkit/builders';
import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import { beforeAll, describe, expect, it } from 'vitest';
import { manualClock, OperatingError, seededRandom, systemClock } from '#kit';
import { scopeOf } from '#scope';
import { recordingTelemetry } from '#telemetry';
import { statement } from './statement.ts';

const database = useDatabase();

const names = statement<{ name: string }>('test.names', 'select name from organizations');
const rename = statement<{ name: string }, [name: string]>(
  'test.rename',
  'update organizations set name = $1 returning name',
  { repeatable: true },
);
const lockRow = statement<object>('test.lock', 'select from organizations for update');
const sleep = statement<object, [seconds: number]>('test.sleep', 'select pg_sleep($1)');
const sleepLong = statement<object, [seconds: number]>('test.sleep_long', 'select pg_sleep($1)', {
  long: true,
});
const broken = statement<object>('test.broken', 'select 1 / 0');
const limit = statement<{ value: string }>(
  'test.limit',
  `select current_setting('statement_timeout') as value`,
);
const self = { name: 'test' };

/** No statement of the product gives an organization another name. */
beforeAll(() => database.asOwner('grant update (name) on organizations to voelgoed_app'));

describe('transaction', () => {
  it('sees and changes the rows of its own organization alone', async () => {
    const mine = await anOrganization(database.postgres, { name: 'Mine' });
    const other = await anOrganization(database.postgres, { name: 'Other' });
    const seen = await database.postgres.transaction(mine, self, async (transaction) => {
      await transaction.query(rename('Renamed'));
      return transaction.query(names());
    });
    expect(seen).toEqual([{ name: 'Renamed' }]);
    const others = await database.postgres.transaction(other, self, (one) => one.query(names()));
    expect(others).toEqual([{ name: 'Other' }]);
  });

  it('sees nothing without an organization', async () => {
    await anOrganization(database.postgres);
    const rows = await database.postgres.transaction(null, self, (one) => one.query(names()));
    expect(rows).toEqual([]);
  });

  it('does not leave its organization behind on the connection', async () => {
    const scope = await anOrganization(database.postgres);
    const postgres = database.open({ sizes: { reads: 1 } });
    await postgres.transaction(scope, self, (one) => one.query(names()));
    expect(await postgres.transaction(null, self, (one) => one.query(names()))).toEqual([]);
  });

  it('rolls back everything when the work throws', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const work = database.postgres.transaction(scope, self, async (transaction) => {
      await transaction.query(rename('After'));
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
    const rows = await database.postgres.transaction(scope, self, (one) => one.query(names()));
    expect(rows).toEqual([{ name: 'Before' }]);
  });

  it('rolls back when a swallowed error has already failed the transaction', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const work = database.postgres.transaction(scope, self, async (transaction) => {
      await transaction.query(rename('After'));
      await transaction.query(broken()).catch(() => {});
    });
    await expect(work).rejects.toThrow('COMMIT was answered by ROLLBACK');
    const rows = await database.postgres.transaction(scope, self, (one) => one.query(names()));
    expect(rows).toEqual([{ name: 'Before' }]);
  });

  it('runs again after a lock that was not to be had in time', async () => {
    const scope = await anOrganization(database.postgres);
    const telemetry = recordingTelemetry();
    const second = database.open({ telemetry, random: seededRandom(1) });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = database.postgres.transaction(scope, self, async (transaction) => {
      await transaction.query(lockRow());
      await held;
    });
    const retried = () => telemetry.happenings.some(({ kind }) => kind === 'postgres.retry');
    const waiting = second.transaction(scope, self, async (transaction) => {
      await transaction.query(statement<object>('test.soon', `set local lock_timeout = '20ms'`)());
      return transaction.query(rename('Second'));
    });
    await eventually(retried);
    release();
    await first;
    expect(await waiting).toEqual([{ name: 'Second' }]);
  });

  it('gives up after its tries, with an operating error', async () => {
    const scope = await anOrganization(database.postgres);
    const telemetry = recordingTelemetry();
    const second = database.open({ telemetry });
    await database.postgres.transaction(scope, self, async (transaction) => {
      await transaction.query(lockRow());
      const waiting = second.transaction(scope, self, async (one) => {
        await one.query(statement<object>('test.soon', `set local lock_timeout = '5ms'`)());
        return one.query(rename('Second'));
      });
      await expect(waiting).rejects.toMatchObject({ code: 'event_busy', retryable: true });
    });
    const retries = telemetry.happenings.filter(({ kind }) => kind === 'postgres.retry');
    expect(retries).toHaveLength(3);
  });

  it('does not repeat what is the statement’s own fault', async () => {
    const telemetry = recordingTelemetry();
    const postgres = database.open({ telemetry });
    const work = postgres.transaction(null, self, (one) => one.query(broken()));
    await expect(work).rejects.toThrow('division by zero');
    expect(telemetry.happenings.filter(({ kind }) => kind === 'postgres.retry')).toEqual([]);
  });

  it('stops a slow statement after 2 s and lets a declared long one run', async () => {
    const started = systemClock.monotonic();
    const slow = database.postgres.transaction(null, self, (one) => one.query(sleep(10)));
    await expect(slow).rejects.toMatchObject({ code: 'unavailable', retryable: false });
    expect(systemClock.monotonic() - started).toBeLessThan(4_000);
    const after = await database.postgres.transaction(null, self, async (one) => {
      await one.query(sleepLong(2.2));
      return one.query(limit());
    });
    expect(after).toEqual([{ value: '2s' }]);
  });

  it('refuses early when no connection becomes free', async () => {
    const telemetry = recordingTelemetry();
    // No wait of the tests' own: the product's.
    const postgres = database.open({ telemetry, sizes: { reads: 1 }, wait_ms: undefined });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = postgres.transaction(null, self, () => held);
    const refused = postgres.transaction(null, self, (one) => one.query(names()));
    await expect(refused).rejects.toBeInstanceOf(OperatingError);
    await expect(refused).rejects.toMatchObject({ code: 'overloaded', retryable: true });
    expect(telemetry.happenings).toContainEqual({ kind: 'postgres.pool_full', pool: 'reads' });
    release();
    await first;
    await expect(postgres.transaction(null, self, (one) => one.query(names()))).resolves.toEqual(
      [],
    );
  });

  it('keeps writers, reads and jobs apart: a full pool starves nobody else', async () => {
    const postgres = database.open({ sizes: { reads: 1 } });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const first = postgres.transaction(null, self, () => held);
    const job = postgres.transaction(null, { ...self, pool: 'jobs' }, (one) => one.query(names()));
    await expect(job).resolves.toEqual([]);
    release();
    await first;
  });

  it('waits between tries by the clock it was given', async () => {
    const clock = manualClock();
    const postgres = database.open({ clock, random: seededRandom(3) });
    const serialization = statement<object>(
      'test.conflict',
      `do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`,
    );
    let settled = false;
    const work = postgres
      .transaction(scopeOf('01890000-0000-7000-8000-000000000000'), self, (one) =>
        one.query(serialization()),
      )
      .catch((error: unknown) => error)
      .finally(() => {
        settled = true;
      });
    await eventually(() => {
      clock.advance(40);
      return settled;
    });
    expect(await work).toMatchObject({ code: 'event_busy' });
    expect(clock.monotonic()).toBeGreaterThanOrEqual(40);
  });
});

describe('a statement in a transaction of its own', () => {
  it('belongs to its organization and leaves nothing behind', async () => {
    const mine = await anOrganization(database.postgres, { name: 'Mine' });
    const postgres = database.open({ sizes: { reads: 1 } });
    expect(await postgres.ask(mine, rename('Renamed'))).toEqual([{ name: 'Renamed' }]);
    expect(await postgres.ask(null, names())).toEqual([]);
    expect(await database.postgres.ask(mine, names())).toEqual([{ name: 'Renamed' }]);
  });

  it('that fails says why, and the connection goes on', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Mine' });
    const postgres = database.open({ sizes: { reads: 1 } });
    const pid = statement<{ pid: number }>('test.pid', 'select pg_backend_pid() as pid');
    const before = await postgres.ask(scope, pid());
    await expect(postgres.ask(scope, broken())).rejects.toThrow('division by zero');
    expect(await postgres.ask(scope, pid())).toEqual(before);
    expect(await postgres.ask(scope, names())).toEqual([{ name: 'Mine' }]);
  });

  it('is not asked when it is too late, and is not a long one', async () => {
    const late = { deadline_ms: systemClock.monotonic() - 1 };
    const asked = database.postgres.ask(null, names(), late);
    await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    await expect(database.postgres.ask(null, sleepLong(0))).rejects.toThrow('long statement');
  });

  it('is not a write that may be done only once', async () => {
    const scope = await anOrganization(database.postgres, { name: 'Before' });
    const once = statement<object>('test.once', `update organizations set name = 'After'`);
    await expect(database.postgres.ask(scope, once())).rejects.toThrow('only once');
    expect(await database.postgres.ask(scope, names())).toEqual([{ name: 'Before' }]);
  });
});
