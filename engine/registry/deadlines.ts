import type { Clock, Timers } from '#kit';

type Tools = Readonly<{ clock: Clock & Timers; stopping: AbortSignal }>;

/** Looks for those whose time is over, at the moment when the first of them has waited enough. */
export class Deadlines {
  readonly #tools: Tools;
  readonly #look: () => number;
  /** When it is looked next. */
  #looking_ms = Number.POSITIVE_INFINITY;

  /** `look` answers everybody whose time is over and says when the next one's is. */
  constructor(tools: Tools, look: () => number) {
    this.#tools = tools;
    this.#look = look;
  }

  watch(deadline_ms: number): void {
    if (deadline_ms >= this.#looking_ms) return;
    this.#looking_ms = deadline_ms;
    void this.#lookAt(deadline_ms);
  }

  async #lookAt(time_ms: number): Promise<void> {
    const { clock, stopping } = this.#tools;
    await clock.sleep(Math.max(1, time_ms - clock.monotonic()), stopping).catch(() => {});
    // Somebody with less patience came meanwhile: whoever looks for them looks for all.
    if (stopping.aborted || this.#looking_ms !== time_ms) return;
    this.#looking_ms = Number.POSITIVE_INFINITY;
    this.watch(this.#look());
  }
}
