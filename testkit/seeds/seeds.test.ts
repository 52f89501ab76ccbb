import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printedRandom, testSeed } from './seeds.ts';

describe('the seed of a run', () => {
  it('is the same in every run, unless another is asked for', () => {
    expect(testSeed('')).toBe(testSeed(''));
    expect(testSeed('7')).toBe(7);
    for (const wrong of ['x', '-1', '1.5', 'random']) {
      expect(() => testSeed(wrong)).toThrow(`SEED: "${wrong}" is not a whole number`);
    }
  });

  it('is where the randomness of tests and of properties begins', () => {
    expect(printedRandom('one').next()).toBe(printedRandom('other').next());
    expect(fc.readConfigureGlobal()?.seed).toBe(testSeed() | 0);
    const seen = () => fc.sample(fc.integer(), { numRuns: 5, seed: testSeed() | 0 });
    expect(seen()).toEqual(seen());
  });
});
