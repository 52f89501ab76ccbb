import { systemClock } from '@voelgoed/engine/kit';

/** Where in a turn of the event loop. */
export type Phase = 'timers' | 'poll' | 'check' | 'next tick' | 'microtask';

export type Stall = Readonly<{ phase: Phase; ms: number }>;

const PHASES: Readonly<Record<Phase, (work: () => void) => void>> = {
  timers: (work) => void setTimeout(work, 1),
  // As a message of another process is heard.
  poll: (work) => work(),
  check: (work) => void setImmediate(work),
  'next tick': (work) => process.nextTick(work),
  microtask: (work) => void Promise.resolve().then(work),
};

/**
 * This process does nothing for a while, from the next turn of this phase on; then it says for how
 * long that was.
 */
export function stallLoop(phase: Phase, ms: number, done?: (stalled_ms: number) => void): void {
  PHASES[phase](() => {
    const began = systemClock.monotonic();
    while (systemClock.monotonic() < began + ms);
    done?.(systemClock.monotonic() - began);
  });
}
