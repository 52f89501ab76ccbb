import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUuid, manualClock, seededRandom, systemClock, systemRandom, uuidv7 } from './kit.ts';

/** The time field has 48 bits, which last until the year 10889. */
const time_ms = fc.nat(2 ** 48 - 1);

const idAt = (at_ms: number, seed: number) =>
  uuidv7({ clock: manualClock(at_ms), random: seededRandom(seed) });

describe('uuidv7', () => {
  it('is a UUID of version 7 and of the standard variant', () => {
    fc.assert(
      fc.property(time_ms, fc.nat(), (at_ms, seed) => {
        const id = idAt(at_ms, seed);
        expect(isUuid(id)).toBe(true);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      }),
    );
  });

  it('begins with its time', () => {
    fc.assert(
      fc.property(time_ms, fc.nat(), (at_ms, seed) => {
        const [high = '', low = ''] = idAt(at_ms, seed).split('-');
        expect(Number.parseInt(high + low, 16)).toBe(at_ms);
      }),
    );
  });

  it('sorts by time as text, whatever the random part says', () => {
    const earlier = time_ms.filter((at_ms) => at_ms > 0);
    fc.assert(
      fc.property(earlier, fc.nat(), fc.nat(), (at_ms, seed, otherSeed) => {
        expect(idAt(at_ms - 1, seed) < idAt(at_ms, otherSeed)).toBe(true);
      }),
    );
  });

  it('is the same for the same time and seed, and another for another seed', () => {
    expect(idAt(1_000, 1)).toBe(idAt(1_000, 1));
    expect(idAt(1_000, 1)).not.toBe(idAt(1_000, 2));
  });

  it('does not repeat itself within a millisecond', () => {
    const source = { clock: manualClock(), random: systemRandom };
    const ids = Array.from({ length: 10_000 }, () => uuidv7(source));
    expect(new Set(ids).size).toBe(10_000);
  });

  it('works on the sources of the system', () => {
    expect(isUuid(uuidv7({ clock: systemClock, random: systemRandom }))).toBe(true);
  });
});

describe('isUuid', () => {
  it('accepts every UUID in small and in capital letters', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(isUuid(id)).toBe(true);
        expect(isUuid(id.toUpperCase())).toBe(true);
      }),
    );
  });

  it.each([
    '',
    'A-12',
    '0190a1b2c3d47e8f9a0b1c2d3e4f5061',
    '0190a1b2-c3d4-7e8f-9a0b-1c2d3e4f506',
    '0190a1b2-c3d4-7e8f-9a0b-1c2d3e4f5061 ',
    '0190a1b2-c3d4-7e8f-9a0b-1c2d3e4f5061\n',
    'g190a1b2-c3d4-7e8f-9a0b-1c2d3e4f5061',
  ])('refuses %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
