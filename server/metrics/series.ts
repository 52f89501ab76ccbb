import type { Happening } from '@voelgoed/engine/telemetry';
import { Gauge, type Registry } from 'prom-client';
import { type Labels, register, Sizes, Tally } from './tally.ts';

/** From a refusal out of memory (under 1 ms) to a request at its deadline (3 s). */
export const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 3];
/** What people do: from a second thought to the longest hold that a policy allows. */
export const MINUTES = [1, 10, 30, 60, 120, 300, 600, 900, 1_200, 1_800, 3_600];

/** What is counted when one of these happens: none of them can be forgotten. */
export type Counting<Kind extends Happening['kind']> = {
  [One in Kind]: (happening: Extract<Happening, { kind: One }>) => void;
};

/** A gauge whose values are read when it is scraped, one for each set of labels. */
export type GaugeBy = (
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => readonly Readonly<{ labels: Labels; value: number }>[],
) => void;

/** Nothing is counted, and that is meant. */
export const nothing = (): void => {};

/** Makes series with our prefix in one registry. */
export class Series {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  counter(name: string, help: string, labelNames: readonly string[] = []): Tally {
    return register(this.#registry, new Tally(about(name, help, labelNames)));
  }

  gauge(name: string, help: string, labelNames: readonly string[] = []): Gauge {
    const registers = [this.#registry];
    return new Gauge({ ...about(name, help, labelNames), labelNames: [...labelNames], registers });
  }

  histogram(
    name: string,
    help: string,
    labelNames: readonly string[] = [],
    buckets: readonly number[] = SECONDS,
  ): Sizes {
    return register(this.#registry, new Sizes(about(name, help, labelNames), buckets));
  }
}

function about(name: string, help: string, labelNames: readonly string[]) {
  return { name: `voelgoed_${name}`, help, labelNames };
}
