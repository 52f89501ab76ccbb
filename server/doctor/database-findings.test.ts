import type { DatabaseReport } from '@voelgoed/engine/postgres';
import { describe, expect, it } from 'vitest';
import { databaseFindings } from './database-findings.ts';

const HEALTHY: DatabaseReport = {
  version: '16.2',
  encoding: 'UTF8',
  pending: [],
  roleProblems: [],
  unprotected: [],
  loosePolicies: [],
  unsigned: [],
  oldWriters: [],
  openFunctions: [],
  tableMakers: [],
  historyRights: [],
  indexes: [{ name: 'one', valid: true }],
  settings: [{ name: 'fsync', value: 'on' }],
  clock: { database_ms: 1_000, before_ms: 900, after_ms: 1_100 },
  drift_ms: 0.2,
  connections: { most: 97, used: 30 },
  oldestSnapshot_s: 1,
  pooling: 'direct',
  notBackedUp: [],
};

function problems(report: DatabaseReport): string[] {
  return databaseFindings(report, ['one']).flatMap(({ ok, topic }) => (ok ? [] : [topic]));
}

/** What cannot be planted in the Postgres that all tests share. */
describe('what the doctor makes of a report', () => {
  it('is content with a healthy one', () => {
    expect(problems(HEALTHY)).toEqual([]);
  });

  it.each([
    ['postgres', { version: '14.11' }],
    ['encoding', { encoding: 'SQL_ASCII' }],
    ['connections', { connections: { most: 50, used: 3 } }],
    ['connections', { connections: { most: 97, used: 95 } }],
    ['event time', { drift_ms: 3_600_000 }],
    ['event time', { drift_ms: -3_600_000 }],
    ['sessions', { pooling: 'shared' }],
    ['backups', { notBackedUp: ['tickets'] }],
    ['oldest snapshot', { oldestSnapshot_s: 3_600 }],
    ['fsync', { settings: [{ name: 'fsync', value: 'off' }] }],
    ['full_page_writes', { settings: [{ name: 'full_page_writes', value: 'off' }] }],
    ['autovacuum', { settings: [{ name: 'autovacuum', value: 'off' }] }],
    ['synchronous_commit', { settings: [{ name: 'synchronous_commit', value: 'local' }] }],
  ] satisfies [string, Partial<DatabaseReport>][])('finds %s: %o', (topic, wrong) => {
    expect(problems({ ...HEALTHY, ...wrong })).toEqual([topic]);
  });

  it('finds nodes of 0.1.0 beside a drift, which they ignore', () => {
    const oldWriters = ['10.0.0.7'];
    expect(problems({ ...HEALTHY, oldWriters })).toEqual([]);
    const drifted = { ...HEALTHY, oldWriters, drift_ms: 3_600_000 };
    expect(problems(drifted)).toEqual(['event time', 'event time of 0.1.0']);
    const [, , found] = databaseFindings(drifted, ['one']).filter(({ topic }) =>
      /^(clocks|event time)/.test(topic),
    );
    expect(found?.finding).toBe('nodes of 0.1.0 write, from 10.0.0.7');
  });

  it('knows the difference between a slow answer and a wrong clock', () => {
    const clock = { database_ms: 5_000, before_ms: 0, after_ms: 9_000 };
    expect(problems({ ...HEALTHY, clock })).toEqual([]);
    expect(problems({ ...HEALTHY, clock: { ...clock, after_ms: 100 } })).toEqual(['clocks']);
  });
});
