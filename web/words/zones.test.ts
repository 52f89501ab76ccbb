import { describe, expect, it } from 'vitest';
import { instantOf, localOf } from './zones.ts';

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
