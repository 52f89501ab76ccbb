import type { Random } from '@voelgoed/engine/kit';

/** Choices from one seed. */
export class Dice {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  /** 0 to `most`, both included. */
  upTo(most: number): number {
    return Math.floor(this.#random.next() * (most + 1));
  }

  between(least: number, most: number): number {
    return least + this.upTo(most - least);
  }

  one<Value>(values: readonly Value[]): Value {
    const value = values[this.upTo(values.length - 1)];
    if (values.length === 0) throw new Error('there is nothing to choose from');
    return value as Value;
  }

  /** One of several ways, each as likely as its weight says. */
  weighted<Value>(ways: readonly (readonly [number, () => Value])[]): Value {
    let left = this.#random.next() * ways.reduce((sum, [weight]) => sum + weight, 0);
    const chosen = ways.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    const [, way] = chosen ?? this.one(ways);
    return way();
  }

  hex(length: number): string {
    return Buffer.from(this.#random.bytes(Math.ceil(length / 2)))
      .toString('hex')
      .slice(0, length);
  }

  uuid(): string {
    const hex = this.hex(32);
    const [a, b, c, d, e] = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      hex.slice(13, 16),
      hex.slice(17, 20),
      hex.slice(20),
    ];
    return `${a}-${b}-7${c}-8${d}-${e}`;
  }
}
