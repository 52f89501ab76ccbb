import { type Clock, reasonOf, type Timers } from '#kit';
import type { Telemetry } from '#telemetry';
import { Breaker, type BreakerState } from './breaker.ts';

export type CircuitOptions = Readonly<{
  clock: Clock & Timers;
  telemetry: Telemetry;
  /** Between two probes of a Redis that is down. */
  probe_ms?: number | undefined;
  probe(): Promise<boolean>;
}>;

const FAILURES = 5;
const PROBE_MS = 30_000;
/** Answers of a Redis that is well: about one key or one script, not about the server. */
const ABOUT_DATA = /^(?:WRONGTYPE|ERR|NOSCRIPT|user_script)/;

/**
 * The breaker with its one timer. Everything that is asked of Redis on behalf of buyers goes
 * through `run`, which counts; a Redis that is back is first brought up to date (`onBack`).
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #breaker: Breaker;
  readonly #stopping = new AbortController();
  #probing: Promise<void> | null = null;
  /** Since Redis last did what it was asked. */
  #failures = 0;
  #lastFailure: string | null = null;
  #onBack: () => Promise<void> = async () => {};

  constructor(options: CircuitOptions) {
    this.#options = options;
    this.#breaker = new Breaker({ failures: FAILURES, probe_ms: options.probe_ms ?? PROBE_MS });
  }

  /** What has to be done before a Redis that was away is believed again. */
  set onBack(work: () => Promise<void>) {
    this.#onBack = work;
  }

  get state(): BreakerState {
    return this.#breaker.state;
  }

  /** What Redis says counts. */
  get isClosed(): boolean {
    return this.#breaker.state === 'closed';
  }

  /** Redis is told what happens. */
  get isTold(): boolean {
    return this.#breaker.state !== 'open';
  }

  async run<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await work();
      this.#succeed();
      return answer;
    } catch (error) {
      if (isAboutData(error)) this.#succeed();
      else this.#fail(error);
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    await this.#probing;
  }

  /** While it is open, late answers change nothing. */
  #succeed(): void {
    this.#breaker.succeeded();
    if (this.isClosed) this.#failures = 0;
  }

  #fail(error: unknown): void {
    const before = this.#breaker.state;
    this.#noteFailure(error);
    this.#breaker.failed(this.#options.clock.monotonic());
    const { state } = this.#breaker;
    if (before === state) return;
    this.#tell(state, reasonOf(error));
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = null;
    });
  }

  /** Runs from opening to closing, and again when it opens while it recovers. */
  async #probe(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    for (
      let due_ms = this.#breaker.probeAt_ms;
      due_ms !== null;
      due_ms = this.#breaker.probeAt_ms
    ) {
      await clock.sleep(Math.max(1, due_ms - clock.monotonic()), signal).catch(() => {});
      if (signal.aborted) return;
      const isUp = await this.#isUp();
      this.#breaker.probed(isUp, clock.monotonic());
      if (!isUp) this.#tellProbe();
      if (this.#breaker.state !== 'half_open') continue;
      this.#tell('half_open', 'it answers again');
      await this.#recover();
    }
  }

  /** A probe that failed is one more failure. */
  async #isUp(): Promise<boolean> {
    try {
      if (await this.#options.probe()) return true;
      this.#noteFailure(new Error('it does not answer'));
    } catch (error) {
      this.#noteFailure(error);
    }
    return false;
  }

  async #recover(): Promise<void> {
    try {
      await this.#onBack();
      this.#breaker.recovered();
      if (!this.isClosed) return;
      this.#tell('closed', 'it is up to date');
      this.#failures = 0;
    } catch (error) {
      this.#noteFailure(error);
      this.#breaker.failed(this.#options.clock.monotonic());
      this.#tell(this.#breaker.state, reasonOf(error));
    }
  }

  #noteFailure(error: unknown): void {
    this.#failures++;
    this.#lastFailure = reasonOf(error);
  }

  #tell(state: BreakerState, reason: string): void {
    const about = { reason, failures: this.#failures, last_failure: this.#lastFailure };
    this.#options.telemetry.emit({ kind: 'redis.breaker', state, ...about });
  }

  #tellProbe(): void {
    const about = { reason: this.#lastFailure ?? '', failures: this.#failures };
    this.#options.telemetry.emit({ kind: 'redis.probe_failed', ...about });
  }
}

/** A key of the wrong type, a script that fails on what it found: that is not the server's. */
export function isAboutData(error: unknown): boolean {
  const isOurs = error instanceof SyntaxError || error instanceof TypeError;
  return isOurs || ABOUT_DATA.test(reasonOf(error));
}
