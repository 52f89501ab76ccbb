export type BreakerState = 'closed' | 'open' | 'half_open';

export type BreakerLimits = Readonly<{
  /** So many failures in a row open it. */
  failures: number;
  /** So long after it opened, or after the last probe, Redis is asked whether it is back. */
  probe_ms: number;
}>;

/**
 * Whether Redis is worth asking. Closed: it is. Open: nobody asks. Half-open: it answers again but
 * has missed things, so it is written to and not yet believed. A state machine without a clock of
 * its own: whoever drives it says what time it is.
 */
export class Breaker {
  readonly #limits: BreakerLimits;
  #state: BreakerState = 'closed';
  #failures = 0;
  #asked_ms = Number.NEGATIVE_INFINITY;

  constructor(limits: BreakerLimits) {
    this.#limits = limits;
  }

  get state(): BreakerState {
    return this.#state;
  }

  get failures(): number {
    return this.#failures;
  }

  /** When the next probe is due; null while none is needed. */
  get probeAt_ms(): number | null {
    return this.#state === 'open' ? this.#asked_ms + this.#limits.probe_ms : null;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  /** What comes late, after it has opened, changes nothing. */
  failed(now_ms: number): void {
    if (this.#state === 'open') return;
    this.#failures++;
    if (this.#state === 'half_open' || this.#failures >= this.#limits.failures) this.#open(now_ms);
  }

  /** The answer to a probe that was due. */
  probed(isUp: boolean, now_ms: number): void {
    const due_ms = this.probeAt_ms;
    if (due_ms === null || now_ms < due_ms) return;
    if (!isUp) return this.#open(now_ms);
    this.#state = 'half_open';
    this.#failures = 0;
  }

  /** Everything that Redis had missed is written. */
  recovered(): void {
    if (this.#state !== 'half_open') return;
    this.#state = 'closed';
    this.#failures = 0;
  }

  #open(now_ms: number): void {
    this.#state = 'open';
    this.#asked_ms = now_ms;
  }
}
