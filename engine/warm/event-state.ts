import type { Board, ChangeRow } from '#board';
import { type EventKeys, eventKeys } from '#redis';
import type { EventRef } from '#registry';

/** What one row of the log has touched. */
type Touched = Readonly<{
  revision: number;
  hash: string;
  seats: readonly number[];
  holds: readonly string[];
}>;

/** Rows that are remembered: as many as nodes may be behind each other for a moment. */
const MOST_ROWS = 256;

/** What this node knows about Redis and one event. */
export class EventState {
  readonly event: EventRef;
  readonly keys: EventKeys;
  board: Board;
  /** What this node has committed and not yet written: seats by ordinal, holds by id. */
  readonly seats = new Set<number>();
  readonly holds = new Set<string>();
  /** The bitmap in Redis is complete up to here; null: it has to be written whole. */
  stored: number | null = null;
  /** Something was committed since the last message. */
  isNew = false;
  sending: Promise<void> | null = null;
  /**
   * Nobody held anything when the board came, and nobody else has committed since: whatever Redis
   * should have of this event is written here.
   */
  get isFromTheBeginning(): boolean {
    return this.#beganEmpty && this.#ofOthers === 0;
  }
  /** The board is not in memory any more: this goes too, as soon as nothing is under way. */
  isLeft = false;
  readonly #rows: Touched[] = [];
  #beganEmpty = false;
  /** Rows that this node has followed and not committed itself. */
  #ofOthers = 0;

  constructor(event: EventRef, board: Board) {
    this.event = event;
    this.board = board;
    this.keys = eventKeys(event.scope.organizationId, event.eventId);
  }

  /** A board that nobody has written anything about yet. */
  begin(board: Board): void {
    this.forget();
    this.board = board;
    this.#beganEmpty = board.holdCount === 0;
  }

  /** After the board has taken the row. */
  remember(board: Board, { revision, hash }: ChangeRow): void {
    if (this.board !== board) this.#rows.length = 0;
    this.board = board;
    this.#rows.push({ revision, hash, ...board.touched });
    this.#ofOthers++;
    if (this.#rows.length > MOST_ROWS) this.#rows.shift();
  }

  /** This node has committed the row; false: nobody knows any more what it touched. */
  owe(revision: number): boolean {
    const row = this.#rows.findLast((one) => one.revision === revision);
    if (!row) return false;
    this.#ofOthers--;
    for (const ordinal of row.seats) this.seats.add(ordinal);
    for (const id of row.holds) this.holds.add(id);
    this.isNew = true;
    return true;
  }

  /** Seats that any row after this revision has touched; null: not all rows are known. */
  touchedSince(revision: number): Set<number> | null {
    if (this.board.revision === revision) return new Set();
    const rows = this.#rows.filter((row) => row.revision > revision);
    if (rows.length !== this.board.revision - revision) return null;
    return new Set(rows.flatMap(({ seats }) => seats));
  }

  /** Whether a place in the log is one of this board's; null: too long ago to say. */
  isOurs(revision: number, lineage: string): boolean | null {
    const row = this.#rows.findLast((one) => one.revision === revision);
    return row ? row.hash.startsWith(lineage) : null;
  }

  /** Nothing of this board counts any more. */
  forget(): void {
    this.#rows.length = 0;
    this.seats.clear();
    this.holds.clear();
    this.stored = null;
    this.isNew = false;
    this.#beganEmpty = false;
    this.#ofOthers = 0;
  }
}
