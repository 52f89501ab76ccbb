import { describe, expect, it } from 'vitest';
import { centsOf, priceText } from './cents.ts';
import { daysOfTimes, instantOf, localOf } from './when.ts';

describe('times at the venue', () => {
  it.each([
    ['Africa/Johannesburg', '2026-11-16T19:30', '2026-11-16T17:30:00.000Z'],
    ['America/New_York', '2026-07-01T20:00', '2026-07-02T00:00:00.000Z'],
    ['Asia/Kolkata', '2026-01-01T00:15', '2025-12-31T18:45:00.000Z'],
    // The hours around the change to winter time and to summer time.
    ['Europe/Berlin', '2026-10-25T03:30', '2026-10-25T02:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T01:30', '2026-10-24T23:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:30', '2026-03-29T01:30:00.000Z'],
  ])('are instants in %s: %s', (zone, local, instant) => {
    expect(instantOf(local, zone)).toBe(instant);
    expect(localOf(instant, zone)).toBe(local);
  });

  it('may be none', () => {
    expect(instantOf('', 'UTC')).toBeNull();
    expect(instantOf('soon', 'UTC')).toBeNull();
    expect(localOf(null, 'UTC')).toBe('');
  });
});

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
