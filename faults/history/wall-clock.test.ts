import { describe, expect, it } from 'vitest';
import { checkHistory } from './history.ts';
import { aGoodHistory, done } from './planted.ts';
import { leastOffset, mostOffset, WallClock, type WallStep } from './wall-clock.ts';

const STEP_MS = 2_500;
const STEPPED_MS = 6_000;

/** Refused because of h1, whose time is over at 4,000; then the time of day is set. */
function aRefusal(invoked_ms: number, isNoticed: boolean): string[] {
  const history = aGoodHistory();
  const before_ms = history.wall_offset_ms;
  const asked = { op: 'hold', items: [{ seat_id: 's1' }] } as const;
  const refusal = done(9, invoked_ms, { wish: 'w9', user: 'eve', asked, revision: 6, holds: [] });
  history.operations.push({ ...refusal, outcome: 'refused', code: 'seat_held_by_another_user' });
  history.wall_offset_ms += STEP_MS;
  const wall_steps = [
    { at_ms: 0, offset_ms: before_ms },
    { at_ms: STEPPED_MS, offset_ms: before_ms + STEP_MS },
  ];
  const judged = { ...history, ...(isNoticed ? { wall_steps } : {}) };
  const violations = checkHistory(judged as Parameters<typeof checkHistory>[0]);
  return violations.map(({ invariant }) => invariant).filter((one) => one === 'I5');
}

describe('a machine whose time of day is set during a run', () => {
  it('makes no refusal from before wrong', () => {
    expect(aRefusal(3_900, true)).toEqual([]);
  });

  it('hides no refusal that is wrong', () => {
    expect(aRefusal(5_400, true)).toEqual(['I5']);
  });

  it('would turn a run red if nobody had noticed it', () => {
    expect(aRefusal(3_900, false)).toEqual(['I5']);
  });

  it('is noticed, and slewing is not', () => {
    let now: WallStep = { at_ms: 0, offset_ms: 100 };
    const wall = new WallClock(() => now);
    for (const [at_ms, offset_ms] of [
      [50, 101],
      [100, 1_100],
      [150, 1_101],
      [200, 100],
    ] as const) {
      now = { at_ms, offset_ms };
      wall.look();
    }
    expect(wall.steps.map(({ offset_ms }) => offset_ms)).toEqual([100, 1_100, 100]);
    const history = { wall_offset_ms: 100, wall_steps: wall.steps };
    expect(leastOffset(history, 120, 150)).toBe(1_100);
    expect(leastOffset(history, 150, 220)).toBe(100);
    expect(mostOffset(history)).toBe(1_100);
  });
});
