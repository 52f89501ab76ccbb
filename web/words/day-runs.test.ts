import { expect, it } from 'vitest';
import { dayRuns } from './day-runs.ts';

it('days that follow each other are a run, also over the end of a month', () => {
  const days = ['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-03', '2026-11-07', '2026-11-08'];
  expect(dayRuns(days)).toEqual([
    ['2026-10-30', '2026-11-01'],
    ['2026-11-03', '2026-11-03'],
    ['2026-11-07', '2026-11-08'],
  ]);
  expect(dayRuns([])).toEqual([]);
});
