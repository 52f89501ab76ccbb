import { expect, it } from 'vitest';
import { simulateWeek } from './weeks.ts';

it('a week of sales leaves few single seats with the orphan rule, and more without it', () => {
  for (const seed of [1, 2]) {
    const strict = simulateWeek({ strict: true, seed });
    const free = simulateWeek({ strict: false, seed });
    expect(strict.at(-1)?.occupancy).toBeGreaterThan(0.9);
    expect(Math.max(...strict.map((day) => day.orphan_ratio))).toBeLessThan(0.05);
    const sum = (days: typeof strict) => days.reduce((total, day) => total + day.orphans, 0);
    expect(sum(strict) * 2).toBeLessThan(sum(free));
  }
});

it('the same seed is the same week', () => {
  expect(simulateWeek({ strict: true, seed: 7 })).toEqual(simulateWeek({ strict: true, seed: 7 }));
});
