import { describe, expect, it } from 'vitest';
import { centsOf, priceText } from './cents.ts';
import { daysOfTimes } from './when.ts';

describe('the days of times in a form', () => {
  it('are all from the beginning to the end; a night belongs to the day before', () => {
    const days = daysOfTimes('2026-11-18T19:00', '2026-11-20T05:59');
    expect(days).toEqual(['2026-11-18', '2026-11-19']);
    expect(daysOfTimes('2026-11-18T19:00', '2026-11-20T06:00')).toEqual([...days, '2026-11-20']);
    const morning = daysOfTimes('2026-11-18T19:00', '2026-11-19T02:00', ['2026-11-19']);
    expect(morning).toEqual(days);
  });

  it('are none without both times, and where there are more than an event can have', () => {
    expect(daysOfTimes('', '2026-11-18T19:00')).toEqual([]);
    expect(daysOfTimes('2026-01-01T10:00', '2026-12-31T20:00')).toHaveLength(365);
    expect(daysOfTimes('2026-01-01T10:00', '2027-01-01T20:00')).toHaveLength(366);
    // All but those of the first year would be lost by saving a form.
    expect(daysOfTimes('2026-01-01T10:00', '2027-01-02T20:00')).toEqual([]);
  });
});

describe('prices', () => {
  it('are read as people write them', () => {
    expect(['350', '349.5', '349,50', ' 0 ', '0.07'].map(centsOf)).toEqual([
      35_000, 34_950, 34_950, 0, 7,
    ]);
    expect(['', '-1', '1.234', 'free', '1e3', '12345678'].map(centsOf)).toEqual(
      Array(6).fill(null),
    );
    expect([35_000, 34_950, 7, 0, undefined].map(priceText)).toEqual([
      '350',
      '349.50',
      '0.07',
      '0',
      '',
    ]);
  });
});
