import { expect, it } from 'vitest';
import { isKept } from '#measure';
import { figuresOf } from './soak-suite.ts';

/** A node that keeps so many megabytes more in every window. */
function windowsOf(growth_MB: number, lag_ms = 0) {
  return Array.from({ length: 10 }, (_, index) => ({
    turn: { per_s: 1_000, steps: { hold: [5, 10] } },
    pulse: { resources: 20, lag_p99_ms: lag_ms * index },
    memory: { heap: (100 + growth_MB * index) * 1e6, rss: 200e6 },
  })) as unknown as Parameters<typeof figuresOf>[0];
}

const missedOf = (windows: ReturnType<typeof windowsOf>) =>
  figuresOf(windows, 10)
    .filter((figure) => !isKept(figure))
    .map(({ name }) => name);

it('finds memory that is kept, and a loop that becomes later', () => {
  expect(missedOf(windowsOf(0))).toEqual([]);
  expect(missedOf(windowsOf(5))).toEqual(['kept on the heap, end to beginning']);
  expect(missedOf(windowsOf(0, 3))).toEqual(['the loop is late, 99 % within, end to beginning']);
});
