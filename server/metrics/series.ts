import type { Happening } from '@voelgoed/engine/telemetry';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** From a refusal out of memory (under 1 ms) to a request at its deadline (3 s). */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 3];
/** What people do: from a second thought to the longest hold that a policy allows. */
export const MINUTES = [1, 10, 30, 60, 120, 300, 600, 900, 1_200, 1_800, 3_600];

/** What is counted when one of these happens: none of them can be forgotten. */
export type Counting<Kind extends Happening['kind']> = {
  [One in Kind]: (happening: Extract<Happening, { kind: One }>) => void;
};

/** Nothing is counted, and that is meant. */
export const nothing = (): void => {};

/** Makes series with our prefix in one registry. */
export class Series {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter(name: string, help: string, labelNames: readonly string[] = []): Counter {
    return new Counter({ ...this.#named(name, help, labelNames) });
  }

  gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
    return new Gauge({ ...this.#named(name, help, labelNames) });
  }

  histogram(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    buckets: readonly number[] = SECONDS,
  ): Histogram {
    return new Histogram({ ...this.#named(name, help, labelNames), buckets: [...buckets] });
  }

  #named(name: string, help: string, labelNames: readonly string[]) {
    const registers = this.#registers;
    return { name: `voelgoed_${name}`, help, labelNames: [...labelNames], registers };
  }
}
