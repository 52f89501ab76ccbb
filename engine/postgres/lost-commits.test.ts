import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { isCertainlyRolledBack } from './failures.ts';

function sqlError(code: string): Error {
  return Object.assign(new pg.DatabaseError('as Postgres says it', 0, 'error'), { code });
}

describe('an error in answer to COMMIT', () => {
  it.each(['23505', '40001', 'VG010', '25006'])('%s: nothing was committed', (code) => {
    expect(isCertainlyRolledBack(sqlError(code))).toBe(true);
  });

  // A PANIC while the WAL is written has the code of its cause.
  it.each(['53100', '53200', '58030', '57P01', '08006', 'XX000'])('%s: unknown', (code) => {
    expect(isCertainlyRolledBack(sqlError(code))).toBe(false);
  });

  it('is unknown when the connection is gone without a word', () => {
    expect(isCertainlyRolledBack(new Error('Connection terminated unexpectedly'))).toBe(false);
  });
});
