import { assert } from './errors.ts';

type Waiter = { admit: () => void; timer: NodeJS.Timeout };

/** At most `size` holders at a time, first come first served, nobody waits longer than asked. */
export class Semaphore {
  #free: number;
  readonly #size: number;
  readonly #waiters = new Set<Waiter>();

  constructor(size: number) {
    assert(size > 0, 'a semaphore needs a size');
    this.#free = size;
    this.#size = size;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  get taken(): number {
    return this.#size - this.#free;
  }

  /** Resolves to false when no place became free within `wait_ms`. */
  acquire(wait_ms: number): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiter: Waiter = {
        admit: () => {
          clearTimeout(waiter.timer);
          this.#waiters.delete(waiter);
          resolve(true);
        },
        timer: setTimeout(() => {
          this.#waiters.delete(waiter);
          resolve(false);
        }, wait_ms),
      };
      this.#waiters.add(waiter);
    });
  }

  release(): void {
    const next = this.#waiters.values().next();
    if (next.done) {
      this.#free++;
      assert(this.#free <= this.#size, 'a semaphore was released more often than acquired');
    } else {
      next.value.admit();
    }
  }
}
