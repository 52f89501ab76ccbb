import type { GuardsOff } from './guards.ts';
import { ALL_ON } from './guards.ts';
import { evaluate } from './redis-scripts.ts';

export type Word = string | number | Buffer;
export type Zset = ReadonlyMap<string, number>;
/** A value with when it goes. Only sorted sets are changed in place. */
export type Entry = Readonly<{
  value: string | Uint8Array | Zset | Readonly<Record<string, string>>;
  kind: 'string' | 'hash' | 'zset';
  until_ms: number;
}>;

const NEVER = Number.POSITIVE_INFINITY;
const WRONGTYPE = 'WRONGTYPE Operation against a key holding the wrong kind of value';

/** What a server answers instead: the message begins with its code, as the real one's does. */
export class RedisError extends Error {}

/**
 * As much of a Redis as the warm tier asks for, with the same answers: a test compares it with a
 * real server, command by command and script by script.
 */
export class MemoryRedis {
  readonly off: GuardsOff;
  isReadOnly = false;
  #keys = new Map<string, Entry>();
  readonly #now_ms: () => number;
  readonly #publish: (channel: string, message: string) => void;

  constructor(
    now_ms: () => number,
    publish: (channel: string, message: string) => void,
    off: GuardsOff = ALL_ON,
  ) {
    this.#now_ms = now_ms;
    this.#publish = publish;
    this.off = off;
  }

  /** A command as it comes over the wire. */
  execute(name: string, words: readonly Word[]): unknown {
    const [first = '', ...rest] = words.map((word) =>
      typeof word === 'number' ? `${word}` : word,
    );
    const key = String(first);
    switch (name.toLowerCase()) {
      case 'ping':
        return 'PONG';
      case 'flushall':
        this.#keys.clear();
        return 'OK';
      case 'get':
        return this.getText(key);
      case 'mget':
        return [key, ...rest.map(String)].map((one) => {
          const found = this.find(one);
          return found?.kind === 'string' ? textOf(found.value) : null;
        });
      case 'set':
        this.mayWrite();
        this.set(
          key,
          rest[0] ?? '',
          rest.length > 2 ? this.#now_ms() + Number(rest[2]) * 1_000 : NEVER,
        );
        return 'OK';
      case 'zrange':
        return this.#range(key, Number(rest[0]), Number(rest[1]));
      case 'zrangebyscore':
        return this.zrangeByScore(key, Number(rest[1]), Number(rest[4])).map(([id]) => id);
      case 'zcard':
        return this.zset(key).size;
      case 'zmscore':
        return rest.map((member) => this.zset(key).get(String(member))?.toString() ?? null);
      default:
        throw new RedisError(`ERR unknown command '${name}'`);
    }
  }

  /** As `execute`, for values that are no text. */
  executeForBytes(name: string, words: readonly Word[]): unknown {
    if (name.toLowerCase() !== 'mget') return this.execute(name, words);
    return words.map((key) => {
      const found = this.find(String(key));
      return found?.kind === 'string' ? bytesOf(found.value) : null;
    });
  }

  run(script: string, keys: readonly string[], words: readonly Word[]): unknown {
    return evaluate(this, script, keys, words);
  }

  now(): number {
    return this.#now_ms();
  }

  publish(channel: string, message: string): void {
    this.#publish(channel, message);
  }

  /** A server that has become a replica. */
  mayWrite(): void {
    if (this.isReadOnly)
      throw new RedisError("READONLY You can't write against a read only replica.");
  }

  find(name: string): Entry | undefined {
    const entry = this.#keys.get(name);
    if (!entry || entry.until_ms > this.#now_ms()) return entry;
    this.#keys.delete(name);
    return undefined;
  }

  /** Throws what Redis answers for a key of another type. */
  getText(name: string): string | null {
    const found = this.find(name);
    if (!found) return null;
    if (found.kind !== 'string') throw new RedisError(WRONGTYPE);
    return textOf(found.value);
  }

  getBytes(name: string): Buffer | null {
    const found = this.find(name);
    if (!found) return null;
    if (found.kind !== 'string') throw new RedisError(WRONGTYPE);
    return bytesOf(found.value);
  }

  set(name: string, value: string | Buffer, until_ms = NEVER): void {
    const stored = typeof value === 'string' ? value : Uint8Array.from(value);
    this.#keys.set(name, { kind: 'string', value: stored, until_ms });
    if (until_ms <= this.#now_ms()) this.#keys.delete(name);
  }

  expire(name: string, until_ms: number): void {
    const found = this.find(name);
    if (found) this.#keys.set(name, { ...found, until_ms });
    if (until_ms <= this.#now_ms()) this.#keys.delete(name);
  }

  delete(name: string): number {
    return this.find(name) && this.#keys.delete(name) ? 1 : 0;
  }

  /** BITFIELD SET u2, one after the other; offsets begin at the highest bit of the first byte. */
  setBits(name: string, bits: readonly (readonly [offset: number, value: number])[]): void {
    const found = this.find(name);
    const most = bits.reduce((last, [offset]) => Math.max(last, (offset + 1) >> 3), 0);
    const before = found ? bytesOf(found.value) : Buffer.alloc(0);
    const bytes = new Uint8Array(Math.max(before.length, most + 1));
    bytes.set(before);
    for (const [offset, value] of bits) {
      const shift = 6 - (offset & 7);
      const byte = bytes[offset >> 3] ?? 0;
      bytes[offset >> 3] = (byte & ~(3 << shift)) | ((value & 3) << shift);
    }
    const until_ms = found?.until_ms ?? NEVER;
    this.#keys.set(name, { kind: 'string', value: bytes, until_ms });
  }

  setHash(name: string, fields: Readonly<Record<string, string>>): void {
    const found = this.find(name);
    if (found && found.kind !== 'hash') throw new RedisError(WRONGTYPE);
    const value = { ...((found?.value as Record<string, string>) ?? {}), ...fields };
    this.#keys.set(name, { kind: 'hash', value, until_ms: found?.until_ms ?? NEVER });
  }

  hash(name: string): Readonly<Record<string, string>> {
    const found = this.find(name);
    if (found && found.kind !== 'hash') throw new RedisError(WRONGTYPE);
    return (found?.value as Record<string, string>) ?? {};
  }

  zset(name: string): Zset {
    const found = this.find(name);
    if (found && found.kind !== 'zset') throw new RedisError(WRONGTYPE);
    return (found?.value as Zset) ?? EMPTY;
  }

  changeZset(name: string, added: readonly [string, number][], removed: readonly string[]): void {
    const value = this.zset(name) as Map<string, number>;
    if (value === EMPTY) {
      if (added.length === 0) return;
      this.#keys.set(name, { kind: 'zset', value: new Map(added), until_ms: NEVER });
      return;
    }
    for (const id of removed) value.delete(id);
    for (const [id, score] of added) value.set(id, score);
    if (value.size === 0) this.#keys.delete(name);
  }

  zrangeByScore(name: string, most: number, count: number): [string, number][] {
    return sortedMembers(this.zset(name))
      .filter(([, score]) => score <= most)
      .slice(0, count);
  }

  /** Brings back what is now: a replica that has missed what comes after. */
  remember(): () => void {
    const kept = new Map<string, Entry>();
    for (const [name, entry] of this.#keys) {
      const { kind, value } = entry;
      kept.set(name, kind === 'zset' ? { ...entry, value: new Map(value as Zset) } : entry);
    }
    return () => {
      this.#keys = kept;
    };
  }

  /** Somebody else's hand: whatever it is, under any name. */
  put(name: string, entry: Entry): void {
    this.#keys.set(name, entry);
  }

  names(): string[] {
    return [...this.#keys.keys()].filter((name) => this.find(name));
  }

  #range(name: string, from: number, to: number): string[] {
    const members = sortedMembers(this.zset(name)).slice(from, to + 1);
    return members.flatMap(([id, score]) => [id, String(score)]);
  }
}

const EMPTY: Zset = new Map();

function sortedMembers(zset: Zset): [string, number][] {
  return [...zset].sort(([one, first], [other, second]) => {
    if (first !== second) return first - second;
    return one < other ? -1 : 1;
  });
}

function textOf(value: Entry['value']): string {
  return typeof value === 'string' ? value : Buffer.from(value as Uint8Array).toString('utf8');
}

function bytesOf(value: Entry['value']): Buffer {
  return typeof value === 'string' ? Buffer.from(value) : Buffer.from(value as Uint8Array);
}
