import { type MemoryRedis, RedisError, type Word } from './memory-redis.ts';

type Script = (redis: MemoryRedis, keys: readonly string[], words: readonly Word[]) => unknown;

/** The warm tier's scripts, in another language: each does what the one of its name does. */
const SCRIPTS: Readonly<Record<string, Script>> = { claim, remove, write, metas };

const KEPT_MS = 1_800_000;
const HOLDS_KEPT_MS = 86_400_000;

export function evaluate(
  redis: MemoryRedis,
  name: string,
  keys: readonly string[],
  words: readonly Word[],
): unknown {
  const script = SCRIPTS[name];
  if (!script) throw new RedisError(`ERR no script ${name}`);
  return script(redis, keys, words);
}

type SeatValue = { held_until?: unknown; user_id?: unknown; state?: unknown };

/** What cannot be read, or is over, is not there. */
function look(redis: MemoryRedis, name: string, now: number): [SeatValue, string] | null {
  const raw = textOr(redis, name, () => redis.delete(name));
  if (raw === null) return null;
  const value = parsed(raw);
  if (typeof value?.held_until !== 'number' || value.held_until <= now) return null;
  return [value, raw];
}

function parsed(raw: string): SeatValue | null {
  try {
    const value = JSON.parse(raw) as SeatValue | null;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

function textOr(redis: MemoryRedis, name: string, otherwise: () => void): string | null {
  try {
    return redis.getText(name);
  } catch {
    otherwise();
    return null;
  }
}

function claim(redis: MemoryRedis, keys: readonly string[], words: readonly Word[]): unknown {
  const now = Number(words[0]);
  const until_ms = redis.now() + Number(words[1]);
  const answers: string[] = [];
  redis.mayWrite();
  let key = 0;
  for (let word = 2; word < words.length; word += 3) {
    const count = Number(words[word]);
    const names = keys.slice(key, key + count);
    const wish = { user: String(words[word + 1]), value: String(words[word + 2]), until_ms };
    answers.push(claimOne(redis, names, wish, now));
    key += count;
  }
  return answers;
}

function claimOne(
  redis: MemoryRedis,
  names: readonly string[],
  { user, value, until_ms }: { user: string; value: string; until_ms: number },
  now: number,
): string {
  const [only = ''] = names;
  if (names.length === 1 && !redis.find(only)) {
    redis.set(only, value, until_ms);
    return 'c';
  }
  const free: string[] = [];
  let busy = false;
  for (const [place, name] of names.entries()) {
    const found = look(redis, name, now);
    if (!found) free.push(name);
    else if (found[0].user_id !== user) {
      if (found[0].state === 'held') return `h${place} ${found[1]}`;
      busy = true;
    }
  }
  if (busy) return 'b';
  for (const name of free) redis.set(name, value, until_ms);
  return free.length > 0 ? 'c' : 'o';
}

function remove(redis: MemoryRedis, keys: readonly string[], words: readonly Word[]): unknown {
  redis.mayWrite();
  let removed = 0;
  for (const [place, name] of keys.entries()) {
    const found = textOr(redis, name, () => {});
    const isSame = found === String(words[place]);
    if (isSame || (found !== null && redis.off.has('compare-and-delete'))) {
      removed += redis.delete(name);
    }
  }
  return removed;
}

function metas(redis: MemoryRedis, keys: readonly string[]): unknown {
  return keys.map((name) => {
    try {
      return Object.entries(redis.hash(name)).flat();
    } catch {
      return [];
    }
  });
}

function write(redis: MemoryRedis, keys: readonly string[], words: readonly Word[]): unknown {
  return new Writing(redis, keys, words).run();
}

/** The script that writes, with what it keeps between its parts. */
class Writing {
  readonly #redis: MemoryRedis;
  readonly #keys: readonly string[];
  readonly #words: readonly Word[];
  #broken = 0;
  #at = 10;

  constructor(redis: MemoryRedis, keys: readonly string[], words: readonly Word[]) {
    this.#redis = redis;
    this.#keys = keys;
    this.#words = words;
  }

  run(): unknown {
    const redis = this.#redis;
    redis.mayWrite();
    const [revision, base] = [this.#number(0), this.#number(1)];
    const whole = this.#words[2] ?? '';
    const hasWhole = whole.toString().length > 0;
    const [bits, seats, holds] = [this.#number(7), this.#number(8), this.#number(9)];
    const [recordKey = '', bitmapKey = '', occupancyKey = ''] = this.#keys;
    const record = this.#text(recordKey) ?? '';
    const [, found, lineage = ''] = /^(\d+) ([0-9a-fA-F]+) /.exec(record) ?? [];
    const stored = found === undefined ? -1 : Number(found);
    const isNewer = stored > revision && !redis.off.has('revision order');
    if (this.#words[6] === '' && isNewer) return ['behind', stored, lineage, this.#broken];
    if (!hasWhole && !redis.off.has('gap detection')) {
      if (stored < base) return ['gap', stored, lineage, this.#broken];
      if (bits > 0 && redis.find(bitmapKey)?.kind !== 'string')
        return ['gap', -1, '', this.#broken];
    }
    if (hasWhole) redis.set(bitmapKey, whole as Buffer);
    else if (bits > 0) this.#setBits(bitmapKey, bits);
    redis.expire(bitmapKey, redis.now() + KEPT_MS);
    redis.set(recordKey, String(this.#words[3]), redis.now() + KEPT_MS);
    redis.delete(occupancyKey);
    for (let index = 0; index < seats; index++) this.#seat(this.#keys[4 + index] ?? '');
    this.#holds(seats, holds);
    if (this.#words[5] !== '') redis.publish(String(this.#words[4]), String(this.#words[5]));
    return ['ok', stored, lineage, this.#broken];
  }

  #setBits(name: string, count: number): void {
    const bits: [number, number][] = [];
    for (let index = 0; index < count; index++) {
      bits.push([this.#number(this.#at), this.#number(this.#at + 1)]);
      this.#at += 2;
    }
    this.#redis.setBits(name, bits);
  }

  #seat(name: string): void {
    const redis = this.#redis;
    const value = String(this.#words[this.#at]);
    const until_ms = this.#number(this.#at + 1);
    const expected = String(this.#words[this.#at + 2]);
    this.#at += 3;
    if (value !== '' && expected === '*') return redis.set(name, value, until_ms);
    const found = this.#text(name) ?? '';
    const isOther = expected === '*' ? found.includes('"state":"claimed"') : found !== expected;
    if (isOther) return;
    if (value === '') redis.delete(name);
    else redis.set(name, value, until_ms);
  }

  #holds(seats: number, holds: number): void {
    const redis = this.#redis;
    const zset = this.#keys[3] ?? '';
    const ended: string[] = [];
    const begun: [string, number][] = [];
    for (let index = 0; index < holds; index++) {
      const name = this.#keys[4 + seats + index] ?? '';
      const [id, ends] = [String(this.#words[this.#at]), this.#words[this.#at + 1]];
      if (ends === '') {
        ended.push(id);
        redis.delete(name);
      } else {
        begun.push([id, Number(ends)]);
        this.#surely(name, () => redis.setHash(name, this.#meta()));
        redis.expire(name, this.#number(this.#at + 2));
      }
      this.#at += 10;
    }
    if (ended.length > 0) this.#surely(zset, () => redis.changeZset(zset, [], ended));
    if (begun.length > 0) this.#surely(zset, () => redis.changeZset(zset, begun, []));
    if (holds > 0) redis.expire(zset, redis.now() + HOLDS_KEPT_MS);
  }

  #meta(): Record<string, string> {
    const word = (place: number) => String(this.#words[this.#at + place]);
    return {
      held_until: word(1),
      status: 'active',
      seat_id: word(3),
      zone_id: word(4),
      ordinal: word(5),
      quantity: word(6),
      user_id: word(7),
      created_at: word(8),
      source: word(9),
    };
  }

  /** A key of the wrong type is ours all the same: whatever it is, it goes. */
  #surely(name: string, work: () => void): void {
    try {
      work();
    } catch {
      this.#redis.delete(name);
      this.#broken++;
      work();
    }
  }

  #text(name: string): string | null {
    return textOr(this.#redis, name, () => {
      this.#redis.delete(name);
      this.#broken++;
    });
  }

  #number(place: number): number {
    return Number(this.#words[place]);
  }
}
