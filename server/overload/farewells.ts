import type { Clock, Timers } from '@voelgoed/engine/kit';

const TURN_MS = 20;
/** 2,000 in a second, each about a tenth of a millisecond: a fifth of the node's time. */
const PER_TURN = 40;
/** Whoever has waited so long is told, however many they are. */
const LONGEST_MS = 2_000;

/** As many as may be connected: who asks more often on one connection makes nobody else wait. */
const MOST_WAITING = 20_000;

/**
 * Tells people that they cannot come in, a few at a time. A client that asks again the moment it
 * hears no would keep a node busy with nothing else; one that has not heard yet asks nothing.
 */
export class Farewells {
  readonly #clock: Clock & Timers;
  #waiting: { since_ms: number; say: () => void }[] = [];
  #left = PER_TURN;
  #isTurning = false;

  constructor(clock: Clock & Timers) {
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  say(say: () => void): void {
    if (this.#left > 0) {
      this.#left--;
      say();
    } else if (this.#waiting.length >= MOST_WAITING) {
      say();
    } else {
      this.#waiting.push({ since_ms: this.#clock.monotonic(), say });
    }
    if (!this.#isTurning) void this.#takeTurns();
  }

  /** Until a turn has nothing to say. */
  async #takeTurns(): Promise<void> {
    this.#isTurning = true;
    while (this.#left < PER_TURN) {
      await this.#clock.sleep(TURN_MS);
      const due = this.#waiting.splice(0, Math.max(PER_TURN, this.#overdue()));
      this.#left = PER_TURN - Math.min(due.length, PER_TURN);
      for (const { say } of due) say();
    }
    this.#isTurning = false;
  }

  #overdue(): number {
    const since_ms = this.#clock.monotonic() - LONGEST_MS;
    const first = this.#waiting.findIndex((one) => one.since_ms > since_ms);
    return first < 0 ? this.#waiting.length : first;
  }
}
