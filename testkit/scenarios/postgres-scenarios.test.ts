import { judgeRun, readHistory } from '@voelgoed/faults/history';
import { expect, it } from 'vitest';
import { playShort } from './play-short.ts';

/** Postgres, the way to it or the payment provider fails: one scenario of every kind at least. */
const { outcomes } = playShort([
  ...['postgres-kill', 'commit-swallowed', 'lock-timeout', 'failover', 'failover-lossy'],
  ...['switchover', 'moment-of-expiry', 'layout-change', 'payment-messages'],
]);

it('would notice: a history with a false entry is judged', () => {
  const run = readHistory(outcomes[0]?.history ?? '');
  expect(judgeRun(run)).toEqual([]);
  const held = run.operations.findIndex(
    ({ asked, outcome, holds }) => asked.op === 'hold' && outcome === 'done' && holds.length > 0,
  );
  const operation = run.operations[held];
  if (operation) run.operations[held] = { ...operation, user: 'another user' };
  expect(judgeRun(run).map(({ invariant }) => invariant)).toContain('I2');
});
