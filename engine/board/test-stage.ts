import type { Checkout, CheckoutState } from '#checkouts';
import { assert } from '#kit';
import type { BoardContent } from './board-content.ts';
import type { BoardState } from './board-state.ts';
import { type ChangeRow, formatOf } from './changes.ts';
import {
  type Command,
  type Facts,
  type KnownMessage,
  messageName,
  type Outcome,
} from './commands.ts';
import { decide } from './decide.ts';
import { Draft } from './draft.ts';
import { endDue, hasWork, workTask } from './housekeeping.ts';
import type { Board } from './live-board.ts';
import { factsAt, idSource } from './test-boards.ts';
import { extensionComplaints, holdComplaints, stateComplaints } from './test-invariants.ts';
import { Owned } from './test-owned.ts';

/** What a test may replace by something that lies. */
export type Parts = {
  /** What commands are decided on; the flush itself keeps an honest one. */
  draft(below: BoardState, at_ms: number): Draft;
  endDue: typeof endDue;
  facts: Partial<Facts>;
};

const HONEST: Parts = { draft: (below, at_ms) => new Draft(below, at_ms), endDue, facts: {} };

/** Far more than any test needs; a command that waits for ever is a bug. */
const MOST_FLUSHES = 200;

/**
 * One board and a clock, flushed as the registry does it: what is due, a piece of a task, then each
 * command on a draft of its own. Everything that breaks a promise is written down.
 */
export class Stage {
  readonly board: Board;
  readonly rows: ChangeRow[] = [];
  /** The board after each row, the first one included. */
  readonly contents: BoardContent[] = [];
  /** Every hold there ever was. */
  readonly holdIds: string[] = [];
  readonly complaints: string[] = [];
  /** Checkouts, also closed ones, and messages, as the database would have them. */
  readonly checkouts = new Map<string, Checkout>();
  readonly messages = new Map<string, KnownMessage>();
  now_ms: number;
  readonly #parts: Parts;
  /** Nothing was replaced, so a broken promise is a bug: the test ends there. */
  readonly #isHonest: boolean;
  readonly #placesSold = new Map<number, number>();
  readonly #ended = new Set<string>();
  readonly #until = new Map<string, number>();
  readonly #newId: () => string;
  readonly #owned = new Owned();

  constructor(board: Board, parts: Partial<Parts> = {}) {
    this.board = board;
    // A second stage of a board makes other holds than the first.
    this.#newId = idSource(`stage ${board.revision}`);
    this.now_ms = board.at_ms;
    // A second stage of one board gives no id that the first has given.
    this.#newId = idSource(board.revision === 1 ? 'stage' : `stage ${board.revision}`);
    this.#parts = { ...HONEST, ...parts };
    this.#isHonest = !parts.draft && !parts.endDue && !parts.facts?.newId;
    this.contents.push(board.content());
  }

  /** One flush; undefined for commands that had to wait for the next one. */
  flush(...commands: readonly Command[]): (Outcome | undefined)[] {
    const now_ms = Math.max(this.now_ms, this.board.at_ms);
    const draft = new Draft(this.board, now_ms);
    const more = this.#parts.endDue(this.board, draft, now_ms);
    if (!more) {
      const nested = new Draft(draft, now_ms);
      workTask(nested);
      draft.record(...nested.changes);
    }
    const outcomes = commands.map((command) => (more ? undefined : this.#decide(draft, command)));
    if (draft.changes.length > 0) this.#commit(draft, now_ms);
    const found = { now_ms, more, sold: this.#placesSold };
    this.complaints.push(...stateComplaints(this.board, this.contents[0], found));
    assert(!this.#isHonest || this.complaints.length === 0, this.complaints.join('\n'));
    return outcomes;
  }

  /** The outcome of one command, however many flushes it waits for. */
  ask(command: Command): Outcome {
    for (let flushes = 0; flushes < MOST_FLUSHES; flushes++) {
      const [outcome] = this.flush(command);
      if (outcome) return outcome;
    }
    throw new Error(`undecided after ${MOST_FLUSHES} flushes`);
  }

  /** Flushes until nothing is left that nobody has asked for; how many that took. */
  settle(): number {
    let flushes = 0;
    for (; hasWork(this.board, this.now_ms); flushes++) {
      assert(flushes < MOST_FLUSHES, 'work comes to an end');
      this.flush();
    }
    return flushes;
  }

  #decide(draft: Draft, command: Command): Outcome | undefined {
    const now_ms = Math.max(this.now_ms, this.board.at_ms);
    const nested = this.#parts.draft(draft, now_ms);
    const { checkouts, messages } = this;
    const known = { newId: this.#newId, checkouts, messages, owned: this.#owned };
    const facts = factsAt(now_ms, { ...known, ...this.#parts.facts });
    const outcome = decide(nested, command, facts, () => this.board.holds());
    assert(outcome.kind, 'an outcome says what it is');
    if (outcome.kind === 'again') return undefined;
    if (outcome.kind === 'refused' || outcome.kind === 'needs_membership') {
      const items = outcome.kind === 'refused' ? outcome.items : [];
      assert(
        items.every((one) => one.code),
        'a refusal says of each part why',
      );
      if (nested.changes.length > 0) this.complaints.push('a refusal has changed something');
      return outcome;
    }
    const after = new Draft(draft, now_ms);
    after.record(...nested.changes);
    if (command.kind === 'hold') {
      this.complaints.push(...holdComplaints(draft, after, command, outcome));
    }
    const before = command.kind === 'extend' ? draft.holdOf(command.hold_id) : undefined;
    if (before && outcome.kind === 'extended') {
      this.complaints.push(...extensionComplaints(before, outcome.hold, draft));
    }
    draft.record(...nested.changes);
    return outcome;
  }

  #commit(draft: Draft, at_ms: number): void {
    const revision = this.board.revision + 1;
    const text = JSON.stringify(draft.changes);
    const log = {
      flush_id: `flush ${revision}`,
      format: formatOf(draft.changes),
      hash: `row ${revision}`,
    };
    const row = { revision, at_ms, changes: JSON.parse(text), keyed: [], ...log };
    this.rows.push(row);
    const before = new Map([...this.board.checkouts()].map((one) => [one.checkout_id, one]));
    this.board.advance(row);
    for (const change of draft.changes) {
      this.#remember(change, before);
      this.#countPlaces(change);
    }
    this.#owned.remember(draft, draft.changes);
    this.contents.push(this.board.content());
    for (const change of draft.changes) {
      if (change.kind === 'ended') for (const id of change.holds) this.#end(id);
    }
    for (const { hold_id, until_ms } of this.board.holds()) this.#see(hold_id, until_ms);
    this.#compare(draft);
  }

  #remember(change: ChangeRow['changes'][number], before: ReadonlyMap<string, Checkout>): void {
    if (change.kind === 'payment_message') this.messages.set(messageName(change), change);
    if (!('checkout_id' in change)) return;
    const { checkout_id } = change;
    const known = before.get(checkout_id) ?? this.checkouts.get(checkout_id);
    const open = this.board.checkoutOf(checkout_id);
    if (open) this.checkouts.set(checkout_id, open);
    else if (known) {
      const attempts = known.attempts.map((one) =>
        change.kind === 'attempt' && one.attempt_id === change.attempt_id
          ? { ...one, status: change.status }
          : one,
      );
      const status = closedStatus(change) ?? known.status;
      this.checkouts.set(checkout_id, { ...known, status, attempts });
      (before as Map<string, Checkout>).delete(checkout_id);
    }
  }

  #countPlaces(change: ChangeRow['changes'][number]): void {
    const add = (zone: number, places: number) =>
      this.#placesSold.set(zone, (this.#placesSold.get(zone) ?? 0) + places);
    if (change.kind === 'ticket_ended') {
      if (change.ordinal < 0 && change.vacates) add(change.zone, -1);
    } else if (change.kind === 'sold') {
      for (const { ordinal, zone } of change.tickets) if (ordinal < 0) add(zone, 1);
    }
  }

  /** The draft has promised what the board has become. */
  #compare(draft: Draft): void {
    const { board } = this;
    const differs =
      [...draft.seats.keys()].some((ordinal) => draft.codeOf(ordinal) !== board.codeOf(ordinal)) ||
      this.holdIds.some((id) => differ(draft.holdOf(id), board.holdOf(id))) ||
      [...draft.counts].some(([zone, counts]) => differ(counts, board.countsOf(zone))) ||
      differ(draft.config, board.config) ||
      differ(draft.tasks, board.tasks);
    if (differs) this.complaints.push('the board differs from the draft it was decided on');
  }

  #end(id: string): void {
    if (this.#ended.has(id)) this.complaints.push(`hold ${id} has ended twice`);
    this.#ended.add(id);
  }

  #see(id: string, until_ms: number): void {
    const before = this.#until.get(id);
    if (before === undefined) this.holdIds.push(id);
    if (this.#ended.has(id)) this.complaints.push(`hold ${id} came back`);
    const shorter = until_ms < (before ?? 0);
    // A declined payment gives back what it had kept; what was promised before is kept.
    const declined = this.board.holdOf(id)?.checkout_id !== null;
    if (shorter && !declined) this.complaints.push(`hold ${id} was shortened`);
    this.#until.set(id, until_ms);
  }
}

function closedStatus(change: ChangeRow['changes'][number]): CheckoutState | null {
  if (change.kind === 'sold') return 'completed';
  return change.kind === 'checkout_closed' ? change.status : null;
}

function differ(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
