import { afterEach, expect, it, vi } from 'vitest';
import { CLOCK_SCENARIOS } from './clock-scenarios.ts';
import { summaryOf } from './summary.ts';

afterEach(() => vi.unstubAllEnvs());

it('plays no scenario with the clock of Postgres where libfaketime is missing, and says so', () => {
  vi.stubEnv('LIBFAKETIME', '/nowhere/libfaketime.so');
  const notPlayed = CLOCK_SCENARIOS.flatMap(({ name, lacks }) => {
    const lacking = lacks?.() ?? null;
    return lacking === null ? [] : [{ name, lacking }];
  });
  expect(notPlayed.map(({ name }) => name)).toEqual(['database-clock', 'database-clock-day']);
  const summary = summaryOf([], notPlayed);
  const words = 'not played: needs libfaketime (Debian package libfaketime)';
  expect(summary).toContain(`database-clock     ${words}`);
  expect(summary).toContain('0 scenarios, 0 operations: every promise was kept, 2 not played');
});

it('plays them where its file is', () => {
  vi.stubEnv('LIBFAKETIME', import.meta.filename);
  expect(CLOCK_SCENARIOS.filter(({ lacks }) => lacks?.())).toEqual([]);
});
