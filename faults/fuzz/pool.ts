import type { Dice } from './dice.ts';

/** So many of a kind are remembered; what is older has often ended. */
const MOST_OF_A_KIND = 60;

/** Families that are still asked about; older ones have mostly ended. */
const MOST_FAMILIES = 6;

/**
 * Things that are there, by the name that answers give their ids. Without them nearly every request
 * would end at "there is no such thing", and nothing behind that would ever be tried. What belongs
 * together (an event, its seats, the holds in it) is a family: most requests stay within one.
 */
export class Pool {
  readonly #kinds = new Map<string, string[]>();
  readonly #families: Map<string, string[]>[] = [];
  readonly #spared: ReadonlySet<string>;
  readonly #secrets: readonly string[];
  #focus: Map<string, string[]> | undefined;

  /** Secrets are never sent: an answer that repeats its request would seem to tell them. */
  constructor(spared: ReadonlySet<string>, secrets: readonly string[]) {
    this.#spared = spared;
    this.#secrets = secrets;
  }

  /** Things that belong together. */
  addFamily(ids: Readonly<Record<string, readonly string[]>>): void {
    this.#focus = new Map();
    this.#families.push(this.#focus);
    if (this.#families.length > MOST_FAMILIES) this.#families.shift();
    for (const [kind, values] of Object.entries(ids)) {
      for (const value of values) this.add(kind, value);
    }
  }

  /** Which family the next request is about: the youngest, mostly. */
  turnTo(dice: Dice): void {
    this.#focus = dice.chance(0.6) ? this.#families.at(-1) : dice.one(this.#families);
  }

  add(kind: string, value: string): void {
    if (this.#spared.has(value) || this.#secrets.some((one) => value.includes(one))) return;
    for (const kinds of [this.#kinds, this.#focus]) {
      const values = kinds?.get(kind) ?? [];
      if (values.includes(value)) continue;
      values.push(value);
      if (values.length > MOST_OF_A_KIND) values.splice(values.length >> 1, 1);
      kinds?.set(kind, values);
    }
  }

  /** One of a kind, of the family rather than of anybody, of late rather than of old. */
  of(kind: string, dice: Dice): string | undefined {
    const ours = this.#focus?.get(nameOf(kind));
    const values = ours && dice.chance(0.9) ? ours : this.#kinds.get(nameOf(kind));
    if (!values?.length) return undefined;
    return dice.chance(0.3) ? dice.one(values.slice(-4)) : dice.one(values);
  }

  any(dice: Dice): string | undefined {
    return this.of(dice.one([...this.#kinds.keys()]), dice);
  }

  /** Remembers every id and token that an answer has. */
  learn(value: unknown, depth = 0): void {
    if (value === null || typeof value !== 'object' || depth > 8) return;
    // The first of a long list are as good as all of them.
    const entries = Object.entries(value).slice(0, Array.isArray(value) ? 3 : 60);
    for (const [name, inner] of entries) {
      if (typeof inner !== 'string') this.learn(inner, depth + 1);
      else if (LEARNT.test(name)) this.add(nameOf(name), inner);
    }
  }
}

const LEARNT = /_id$|^(?:cart_token|code|qr|slug|etag|lineage|hash)$/;

/** Names under which the same kind of thing appears. */
const SAME: Readonly<Record<string, string>> = {
  for_user_id: 'user_id',
  for_user_ids: 'user_id',
  user_ids: 'user_id',
  actor_id: 'user_id',
  seat_ids: 'seat_id',
  zone_ids: 'zone_id',
  hold_ids: 'hold_id',
  event_ids: 'event_id',
  section_ids: 'section_id',
  qr: 'code',
};

function nameOf(kind: string): string {
  return SAME[kind] ?? kind;
}
