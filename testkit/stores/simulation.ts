type Task = Readonly<{ at_ms: number; order: number; work: () => void }>;

/** A run that does so much is going round in circles. */
const MOST_STEPS = 400_000;
/** When every simulated world begins. */
export const START_MS = Date.UTC(2026, 0, 1);

/** Time of a run: nothing happens but what was put here, in the order of its time. */
export class Simulation {
  /** A heap: the first is next. */
  readonly #tasks: Task[] = [];
  #time_ms = 0;
  #order = 0;
  #steps = 0;

  get time_ms(): number {
    return this.#time_ms;
  }

  get steps(): number {
    return this.#steps;
  }

  after(delay_ms: number, work: () => void): void {
    const at_ms = this.#time_ms + (delay_ms > 0 ? delay_ms : 0);
    const tasks = this.#tasks;
    const task = { at_ms, order: this.#order++, work };
    let place = tasks.length;
    tasks.push(task);
    while (place > 0) {
      const above = (place - 1) >> 1;
      const other = tasks[above] as Task;
      if (!isBefore(task, other)) break;
      tasks[place] = other;
      place = above;
    }
    tasks[place] = task;
  }

  sleep(delay_ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.after(delay_ms, resolve);
    });
  }

  /**
   * Lets things happen until `isOver` says so, or nothing is left to happen. Between two of them
   * all promises are followed to their ends: a microtask asks for the next tick, and Node begins a
   * tick only when no microtask is left.
   */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const again = () => process.nextTick(step);
      const step = () => {
        try {
          if (isOver()) return resolve();
          const next = this.#take();
          if (!next) return reject(new Error('somebody waits for ever'));
          if (++this.#steps > MOST_STEPS) return reject(new Error('it goes round in circles'));
          this.#time_ms = next.at_ms;
          next.work();
        } catch (error) {
          return reject(error);
        }
        queueMicrotask(again);
      };
      queueMicrotask(again);
    });
  }

  #take(): Task | undefined {
    const tasks = this.#tasks;
    const first = tasks[0];
    const last = tasks.pop();
    if (!first || !last || first === last) return first;
    let place = 0;
    for (;;) {
      let below = place * 2 + 1;
      if (below >= tasks.length) break;
      const right = tasks[below + 1];
      if (right && isBefore(right, tasks[below] as Task)) below++;
      const other = tasks[below] as Task;
      if (!isBefore(other, last)) break;
      tasks[place] = other;
      place = below;
    }
    tasks[place] = last;
    return first;
  }
}

function isBefore(one: Task, other: Task): boolean {
  return one.at_ms === other.at_ms ? one.order < other.order : one.at_ms < other.at_ms;
}
