import { afterAll, beforeAll, expect, it, vi } from 'vitest';

/** Nothing is drawn here: what is kept for drawing is a value like any other. */
beforeAll(() => {
  const keep = <Value>(value: Value) => value;
  vi.stubGlobal('$state', Object.assign(keep, { raw: keep }));
});
afterAll(() => void vi.unstubAllGlobals());

it('a date of another year says which, by the calendar of the place', async () => {
  const { shortDate } = await import('./formats.ts');
  const now_ms = Date.parse('2026-12-31T21:30:00Z');
  const said = (time: string, zone: string) => shortDate(time, zone, now_ms);
  expect(said('2026-11-18T10:00:00Z', 'Europe/London')).toBe('Wed, 18 Nov, 10:00');
  expect(said('2027-11-18T10:00:00Z', 'Europe/London')).toBe('Thu, 18 Nov 2027, 10:00');
  expect(said('2025-11-18T10:00:00Z', 'Europe/London')).toBe('Tue, 18 Nov 2025, 10:00');
  // One moment is of this year in London, and of the next in Johannesburg a minute later.
  expect(said('2026-12-31T22:30:00Z', 'Europe/London')).toBe('Thu, 31 Dec, 22:30');
  expect(said('2026-12-31T22:30:00Z', 'Africa/Johannesburg')).toBe('Fri, 01 Jan 2027, 00:30');
  expect(shortDate('2026-12-31T22:30:00Z', 'Africa/Johannesburg', now_ms + 3_600_000)).toBe(
    'Fri, 01 Jan, 00:30',
  );
});
