import { type Board, type Hold, SEAT } from '#board';
import { assert, nextTurn, reasonOf, Semaphore } from '#kit';
import type { Scope } from '#scope';
import { Claiming } from './claiming.ts';
import { driftAt } from './clock-rules.ts';
import { DatabaseTime } from './database-time.ts';
import { eventIds } from './event-ids.ts';
import { HeldLocks } from './locks.ts';
import { MemoryCheck } from './memory-check.ts';
import { compareHeads, polled } from './poll.ts';
import type { Claims, EventRef, Feed, Store, Tools, Watch } from './ports.ts';
import { type Entry, isOf, isUnused } from './registry-entry.ts';
import { BoardSlot, type SlotTools } from './slot.ts';
import type { Answer, Screened, Wish } from './wish.ts';
import { EventWriter } from './writer.ts';
import type { WriterTools } from './writer-tools.ts';

export type SeatRegistryOptions = Tools &
  Readonly<{
    store: Store;
    feed: Feed;
    /** A tier that other nodes share; none: the same path without it. */
    claims?: Claims | undefined;
    watch?: Watch | undefined;
    /** Replaces the policy's hold time in demo mode and tests. */
    demoHoldSeconds?: number | null;
    limit_bytes?: number;
    /** A simulator brings its own turns of the loop. */
    turn?: (() => Promise<void>) | undefined;
  }>;

/** A hundred boards of the largest events with ten thousand holds each, or thousands of others. */
const LIMIT_BYTES = 512 * 1024 * 1024;
/** Loading is work for the database and for us; more at once would only make each slower. */
const LOADS_AT_ONCE = 2;
const POLL_MS = 1_000;
/** A replay begins at the last snapshot, so this bounds how many rows it reads. */
const SNAPSHOT_EVERY = 1_000;

/** The boards of this node and their writers. */
export class SeatRegistry {
  readonly #options: SeatRegistryOptions;
  readonly #tools: WriterTools & SlotTools;
  readonly #limit_bytes: number;
  readonly #claiming: Claiming | null;
  readonly #locks = new HeldLocks();
  /** Whether memory is what the store has. */
  readonly memory: MemoryCheck;
  readonly #stopping = new AbortController();
  /** By event; the longest unused first. */
  readonly #entries = new Map<string, Entry>();
  #last: Entry | null = null;
  #polling: Promise<void> | null = null;

  constructor(options: SeatRegistryOptions) {
    this.#options = options;
    this.#limit_bytes = options.limit_bytes ?? LIMIT_BYTES;
    const { clock, random, telemetry, store, feed, watch, demoHoldSeconds = null } = options;
    this.#claiming = options.claims ? new Claiming(options.claims) : null;
    this.#tools = {
      clock,
      random,
      telemetry,
      store: this.#locks.watch(store),
      feed,
      watch,
      demoHoldSeconds,
      time: new DatabaseTime({ clock, telemetry, store }),
      now_ms: () => this.time(),
      stopping: this.#stopping.signal,
      loading: new Semaphore(LOADS_AT_ONCE),
      onCommit: (slot, board) => this.#snapshot(slot, board),
      onIdle: (slot) => this.#followHeard(slot),
      onLoaded: (slot) => this.#followHeard(slot),
      turn: options.turn ?? nextTurn,
    };
    this.memory = new MemoryCheck({ ...this.#tools, slotOf: (event) => this.#slotOf(event) });
  }

  /** One wish for one event; its outcome, once it is committed or certainly refused. */
  submit(event: EventRef, wish: Wish): Promise<Answer> {
    const entry = this.#entryOf(event);
    // Whoever does not know the database's time cannot tell whose hold is over: no claims yet.
    const claiming = this.#tools.time.isKnown ? this.#claiming : undefined;
    return claiming?.submit(entry, wish) ?? entry.writer.submit(wish);
  }

  /**
   * What would be refused out of memory at this moment; null: it has to be submitted. Nobody is
   * told of it, and nothing is loaded for it.
   */
  screen(event: EventRef, wish: Pick<Wish, 'command' | 'exact'>): Screened | null {
    const entry = this.#entries.get(event.eventId);
    if (!entry || !isOf(entry, event)) return null;
    // Whoever is only refused by it still needs it.
    this.#touch(event.eventId, entry);
    return entry.writer.screen(wish);
  }

  /** Has somebody this seat, as far as memory knows? For guessing, not for deciding. */
  looksTaken(eventId: string, seatId: string): boolean {
    const board = this.#entries.get(eventId)?.writer.slot.board;
    const ordinal = board?.plan.ordinalOf(seatId);
    if (!board || ordinal === undefined) return false;
    return board.holdOfSeat(ordinal) !== undefined || board.codeOf(ordinal) !== SEAT.available;
  }

  /** A board to read from, at most 1.5 s old; null when the event is not on sale. */
  async board(event: EventRef): Promise<Board | null> {
    const { slot } = this.#entryOf(event).writer;
    const wasThere = slot.board !== null;
    const { clock, telemetry } = this.#tools;
    const asked_ms = clock.monotonic();
    const board = await slot.fresh();
    const duration_ms = clock.monotonic() - asked_ms;
    const what = 'board';
    telemetry.emit({ kind: 'cache.lookup', what, source: 'memory', hit: wasThere, duration_ms });
    // Counting all boards is for when there is one more, not for every reader.
    if (wasThere) return board;
    this.#evict();
    const hit = board !== null;
    telemetry.emit({ kind: 'cache.lookup', what, source: 'db', hit, duration_ms });
    return board;
  }

  /** The board with everything that was committed before this call; null: not on sale. */
  current(event: EventRef): Promise<Board | null> {
    return this.#entryOf(event).writer.slot.current();
  }

  /** The board if it is in memory, however old. */
  loadedBoard(event: EventRef): Board | null {
    return this.#slotOf(event)?.board ?? null;
  }

  /**
   * A hold that is alive on a board in memory, with its event, which never changes; whether it is
   * still alive only the event's writer can say. Null: it has to be looked for in the database. A
   * look at a thousand boards takes 0.14 ms, a transaction with that question more than that.
   */
  loadedHold(scope: Scope, holdId: string): { eventId: string; hold: Hold } | null {
    for (const [eventId, entry] of this.#entries) {
      const hold = isOf(entry, { scope, eventId }) && entry.writer.slot.board?.holdOf(holdId);
      if (hold) return { eventId, hold };
    }
    return null;
  }

  /** Did holds of this user end by time a while ago, as far as this node has seen? */
  hasExpiredLately(event: EventRef, user_id: string, cart: string | null): boolean {
    return this.#slotOf(event)?.expired.has(user_id, cart, this.time()) ?? false;
  }

  /** Whose event it is, if its board is in memory. */
  organizationOf(eventId: string): string | null {
    const slot = this.#entries.get(eventId)?.writer.slot;
    return slot?.board ? slot.event.scope.organizationId : null;
  }

  /** Resolves while this node keeps nobody waiting with a lock, at the latest after so long. */
  noLocks(most_ms: number): Promise<void> {
    return this.#locks.none(most_ms, this.#tools.clock);
  }

  /** Keeps the board in memory until the function that comes back is called. */
  pin(event: EventRef): () => void {
    const entry = this.#entryOf(event);
    entry.pins++;
    return () => {
      entry.pins--;
    };
  }

  get loadedEvents(): EventRef[] {
    return this.events.flatMap(({ event, board }) => (board ? [event] : []));
  }

  /** The database's time as this node knows it, for showing what time is left. */
  now(board: Board): number {
    return Math.max(this.time(), board.at_ms);
  }

  /** The time of day by the database's clock: for sale windows, tokens and signatures. */
  wall(): number {
    const { clock, time } = this.#tools;
    return Math.floor(time.wall() ?? clock.now());
  }

  /** The clock was read; before, `wall` and `time` are this node's own. */
  get knowsTime(): boolean {
    return this.#tools.time.isKnown;
  }

  /** How far the database's clock is ahead of event time, as last read. */
  get drift_ms(): number {
    const { time } = this.#tools;
    return driftAt(time.state, time.wall() ?? 0);
  }

  /** Event time: the database's clock without its steps. */
  time(): number {
    const { clock, time } = this.#tools;
    return Math.floor(time.least() ?? clock.now());
  }

  /** Lets every event that is due do its housekeeping; resolves when that is committed. */
  async sweep(event: EventRef, deadline_ms: number): Promise<Answer> {
    const actor = { kind: 'system', id: null, role: null } as const;
    const command = { kind: 'sweep' } as const;
    return this.submit(event, { command, actor, context: null, key: null, deadline_ms });
  }

  /** Holds of the event that this node has ended because it was time, since it is in memory. */
  endedBy({ eventId }: EventRef): number {
    return this.#entries.get(eventId)?.writer.slot.ended ?? 0;
  }

  /** Somebody has committed: boards that are behind catch up, unless a flush is about to. */
  hear(eventId: string, revision: number): void {
    const writer = this.#entries.get(eventId)?.writer;
    if (!writer) return;
    writer.slot.hear(revision);
    if (!writer.isFlushing) this.#followHeard(writer.slot);
  }

  /** What was read last, by a flush or to load the board, may be older than what was told of. */
  #followHeard(slot: BoardSlot): void {
    if (slot.isBehind && !this.#stopping.signal.aborted) this.#follow(slot);
  }

  /** Tables were changed by another way than the log: boards that differ are loaded anew. */
  hearDoubt(eventId: string): void {
    const slot = this.#entries.get(eventId)?.writer.slot;
    if (slot?.board) this.memory.renewSoon(slot.event);
  }

  /** Messages may have been lost: look at all boards. */
  hearGap(): void {
    void this.poll();
  }

  /** Compares all loaded boards with the store in one question. */
  async poll(): Promise<void> {
    this.#polling ??= this.#pollOnce().finally(() => {
      this.#polling = null;
    });
    await this.#polling;
  }

  /** Polls every second until `stop`. */
  start(): void {
    void this.#keepPolling();
  }

  /** Finishes what is queued and lets go of everything. */
  async stop(): Promise<void> {
    await this.#claiming?.idle();
    await Promise.all([...this.#entries.values()].map(({ writer }) => writer.idle()));
    this.#stopping.abort(new Error('stopping'));
    await this.#polling;
    await this.memory.idle();
  }

  /** Events whose log is written in a format that this version cannot read. */
  get unreadable(): number {
    return [...this.#entries.values()].filter(({ writer }) => writer.slot.unreadable).length;
  }

  /** Events that have a place in memory, whether or not their board is there. */
  get known(): number {
    return this.#entries.size;
  }

  get loaded(): number {
    return [...this.#entries.values()].filter(({ writer }) => writer.slot.board).length;
  }

  /** Boards in memory. */
  get boards(): Board[] {
    return this.events.flatMap(({ board }) => board ?? []);
  }

  /** Events that have a place in memory, and what waits for them: for gauges. */
  get events(): { event: EventRef; board: Board | null; queued: number }[] {
    return [...this.#entries.values()].map(({ writer }) => {
      const { slot, queued } = writer;
      return { event: slot.event, board: slot.board, queued };
    });
  }

  get queued(): number {
    return [...this.#entries.values()].reduce((sum, { writer }) => sum + writer.queued, 0);
  }

  get bytes(): number {
    return this.boards.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  #slotOf(event: EventRef): BoardSlot | null {
    const entry = this.#entries.get(event.eventId);
    return entry && isOf(entry, event) ? entry.writer.slot : null;
  }

  #entryOf(event: EventRef): Entry {
    const known = this.#entries.get(event.eventId);
    const ours = known && isOf(known, event);
    const entry = ours ? known : this.#newEntry(event);
    // Whoever asks for another organization's event leaves no trace in its place.
    if (known && !ours && !isUnused(known)) return entry;
    this.#touch(event.eventId, entry);
    if (!ours) this.#evict();
    return entry;
  }

  /** The last one used is the last to leave. */
  #touch(eventId: string, entry: Entry): void {
    if (entry === this.#last && this.#entries.get(eventId) === entry) return;
    this.#entries.delete(eventId);
    this.#entries.set(eventId, entry);
    this.#last = entry;
  }

  /** What is not on sale, or could not be read, takes no room: anybody can make up ids. */
  #forgetUnused(): void {
    for (const [eventId, entry] of this.#entries) {
      if (isUnused(entry)) this.#entries.delete(eventId);
    }
  }

  #newEntry(event: EventRef): Entry {
    // The log and the trail are sealed with the id: in another spelling nobody could verify them.
    assert(event.eventId === event.eventId.toLowerCase(), 'an event has one spelling');
    const slot = new BoardSlot(event, this.#tools);
    return { writer: new EventWriter(slot, this.#tools), pins: 0 };
  }

  /** Boards that nobody works on leave first come first, until the rest fits. */
  #evict(): void {
    let bytes = this.bytes;
    for (const [eventId, { writer, pins }] of this.#entries) {
      if (bytes <= this.#limit_bytes) return;
      const { board } = writer.slot;
      if (!board || !writer.isIdle || writer.slot.isBusy || pins > 0) continue;
      bytes -= board.bytes;
      this.#entries.delete(eventId);
      this.#last = null;
      this.#tools.telemetry.emit({ kind: 'board.evicted', bytes: board.bytes });
      this.#tools.watch?.left(writer.slot.event, 'evicted');
    }
  }

  /** What is being read at this moment may have been asked for before the last commit. */
  #follow(slot: BoardSlot): void {
    slot.followAnew().catch((error) => this.#failed(error, slot.event));
  }

  async #keepPolling(): Promise<void> {
    const { clock } = this.#tools;
    const { signal } = this.#stopping;
    await this.poll();
    while (!signal.aborted) {
      await clock.sleep(POLL_MS, signal).catch(() => {});
      if (!signal.aborted) await this.poll();
    }
  }

  async #pollOnce(): Promise<void> {
    const { clock } = this.#tools;
    this.#forgetUnused();
    // Boards also grow by their holds.
    this.#evict();
    await this.readClock();
    const asked_ms = clock.monotonic();
    const boards = [...this.#entries.values()].flatMap(({ writer }) => polled(writer.slot));
    if (boards.length === 0) return;
    try {
      const heads = await this.#options.store.heads(boards.map(({ slot }) => slot.event));
      compareHeads(boards, heads, asked_ms, (slot) => this.#follow(slot));
    } catch (error) {
      this.#failed(error, null);
    }
  }

  /** Asks the database for its time, and finds out whether it was set. Never rejects. */
  async readClock(): Promise<void> {
    await this.#tools.time.ask().catch((error) => this.#failed(error, null));
  }

  /** `event`: null when all of them were asked about. */
  #failed(error: unknown, event: EventRef | null): void {
    const ids = event && eventIds(event);
    this.#tools.telemetry.emit({ kind: 'feed.failed', reason: reasonOf(error), ids });
  }

  #snapshot(slot: BoardSlot, board: Board): void {
    if (board.revision % SNAPSHOT_EVERY !== 0) return;
    const failed = (error: unknown) => this.#failed(error, slot.event);
    this.#options.store.saveSnapshot(slot.event, board).catch(failed);
  }
}
