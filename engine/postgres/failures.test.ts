import { useDatabase } from '@voelgoed/testkit/database';
import { eventually } from '@voelgoed/testkit/eventually';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { OperatingError } from '#kit';
import { recordingTelemetry } from '#telemetry';
import { classify, dropsConnection, unavailabilityOf, wordsOf } from './failures.ts';
import { statement } from './statement.ts';
import { BY_CLASS, BY_STATE } from './states.ts';

const database = useDatabase();

function failureOf(state: string, routine?: string): pg.DatabaseError {
  const error = new pg.DatabaseError('it failed', 9, 'error');
  error.code = state;
  if (routine) error.routine = routine;
  return error;
}

/** Appendix A of the manual of Postgres 18. */
const CLASSES = [
  ...['00', '01', '02', '03', '08', '09', '0A', '0B', '0F', '0L', '0P', '0Z', '10', '20', '21'],
  ...['22', '23', '24', '25', '26', '27', '28', '2B', '2D', '2F', '34', '38', '39', '3B', '3D'],
  ...['3F', '40', '42', '44', '53', '54', '55', '57', '58', '72', 'F0', 'HV', 'P0', 'XX'],
];

describe('a failure of Postgres', () => {
  it('is of a class that was thought of, all of the manual and our own', () => {
    expect(Object.keys(BY_CLASS).sort()).toEqual([...CLASSES, 'VG'].sort());
  });

  it.each([
    ['53100', 'unavailable', 'disk_full', false],
    ['53200', 'unavailable', 'memory', true],
    ['53300', 'unavailable', 'connections', true],
    ['53400', 'unavailable', 'limit', false],
    ['25006', 'unavailable', 'read_only', true],
    ['57P01', 'unavailable', 'shutdown', true],
    ['57P02', 'unavailable', 'shutdown', true],
    ['57P03', 'unavailable', 'shutdown', true],
    ['57P04', 'unavailable', 'shutdown', true],
    ['57P05', 'unavailable', 'shutdown', true],
    ['58030', 'unavailable', 'io', true],
    ['58P01', 'unavailable', 'io', true],
    ['08006', 'unavailable', 'connection', true],
    ['28P01', 'unavailable', 'login', true],
    ['3D000', 'unavailable', 'database', true],
    ['26000', 'unavailable', 'session', true],
    ['42P05', 'unavailable', 'session', true],
    ['F0000', 'unavailable', 'configuration', true],
    ['XX001', 'unavailable', 'corrupt', true],
    ['54000', 'unavailable', 'limit', false],
    ['ZZ999', 'unavailable', 'unknown', true],
    ['40001', 'conflict', null, false],
    ['55P03', 'conflict', null, false],
    ['57014', 'too_slow', null, false],
    ['25P03', 'too_slow', null, true],
    ['22003', 'final', null, false],
    ['23505', 'final', null, false],
    ['42601', 'final', null, false],
    ['P0001', 'final', null, false],
    ['VG010', 'final', null, false],
  ])('%s is %s (%s); the connection is dropped: %s', (state, failure, reason, drops) => {
    const error = failureOf(state);
    expect([classify(error), unavailabilityOf(error), dropsConnection(error)]).toEqual([
      failure,
      reason,
      drops,
    ]);
  });

  it('is a conflict when a plan is older than a migration, in any language', () => {
    const error = failureOf('0A000', 'RevalidateCachedQuery');
    expect([classify(error), dropsConnection(error)]).toEqual(['conflict', true]);
    expect(classify(failureOf('0A000'))).toBe('final');
  });

  it('is said in words that name no address and no value', () => {
    for (const state of [...Object.keys(BY_STATE), ...CLASSES.map((one) => `${one}000`), 'ZZ000']) {
      expect(wordsOf(failureOf(state))).toMatch(/^[a-z][\w ,;:()?-]+$/);
    }
    expect(wordsOf(new OperatingError('overloaded', 'x', { retryable: true }))).toContain('in use');
  });
});

const raise = (state: string) =>
  statement<object>(
    `test.raise_${state.toLowerCase()}`,
    `do $$ begin raise exception using errcode = '${state}', message = 'planted'; end $$`,
  )();
const pid = statement<{ pid: number }>('test.pid', 'select pg_backend_pid() as pid');
const self = { name: 'test' };

describe('a refusal of the server', () => {
  it.each(['53100', '53200', '58030', '57P01', 'XX000', 'ZZ001'])(
    '%s is an operating error that may be tried again, tried twice here, and counted',
    async (state) => {
      const telemetry = recordingTelemetry();
      const postgres = database.open({ telemetry });
      const work = postgres.transaction(null, self, (one) => one.query(raise(state)));
      await expect(work).rejects.toMatchObject({ code: 'unavailable', retryable: true });
      const counted = (kind: string) => telemetry.happenings.filter((one) => one.kind === kind);
      expect(counted('postgres.retry')).toHaveLength(2);
      expect(counted('postgres.refused')).toHaveLength(3);
    },
  );

  it.each([
    ['58030', 'another'],
    ['ZZ001', 'another'],
    ['53100', 'the same'],
    ['23505', 'the same'],
  ])('%s: the next call gets %s connection', async (state, which) => {
    const postgres = database.open({ sizes: { writers: 1 } });
    const ask = () => postgres.writers.use((one) => one.query(pid()));
    const [before] = await ask();
    await postgres.writers.use((one) => one.query(raise(state)).catch(() => []));
    const [after] = await ask();
    expect(after?.pid === before?.pid ? 'the same' : 'another').toBe(which);
    // What was dropped is gone from the server, too.
    await eventually(async () => {
      const there = await database.asSuperuser(
        'select 1 from pg_stat_activity where pid = $1 and application_name = $2',
        [before?.pid, 'voelgoed writers'],
      );
      return there.length === (which === 'another' ? 0 : 1);
    });
  });
});
