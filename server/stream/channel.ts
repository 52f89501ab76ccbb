import { nextTurn, reasonOf } from '@voelgoed/engine/kit';
import { type EventRef, eventIds } from '@voelgoed/engine/registry';
import { capacityFrames } from './capacity.ts';
import type { Client } from './client.ts';
import { digestOf, encode, isSame, type Shown, snapshotFrame, stepFrame } from './frames.ts';
import { Personal } from './personal.ts';
import { Ring, type StreamPlace } from './ring.ts';
import type { ChannelTools, Source } from './source.ts';

/** Many changes within this time are one frame: nobody sees more than ten a second. */
const INTERVAL_MS = 100;
/** Sending may take a third of the time, however many listen. */
const FANOUT_SHARE = 3;
/** Of one frame to all: sales that never pause must not keep the news of them back. */
const MOST_PAUSE_MS = 20;
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
  #occupancy: { bytes: Buffer; text: string } | null = null;
  /** An occupancy frame that nobody has got yet. */
  #news: Buffer | null = null;
  #counted_ms = Number.NEGATIVE_INFINITY;
  /** Counts frames; a client has everything up to its own number. */
  #sent = 0;
  #owesOccupancy = true;
  #owesBeat = false;
  #next_ms = Number.NEGATIVE_INFINITY;
  #woken = false;
  /** When the first of the news came that nobody has got yet. */
  #since_ms: number | null = null;
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
    if (!this.#shown) await this.#inTurn(() => this.#begin());
    // The board was loaded anew, perhaps with another plan: whoever has its drawing comes now.
    else if (this.#source.board() !== this.#shown.history) await this.#inTurn(() => this.#show());
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
    return true;
  }

  leave(client: Client): void {
    this.clients.delete(client);
    this.#personal.forget(client);
  }

  /** Something may have changed; `news`: something has. */
  wake(news = true): void {
    if (news) this.#since_ms ??= this.#tools.clock.monotonic();
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
    const snapshot = this.#snapshotOf(shown);
    const missed = from && this.#ring.since(from, shown);
    if (!missed) return [snapshot];
    // Somebody who has missed nothing is told so.
    if (missed.length === 0) return [this.#heartbeat(shown)];
    const bytes = missed.reduce((sum, one) => sum + one.length, 0);
    return bytes < snapshot.length ? missed : [snapshot];
  }

  #snapshotOf(shown: Shown): Buffer {
    this.#snapshot ??= snapshotFrame(shown);
    return this.#snapshot;
  }

  async #pump(): Promise<void> {
    const { clock } = this.#tools;
    while (this.#woken && !this.isClosed) {
      const wait_ms = this.#next_ms - clock.monotonic();
      if (wait_ms > 0) await clock.sleep(wait_ms, this.#closing.signal).catch(() => {});
      this.#woken = false;
      if (this.isClosed) return;
      await this.#inTurn(() => this.#show()).catch((error) => {
        this.#failed(error);
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

  async #begin(): Promise<void> {
    if (this.#shown) return;
    await this.#show();
    await this.#count();
    this.#news = null;
  }

  /** Brings everybody to the state of now, with whatever else there is to say, in one piece. */
  async #show(): Promise<void> {
    const shown = await this.#source.shown();
    if (!shown) return this.#leaveAll();
    const before = this.#shown;
    const isNew = !before || !isSame(before, shown);
    if (isNew) {
      this.#shown = shown;
      this.#snapshot = null;
      this.#owesOccupancy = true;
    }
    const parts = [
      ...(before && isNew ? [this.#stepTo(before, shown)] : []),
      ...(this.#news ? [this.#news] : []),
      ...(this.#owesBeat ? [this.#heartbeat(shown)] : []),
    ];
    this.#news = null;
    this.#owesBeat = false;
    if (parts.length > 0) await this.#fanOut(Buffer.concat(parts));
    if (before && isNew) {
      for (const frame of capacityFrames(before, shown)) this.#personal.tellStaff(frame);
    }
    this.#personal.tell();
  }

  #stepTo(before: Shown, shown: Shown): Buffer {
    const bytes = stepFrame(before, shown, () => this.#snapshotOf(shown));
    this.#ring.push(before, shown, bytes);
    return bytes;
  }

  /** The event has left the sale: whoever comes back is told so. */
  #leaveAll(): void {
    this.#shown = null;
    this.#ring.clear();
    for (const client of [...this.clients]) client.end();
  }

  /** It was archived, or its organization was: it is the staff's own affair from now on. */
  async #closeToTheWorld(): Promise<void> {
    const isPublic = await this.#source.isPublic().catch((error) => {
      // What cannot be asked now is asked again.
      this.#failed(error);
      return true;
    });
    if (isPublic) return;
    for (const client of [...this.clients]) if (!client.isStaff) client.end();
  }

  async #fanOut(bytes: Buffer): Promise<void> {
    const { clock, telemetry } = this.#tools;
    const number = ++this.#sent;
    const since_ms = this.#since_ms;
    this.#since_ms = null;
    const begun_ms = clock.monotonic();
    let busy_ms = 0;
    // Who buys comes first: while this node holds a lock, its time is theirs.
    const pause = () => {
      const paused_ms = clock.monotonic() - begun_ms - busy_ms;
      return paused_ms < MOST_PAUSE_MS ? this.#source.quiet(MOST_PAUSE_MS - paused_ms) : null;
    };
    await pause();
    const started = clock.monotonic();
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
      await pause();
      slice_ms = clock.monotonic();
    }
    busy_ms += clock.monotonic() - slice_ms;
    this.#next_ms = started + Math.max(INTERVAL_MS, FANOUT_SHARE * busy_ms);
    telemetry.emit({
      kind: 'stream.sent',
      clients: this.clients.size,
      bytes: bytes.length,
      duration_ms: busy_ms,
      lag_ms: since_ms === null ? null : clock.monotonic() - since_ms,
    });
  }

  #failed(error: unknown): void {
    const about = { reason: reasonOf(error), ids: eventIds(this.event) };
    this.#tools.telemetry.emit({ kind: 'stream.failed', ...about });
  }

  async #look(): Promise<void> {
    const { clock } = this.#tools;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.sleep(LOOK_MS, signal).catch(() => {});
      if (signal.aborted) return;
      const now_ms = clock.monotonic();
      const beats = now_ms - this.#beating_ms >= HEARTBEAT_MS;
      if (beats) {
        this.#beating_ms = now_ms;
        // Sent only once the board is known to be right: who hears nothing knows it may be stale.
        this.#owesBeat = true;
      }
      // Who is inside changes without the board: with each beat it is asked for all the same.
      const isTime = now_ms - this.#counted_ms >= OCCUPANCY_MS;
      if (beats || (this.#owesOccupancy && isTime)) await this.#count();
      if (beats) await this.#closeToTheWorld();
      this.wake(false);
    }
  }

  #heartbeat(shown: Shown): Buffer {
    const { revision, lineage } = shown;
    const server_time = new Date(this.#source.now_ms()).toISOString();
    return encode('heartbeat', { revision, lineage, digest: digestOf(shown), server_time });
  }

  /** Numbers that have changed go out with the next frame, at most once a second. */
  async #count(): Promise<void> {
    this.#counted_ms = this.#tools.clock.monotonic();
    this.#owesOccupancy = false;
    try {
      const occupancy = await this.#source.occupancy();
      if (!occupancy) return;
      const { revision: _, timestamp: __, ...numbers } = occupancy;
      const text = JSON.stringify(numbers);
      if (this.#occupancy?.text === text) return;
      const bytes = encode('occupancy', occupancy);
      this.#occupancy = { bytes, text };
      this.#news = bytes;
    } catch (error) {
      this.#failed(error);
    }
  }
}
