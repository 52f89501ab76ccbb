import type { Random } from '@voelgoed/engine/kit';

/**
 * A stream of chance of its own (mulberry32). Whoever has one draws from it alone, so that leaving
 * out one part of a schedule leaves the luck of all others as it was.
 */
export class Dice implements Random {
  #state: number;

  /** The same seed and name give the same stream. */
  constructor(seed: number, name = '') {
    let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
    for (let index = 0; index < name.length; index++) {
      mixed = Math.imul(mixed ^ name.charCodeAt(index), 0x01000193);
      mixed ^= mixed >>> 15;
    }
    this.#state = mixed >>> 0;
  }

  next(): number {
    return this.#next32() / 0x1_0000_0000;
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let index = 0; index < count; index += 4) {
      const word = this.#next32();
      bytes[index] = word;
      bytes[index + 1] = word >>> 8;
      bytes[index + 2] = word >>> 16;
      bytes[index + 3] = word >>> 24;
    }
    return bytes;
  }

  /** Between 0 and `most`, whole. */
  upTo(most: number): number {
    return Math.floor(this.next() * (most + 1));
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.upTo(items.length - 1)] as Item;
  }

  #next32(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}
