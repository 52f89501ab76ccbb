import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayAt, daysBetween, daysMoved, MOST_DAYS, problemOfDays } from './day-rules.ts';

describe('the day at the door', () => {
  const DAYS = ['2026-11-20', '2026-11-21'];
  const at = (instant: string, zone = 'UTC') => dayAt(Date.parse(instant), zone, DAYS);

  it('is the calendar’s at the venue', () => {
    expect(at('2026-11-20T18:00:00Z')).toBe('2026-11-20');
    expect(at('2026-11-21T18:00:00Z')).toBe('2026-11-21');
    expect(at('2026-11-19T23:30:00Z', 'Africa/Johannesburg')).toBe('2026-11-20');
    expect(at('2026-11-21T18:00:00Z', 'Pacific/Kiritimati')).toBe('2026-11-22');
  });

  it('lasts until six in the morning, if it is one of the event’s', () => {
    expect(at('2026-11-21T01:00:00Z')).toBe('2026-11-20');
    expect(at('2026-11-21T05:59:59Z')).toBe('2026-11-20');
    expect(at('2026-11-21T06:00:00Z')).toBe('2026-11-21');
    expect(at('2026-11-22T05:59:59Z')).toBe('2026-11-21');
    expect(at('2026-11-22T06:00:00Z')).toBe('2026-11-22');
    // Before the first day there was none that could last.
    expect(at('2026-11-20T01:00:00Z')).toBe('2026-11-20');
  });
});

const ZONES = ['UTC', 'Africa/Johannesburg', 'Pacific/Kiritimati', 'America/Los_Angeles'] as const;
const HOUR_MS = 60 * 60 * 1_000;
const times = (starts_at: string, ends_at: string) => ({ starts_at, ends_at });

describe('the days of an event', () => {
  it.each([
    ['2026-11-18T18:00:00Z', '2026-11-18T21:00:00Z', ['2026-11-18']],
    // A night that ends at two is one day, a festival that ends on the second evening two.
    ['2026-11-18T18:00:00Z', '2026-11-19T00:00:00Z', ['2026-11-18']],
    ['2026-11-18T18:00:00Z', '2026-11-19T20:00:00Z', ['2026-11-18', '2026-11-19']],
    // Half past one in the morning at the venue, for an hour.
    ['2026-11-17T23:30:00Z', '2026-11-18T00:30:00Z', ['2026-11-18']],
    ['2026-12-30T18:00:00Z', '2027-01-02T00:00:00Z', ['2026-12-30', '2026-12-31', '2027-01-01']],
  ])('from %s to %s in Johannesburg are %s', (starts_at, ends_at, days) => {
    expect(daysBetween({ starts_at, ends_at }, 'Africa/Johannesburg')).toEqual(days);
  });

  it('are not lost or doubled where clocks are put back or forward', () => {
    const week = times('2026-03-27T08:00:00Z', '2026-03-30T20:00:00Z');
    const days = ['2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30'];
    expect(daysBetween(week, 'Europe/Berlin')).toEqual(days);
  });

  it('are at most a year', () => {
    expect(daysBetween(times('2026-01-01T08:00:00Z', '2026-12-31T20:00:00Z'), 'UTC')).toHaveLength(
      365,
    );
    expect(daysBetween(times('2026-01-01T08:00:00Z', '2028-01-01T20:00:00Z'), 'UTC')).toBeNull();
    expect(MOST_DAYS).toBe(366);
  });

  it('have a day at the door at every moment, and are days that may be chosen', () => {
    const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2028, 0) });
    const lasting = fc.integer({ min: 60_000, max: 40 * 24 * HOUR_MS });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        moment,
        lasting,
        share,
        fc.constantFrom(...ZONES),
        (start, length, part, zone) => {
          const event = times(
            new Date(start).toISOString(),
            new Date(start + length).toISOString(),
          );
          const days = daysBetween(event, zone) ?? [];
          expect(days).toContain(dayAt(start + part * length, zone, days));
          expect(problemOfDays(days, event, zone)).toBeNull();
        },
      ),
    );
  });
});

describe('days that are chosen', () => {
  const event = times('2026-11-18T16:00:00Z', '2026-11-20T20:00:00Z');
  const judge = (days: string[]) => problemOfDays(days, event, 'Africa/Johannesburg');

  it('lie within the times, each once', () => {
    expect(judge(['2026-11-18', '2026-11-20'])).toBeNull();
    expect(judge(['1999-01-01'])).toBe(
      'The event lasts from 2026-11-18 to 2026-11-20 at its venue (Africa/Johannesburg); ' +
        '1999-01-01 is not within that.',
    );
    expect(judge(['2026-11-21'])).toContain('2026-11-21 is not within that');
    const evening = times('2026-11-18T16:00:00Z', '2026-11-18T20:00:00Z');
    expect(problemOfDays(['2026-11-19'], evening, 'UTC')).toBe(
      'The event is on 2026-11-18 at its venue (UTC); 2026-11-19 is not within that.',
    );
    expect(judge(['2026-11-18', '2026-11-18'])).toBe('Each day is named once.');
  });

  it('have to be chosen again when the times change; computed ones move along', () => {
    const timeZone = 'UTC';
    const later = { ...times('2026-12-01T16:00:00Z', '2026-12-03T20:00:00Z'), timeZone };
    const computed = ['2026-11-18', '2026-11-19', '2026-11-20'];
    const moved = (days: string[], after = later) => daysMoved({ ...event, timeZone, days }, after);
    expect(moved(computed)).toEqual(['2026-12-01', '2026-12-02', '2026-12-03']);
    expect(moved(['2026-11-18', '2026-11-20'])).toBeNull();
    // An hour later on the same days: what was chosen still fits.
    const soon = { ...times('2026-11-18T17:00:00Z', '2026-11-20T21:00:00Z'), timeZone };
    expect(moved(['2026-11-18', '2026-11-20'], soon)).toEqual(['2026-11-18', '2026-11-20']);
  });

  it('have to be chosen again when the event is longer than its days can be computed', () => {
    const timeZone = 'UTC';
    const years = { ...times('2026-01-01T08:00:00Z', '2028-01-01T20:00:00Z'), timeZone };
    expect(daysBetween(years, timeZone)).toBeNull();
    const days = ['2026-01-01', '2027-06-01'];
    expect(daysMoved({ ...years, days }, years)).toBeNull();
  });
});
