import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { manualClock, systemClock } from './kit.ts';

/** Lets everything that is already decided reach those who wait for it. */
const settle = () => Promise.resolve();

describe('the manual clock', () => {
  it('stands still until it is moved', () => {
    const clock = manualClock(1_000);
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 0]);
    clock.advance(250);
    expect([clock.now(), clock.monotonic()]).toEqual([1_250, 250]);
  });

  it('starts at the same time in every run', () => {
    expect(manualClock().now()).toBe(manualClock().now());
  });

  it('wakes a sleeper at its time and not before', async () => {
    const clock = manualClock();
    let awake = false;
    const sleeper = clock.sleep(100).then(() => {
      awake = true;
    });
    clock.advance(99);
    await settle();
    expect(awake).toBe(false);
    clock.advance(1);
    await sleeper;
    expect(awake).toBe(true);
  });

  it('does not keep a sleeper who asks for no time', async () => {
    await expect(manualClock().sleep(0)).resolves.toBeUndefined();
    await expect(manualClock().sleep(-1)).resolves.toBeUndefined();
  });

  it('wakes the sleepers whose time has come, earliest first, and leaves the others', async () => {
    const naps = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(naps, fc.nat(60), async (milliseconds, advance_ms) => {
        const clock = manualClock();
        const woken: number[] = [];
        for (const nap of milliseconds) clock.sleep(nap).then(() => woken.push(nap));
        clock.advance(advance_ms);
        await settle();
        const due = milliseconds.filter((nap) => nap <= advance_ms).sort((a, b) => a - b);
        expect(woken).toEqual(due);
      }),
    );
  });
});

describe('the system clock', () => {
  it('never measures backwards', () => {
    const first = systemClock.monotonic();
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(first);
  });

  it('tells the time of this machine', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('wakes by itself', async () => {
    await expect(systemClock.sleep(1)).resolves.toBeUndefined();
  });

  it('does not fall asleep on a signal that was already given', async () => {
    const reason = new Error('closing');
    await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('is woken by a signal', async () => {
    const controller = new AbortController();
    const sleeper = systemClock.sleep(60_000, controller.signal);
    controller.abort(new Error('closing'));
    await expect(sleeper).rejects.toThrow('closing');
  });

  it('leaves no timer and no listener behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { signal } = new AbortController();
    const sleeper = systemClock.sleep(10, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10);
    await sleeper;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);

    const controller = new AbortController();
    const woken = systemClock.sleep(10, controller.signal);
    controller.abort(new Error('closing'));
    await expect(woken).rejects.toThrow('closing');
    expect(vi.getTimerCount()).toBe(0);
  });
});
