import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom, systemRandom } from './kit.ts';

const draw = (random: Random, count: number) => Array.from({ length: count }, () => random.next());

describe('seeded randomness', () => {
  it('gives the same run for the same seed', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(64), (seed, count) => {
        expect(draw(seededRandom(seed), count)).toEqual(draw(seededRandom(seed), count));
        expect(seededRandom(seed).bytes(count)).toEqual(seededRandom(seed).bytes(count));
      }),
    );
  });

  /** The reference values of mulberry32: a seed that was printed once must stay worth something. */
  it('gives the same run in every version', () => {
    const values = draw(seededRandom(1), 3).map((value) => value * 2 ** 32);
    expect(values).toEqual([2_693_262_067, 11_749_833, 2_265_367_787]);
  });

  it('gives another run for another seed', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        expect(draw(seededRandom(seed), 8)).not.toEqual(draw(seededRandom(seed + 1), 8));
      }),
    );
  });

  it('goes on and does not repeat itself', () => {
    expect(new Set(draw(seededRandom(1), 1_000)).size).toBe(1_000);
  });

  it('favours no tenth of its range', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const value of draw(seededRandom(1), 10_000)) {
      const tenth = Math.floor(value * 10);
      tenths[tenth] = (tenths[tenth] ?? 0) + 1;
    }
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});

describe.each<[string, (seed: number) => Random]>([
  ['seeded', seededRandom],
  ['system', () => systemRandom],
])('%s randomness', (_name, randomFrom) => {
  it('is at least 0 and less than 1', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const value = randomFrom(seed).next();
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThan(1);
      }),
    );
  });

  it('gives as many bytes as asked', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(100), (seed, count) => {
        expect(randomFrom(seed).bytes(count)).toHaveLength(count);
      }),
    );
  });

  it('does not give the same bytes twice', () => {
    const random = randomFrom(1);
    expect(random.bytes(16)).not.toEqual(random.bytes(16));
  });
});
