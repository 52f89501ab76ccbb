import { describe, expect, it } from 'vitest';
import {
  APART_MS,
  areComparable,
  type ClockState,
  driftForRow,
  isOthersDrift,
  isStep,
  movedBetween,
  NO_DRIFT,
  type Reading,
  STEP_MS,
} from './clock-rules.ts';

const START_MS = Date.UTC(2026, 0, 1);
const DISPUTED_MS = STEP_MS / 2;

function reading(passed_ms: number, wanted: Partial<Reading> = {}): Reading {
  return {
    ...{ wall_ms: START_MS + passed_ms, asked_ms: passed_ms, answered_ms: passed_ms },
    ...{ state: NO_DRIFT, suspended_ms: 0, ...wanted },
  };
}

describe('the time between two readings', () => {
  it('is at least and at most what the questions allow, and counts the sleep of a machine', () => {
    const before = reading(1_000, { answered_ms: 1_010, suspended_ms: 1_000 });
    const now = reading(11_000, {
      ...{ answered_ms: 11_020, suspended_ms: 3_000, wall_ms: START_MS + 13_010 },
    });
    expect(movedBetween(before, now)).toEqual({ least_ms: -10, most_ms: 20 });
  });

  it('is a step beyond five seconds, either way', () => {
    const ahead = [STEP_MS, STEP_MS + 1].map((ms) => isStep({ least_ms: ms, most_ms: ms + 9 }));
    const behind = [-STEP_MS, -STEP_MS - 1].map((ms) => isStep({ least_ms: ms - 9, most_ms: ms }));
    expect([ahead, behind]).toEqual([
      [false, true],
      [false, true],
    ]);
  });

  it('says something about two clocks for a minute, and not across a jump', () => {
    const first = reading(0);
    const seen = [APART_MS, APART_MS + 1].map((ms) => areComparable(first, reading(ms)));
    expect(seen).toEqual([true, false]);
    const jumped = reading(1, { state: { ...NO_DRIFT, jumps: 1 } });
    expect(areComparable(first, jumped)).toBe(false);
  });
});

describe('a drift that another node has set', () => {
  const PASSED_MS = 1_000;
  /** Event time at the change, and when it was, both after the reading before. */
  const judge = (then_ms: number, changed_ms: number, { isNew = false, step_ms = 0 } = {}) => {
    const state: ClockState = {
      ...NO_DRIFT,
      ...{ epoch: 1, changed_ms: START_MS + changed_ms, drift_ms: changed_ms - then_ms },
    };
    const wall_ms = START_MS + PASSED_MS + step_ms;
    return isOthersDrift(reading(0), reading(PASSED_MS, { state, wall_ms }), isNew);
  };

  it('is believed by a new node when it is far ahead', () => {
    const most_ms = PASSED_MS + DISPUTED_MS;
    const seen = [most_ms, most_ms + 1].map((ms) => judge(ms, 500, { isNew: true }));
    expect(seen).toEqual([false, true]);
    expect(judge(most_ms + 1, 500)).toBe(false);
  });

  it('is disputed when it is behind what this node knows, and both know the same clock', () => {
    expect([-DISPUTED_MS, -DISPUTED_MS - 1].map((ms) => judge(ms, 500))).toEqual([false, true]);
    const behind_ms = -DISPUTED_MS - 1;
    const when = [-DISPUTED_MS - 1, -DISPUTED_MS, PASSED_MS, PASSED_MS + 1];
    expect(when.map((ms) => judge(behind_ms, ms))).toEqual([false, true, true, false]);
    expect(judge(behind_ms, 500, { step_ms: 2 * STEP_MS })).toBe(false);
  });

  it('is none as long as nobody has changed anything', () => {
    const far = { ...NO_DRIFT, drift_ms: -9 * STEP_MS, changed_ms: START_MS };
    expect(isOthersDrift(reading(0), reading(1, { state: far }), true)).toBe(false);
  });
});

it('a log that is more than five seconds ahead of event time sets the drift', () => {
  const seen = [STEP_MS, STEP_MS + 1].map((ms) => driftForRow(NO_DRIFT, START_MS, START_MS + ms));
  expect(seen).toEqual([null, -STEP_MS - 1]);
});
