import { describe, expect, it } from 'vitest';
import { figureOf, isKept, percentile, ratiosOf } from './measure.ts';

const NAMING = { suite: 'holds', name: 'a hold', unit: 'ms' };

describe('figures', () => {
  it('are the middle run with the smallest and the largest beside it', () => {
    const figure = figureOf([9, 1, 5], NAMING);
    expect(figure).toMatchObject({ median: 5, least: 1, most: 9, runs: 3 });
  });

  it('leave out rounds in which nothing could be measured', () => {
    const figure = figureOf([3, Number.NaN, 1, 2], NAMING);
    expect(figure).toMatchObject({ median: 2, least: 1, most: 3, runs: 3 });
    expect(figureOf([Number.NaN], NAMING)).toMatchObject({ median: Number.NaN, runs: 0 });
  });

  it('take percentiles of what is in order', () => {
    const sorted = Array.from({ length: 200 }, (_, index) => index + 1);
    expect([50, 95, 99, 100].map((percent) => percentile(sorted, percent))).toEqual([
      100, 190, 198, 200,
    ]);
    expect(percentile([], 95)).toBeNaN();
  });

  it('compare round with round, not middle with middle', () => {
    // In the second round everybody was twice as slow.
    expect(ratiosOf([60, 30, 60], [10, 5, 10])).toEqual([6, 6, 6]);
    expect(ratiosOf([60], [])).toEqual([Number.NaN]);
  });

  it.each([
    [5, { below: 5 }, false],
    [4.9, { below: 5 }, true],
    [5, { above: 5 }, false],
    [5.1, { above: 5 }, true],
    [Number.NaN, { below: 5 }, false],
    [Number.NaN, { above: 5 }, false],
  ] as const)('of %s keep %o: %s', (value, target, kept) => {
    expect(isKept(figureOf([value], { ...NAMING, target }))).toBe(kept);
  });

  it('keep what was never promised', () => {
    expect(isKept(figureOf([Number.NaN], NAMING))).toBe(true);
  });
});
