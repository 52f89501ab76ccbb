import type { Clock } from '#kit';

/**
 * The database's time, as this node knows it between two readings. A reading says only that the
 * database read its clock after the question left and before the answer was handled, so that its
 * time is known as a range. An answer that is handled late makes the range wide, not wrong.
 */
export class DatabaseTime {
  readonly #clock: Clock;
  /** The range, as what has to be added to the monotonic clock; null: never read. */
  #range: Readonly<{ least_ms: number; most_ms: number }> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isKnown(): boolean {
    return this.#range !== null;
  }

  /** The database answered `now_ms` to a question that left at `asked_ms` of the monotonic clock. */
  read(now_ms: number, asked_ms: number): void {
    const least_ms = now_ms - this.#clock.monotonic();
    const most_ms = now_ms - asked_ms;
    const before = this.#range;
    const isBeside = before && (least_ms > before.most_ms || most_ms < before.least_ms);
    // One of the two clocks was set: what was known before says nothing any more.
    if (!before || isBeside) this.#range = { least_ms, most_ms };
    else {
      this.#range = {
        least_ms: Math.max(before.least_ms, least_ms),
        most_ms: Math.min(before.most_ms, most_ms),
      };
    }
  }

  /** It is at least this late: what is over by then is over. Null: never read. */
  least(): number | null {
    return this.#range && this.#clock.monotonic() + this.#range.least_ms;
  }

  /** It is at most this late: what has time left then is not over. Null: never read. */
  most(): number | null {
    return this.#range && this.#clock.monotonic() + this.#range.most_ms;
  }
}
