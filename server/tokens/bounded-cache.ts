import { forgetOldest } from '@voelgoed/engine/kit';

/** A map that forgets what was put in first when it is full. */
export class BoundedCache<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    forgetOldest(this.#entries, this.#limit);
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
