import { createHash } from 'node:crypto';
import { forgetOldest } from '#kit';
import { type EventKeys, eventKeys, organizationKeys, readScript } from '#redis';
import type { EventRef } from '#registry';
import type { Scope } from '#scope';
import type { BoardRecord, ZoneRecord } from './event-words.ts';
import { millisecondsOf, readSeatValue, type SeatValue, unixOf } from './seat-value.ts';
import { type HoldMeta, readMetas } from './tier-content.ts';
import type { WarmTools } from './tools.ts';

const READ = readScript(new URL('./read.lua', import.meta.url));
/** Older than this a node without the board loads it. */
const FRESH_MS = 1_000;
/** More holds whose time is over: then somebody with the board is needed. */
const MOST_DUE = 200;
const OCCUPANCY_S = 10;
const KEPT_AGAIN_MS = 500;
const MOST_KEPT = 10_000;
const LAYOUT_S = 24 * 60 * 60;
/** A day from now everybody would read again at once. */
const LAYOUT_JITTER_S = 60 * 60;
/** Larger ones take longer than a command may. */
const LAYOUT_BYTES = 256 * 1024;

/** What Redis knows of an event for everybody. */
export type WarmSnapshot = Readonly<{
  revision: number;
  lineage: string;
  layout_version: number;
  seats: Uint8Array;
  zones: readonly ZoneRecord[];
}>;

/** Where a hold is in the order of their ends. */
export type DuePlace = Readonly<{ second: number; hold_id: string }>;
export type DueHold = DuePlace & Readonly<{ held_until_ms: number; meta: HoldMeta }>;

type Tools = WarmTools & Readonly<{ now_ms(): number; random: { next(): number } }>;

/** Reading for nodes that do not have the board. Null: ask the board. */
export class Readers {
  readonly #tools: Tools;
  /** When each event's occupancy was written last. */
  readonly #kept = new Map<string, number>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Seats and zones at most a second old, holds whose time is over being free. */
  async snapshot(event: EventRef): Promise<WarmSnapshot | null> {
    return this.#reading('availability', async () => {
      const keys = keysOf(event);
      const { cache, now_ms } = this.#tools;
      const words = [unixOf(now_ms()), MOST_DUE];
      const answer = await cache.runForBytes(
        READ,
        [keys.revision, keys.bitmap, keys.seatHolds],
        words,
      );
      const [record, bitmap, due] = answer as [Buffer | null, Buffer | null, Buffer[]];
      const found = this.#fresh(record?.toString());
      if (!found || due.length >= MOST_DUE) return null;
      const content = JSON.parse(found.rest) as BoardRecord;
      // An event without seats has no bitmap.
      const seats = bitmap ?? Buffer.alloc(0);
      if (seats.length !== Math.ceil(content.seats / 4)) return null;
      return this.#withoutDue(keys, { ...found, ...content, seats }, due.map(String));
    });
  }

  /** The value of a seat that somebody holds, if all of the event is at most a second old. */
  async seat(event: EventRef, seatId: string): Promise<SeatValue | null> {
    return this.#reading('seat', async () => {
      const keys = keysOf(event);
      const { cache, now_ms } = this.#tools;
      const answer = await cache.call('mget', keys.revision, keys.seatHold(seatId));
      const [record, text] = answer as (string | null)[];
      if (!this.#fresh(record ?? undefined) || !text) return null;
      const value = readSeatValue(text);
      const isLive = value?.state === 'held' && millisecondsOf(value.held_until) > now_ms();
      return isLive ? value : null;
    });
  }

  /** An occupancy that somebody has worked out within the last second. */
  async occupancy<Occupancy extends { timestamp: string }>(
    event: EventRef,
  ): Promise<Occupancy | null> {
    return this.#reading('occupancy', async () => {
      const text = await this.#tools.cache.call('get', keysOf(event).occupancy);
      if (typeof text !== 'string') return null;
      const occupancy = JSON.parse(text) as Occupancy;
      return this.#isFresh(Date.parse(occupancy.timestamp)) ? occupancy : null;
    });
  }

  /** At most twice a second: whoever reads it takes nothing older than a second anyway. */
  keepOccupancy(event: EventRef, occupancy: object): void {
    const now_ms = this.#tools.clock.monotonic();
    const kept_ms = this.#kept.get(event.eventId) ?? Number.NEGATIVE_INFINITY;
    if (now_ms - kept_ms < KEPT_AGAIN_MS) return;
    this.#kept.set(event.eventId, now_ms);
    forgetOldest(this.#kept, MOST_KEPT);
    const { occupancy: key } = keysOf(event);
    const text = JSON.stringify(occupancy);
    this.#keep(() => this.#tools.cache.call('set', key, text, 'ex', OCCUPANCY_S));
  }

  /** Holds that end within so many seconds, the next one first; with `from` those after it. */
  async dueWithin(
    event: EventRef,
    seconds: number,
    most: number,
    from: DuePlace | null = null,
  ): Promise<DueHold[]> {
    const keys = keysOf(event);
    const until = unixOf(this.#tools.now_ms()) + seconds;
    const places: DuePlace[] = [];
    // Holds of that moment which were listed before come again, and are passed over.
    for (let offset = 0; places.length < most; offset += most) {
      const found = await this.#duePlaces(keys, [from?.second ?? '-inf', until], offset, most);
      places.push(...found.filter((one) => from === null || isAfter(one, from)));
      if (found.length < most) break;
    }
    places.length = Math.min(places.length, most);
    const ids = places.map(({ hold_id }) => hold_id);
    const metas = await readMetas(this.#tools, keys, ids);
    return places.map(({ hold_id, second }) => ({
      hold_id,
      second,
      held_until_ms: millisecondsOf(second),
      meta: metas.get(hold_id) ?? {},
    }));
  }

  async #duePlaces(
    keys: EventKeys,
    range: readonly (string | number)[],
    offset: number,
    most: number,
  ): Promise<DuePlace[]> {
    const { cache, circuit } = this.#tools;
    const wanted = [...range, 'withscores', 'limit', offset, most];
    const answer = await circuit.run(() => cache.call('zrangebyscore', keys.seatHolds, ...wanted));
    const list = answer as string[];
    return list.flatMap((hold_id, index) =>
      index % 2 === 0 ? [{ hold_id, second: Number(list[index + 1]) }] : [],
    );
  }

  /** The config of a layout's version that cannot change any more. */
  async layoutConfig(scope: Scope, layoutId: string, version: number): Promise<Buffer | null> {
    const key = organizationKeys(scope.organizationId).layoutConfig(layoutId, version);
    return this.#reading('layout', async () => {
      const bytes = await this.#tools.cache.callForBytes('get', key);
      return Buffer.isBuffer(bytes) ? unsealed(bytes) : null;
    });
  }

  keepLayoutConfig(scope: Scope, layoutId: string, version: number, config: Buffer): void {
    if (config.length > LAYOUT_BYTES) return;
    const { random, cache } = this.#tools;
    const key = organizationKeys(scope.organizationId).layoutConfig(layoutId, version);
    const seconds = LAYOUT_S - Math.floor(random.next() * LAYOUT_JITTER_S);
    this.#keep(() => cache.call('set', key, sealed(config), 'ex', seconds));
  }

  #fresh(record: string | undefined) {
    const found = /^(\d+) ([0-9a-f]+) (\d+) (.*)$/s.exec(record ?? '');
    if (!found) return null;
    const [, revision, lineage = '', at_ms, rest = ''] = found;
    if (!this.#isFresh(Number(at_ms))) return null;
    return { revision: Number(revision), lineage, rest };
  }

  /** What a node whose clock is ahead has written is as doubtful as what is old. */
  #isFresh(at_ms: number): boolean {
    return Math.abs(this.#tools.now_ms() - at_ms) <= FRESH_MS;
  }

  async #withoutDue(
    keys: EventKeys,
    found: WarmSnapshot,
    due: readonly string[],
  ): Promise<WarmSnapshot | null> {
    const { revision, lineage, layout_version } = found;
    const seats = Uint8Array.from(found.seats);
    const zones = found.zones.map((zone) => ({ ...zone }));
    const metas = await readMetas(this.#tools, keys, due);
    for (const id of due) {
      const meta = metas.get(id);
      const zone = zones.find(({ zone_id }) => zone_id === meta?.zone_id);
      if (!meta || !zone) return null;
      zone.held -= Number(meta.quantity);
      const ordinal = Number(meta.ordinal);
      const shift = (ordinal & 3) * 2;
      const byte = seats[ordinal >> 2] ?? 0;
      // Only a seat that shows as held becomes free; a block stays one.
      const isHeld = ordinal >= 0 && ((byte >> shift) & 3) === 1;
      if (isHeld) seats[ordinal >> 2] = byte & ~(3 << shift);
    }
    return { revision, lineage, layout_version, seats, zones };
  }

  async #reading<Found>(what: string, read: () => Promise<Found | null>): Promise<Found | null> {
    const { circuit, telemetry, clock } = this.#tools;
    if (!circuit.isClosed) return null;
    const asked_ms = clock.monotonic();
    const found = await circuit.run(read).catch(() => null);
    const duration_ms = clock.monotonic() - asked_ms;
    const hit = found !== null;
    telemetry.emit({ kind: 'cache.lookup', what, source: 'redis', hit, duration_ms });
    return found;
  }

  #keep(write: () => Promise<unknown>): void {
    const { circuit } = this.#tools;
    if (circuit.isClosed) circuit.run(write).catch(() => {});
  }
}

/** Seats are made from a config: one that was altered on its way is not believed. */
function sealed(config: Buffer): Buffer {
  return Buffer.concat([createHash('sha256').update(config).digest(), config]);
}

function unsealed(bytes: Buffer): Buffer | null {
  const config = bytes.subarray(SEAL_BYTES);
  const seal = createHash('sha256').update(config).digest();
  return seal.equals(bytes.subarray(0, SEAL_BYTES)) ? config : null;
}

const SEAL_BYTES = 32;

function isAfter(one: DuePlace, other: DuePlace): boolean {
  if (one.second !== other.second) return one.second > other.second;
  return one.hold_id > other.hold_id;
}

function keysOf({ scope, eventId }: EventRef): EventKeys {
  return eventKeys(scope.organizationId, eventId);
}
