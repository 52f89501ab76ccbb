import type { Fetch, Host } from './system-host.ts';

/** A host whose time stands still until somebody moves it. */
export type ManualHost = Host &
  Readonly<{
    /** Time passes, and every timer that is due runs in its turn. */
    advance(time_ms: number): Promise<void>;
    /** Somebody sets the clock of the machine; what has passed stays the same. */
    setClock(now_ms: number): void;
    /** Timers that wait. */
    waiting(): number;
  }>;

type Timer = Readonly<{ at_ms: number; callback: () => void }>;

/** So many turns are enough for what a callback has set going to come to rest. */
const TURNS = 50;

export function manualHost(
  options: Readonly<{ fetch?: Fetch; now_ms?: number; random?: () => number }> = {},
): ManualHost {
  const timers = new Set<Timer>();
  let passed_ms = 0;
  let start_ms = options.now_ms ?? 1_800_000_000_000;
  let keys = 0;
  const settle = async () => {
    for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
  };
  const next = (until_ms: number) =>
    [...timers].filter(({ at_ms }) => at_ms <= until_ms).sort((a, b) => a.at_ms - b.at_ms)[0];
  return {
    fetch: options.fetch ?? (() => Promise.reject(new TypeError('nobody is there'))),
    now: () => start_ms + passed_ms,
    monotonic: () => passed_ms,
    after: (delay_ms, callback) => {
      const timer = { at_ms: passed_ms + Math.max(0, delay_ms), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    random: options.random ?? (() => 1),
    newKey: () => `key-${++keys}`,
    advance: async (time_ms) => {
      const until_ms = passed_ms + time_ms;
      await settle();
      for (let timer = next(until_ms); timer; timer = next(until_ms)) {
        timers.delete(timer);
        passed_ms = timer.at_ms;
        timer.callback();
        await settle();
      }
      passed_ms = until_ms;
    },
    setClock: (now_ms) => {
      start_ms = now_ms - passed_ms;
    },
    waiting: () => timers.size,
  };
}
