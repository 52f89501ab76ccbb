import { type Board, type ChangeRow, isBarrier } from '#board';
import { OperatingError, reasonOf, type Semaphore } from '#kit';
import type { Happening } from '#telemetry';
import { eventIds } from './event-ids.ts';
import { ExpiredLately } from './expired-lately.ts';
import { GENESIS, UnknownFormat } from './log.ts';
import type { EventRef, Store, Tools, Watch } from './ports.ts';

export type SlotTools = Tools &
  Readonly<{
    store: Store;
    loading: Semaphore;
    watch?: Watch | undefined;
    /** The database's time, as this node knows it. */
    now_ms(): number;
    /** There is a board, and perhaps others have told of commits meanwhile. */
    onLoaded(slot: BoardSlot): void;
  }>;

/** A place in the log. */
export type Place = Readonly<{ revision: number; hash: string }>;

/** How a board relates to what the store says. */
export type Following = 'current' | 'behind' | 'reload';

/** Longer behind than this, loading is faster than following. */
export const MOST_ROWS = 1_000;
/** A refusal from memory needs a board that was right this recently. */
const CONFIRMED_MS = 1_500;
/** A slice of work that must not keep a flush waiting. */
const SLICE_MS = 5;
const LOAD_WAIT_MS = 5_000;
/** Why holds end when nobody asks for it, besides their time. */
const BY_ITSELF: ReadonlySet<string> = new Set(['payment_failed', 'event_cancelled']);

/**
 * The place of one board in memory: loads it once for everybody who asks, follows the log, and
 * notices when the board belongs to a history that is no longer the store's.
 */
export class BoardSlot {
  readonly event: EventRef;
  readonly expired = new ExpiredLately();
  readonly #tools: SlotTools;
  #board: Board | null = null;
  #loading: Promise<Board | null> | null = null;
  #following: Promise<void> | null = null;
  #confirmed_ms = Number.NEGATIVE_INFINITY;
  /** The newest revision that is known to be on the synchronous standby; null: none is. */
  #durable: number | null = null;
  /** The newest revision that others have told of, and how often they have told. */
  #heard = 0;
  #tellings = 0;
  /** Set when the log is written in a format that this version cannot read. */
  #unreadable: UnknownFormat | null = null;
  /** Holds that commits of this node have ended, and no user, since it is here. */
  ended = 0;
  /** How often the board was discarded: streams then begin anew. */
  generation = 0;

  constructor(event: EventRef, tools: SlotTools) {
    this.event = event;
    this.#tools = tools;
  }

  get board(): Board | null {
    return this.#board;
  }

  get unreadable(): boolean {
    return this.#unreadable !== null;
  }

  get isBusy(): boolean {
    return this.#loading !== null || this.#following !== null;
  }

  get isConfirmed(): boolean {
    return this.#tools.clock.monotonic() - this.#confirmed_ms <= CONFIRMED_MS;
  }

  /** The board was the store's at this moment of the monotonic clock. */
  confirm(at_ms: number): void {
    this.#confirmed_ms = Math.max(this.#confirmed_ms, at_ms);
  }

  /** A commit of this node has waited for the standby with the board at this revision. */
  durableAt(board: Board, revision: number): void {
    if (this.#board === board) this.#durable = Math.max(this.#durable ?? 0, revision);
  }

  /** Nothing on the board would be lost by a failover to the synchronous standby. */
  get isDurable(): boolean {
    return this.#board !== null && this.#board.revision === this.#durable;
  }

  hear(revision: number): void {
    this.#heard = Math.max(this.#heard, revision);
    this.#tellings++;
  }

  /** Others have told of a commit that is not on the board. */
  get isBehind(): boolean {
    return this.#board !== null && this.#board.revision < this.#heard;
  }

  /** The board, loaded if it is not there; null when the event is not on sale. */
  load(): Promise<Board | null> {
    if (this.#unreadable) return Promise.reject(this.#unreadable);
    if (this.#board) return Promise.resolve(this.#board);
    this.#loading ??= this.#loadOnce().finally(() => {
      this.#loading = null;
    });
    return this.#loading;
  }

  /** A board that is right as of now, or at most as old as a refusal may be. */
  async fresh(): Promise<Board | null> {
    const board = await this.load();
    if (!board || this.isConfirmed) return board;
    await this.follow();
    return this.load();
  }

  /** The board with everything that was committed before this call; null: not on sale. */
  async current(): Promise<Board | null> {
    if (await this.load()) await this.followAnew();
    return this.load();
  }

  discard(): void {
    if (!this.#board) return;
    this.#board = null;
    this.#durable = null;
    // What was heard may be of the history that is gone, and whoever loads reads all there is.
    this.#heard = 0;
    this.generation++;
    this.#tools.watch?.left(this.event, 'discarded');
  }

  /** Reads what is missing, once for everybody who asks. */
  follow(): Promise<void> {
    this.#following ??= this.#followOnce().finally(() => {
      this.#following = null;
    });
    return this.#following;
  }

  /** As `follow`, and what was committed before this call is surely read. */
  async followAnew(): Promise<void> {
    await this.#following?.catch(() => {});
    return this.follow();
  }

  /**
   * Applies what came after `own`, the board's place in the log when the rows were asked for; they
   * begin with it. A board whose own row is missing or has another hash belongs to another history.
   */
  catchUp(own: Place, rows: readonly ChangeRow[]): Following {
    if (!this.#isOurs(own, rows)) return 'reload';
    for (const row of rows) {
      const following = this.#advance(row);
      if (following !== 'current') return following;
    }
    return 'current';
  }

  /** A row of our own, unless another reader of the log was faster; true: it is the newest. */
  take(board: Board, row: ChangeRow): boolean {
    if (this.#board !== board) return false;
    // Farther already, by rows that came after ours or by rows that are lost: whoever looks next
    // finds out, and until then nobody is refused by it.
    if (row.revision < board.revision) this.#confirmed_ms = Number.NEGATIVE_INFINITY;
    else if (this.#advance(row) !== 'current') this.discard();
    return this.#board === board && board.hash === row.hash;
  }

  #advance(row: ChangeRow): Following {
    const board = this.#board;
    if (!board) return 'reload';
    if (row.revision < board.revision) return 'current';
    // Another reader may have come here meanwhile, by rows that the database has lost since.
    if (row.revision === board.revision) return this.#same(row, board) ? 'current' : 'reload';
    if (row.revision !== board.revision + 1) return 'behind';
    if (isBarrier(row)) return 'reload';
    this.expired.note(board, row);
    try {
      board.advance(row);
      this.#tools.watch?.row(this.event, board, row);
      return 'current';
    } catch (error) {
      // A row that cannot be applied may have been applied in part: this board is spoilt.
      const reason = `row ${row.revision} cannot be applied: ${reasonOf(error)}`;
      const ids = this.#ids();
      this.#tools.telemetry.emit({ kind: 'flush.guard', reason, in_a_row: 1, ids });
      return 'reload';
    }
  }

  #isOurs(own: Place, rows: readonly ChangeRow[]): boolean {
    const ours =
      own.revision === 0
        ? own.hash === GENESIS
        : rows.some(({ revision, hash }) => revision === own.revision && hash === own.hash);
    if (!ours) this.#tellOtherLineage();
    return ours;
  }

  #same(row: Place, board: Place): boolean {
    if (row.hash === board.hash) return true;
    this.#tellOtherLineage();
    return false;
  }

  #tellOtherLineage(): void {
    this.#tools.telemetry.emit({ kind: 'board.other_lineage', ids: this.#ids() });
  }

  async #loadOnce(): Promise<Board | null> {
    const { store, loading, clock, telemetry } = this.#tools;
    if (!(await loading.acquire(LOAD_WAIT_MS))) {
      throw new OperatingError('overloaded', 'too many boards are loading', { retryable: true });
    }
    try {
      const started = clock.monotonic();
      this.#board = await store.load(this.event);
      this.#durable = null;
      const duration_ms = clock.monotonic() - started;
      const seats = this.#board?.plan.seatCount ?? 0;
      telemetry.emit({ kind: 'board.loaded', duration_ms, seats, ids: this.#ids() });
      this.confirm(started);
      if (this.#board) this.#tools.watch?.loaded(this.event, this.#board);
      this.#tools.onLoaded(this);
      return this.#board;
    } catch (error) {
      if (error instanceof UnknownFormat) this.#unreadable = error;
      throw error;
    } finally {
      loading.release();
    }
  }

  async #followOnce(): Promise<void> {
    const { store, clock } = this.#tools;
    for (;;) {
      const board = this.#board;
      if (!board) return;
      const asked = clock.monotonic();
      const tellings = this.#tellings;
      const own = { revision: board.revision, hash: board.hash };
      const rows = await this.#rowsFrom(store, own.revision);
      if (this.#board !== board) return;
      const following = await this.#applyInSlices(own, rows);
      this.#tellLag(own, rows);
      if (following === 'reload') return this.discard();
      if (rows.length >= MOST_ROWS || following === 'behind') continue;
      // What was told of before and is not there is lost: nobody looks for it again.
      if (this.#tellings === tellings) this.#heard = 0;
      return this.confirm(asked);
    }
  }

  /** A long way behind, the event loop gets its turns in between. */
  async #applyInSlices(own: Place, rows: readonly ChangeRow[]): Promise<Following> {
    if (!this.#isOurs(own, rows)) return 'reload';
    const { clock } = this.#tools;
    let until = clock.monotonic() + SLICE_MS;
    for (const row of rows) {
      const following = this.#advance(row);
      if (following !== 'current') return following;
      if (clock.monotonic() < until) continue;
      await clock.sleep(0);
      until = clock.monotonic() + SLICE_MS;
    }
    return 'current';
  }

  /** Rows that others have committed, and how long ago the first of them. */
  #tellLag({ revision }: Place, rows: readonly ChangeRow[]): void {
    const { telemetry, now_ms } = this.#tools;
    const others = rows.filter((row) => row.revision > revision);
    const [first] = others;
    if (!first) return;
    const lag_ms = Math.max(0, now_ms() - first.at_ms);
    telemetry.emit({ kind: 'feed.followed', rows: others.length, lag_ms });
  }

  async #rowsFrom(store: Store, revision: number): Promise<ChangeRow[]> {
    try {
      return await store.rowsFrom(this.event, revision, MOST_ROWS);
    } catch (error) {
      this.fail(error);
      throw error;
    }
  }

  /** What a commit of this node has done. */
  tell(happenings: readonly Happening[]): void {
    for (const happening of happenings) {
      this.#tools.telemetry.emit(happening);
      const isReleased = happening.kind === 'hold.released' && BY_ITSELF.has(happening.reason);
      if (isReleased || happening.kind === 'hold.expired') this.ended += happening.holds;
    }
  }

  /** Remembers that the log cannot be read. */
  fail(error: unknown): void {
    if (error instanceof UnknownFormat) this.#unreadable = error;
  }

  #ids() {
    return eventIds(this.event);
  }
}
