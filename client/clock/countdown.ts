import type { Host } from '#host';
import type { ServerClock } from './server-clock.ts';

/** One look at what is left. */
export type Moment = Readonly<{
  /** Never negative. */
  remaining_ms: number;
  /** Whole seconds as people count: 1 until the very end, then 0. */
  seconds: number;
  /** `9:59`. */
  text: string;
  phase: 'running' | 'warning' | 'over';
}>;

export type CountdownListener = (moment: Moment) => void;

export type CountdownOptions = Readonly<{
  /** So long before the end it is time to say so. Default 60. */
  warning_seconds?: number;
}>;

const WARNING_SECONDS = 60;
const SECOND_MS = 1_000;

/**
 * What is left of a hold or a checkout, told at once, then each second as it changes, and once at
 * the end. It follows the server's clock: a page whose own clock is wrong, or that has slept, is
 * right at the next tick.
 */
export class Countdown {
  readonly #host: Host;
  readonly #clock: ServerClock;
  readonly #listener: CountdownListener;
  readonly #warning_ms: number;
  #until_ms: number;
  #cancel: (() => void) | null = null;

  constructor(
    { host, clock }: Readonly<{ host: Host; clock: ServerClock }>,
    until: string,
    listener: CountdownListener,
    options: CountdownOptions = {},
  ) {
    this.#host = host;
    this.#clock = clock;
    this.#listener = listener;
    this.#warning_ms = (options.warning_seconds ?? WARNING_SECONDS) * SECOND_MS;
    this.#until_ms = timeOf(until);
    this.#tick();
  }

  get moment(): Moment {
    const remaining_ms = Math.max(0, this.#until_ms - this.#clock.now());
    const seconds = Math.ceil(remaining_ms / SECOND_MS);
    const isWarning = remaining_ms <= this.#warning_ms;
    const phase = remaining_ms === 0 ? 'over' : isWarning ? 'warning' : 'running';
    return { remaining_ms, seconds, text: textOf(seconds), phase };
  }

  /** It lasts longer now, or shorter; also one that was over runs again. */
  until(time: string): void {
    this.#until_ms = timeOf(time);
    this.#tick();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #tick(): void {
    this.stop();
    const { moment } = this;
    if (moment.phase !== 'over') {
      // The next moment at which the number of seconds is another one.
      const next_ms = moment.remaining_ms - (moment.seconds - 1) * SECOND_MS;
      this.#cancel = this.#host.after(Math.ceil(next_ms), () => this.#tick());
    }
    this.#listener(moment);
  }
}

function timeOf(text: string): number {
  const time_ms = Date.parse(text);
  if (Number.isNaN(time_ms)) throw new RangeError(`${text} is no time`);
  return time_ms;
}

function textOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
