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
      this.#breaker.succeeded();
      return answer;
    } catch (error) {
      if (isAboutData(error)) this.#breaker.succeeded();
      else this.#fail(error);
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    await this.#probing;
  }

  #fail(error: unknown): void {
    const before = this.#breaker.state;
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
    const { clock, probe } = this.#options;
    const { signal } = this.#stopping;
    for (
      let due_ms = this.#breaker.probeAt_ms;
      due_ms !== null;
      due_ms = this.#breaker.probeAt_ms
    ) {
      await clock.sleep(Math.max(1, due_ms - clock.monotonic()), signal).catch(() => {});
      if (signal.aborted) return;
      this.#breaker.probed(await probe().catch(() => false), clock.monotonic());
      if (this.#breaker.state !== 'half_open') continue;
      this.#tell('half_open', 'it answers again');
      await this.#recover();
    }
  }

  async #recover(): Promise<void> {
    try {
      await this.#onBack();
      this.#breaker.recovered();
      if (this.isClosed) this.#tell('closed', 'it is up to date');
    } catch (error) {
      this.#breaker.failed(this.#options.clock.monotonic());
      this.#tell(this.#breaker.state, reasonOf(error));
    }
  }

  #tell(state: BreakerState, reason: string): void {
    this.#options.telemetry.emit({ kind: 'redis.breaker', state, reason });
  }
}

/** A key of the wrong type, a script that fails on what it found: that is not the server's. */
export function isAboutData(error: unknown): boolean {
  const isOurs = error instanceof SyntaxError || error instanceof TypeError;
  return isOurs || ABOUT_DATA.test(reasonOf(error));
}
