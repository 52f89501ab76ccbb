import type { Host } from '#host';

export type RetryOptions = Readonly<{
  /** How often one call is tried again. Default 3; 0: never. */
  most?: number;
  /** How many retries all calls of this client have together. Default 10. */
  budget?: number;
  /** How much of one retry comes back each second. Default 0.2. */
  refill_per_second?: number;
}>;

/** What the first retry waits for at most; each next one twice as long. */
const FIRST_MS = 200;
const LONGEST_MS = 5_000;
const MOST = 3;
const BUDGET = 10;
/** A client that is alone asks a dying server once in five seconds, however much it has to do. */
const REFILL_PER_SECOND = 0.2;
/** Ten calls that go well pay for one retry: at most a tenth more load in the long run. */
const REFILL_PER_SUCCESS = 0.1;

/**
 * How many retries there are in all. Each takes one; time and success bring them back. A server
 * that refuses everybody is thereby asked little more often than if nobody tried again.
 */
export class RetryBudget {
  readonly most: number;
  readonly #host: Host;
  readonly #capacity: number;
  readonly #perSecond: number;
  #left: number;
  #filled_ms: number;

  constructor(host: Host, options: RetryOptions = {}) {
    this.#host = host;
    this.most = options.most ?? MOST;
    this.#capacity = options.budget ?? BUDGET;
    this.#perSecond = options.refill_per_second ?? REFILL_PER_SECOND;
    this.#left = this.#capacity;
    this.#filled_ms = host.monotonic();
  }

  get left(): number {
    const now_ms = this.#host.monotonic();
    this.#add(((now_ms - this.#filled_ms) / 1_000) * this.#perSecond);
    this.#filled_ms = now_ms;
    return this.#left;
  }

  take(): boolean {
    if (this.left < 1) return false;
    this.#left -= 1;
    return true;
  }

  succeeded(): void {
    this.#add(REFILL_PER_SUCCESS);
  }

  /** Between half and all of a time that doubles: those who failed together do not return so. */
  wait_ms(attempt: number): number {
    const most_ms = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
    return most_ms * (0.5 + this.#host.random() / 2);
  }

  #add(retries: number): void {
    this.#left = Math.min(this.#capacity, this.#left + retries);
  }
}
