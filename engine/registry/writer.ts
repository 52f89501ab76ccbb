import { type Board, hasWork, screen } from '#board';
import { backoff, reasonOf } from '#kit';
import type { EventIds } from '#telemetry';
import { Deadlines } from './deadlines.ts';
import { foundAgain, restingOnRows, type Unsettled } from './durable-answers.ts';
import { eventIds } from './event-ids.ts';
import { type Decided, decideFlush } from './flush.ts';
import type { Flush, Opened, Transacted, Trouble } from './ports.ts';
import { BATCH, flushSize, LARGE_BATCH, WishQueue } from './queue.ts';
import type { BoardSlot, Place } from './slot.ts';
import { ToldInTurns } from './told-in-turns.ts';
import { type Answer, askedFor, QueuedWish, type Screened, type Wish } from './wish.ts';
import { busy, refusalOf, rejectAll, rejectBroken, troubleOf, unknown } from './writer-answers.ts';
import type { WriterTools } from './writer-tools.ts';

/** Conflicts are short: three more tries, then whoever waits is told to come back. */
const RETRIES = { tries: 3, first_ms: 10, most_ms: 40 };
/** Waiting holds that are looked at again after each commit. */
const SCREENED = 1_000;
const GUARD_LIMIT = 3;
const GUARD_PAUSE_MS = 5_000;

/** What the board is good for after catching up under the lock. */
type Prepared = 'go on' | 'reload' | 'gone' | 'clock was set';

/**
 * The writer of one event on this node. Wishes queue; a flush takes what has queued, decides it on
 * the exact board under the event's lock and commits. While one flush is under way the next one
 * gathers.
 */
export class EventWriter {
  readonly slot: BoardSlot;
  readonly #tools: WriterTools;
  readonly #queue = new WishQueue();
  readonly #told: ToldInTurns;
  readonly #deadlines: Deadlines;
  /** Wishes of the flush that is under way; null: it has not taken any yet. */
  #batch: readonly QueuedWish[] | null = null;
  #running: Promise<void> | null = null;
  #unsettled: Unsettled | null = null;
  #most = LARGE_BATCH;
  #failures = 0;
  #guards = 0;
  #reloads = 0;
  /** Given up for now: nothing is tried that nobody has asked for. */
  #resting = false;
  #stopped_until_ms = Number.NEGATIVE_INFINITY;
  #screened = 0;

  constructor(slot: BoardSlot, tools: WriterTools) {
    this.slot = slot;
    this.#tools = tools;
    this.#told = new ToldInTurns(tools.turn);
    this.#deadlines = new Deadlines(tools, () => this.#nextDeadline());
  }

  /** A flush is under way or about to be. */
  get isFlushing(): boolean {
    return this.#running !== null || this.#queue.length > 0;
  }

  get isIdle(): boolean {
    return !this.isFlushing && this.#told.isDone;
  }

  get isStopped(): boolean {
    return this.#tools.clock.monotonic() < this.#stopped_until_ms;
  }

  get queued(): number {
    return this.#queue.length;
  }

  get #ids(): EventIds {
    return eventIds(this.slot.event);
  }

  submit(wish: Wish, screened = -1): Promise<Answer> {
    const refusal = this.slot.board?.revision === screened ? null : this.refuse(wish);
    if (refusal) return Promise.resolve(refusal);
    if (!this.#queue.hasRoomFor(wish.command))
      return Promise.reject(busy('too many wishes for this event'));
    if (this.isStopped) return Promise.reject(busy('this event is stopped for a moment'));
    const { clock, telemetry } = this.#tools;
    const queued = new QueuedWish(wish, clock.monotonic(), telemetry.carry?.());
    this.#queue.add(queued);
    this.#resting = false;
    this.#start();
    this.#deadlines.watch(wish.deadline_ms);
    return queued.answer;
  }

  /** Resolves when nothing is queued, no flush is under way and everybody has been told. */
  async idle(): Promise<void> {
    while (this.#running || !this.#told.isDone) {
      await this.#running;
      await this.#told.done();
    }
  }

  refuse(wish: Wish): Answer | null {
    const screened = this.screen(wish);
    if (!screened) return null;
    const { outcome, at_ms, revision } = screened;
    this.#tools.telemetry.emit({ kind: 'hold.refused_fast', code: outcome.code });
    return { kind: 'done', outcome, revision, at_ms, replayed: false };
  }

  /** Only what memory is sure of, and only while memory is known to be right. */
  screen({ command, exact }: Pick<Wish, 'command' | 'exact'>): Screened | null {
    const { board } = this.slot;
    // A hold that may be over by now refuses no buyer: the database is asked.
    const { time } = this.#tools;
    const latest_ms = time.most();
    if (command.kind !== 'hold' || exact || latest_ms === null) return null;
    if (!board || !this.slot.isConfirmed) return null;
    const now_ms = Math.max(latest_ms, board.at_ms);
    const wall_ms = time.wall() ?? now_ms;
    const outcome = screen(board, command, { now_ms, wall_ms, organizationActive: true });
    return outcome && { outcome, revision: board.revision, at_ms: now_ms };
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (this.#queue.length > 0) this.#start();
      else this.#tools.onIdle(this.slot);
    });
  }

  async #run(): Promise<void> {
    let more = true;
    while (more) {
      // One turn of the loop: everything that has arrived by now travels together.
      await Promise.resolve();
      more = await this.#flushOnce();
    }
  }

  /** True: go on. */
  async #flushOnce(): Promise<boolean> {
    if (this.#queue.length === 0 && !this.#hasWork()) return false;
    // Whoever comes while it is loaded is of the next flush: there may be a sale by then.
    if (!this.slot.board) this.#take();
    try {
      const board = await this.slot.load();
      if (board) await this.#carried(() => this.#flush(board));
      else for (const wish of this.#take()) wish.resolve({ kind: 'not_on_sale' });
    } catch (error) {
      await this.#recover(this.#take(), troubleOf(error), error);
    } finally {
      this.#batch = null;
    }
    return this.#queue.length > 0 || this.#hasWork();
  }

  /** The wishes of this flush, taken once: whoever comes later is of the next one. */
  #take(): readonly QueuedWish[] {
    this.#batch ??= this.#queue
      .take(flushSize(this.#most, this.#queue.length))
      .filter((wish) => !this.#isOver(wish));
    return this.#batch;
  }

  /** In a trace, a flush is a part of the request whose wish came first. */
  #carried(work: () => Promise<void>): Promise<void> {
    const carry = this.#queue.all().find((wish) => wish.carry)?.carry;
    return carry ? carry(work) : work();
  }

  #hasWork(): boolean {
    const { board } = this.slot;
    const now_ms = this.#tools.time.least();
    if (!board || now_ms === null || this.#resting) return false;
    return hasWork(board, now_ms);
  }

  async #flush(board: Board): Promise<void> {
    const { clock, store, telemetry } = this.#tools;
    const seen: { decided: Decided | null; next: Prepared } = { decided: null, next: 'go on' };
    let own: Place = board;
    let started = clock.monotonic();
    let locked = started;
    const ask = () => {
      own = { revision: board.revision, hash: board.hash };
      started = clock.monotonic();
      locked = started;
      return askedFor(this.#take(), own.revision, this.#unsettled?.flush.row.revision ?? null);
    };
    const transacted = await store.transact(this.slot.event, ask, (opened) => {
      locked = clock.monotonic();
      seen.decided = this.#settle(opened);
      if (seen.decided) return 'commit';
      // Loaded anew meanwhile: what was read follows a board that is no longer ours.
      if (this.slot.board !== board) return null;
      seen.next = this.#prepare(own, opened, started);
      if (seen.next !== 'go on') return null;
      const live = this.#take().filter((wish) => !this.#isOver(wish));
      seen.decided = decideFlush(this.slot.event, board, opened, live, this.#tools);
      const { flush, answers } = seen.decided;
      const resting = flush || this.slot.isDurable ? [] : restingOnRows(answers);
      // From here on it is on its way to the database.
      for (const wish of flush ? answers.keys() : resting) wish.inDoubt = true;
      return flush ?? seen.decided.keeping ?? (resting.length > 0 ? 'commit' : null);
    });
    const batch = this.#take();
    telemetry.emit({
      kind: 'flush.done',
      outcome: transacted.kind,
      wishes: batch.length,
      duration_ms: clock.monotonic() - started,
      lock_ms: locked - started,
      waited_ms: Math.max(0, started - (batch[0]?.queued_ms ?? started)),
    });
    if (seen.next === 'gone') return this.#resolveAll(batch, { kind: 'not_on_sale' });
    if (seen.next === 'reload') return this.#reload(batch);
    if (seen.next === 'clock was set') return this.#settleClock(batch);
    await this.#conclude(board, batch, seen.decided, transacted);
  }

  /** Whatever came of a flush whose answer was lost, the log says it: its answers, or null. */
  #settle(opened: Opened): Decided | null {
    const unsettled = this.#unsettled;
    if (!unsettled) return null;
    const { flush, answers } = unsettled;
    // Visible is not durable: it is answered after a commit of our own.
    if (opened.unsettledFlush === flush.row.flush_id) return foundAgain(unsettled, this.#take());
    this.#unsettled = null;
    this.#tools.telemetry.emit({ kind: 'flush.settled', committed: false, ids: this.#ids });
    for (const wish of answers.keys()) wish.inDoubt = false;
    return null;
  }

  #prepare(own: Place, opened: Opened, started: number): Prepared {
    const { head, rows } = opened;
    if (!head) return 'gone';
    const { time } = this.#tools;
    const read = { wall_ms: opened.now_ms, state: opened.clock };
    if (!time.read(read, started)) return 'clock was set';
    const following = opened.more ? 'reload' : this.slot.catchUp(own, rows);
    const { board } = this.slot;
    const current = board?.revision === head.revision && board.hash === head.hash;
    if (following !== 'current' || !current) return 'reload';
    if (!time.readRow(read, board.at_ms)) return 'clock was set';
    this.slot.confirm(started);
    return 'go on';
  }

  async #conclude(
    board: Board,
    batch: readonly QueuedWish[],
    decided: Decided | null,
    transacted: Transacted,
  ): Promise<void> {
    if (transacted.kind === 'failed') {
      // Nothing of this flush is done; what an earlier one did is still not known.
      for (const wish of batch) wish.inDoubt = this.#unsettled?.answers.has(wish) ?? false;
      return this.#recover(batch, transacted.trouble, transacted.error);
    }
    if (transacted.kind === 'unknown') {
      if (decided?.flush) this.#unsettled = { flush: decided.flush, answers: decided.answers };
      return this.#recover(batch, 'unavailable', transacted.error);
    }
    this.#failures = 0;
    this.#resting = false;
    if (!decided) return this.#queue.putBack(batch);
    this.#guards = 0;
    this.#reloads = 0;
    this.#most = Math.min(LARGE_BATCH, this.#most * 2);
    const { flush } = decided;
    if (flush) this.#merge(board, flush);
    if (decided.answers === this.#unsettled?.answers) this.#settled(board, this.#unsettled);
    if (transacted.kind === 'committed') {
      this.slot.durableAt(board, flush?.row.revision ?? decided.base);
    }
    // Nobody gives up any more on what is known: they are about to be told.
    this.#batch = [];
    this.#queue.putBack(decided.left);
    this.#told.tell(decided.answers);
    rejectBroken(decided, this.#tools.telemetry, this.#ids);
    if (flush) this.#screenQueue();
  }

  #settled(board: Board, { flush }: Unsettled): void {
    this.#unsettled = null;
    this.#tools.telemetry.emit({ kind: 'flush.settled', committed: true, ids: this.#ids });
    this.#merge(board, flush);
  }

  #merge(board: Board, flush: Flush): void {
    const { row } = flush;
    // It is committed: nothing that goes wrong from here on may turn that into an error.
    const isNewest = this.slot.take(board, row);
    this.#tools.feed.publish(this.slot.event, row);
    this.slot.tell(flush.telling);
    if (isNewest) this.#tools.onCommit(this.slot, board);
  }

  /** Nothing is decided by a clock that was set: first event time goes on, for all nodes. */
  async #settleClock(batch: readonly QueuedWish[]): Promise<void> {
    await this.#tools.time.settle();
    this.#queue.putBack(batch);
  }

  /** The board is not the store's: load it, unless that has not helped before. */
  #reload(batch: readonly QueuedWish[]): void {
    this.slot.discard();
    this.#reloads++;
    if (this.#reloads > GUARD_LIMIT) {
      this.#reloads = 0;
      return this.#stop(batch, 'the board cannot be brought up to date');
    }
    this.#queue.putBack(batch);
  }

  /** Nothing of this batch is done, as far as anybody knows: try again, or say why not. */
  async #recover(batch: readonly QueuedWish[], trouble: Trouble, error: unknown): Promise<void> {
    this.slot.fail(error);
    const { telemetry, clock, random } = this.#tools;
    telemetry.emit({ kind: 'flush.trouble', trouble, reason: reasonOf(error), ids: this.#ids });
    if (trouble === 'guard') return this.#stopOnGuards(batch, error);
    if (trouble === 'poison') return this.#halve(batch, error);
    if (trouble === 'fault') {
      // Nobody knows how far it got with the board.
      this.slot.discard();
      this.#resting = true;
      return rejectAll(batch, error);
    }
    if (this.#failures >= RETRIES.tries) {
      this.#failures = 0;
      this.#resting = true;
      return rejectAll(batch, refusalOf(trouble, error));
    }
    this.#queue.putBack(batch);
    await clock.sleep(backoff(this.#failures++, RETRIES, random));
  }

  /** The database contradicts the board: one of them is wrong, and the board can be loaded anew. */
  #stopOnGuards(batch: readonly QueuedWish[], error: unknown): void {
    this.slot.discard();
    this.#guards++;
    const about = { reason: reasonOf(error), in_a_row: this.#guards, ids: this.#ids };
    this.#tools.telemetry.emit({ kind: 'flush.guard', ...about });
    if (this.#guards < GUARD_LIMIT) return this.#queue.putBack(batch);
    this.#guards = 0;
    this.#stop(batch, 'the database contradicts the board');
  }

  #stop(batch: readonly QueuedWish[], why: string): void {
    this.#resting = true;
    this.#stopped_until_ms = this.#tools.clock.monotonic() + GUARD_PAUSE_MS;
    this.#tools.telemetry.emit({ kind: 'writer.stopped', reason: why, ids: this.#ids });
    rejectAll([...batch, ...this.#queue.take(Number.POSITIVE_INFINITY)], busy(why));
  }

  /** One wish has a value that cannot be stored: halves, until it is alone. */
  #halve(batch: readonly QueuedWish[], error: unknown): void {
    if (batch.length <= 1) {
      this.#most = LARGE_BATCH;
      return batch.length === 1 ? rejectAll(batch, error) : this.#stopOnGuards(batch, error);
    }
    this.#most = Math.ceil(batch.length / 2);
    this.#queue.putBack(batch);
  }

  #resolveAll(batch: readonly QueuedWish[], answer: Answer): void {
    this.slot.discard();
    for (const wish of batch) if (!wish.isSettled) wish.resolve(answer);
  }

  /** After a commit many who wait can be told already: 5,000 for one seat need no 20 flushes. */
  #screenQueue(): void {
    const waiting = this.#queue.holds(this.#screened, SCREENED);
    this.#screened = waiting.length < SCREENED ? 0 : this.#screened + SCREENED;
    if (this.#queue.length <= BATCH) return;
    for (const wish of waiting) {
      const answer = wish.isSettled ? null : this.refuse(wish.wish);
      if (answer) wish.resolve(answer);
    }
  }

  /** Too late or not wanted any more: answered here, and not decided. */
  #isOver(wish: QueuedWish): boolean {
    if (wish.isSettled) return true;
    const { deadline_ms, signal } = wish.wish;
    if (!signal?.aborted && this.#tools.clock.monotonic() < deadline_ms) return false;
    wish.reject(wish.inDoubt ? unknown() : busy('the time for this request is over'));
    return true;
  }

  /** Whoever waits is answered in time, also while Postgres says nothing at all. */
  #nextDeadline(): number {
    return [...(this.#batch ?? []), ...this.#queue.all()]
      .filter((wish) => !this.#isOver(wish))
      .reduce((first, { wish }) => Math.min(first, wish.deadline_ms), Number.POSITIVE_INFINITY);
  }
}
