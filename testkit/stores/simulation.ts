import { type Clock, type Random, seededRandom, type Timers } from '@voelgoed/engine/kit';

type Task = Readonly<{ at_ms: number; work: () => void }>;

/** Turns of the microtask queue between two happenings: the longest chain of awaits is shorter. */
const TURNS = 16;
/** A run that does so much is going round in circles. */
const MOST_STEPS = 50_000;
const START_MS = Date.UTC(2026, 0, 1);

/** Time and chance of a run: nothing happens but what was put here, in the order of its time. */
export class Simulation {
  readonly random: Random;
  readonly #tasks: Task[] = [];
  #time_ms = 0;
  #steps = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  get time_ms(): number {
    return this.#time_ms;
  }

  /** Between 0 and `most`, whole. */
  upTo(most: number): number {
    return Math.floor(this.random.next() * (most + 1));
  }

  chance(probability: number): boolean {
    return this.random.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.upTo(items.length - 1)] as Item;
  }

  after(delay_ms: number, work: () => void): void {
    const at_ms = this.#time_ms + Math.max(0, delay_ms);
    let index = this.#tasks.length;
    while (index > 0 && (this.#tasks[index - 1]?.at_ms ?? 0) > at_ms) index--;
    this.#tasks.splice(index, 0, { at_ms, work });
  }

  sleep(delay_ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.after(delay_ms, resolve);
    });
  }

  /** The clock of one machine: wrong by `skew_ms`, and switched on at a moment of its own. */
  clock(skew_ms: number): Clock & Timers {
    const since_ms = this.upTo(100_000);
    return {
      now: () => START_MS + this.#time_ms + skew_ms,
      monotonic: () => since_ms + this.#time_ms,
      sleep: (delay_ms, signal) => this.sleep(delay_ms, signal),
    };
  }

  /** Lets things happen until `work` is done. */
  async run<Result>(work: Promise<Result>): Promise<Result> {
    let over = false;
    const end = () => {
      over = true;
    };
    work.then(end, end);
    for (let idle = 0; ; ) {
      for (let turn = 0; turn < TURNS && !over; turn++) await null;
      if (over) return work;
      const next = this.#tasks.shift();
      idle = next ? 0 : idle + 1;
      if (idle > TURNS) throw new Error('somebody waits for ever');
      if (!next) continue;
      if (++this.#steps > MOST_STEPS) throw new Error('it goes round in circles');
      this.#time_ms = next.at_ms;
      next.work();
    }
  }
}
