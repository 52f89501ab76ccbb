import type { Clock } from '@voelgoed/engine/kit';
import type { Happening } from '@voelgoed/engine/telemetry';

const WINDOW_MS = 1_000;

/**
 * Lines that come with every hold while a service is down: the first of each second name whom it
 * concerns, the series count all of them, and a file of a million lines would help nobody.
 */
const MOST_A_SECOND: Partial<Record<Happening['kind'], number>> = {
  'hold.redis_fallback': 5,
  'hold.error': 20,
  'reaper.failed': 20,
};

type Window = { since_ms: number; lines: number; left_out: number };

/** How many lines of a kind are written. */
export class LineLimits {
  readonly #clock: Clock;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Lines that were left out before this one; null: this one is left out, too. */
  take(kind: Happening['kind']): number | null {
    const most = MOST_A_SECOND[kind];
    if (most === undefined) return 0;
    const now_ms = this.#clock.monotonic();
    const window = this.#windows.get(kind) ?? { since_ms: now_ms, lines: 0, left_out: 0 };
    this.#windows.set(kind, window);
    if (now_ms - window.since_ms >= WINDOW_MS) {
      window.since_ms = now_ms;
      window.lines = 0;
    }
    if (window.lines >= most) {
      window.left_out++;
      return null;
    }
    window.lines++;
    const { left_out } = window;
    window.left_out = 0;
    return left_out;
  }
}
