import { type Board, type ChangeRow, isBarrier } from '#board';
import { reasonOf, SharedCalls } from '#kit';
import { eventIds } from './event-ids.ts';
import type { EventRef, Store, Tools } from './ports.ts';
import { isSameBoard, isSameHold } from './same-board.ts';
import { type BoardSlot, MOST_ROWS } from './slot.ts';

type CheckTools = Pick<Tools, 'telemetry'> &
  Readonly<{
    store: Store;
    slotOf(event: EventRef): BoardSlot | null;
    stopping: AbortSignal;
  }>;

export type Compared =
  /** `moved`: commits were faster than every look. */
  | Readonly<{ kind: 'same' | 'absent' | 'moved' }>
  /** With the seats that differ; none: it is a hold of places, a counter or a checkout. */
  | Readonly<{ kind: 'different'; seats: readonly string[] }>;

/** While others commit, the board and what was loaded are brought to one revision so often. */
const LOOKS = 5;

/**
 * Compares boards in memory with what the store has, and loads those anew that differ. A board
 * follows the log alone: what a hand has changed in the tables it cannot notice by itself.
 */
export class MemoryCheck {
  readonly #tools: CheckTools;
  readonly #asked = new Map<string, EventRef>();
  readonly #comparing = new SharedCalls<Compared>();
  #running: Promise<void> | null = null;

  constructor(tools: CheckTools) {
    this.#tools = tools;
  }

  /** Is the board in memory what the store would give at the same revision? Read once for all. */
  compare(event: EventRef): Promise<Compared> {
    const name = `${event.scope.organizationId} ${event.eventId}`;
    return this.#comparing.ask(name, () => this.#compare(event));
  }

  async #compare(event: EventRef): Promise<Compared> {
    const { store } = this.#tools;
    if (!this.#loaded(event)) return { kind: 'absent' };
    const stored = await store.load(event);
    for (let looks = 0; stored && looks < LOOKS; looks++) {
      const board = await this.#loaded(event)?.current();
      if (!board) break;
      // What the log says of rows after the load is the same for both.
      const rows = await store.rowsFrom(event, stored.revision, MOST_ROWS);
      const compared = comparedAfter(rows, stored, this.#loaded(event)?.board ?? null);
      if (compared) return compared;
    }
    return { kind: stored && this.#loaded(event) ? 'moved' : 'absent' };
  }

  /**
   * Throws the board away unless it is what the store has; true: it was thrown away. That loses
   * nothing: what was answered is committed, and a flush that is under way loads it anew.
   */
  async renew(event: EventRef): Promise<boolean> {
    const compared = await this.compare(event);
    const slot = this.#loaded(event);
    if (!slot || compared.kind === 'same' || compared.kind === 'absent') return false;
    if (this.#tools.stopping.aborted) return false;
    const ids = eventIds(event);
    this.#tools.telemetry.emit({ kind: 'board.renewed', compared: compared.kind, ids });
    slot.discard();
    return true;
  }

  /** Another process asks for it: one event after the other, and each once. */
  renewSoon(event: EventRef): void {
    this.#asked.set(event.eventId, event);
    this.#running ??= this.#renewAll().finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when nothing is being compared. */
  async idle(): Promise<void> {
    await this.#running;
  }

  #loaded(event: EventRef): BoardSlot | null {
    const slot = this.#tools.slotOf(event);
    return slot?.board ? slot : null;
  }

  async #renewAll(): Promise<void> {
    for (const [eventId, event] of this.#asked) {
      this.#asked.delete(eventId);
      // Whoever stops has no boards to be right about.
      if (this.#tools.stopping.aborted) continue;
      try {
        await this.renew(event);
      } catch (error) {
        const reason = `a board could not be compared: ${reasonOf(error)}`;
        this.#tools.telemetry.emit({ kind: 'feed.failed', reason, ids: eventIds(event) });
      }
    }
  }
}

/** Null: they are not at one revision yet. */
function comparedAfter(
  rows: readonly ChangeRow[],
  stored: Board,
  board: Board | null,
): Compared | null {
  if (!board) return { kind: 'absent' };
  for (const row of rows) {
    if (row.revision !== stored.revision + 1 || row.revision > board.revision) continue;
    if (isBarrier(row)) return { kind: 'moved' };
    try {
      stored.advance(row);
    } catch {
      // The tables do not fit their own log: a hand has been there.
      return { kind: 'different', seats: differingSeats(stored, board) };
    }
  }
  if (board.revision !== stored.revision) return null;
  if (isSameBoard(stored, board)) return { kind: 'same' };
  return { kind: 'different', seats: differingSeats(stored, board) };
}

const MOST_SEATS = 5;

/** Some of them. */
function differingSeats(stored: Board, board: Board): string[] {
  const { plan } = board;
  const seats: string[] = [];
  for (let ordinal = 0; ordinal < plan.seatCount && seats.length < MOST_SEATS; ordinal++) {
    const isSame =
      stored.codeOf(ordinal) === board.codeOf(ordinal) &&
      isSameHold(stored.holdOfSeat(ordinal), board.holdOfSeat(ordinal));
    if (!isSame) seats.push(plan.seatIdOf(ordinal));
  }
  return seats;
}
