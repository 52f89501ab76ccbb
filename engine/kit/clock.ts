import { uptime } from 'node:os';

/** Milliseconds since 1970 for people, and a monotonic reading for measuring. */
export type Clock = {
  now(): number;
  monotonic(): number;
  /** As `monotonic`, and it also counts the time for which the machine was suspended. */
  boot?(): number;
};

/** Timers as a port, so that a simulator can own time. */
export type Timers = {
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
};

/** Lets everybody else have their turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export const systemClock: Clock & Timers = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  boot: () => uptime() * 1_000,
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      }, milliseconds);
      signal?.addEventListener('abort', onAbort, { once: true });
    }),
};

/** A clock that a test moves by hand; sleepers wake when their time has come. */
export function manualClock(
  start = Date.UTC(2026, 0, 1),
): Clock & Timers & { advance(milliseconds: number): void } {
  let time = start;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => time,
    monotonic: () => time - start,
    sleep: (milliseconds) =>
      new Promise((wake) => {
        if (milliseconds <= 0) return wake();
        sleepers.push({ at: time + milliseconds, wake });
      }),
    advance(milliseconds) {
      time += milliseconds;
      const due = sleepers.filter((sleeper) => sleeper.at <= time).sort((a, b) => a.at - b.at);
      sleepers = sleepers.filter((sleeper) => sleeper.at > time);
      for (const sleeper of due) sleeper.wake();
    },
  };
}
