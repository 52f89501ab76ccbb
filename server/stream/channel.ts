import { nextTurn, reasonOf } from '@voelgoed/engine/kit';
import type { EventRef } from '@voelgoed/engine/registry';
import { capacityFrames } from './capacity.ts';
import type { Client } from './client.ts';
import { digestOf, encode, isSame, type Shown, snapshotFrame, stepFrame } from './frames.ts';
import { Personal } from './personal.ts';
import { Ring, type StreamPlace } from './ring.ts';
import type { ChannelTools, Source } from './source.ts';

/** Many changes within this time are one frame: nobody sees more than ten a second. */
const INTERVAL_MS = 100;
/** Sending may take a fifth of the time, however many listen. */
const FANOUT_SHARE = 5;
/** A slice of work after which a flush that waits gets its turn. */
const SLICE_MS = 5;
/** What is over by itself is looked for this often: an expired seat is shown free within 2 s. */
const LOOK_MS = 500;
const HEARTBEAT_MS = 5_000;
const OCCUPANCY_MS = 1_000;

/**
 * The stream of one event on this node. All its clients see the same: one state, and one encoded
 * frame for each step to the next. What it costs does not grow with the clients, except for handing
 * them the bytes.
 */
export class Channel {
  readonly event: EventRef;
  readonly clients = new Set<Client>();
  readonly #tools: ChannelTools;
  readonly #source: Source;
  readonly #ring = new Ring();
  readonly #personal: Personal;
  readonly #closing = new AbortController();
  #shown: Shown | null = null;
  #snapshot: Buffer | null = null;
  #occupancy: { bytes: Buffer; told_ms: number; text: string } | null = null;
  /** Counts frames; a client has everything up to its own number. */
  #sent = 0;
  #owesOccupancy = false;
  #next_ms = Number.NEGATIVE_INFINITY;
  #woken = false;
  #pumping: Promise<void> | null = null;
  #turn: Promise<void> = Promise.resolve();
  #beating_ms: number;

  constructor(event: EventRef, source: Source, tools: ChannelTools) {
    this.event = event;
    this.#source = source;
    this.#tools = tools;
    this.#personal = new Personal(source);
    this.#beating_ms = tools.clock.monotonic();
    void this.#look();
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** False: the event is not on sale. The client gets what it has missed, or everything. */
  async join(client: Client, from: StreamPlace | null): Promise<boolean> {
    if (!this.#shown) await this.#inTurn(() => this.#show());
    // Somebody who has seen more than this node: it looks at the log before it says anything.
    if (from && from.revision > (this.#shown?.revision ?? 0)) {
      await this.#source.catchUp();
      await this.#inTurn(() => this.#show());
    }
    const shown = this.#shown;
    if (!shown || this.isClosed) return false;
    for (const bytes of this.#missedBy(shown, from)) client.write(bytes);
    if (this.#occupancy) client.write(this.#occupancy.bytes);
    client.has = this.#sent;
    this.clients.add(client);
    this.#personal.greet(client);
    if (!this.#occupancy) void this.#inTurn(() => this.#tellOccupancy());
    return true;
  }

  leave(client: Client): void {
    this.clients.delete(client);
    this.#personal.forget(client);
  }

  /** Something may have changed. */
  wake(): void {
    this.#woken = true;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = null;
    });
  }

  get personal(): Personal {
    return this.#personal;
  }

  close(): void {
    this.#closing.abort(new Error('closed'));
  }

  #missedBy(shown: Shown, from: StreamPlace | null): readonly Buffer[] {
    const missed = from && this.#ring.since(from);
    const isHere = from?.revision === shown.revision && from.lineage === shown.lineage;
    const snapshot = this.#snapshotOf(shown);
    if (!missed) return isHere ? [this.#heartbeat(shown)] : [snapshot];
    const bytes = missed.reduce((sum, one) => sum + one.length, 0);
    if (bytes > snapshot.length) return [snapshot];
    // Somebody who has missed nothing is told so.
    return missed.length > 0 ? missed : [this.#heartbeat(shown)];
  }

  #snapshotOf(shown: Shown): Buffer {
    this.#snapshot ??= snapshotFrame(shown);
    return this.#snapshot;
  }

  async #pump(): Promise<void> {
    const { clock, telemetry } = this.#tools;
    while (this.#woken && !this.isClosed) {
      const wait_ms = this.#next_ms - clock.monotonic();
      if (wait_ms > 0) await clock.sleep(wait_ms, this.#closing.signal).catch(() => {});
      this.#woken = false;
      if (this.isClosed) return;
      await this.#inTurn(() => this.#show()).catch((error) => {
        telemetry.emit({ kind: 'stream.failed', reason: reasonOf(error) });
        this.#next_ms = clock.monotonic() + LOOK_MS;
      });
    }
  }

  /** One after the other: what is sent to some clients must not overtake what others still get. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Brings everybody to the state of now. */
  async #show(): Promise<void> {
    const shown = await this.#source.shown();
    if (!shown) return this.#leaveAll();
    const before = this.#shown;
    if (before && isSame(before, shown)) return this.#personal.tell();
    this.#shown = shown;
    this.#snapshot = null;
    if (before) {
      const bytes = stepFrame(before, shown, () => this.#snapshotOf(shown));
      this.#ring.push(before, shown, bytes);
      await this.#fanOut(bytes);
      for (const frame of capacityFrames(before, shown)) this.#personal.tellStaff(frame);
    }
    this.#personal.tell();
    this.#owesOccupancy = true;
  }

  /** The event has left the sale: whoever comes back is told so. */
  #leaveAll(): void {
    this.#shown = null;
    for (const client of [...this.clients]) client.end();
  }

  async #fanOut(bytes: Buffer): Promise<void> {
    const { clock, telemetry } = this.#tools;
    const started = clock.monotonic();
    const number = ++this.#sent;
    let busy_ms = 0;
    let slice_ms = started;
    for (const client of this.clients) {
      // Whoever came meanwhile has got it with the snapshot.
      if (client.has >= number) continue;
      client.has = number;
      client.write(bytes);
      const now_ms = clock.monotonic();
      if (now_ms - slice_ms < SLICE_MS) continue;
      busy_ms += now_ms - slice_ms;
      await nextTurn();
      slice_ms = clock.monotonic();
    }
    busy_ms += clock.monotonic() - slice_ms;
    this.#next_ms = started + Math.max(INTERVAL_MS, FANOUT_SHARE * busy_ms);
    const clients = this.clients.size;
    telemetry.emit({ kind: 'stream.sent', clients, bytes: bytes.length, duration_ms: busy_ms });
  }

  async #look(): Promise<void> {
    const { clock } = this.#tools;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.sleep(LOOK_MS, signal).catch(() => {});
      if (signal.aborted) return;
      this.wake();
      const told_ms = this.#occupancy?.told_ms ?? Number.NEGATIVE_INFINITY;
      if (this.#owesOccupancy && clock.monotonic() - told_ms >= OCCUPANCY_MS) {
        await this.#inTurn(() => this.#tellOccupancy());
      }
      if (clock.monotonic() - this.#beating_ms < HEARTBEAT_MS) continue;
      this.#beating_ms = clock.monotonic();
      await this.#inTurn(() => this.#beat()).catch(() => {});
    }
  }

  /** Only while the board is known to be right: who hears nothing knows that it may be stale. */
  async #beat(): Promise<void> {
    await this.#show();
    if (!this.#shown) return;
    await this.#fanOut(this.#heartbeat(this.#shown));
    await this.#tellOccupancy();
  }

  #heartbeat(shown: Shown): Buffer {
    const { revision, lineage } = shown;
    const server_time = new Date(this.#source.now_ms()).toISOString();
    return encode('heartbeat', { revision, lineage, digest: digestOf(shown), server_time });
  }

  /** Numbers that have changed, at most once a second. */
  async #tellOccupancy(): Promise<void> {
    const { clock, telemetry } = this.#tools;
    const before = this.#occupancy;
    if (before) before.told_ms = clock.monotonic();
    this.#owesOccupancy = false;
    try {
      const occupancy = await this.#source.occupancy();
      if (!occupancy || this.isClosed) return;
      const { revision: _, timestamp: __, ...numbers } = occupancy;
      const text = JSON.stringify(numbers);
      const told_ms = clock.monotonic();
      if (this.#occupancy?.text === text) return;
      this.#occupancy = { bytes: encode('occupancy', occupancy), told_ms, text };
      await this.#fanOut(this.#occupancy.bytes);
    } catch (error) {
      telemetry.emit({ kind: 'stream.failed', reason: reasonOf(error) });
    }
  }
}
