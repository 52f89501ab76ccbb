import { createHash } from 'node:crypto';
import { forgetOldest } from '#kit';
import { type EventKeys, eventKeys, organizationKeys } from '#redis';
import { type EventRef, eventIds } from '#registry';
import type { Scope } from '#scope';
import { contentIn, headOf, readEventTexts, type ZoneRecord } from './event-record.ts';
import { isSealed, sealed, unsealed } from './sealed-text.ts';
import { unixOf } from './seat-value.ts';
import type { WarmTools } from './tools.ts';

/** Older than this a node without the board loads it. */
const FRESH_MS = 1_000;
/** Readers take nothing older than `FRESH_MS`; the key goes by itself some time later. */
const OCCUPANCY_S = 10;
const KEPT_AGAIN_MS = 500;
/** Of one event; it is put right by then. */
const DOUBTED_AGAIN_MS = 1_000;
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

type Tools = WarmTools &
  Readonly<{
    now_ms(): number;
    random: { next(): number };
    /** What Redis has of the event is to be compared with its board, soon. */
    mark(event: EventRef): void;
  }>;

/**
 * Reading for nodes that do not have the board. Null: ask the board. Content that its digest does
 * not cover is not shown.
 */
export class Readers {
  readonly #tools: Tools;
  /** When each event's occupancy was written last. */
  readonly #kept = new Map<string, number>();
  /** When content of each event was last found to differ from its digest. */
  readonly #doubted = new Map<string, number>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Seats and zones at most a second old, while no hold is over that they still have. */
  async snapshot(event: EventRef): Promise<WarmSnapshot | null> {
    return this.#reading('availability', async () => {
      const keys = keysOf(event);
      const texts = await readEventTexts(this.#tools.cache, keys);
      const content = contentIn(texts, keys);
      if (!content) return this.#doubt(event, 'availability', texts.record ?? '');
      const head = headOf(texts.record);
      if (!head || !this.#isFresh(head.at_ms)) return null;
      const { layout_version, zones, due_ms } = content;
      if (due_ms !== null && due_ms <= this.#tools.now_ms()) return null;
      const { revision, lineage } = head;
      const seats = texts.bitmap ?? new Uint8Array();
      return { revision, lineage, layout_version, seats, zones };
    });
  }

  /** An occupancy that a node has worked out within the last second. */
  async occupancy<Occupancy extends { timestamp: string }>(
    event: EventRef,
  ): Promise<Occupancy | null> {
    return this.#reading('occupancy', async () => {
      const key = keysOf(event).occupancy;
      const text = await this.#tools.cache.call('get', key);
      if (typeof text !== 'string') return null;
      const content = unsealed(key, text);
      if (content === null) return this.#doubt(event, 'occupancy', text);
      const occupancy = JSON.parse(content) as Occupancy;
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
    const text = sealed(key, JSON.stringify(occupancy));
    this.#keep(() => this.#tools.cache.call('set', key, text, 'ex', OCCUPANCY_S));
  }

  /**
   * Holds that end within so many seconds, as Redis lists them, the next one first; with `from`
   * those after it.
   */
  async dueWithin(
    event: EventRef,
    seconds: number,
    most: number,
    from: DuePlace | null = null,
  ): Promise<DuePlace[]> {
    const keys = keysOf(event);
    const until = unixOf(this.#tools.now_ms()) + seconds;
    const places: DuePlace[] = [];
    // Holds of that moment which were listed before come again, and are passed over.
    for (let offset = 0; places.length < most; offset += most) {
      const found = await this.#duePlaces(keys, [from?.second ?? '-inf', until], offset, most);
      places.push(...found.filter((one) => from === null || isAfter(one, from)));
      if (found.length < most) break;
    }
    return places.slice(0, most);
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
    const { organizationId: organization_id } = scope;
    const key = organizationKeys(organization_id).layoutConfig(layoutId, version);
    return this.#reading('layout', async () => {
      const bytes = await this.#tools.cache.callForBytes('get', key);
      if (!Buffer.isBuffer(bytes)) return null;
      const config = unsealedConfig(bytes);
      if (!config) {
        const ids = { organization_id, layout_id: layoutId, version, keys_invalidated: [key] };
        this.#tools.telemetry.emit({ kind: 'cache.corrupt', what: 'layout', ids });
      }
      return config;
    });
  }

  keepLayoutConfig(scope: Scope, layoutId: string, version: number, config: Buffer): void {
    if (config.length > LAYOUT_BYTES) return;
    const { random, cache } = this.#tools;
    const key = organizationKeys(scope.organizationId).layoutConfig(layoutId, version);
    const seconds = LAYOUT_S - Math.floor(random.next() * LAYOUT_JITTER_S);
    this.#keep(() => cache.call('set', key, sealedConfig(config), 'ex', seconds));
  }

  /** What a node whose clock is ahead has written is as doubtful as what is old. */
  #isFresh(at_ms: number): boolean {
    return Math.abs(this.#tools.now_ms() - at_ms) <= FRESH_MS;
  }

  /** It was changed after a node had written it: the board is asked instead. */
  #doubt(event: EventRef, what: string, text: string): null {
    // Nodes of earlier versions write no digest.
    if (!isSealed(text)) return null;
    const { clock, telemetry, mark } = this.#tools;
    const { eventId } = event;
    const doubted_ms = this.#doubted.get(eventId) ?? Number.NEGATIVE_INFINITY;
    if (clock.monotonic() - doubted_ms < DOUBTED_AGAIN_MS) return null;
    this.#doubted.set(eventId, clock.monotonic());
    forgetOldest(this.#doubted, MOST_KEPT);
    telemetry.emit({ kind: 'warm.digest_mismatch', what, ids: eventIds(event) });
    mark(event);
    return null;
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
function sealedConfig(config: Buffer): Buffer {
  return Buffer.concat([createHash('sha256').update(config).digest(), config]);
}

function unsealedConfig(bytes: Buffer): Buffer | null {
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
