import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoff, type Random, seededRandom } from './kit.ts';

const LIMITS = { first_ms: 10, most_ms: 1_000 };

/** A die that always shows the same, to see the two ends of the jitter. */
const loaded = (value: number): Random => ({ next: () => value, bytes: () => new Uint8Array() });

describe('backoff', () => {
  it('doubles from the first wait to the longest', () => {
    const waits = [0, 1, 2, 6, 7, 100].map((attempt) => backoff(attempt, LIMITS, loaded(0)));
    expect(waits).toEqual([10, 20, 40, 640, 1_000, 1_000]);
  });

  it('is shortened by up to half', () => {
    expect(backoff(0, LIMITS, loaded(0.5))).toBe(7.5);
    expect(backoff(0, LIMITS, loaded(0.999_999))).toBeGreaterThan(5);
  });

  it('gives waiters with different luck different waits', () => {
    const random = seededRandom(1);
    const waits = Array.from({ length: 100 }, () => backoff(3, LIMITS, random));
    expect(new Set(waits).size).toBe(100);
  });

  it('stays within half and all of the full wait, however often one tries', () => {
    const numbers = {
      attempt: fc.nat(5_000),
      first_ms: fc.integer({ min: 1, max: 10_000 }),
      more_ms: fc.nat(100_000),
      seed: fc.nat(),
    };
    fc.assert(
      fc.property(fc.record(numbers), ({ attempt, first_ms, more_ms, seed }) => {
        const most_ms = first_ms + more_ms;
        const wait = backoff(attempt, { first_ms, most_ms }, seededRandom(seed));
        const full = Math.min(first_ms * 2 ** attempt, most_ms);
        expect(wait).toBeGreaterThan(full / 2);
        expect(wait).toBeLessThanOrEqual(full);
      }),
    );
  });
});
