import type { Dice } from './dice.ts';
import type { Schema } from './operations.ts';
import type { Pool } from './pool.ts';

const WORDS = ['Ann', 'Main stage', 'row A', 'Réservé', '舞台', 'x', 'VIP', 'cash', 'member'];
/** A list of a thousand shows no more than one of a few, and takes a thousand times as long. */
const MOST_ITEMS = 6;

/** Makes values that a schema takes, at its borders as often as in the middle. */
export class Values {
  readonly #dice: Dice;
  readonly #pool: Pool;
  readonly #now_ms: number;
  /** Addresses that may be named: nobody outside is written to. */
  readonly #urls: readonly string[];
  readonly #optional: number;

  constructor(options: {
    dice: Dice;
    pool: Pool;
    now_ms: number;
    urls: readonly string[];
    /** How likely a field is said that may be left out. */
    optional?: number;
  }) {
    this.#dice = options.dice;
    this.#pool = options.pool;
    this.#now_ms = options.now_ms;
    this.#urls = options.urls;
    this.#optional = options.optional ?? 0.3;
  }

  of(schema: Schema, name = ''): unknown {
    const dice = this.#dice;
    if ('const' in schema) return schema.const;
    if (schema.enum) return dice.one(schema.enum);
    if (schema.anyOf) return this.of(dice.one(schema.anyOf), name);
    switch (schema.type) {
      case 'object':
        return this.#object(schema);
      case 'array':
        return this.#array(schema, name);
      case 'string':
        return this.#text(schema, name);
      case 'integer':
      case 'number':
        return this.#number(schema);
      case 'boolean':
        return dice.chance(0.5);
      case 'null':
        return null;
      default:
        return dice.one(['x', 1, true, null]);
    }
  }

  #object({ properties = {}, required = [] }: Schema): Record<string, unknown> {
    const chosen = Object.entries(properties).filter(
      ([name]) => required.includes(name) || this.#dice.chance(this.#optional),
    );
    return Object.fromEntries(chosen.map(([name, schema]) => [name, this.of(schema, name)]));
  }

  #array({ items = {}, minItems = 0, maxItems = MOST_ITEMS, uniqueItems }: Schema, name: string) {
    const most = Math.max(minItems, Math.min(maxItems, MOST_ITEMS));
    const length = this.#dice.between(minItems, this.#dice.chance(0.7) ? Math.min(2, most) : most);
    const values = Array.from({ length: Math.max(length, minItems) }, () => this.of(items, name));
    if (!uniqueItems) return values;
    const byText = new Map(values.map((value) => [JSON.stringify(value), value]));
    return [...byText.values()];
  }

  #number({ minimum, maximum, type }: Schema): number {
    const dice = this.#dice;
    const least = minimum ?? 0;
    const most = maximum ?? least + 1_000_000;
    const few = Math.min(most, least + 5);
    const value = dice.weighted([
      [4, () => dice.between(least, few)],
      [1, () => least],
      [1, () => most],
      [1, () => Math.floor((least + most) / 2)],
    ]);
    return type === 'number' && dice.chance(0.3) ? value + 0.5 : value;
  }

  #text(schema: Schema, name: string): string {
    const { format, pattern, minLength = 0, maxLength = 200 } = schema;
    if (format) return this.#formatted(format, name);
    if (pattern) return this.#matching(pattern, name);
    const known = this.#pool.of(name, this.#dice);
    if (known && known.length <= maxLength && this.#dice.chance(0.8)) return known;
    const text = this.#dice.weighted([
      [6, () => this.#dice.one(WORDS)],
      [1, () => 'a'.repeat(Math.max(1, minLength))],
      [1, () => 'é'.repeat(Math.min(maxLength, 5_000))],
      [1, () => this.#dice.hex(12)],
    ]);
    return text.slice(0, maxLength).padEnd(minLength, 'a');
  }

  #formatted(format: string, name: string): string {
    const dice = this.#dice;
    const day = 86_400_000;
    switch (format) {
      case 'uuid':
        return dice.weighted([
          [9, () => this.#pool.of(name, dice) ?? dice.uuid()],
          [0.5, () => this.#pool.any(dice) ?? dice.uuid()],
          [0.5, () => dice.uuid()],
        ]);
      case 'date-time':
      case 'date': {
        const at = dice.weighted([
          [6, () => this.#now_ms + dice.between(-2, 400) * day],
          [1, () => 0],
          [1, () => Date.UTC(9_998, 11, 31)],
        ]);
        const text = new Date(at).toISOString();
        return format === 'date' ? text.slice(0, 10) : text;
      }
      case 'email':
        return `${dice.hex(8)}@example.org`;
      case 'uri':
        return dice.one(this.#urls);
      default:
        throw new Error(`no values are known for the format ${format}`);
    }
  }

  /** The patterns that routes use, by what they are for. */
  #matching(pattern: string, name: string): string {
    const dice = this.#dice;
    const known = dice.chance(0.4) ? this.#pool.of(name, dice) : undefined;
    const good = (text: string | undefined): text is string =>
      text !== undefined && new RegExp(pattern, 'u').test(text);
    if (good(known)) return known;
    const tries = [
      `s-${dice.hex(10)}`,
      dice.one(['ZAR', 'EUR', 'JPY', 'XXX']),
      dice.hex(64),
      String(dice.upTo(1_000)),
      this.#pool.of('hash', dice),
      dice.hex(16),
      dice.uuid(),
      'https://hooks.example/x',
      new Date(this.#now_ms).toISOString(),
    ];
    return tries.find(good) ?? dice.hex(8);
  }
}
