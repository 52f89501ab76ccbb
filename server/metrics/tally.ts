import type { Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

type About = Readonly<{ name: string; help: string; labelNames: readonly string[] }>;
type Value = { metricName?: string; labels: Labels | object; value: number };

type Level<Entry> = { entry: Entry | null; below: Map<string, Level<Entry>> | null };

/**
 * Numbers by labels that cost a hold next to nothing: one map per label, so that no text is joined,
 * and everything else when somebody reads. The library's own counters sort and join label names on
 * each call.
 */
abstract class Numbers<Entry> {
  readonly about: About;
  readonly #make: () => Entry;
  readonly #top: Level<Entry> = { entry: null, below: null };

  constructor(about: About, make: () => Entry) {
    this.about = about;
    this.#make = make;
    // What has no labels is there from the beginning: a rate needs two values.
    if (about.labelNames.length === 0) this.#top.entry = make();
  }

  /** What the registry calls its name. */
  get name(): string {
    return this.about.name;
  }

  protected entryOf(labels: Labels): Entry {
    let level = this.#top;
    for (const name of this.about.labelNames) {
      const value = labels[name] ?? '';
      level.below ??= new Map();
      let next = level.below.get(value);
      if (next === undefined) {
        next = { entry: null, below: null };
        level.below.set(value, next);
      }
      level = next;
    }
    level.entry ??= this.#make();
    return level.entry;
  }

  protected valuesBy(type: string, valuesOf: (entry: Entry, labels: Labels) => Value[]) {
    const { name, help } = this.about;
    const values = this.#all(this.#top, 0, NONE).flatMap(([entry, labels]) =>
      valuesOf(entry, labels),
    );
    return { name, help, type, values, aggregator: 'sum' };
  }

  #all({ entry, below }: Level<Entry>, depth: number, labels: Labels): [Entry, Labels][] {
    const name = this.about.labelNames[depth] ?? '';
    const deeper = [...(below ?? [])].flatMap(([value, level]) =>
      this.#all(level, depth + 1, { ...labels, [name]: value }),
    );
    return entry === null ? deeper : [[entry, labels], ...deeper];
  }
}

const NONE: Labels = {};

/** Counts. */
export class Tally extends Numbers<{ value: number }> {
  constructor(about: About) {
    super(about, () => ({ value: 0 }));
  }

  inc(labels: Labels = NONE, by = 1): void {
    this.entryOf(labels).value += by;
  }

  async get() {
    return this.valuesBy('counter', ({ value }, labels) => [{ labels, value }]);
  }
}

type Spread = { counts: Float64Array; sum: number };

/** Counts by size: how many were at most so large. */
export class Sizes extends Numbers<Spread> {
  readonly #buckets: readonly number[];

  constructor(about: About, buckets: readonly number[]) {
    super(about, () => ({ counts: new Float64Array(buckets.length + 1), sum: 0 }));
    this.#buckets = buckets;
  }

  observe(value: number, labels: Labels = NONE): void {
    const entry = this.entryOf(labels);
    let place = 0;
    while (place < this.#buckets.length && value > (this.#buckets[place] ?? 0)) place++;
    entry.counts[place] = (entry.counts[place] ?? 0) + 1;
    entry.sum += value;
  }

  async get() {
    const { name } = this.about;
    return this.valuesBy('histogram', ({ counts, sum }, labels) => {
      let count = 0;
      const buckets = [...counts].map((one, index) => {
        count += one;
        const le = this.#buckets[index] ?? '+Inf';
        return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: count };
      });
      const rest = [
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count },
      ];
      return [...buckets, ...rest];
    });
  }
}

/** The registry asks for a name and for values, whoever counts them. */
export function register<One extends Tally | Sizes>(registry: Registry, one: One): One {
  registry.registerMetric(one as unknown as Parameters<Registry['registerMetric']>[0]);
  return one;
}
