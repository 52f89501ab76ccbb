import type { Countdown, Moment, SeatingClient } from '@voelgoed/client/client';

/** Before the end, so much time to decide; of short holds the last third. */
const WARNING_SECONDS = 60;

type Told = Readonly<{
  /** Once for each end that comes near. */
  warned(moment: Moment): void;
  over(): void;
}>;

/** The time of the hold that ends first, by the server's clock. */
export class CartClock {
  moment = $state.raw<Moment | null>(null);
  readonly #client: SeatingClient;
  readonly #told: Told;
  #countdown: Countdown | null = null;
  #until: string | null = null;
  #warned = '';
  #isClosed = false;

  constructor(client: SeatingClient, told: Told) {
    this.#client = client;
    this.#told = told;
  }

  /** Null: there is nothing to wait for. */
  set(until: string | null): void {
    this.#until = until;
    if (until === null) this.#stop();
    else if (this.#countdown) this.#countdown.until(until);
    else if (!this.#isClosed) this.#begin(until);
  }

  close(): void {
    this.#isClosed = true;
    this.#countdown?.stop();
  }

  #stop(): void {
    this.#countdown?.stop();
    this.#countdown = null;
    this.moment = null;
  }

  #begin(until: string): void {
    const left_ms = Date.parse(until) - this.#client.clock.now();
    const warning_seconds = Math.min(WARNING_SECONDS, Math.ceil(left_ms / 3_000));
    this.#countdown = this.#client.countdown(until, (moment) => this.#tick(moment), {
      warning_seconds,
    });
  }

  #tick(moment: Moment): void {
    this.moment = moment;
    if (moment.phase === 'warning' && this.#warned !== this.#until) {
      this.#warned = this.#until ?? '';
      this.#told.warned(moment);
    }
    if (moment.phase === 'over') this.#told.over();
  }
}
