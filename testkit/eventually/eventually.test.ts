import { manualClock } from '@voelgoed/engine/kit';
import { describe, expect, it } from 'vitest';
import { eventually, patience } from './eventually.ts';

/** A machine on which every nap takes so many times as long as it should. */
function busyClock(factor: number) {
  let time_ms = 0;
  return {
    monotonic: () => time_ms,
    sleep: async (ms: number) => {
      time_ms += ms * factor;
    },
  };
}

describe('waiting with a bound', () => {
  it('ends with the first answer that is one', async () => {
    let looks = 0;
    expect(await eventually(() => ++looks === 3 && 'there', { clock: busyClock(1) })).toBe('there');
    expect(looks).toBe(3);
  });

  it('gives up after its time and says what it saw last, or what was thrown', async () => {
    const clock = busyClock(1);
    await expect(eventually(() => 0, { within_ms: 50, clock })).rejects.toThrow(
      'not within 50 ms; last seen: 0',
    );
    expect(clock.monotonic()).toBeGreaterThan(50);
    expect(clock.monotonic()).toBeLessThan(100);
    const fails = () => {
      throw new Error('no answer');
    };
    await expect(eventually(fails, { within_ms: 50, clock })).rejects.toThrow('no answer');
  });

  it('waits longer on a machine that is busy with other work', async () => {
    const clock = busyClock(10);
    await expect(eventually(() => 0, { within_ms: 50, clock })).rejects.toThrow('not within');
    expect(clock.monotonic()).toBeGreaterThan(250);
    expect(clock.monotonic()).toBeLessThan(500);
  });

  it('counts a look that hangs on a quiet machine in full', () => {
    expect(patience(1_000, 10, 10)).toBe(1_010);
    expect(patience(1_000, 100, 10)).toBe(220);
    expect(patience(5, 0, 10)).toBe(5);
  });

  it('takes a clock that is moved by hand', async () => {
    const clock = manualClock();
    const waiting = eventually(() => clock.monotonic() >= 10, { clock });
    await Promise.resolve();
    await Promise.resolve();
    clock.advance(10);
    expect(await waiting).toBe(true);
  });
});
