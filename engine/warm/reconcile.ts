import type { Board } from '#board';
import { reasonOf } from '#kit';
import { type EventKeys, eventKeys } from '#redis';
import { type EventRef, eventIds } from '#registry';
import type { EventState } from './event-state.ts';
import type { Portion } from './event-words.ts';
import { type Difference, differenceOf, readContent, type TierContent } from './tier-content.ts';
import type { WarmTools } from './tools.ts';
import type { WriteThrough } from './write-through.ts';

export type Reconciled = Readonly<{
  /** Live holds of the event. */
  count: number;
  written: number;
  removed: number;
}>;

type Tools = WarmTools &
  Readonly<{
    writes: WriteThrough;
    current(event: EventRef): Promise<Board | null>;
  }>;

/** Seats and holds that are put right in one call. */
const PORTION = 250;
/** Keys of each sort that a line in the log names. */
const MOST_NAMED = 10;
/** Others write at the same time: then it is compared again with what they have committed. */
const TRIES = 10;

/**
 * Makes Redis say what Postgres says about one event: writes what is missing or different, removes
 * what is not so, and flushes nothing, because others work with it meanwhile.
 */
export class Reconciler {
  readonly #tools: Tools;
  readonly #running = new Map<string, Promise<Reconciled | null>>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Null: the event is not on sale. Rejects when Redis or Postgres cannot be asked. */
  reconcile(event: EventRef): Promise<Reconciled | null> {
    const known = this.#running.get(event.eventId);
    if (known) return known;
    const running = this.#reconcile(event).finally(() => this.#running.delete(event.eventId));
    this.#running.set(event.eventId, running);
    return running;
  }

  async #reconcile(event: EventRef): Promise<Reconciled | null> {
    const { clock, telemetry, current } = this.#tools;
    const { organizationId } = event.scope;
    const keys = eventKeys(organizationId, event.eventId);
    const started = clock.monotonic();
    const before = await current(event);
    if (!before) return null;
    const content = await readContent(this.#tools, keys, before, 'all');
    for (let tries = 0; tries < TRIES; tries++) {
      // The board is asked after Redis was read: all that was written then is committed for it.
      // What others write from then on is newer than what is compared here, and left alone.
      const board = await current(event);
      if (!board) return null;
      if (board.plan !== before.plan) break;
      const difference = differenceOf(board, content);
      if (!(await this.#putRight(event, board, content, difference))) continue;
      const { removed, seats, holds, faults } = difference;
      const written = seats.size + holds.length + faults.length - removed;
      const duration_ms = clock.monotonic() - started;
      const ids = eventIds(event);
      telemetry.emit({ kind: 'warm.reconciled', written, removed, duration_ms, ids });
      if (written + removed > 0) {
        const healed = { ...ids, keys_invalidated: keysOf(keys, board, difference) };
        telemetry.emit({ kind: 'warm.healed', keys: written + removed, ids: healed });
      }
      return { count: board.holdCount, written, removed };
    }
    throw new Error('Redis changes faster than it can be compared');
  }

  /** False: somebody has written something newer meanwhile. */
  async #putRight(
    event: EventRef,
    board: Board,
    { revision }: TierContent,
    difference: Difference,
  ): Promise<boolean> {
    const { writes } = this.#tools;
    const state = writes.stateOf(event, board);
    if (state.board !== board) return false;
    // What is stored was read before the log was: if it is further, it is another history.
    const force = revision > board.revision;
    for (const portion of portionsOf(difference, force)) {
      const before = board.revision;
      const written = await writes.write(state, portion);
      if (written.kind !== 'ok') return this.#refused(state, written.kind);
      if (state.board !== board) return false;
      state.stored = before;
    }
    return true;
  }

  #refused(state: EventState, kind: 'behind' | 'gap'): false {
    if (kind === 'gap') state.stored = null;
    return false;
  }

  /** For those that nobody asked for; whatever happens, it is looked at again. */
  async quietly(event: EventRef): Promise<boolean> {
    try {
      await this.reconcile(event);
      return true;
    } catch (error) {
      const about = { reason: reasonOf(error), ids: eventIds(event) };
      this.#tools.telemetry.emit({ kind: 'job.failed', job: 'reconcile', ...about });
      return false;
    }
  }
}

/** Some of the keys that said something else, for a line in the log. */
function keysOf({ seatHold, holdMeta }: EventKeys, { plan }: Board, differs: Difference): string[] {
  const seats = [...differs.seats.keys()].slice(0, MOST_NAMED);
  return [
    ...seats.map((ordinal) => seatHold(plan.seatIdOf(ordinal))),
    ...differs.holds.slice(0, MOST_NAMED).map(holdMeta),
  ];
}

/** The first brings the whole bitmap, also when nothing else is wrong. */
function portionsOf({ seats, holds }: Difference, force: boolean): Portion[] {
  const entries = [...seats];
  const count = Math.max(1, Math.ceil(Math.max(entries.length, holds.length) / PORTION));
  return Array.from({ length: count }, (_, index) => {
    const from = index * PORTION;
    return {
      seats: new Map(entries.slice(from, from + PORTION)),
      holds: holds.slice(from, from + PORTION),
      whole: index === 0,
      force: force && index === 0,
      publish: false,
    };
  });
}
