import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areComparable,
  type ClockState,
  driftAfter,
  driftAt,
  driftForRow,
  eventTime,
  isStep,
  movedBetween,
  type Reading,
  SLEW,
  STEP_MS,
} from './clock-rules.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);
const drift = fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS });
const wait = fc.integer({ min: 0, max: 900 });

/** Two questions to a database whose clock was set by `step` between them. */
const readings = fc
  .record({ drift_ms: drift, step: drift, there: wait, back: wait, between: wait, again: wait })
  .map(({ drift_ms, step, there, back, between, again }) => {
    const state: ClockState = {
      epoch: 3,
      drift_ms,
      jumps: 0,
      slewing_since_ms: null,
      changed_ms: 0,
    };
    const first: Reading = {
      state,
      wall_ms: START_MS + there,
      asked_ms: 0,
      answered_ms: there + back,
      suspended_ms: 0,
    };
    const asked_ms = there + back + between;
    const wall_ms = START_MS + asked_ms + again + step;
    const answered_ms = asked_ms + again + back;
    const second: Reading = { state, wall_ms, asked_ms, answered_ms, suspended_ms: 0 };
    /** Event time at the second reading if nothing had been set. */
    const right_ms = START_MS - drift_ms + asked_ms + again;
    return { first, second, step, right_ms, took_ms: second.answered_ms };
  });

describe('a step', () => {
  it('is never seen where there is none, nor missed when it is large', () => {
    fc.assert(
      fc.property(readings, ({ first, second, step, took_ms }) => {
        expect(areComparable(first, second)).toBe(true);
        const seen = isStep(movedBetween(first, second));
        if (Math.abs(step) <= STEP_MS) expect(seen).toBe(false);
        if (Math.abs(step) > STEP_MS + took_ms) expect(seen).toBe(true);
      }),
    );
  });

  it('taken up, moves event time by no more than the questions took, and never forward', () => {
    fc.assert(
      fc.property(readings, ({ first, second, right_ms, took_ms }) => {
        const drift_ms = driftAfter(second, movedBetween(first, second));
        const event_ms = eventTime({ ...second.state, drift_ms }, second.wall_ms);
        expect(event_ms).toBeLessThanOrEqual(right_ms + 1);
        expect(event_ms).toBeGreaterThanOrEqual(right_ms - took_ms - 1);
      }),
    );
  });

  it('behind the last row is taken up so that time goes on from that row', () => {
    fc.assert(
      fc.property(drift, fc.integer({ min: -DAY_MS, max: DAY_MS }), (drift_ms, ahead_ms) => {
        const state: ClockState = {
          epoch: 0,
          drift_ms,
          jumps: 0,
          slewing_since_ms: null,
          changed_ms: 0,
        };
        const row_ms = eventTime(state, START_MS) + ahead_ms;
        const found = driftForRow(state, START_MS, row_ms);
        if (ahead_ms <= STEP_MS) expect(found).toBeNull();
        else expect(eventTime({ ...state, drift_ms: found ?? 0 }, START_MS)).toBe(row_ms);
      }),
    );
  });
});

describe('slewing', () => {
  it('changes the speed of event time by at most 1 %, never turns it back, and ends at 0', () => {
    const span = fc.integer({ min: 0, max: 400 * DAY_MS });
    fc.assert(
      fc.property(drift, span, span, (drift_ms, one, other) => {
        const state: ClockState = {
          epoch: 0,
          drift_ms,
          jumps: 0,
          slewing_since_ms: START_MS,
          changed_ms: 0,
        };
        const [from, to] = [START_MS + Math.min(one, other), START_MS + Math.max(one, other)];
        const passed = eventTime(state, to) - eventTime(state, from);
        expect(passed).toBeGreaterThanOrEqual((to - from) * (1 - SLEW) - 1);
        expect(passed).toBeLessThanOrEqual((to - from) * (1 + SLEW) + 1);
        expect(Math.abs(driftAt(state, to))).toBeLessThanOrEqual(Math.abs(drift_ms));
        const done_ms = START_MS + Math.abs(drift_ms) / SLEW + 1;
        expect(Math.abs(driftAt(state, done_ms))).toBe(0);
      }),
    );
  });

  it('has not begun before its time', () => {
    const state: ClockState = {
      epoch: 0,
      drift_ms: 5_000,
      jumps: 0,
      slewing_since_ms: START_MS,
      changed_ms: 0,
    };
    expect(driftAt(state, START_MS - 60_000)).toBe(5_000);
    expect(driftAt({ ...state, slewing_since_ms: null }, START_MS + DAY_MS)).toBe(5_000);
  });
});
