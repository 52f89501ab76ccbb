import type { Deed } from '#audit';
import {
  type Board,
  type Change,
  Draft,
  decide,
  endDue,
  type Facts,
  type Outcome,
  workTask,
} from '#board';
import { reasonOf, uuidv7 } from '#kit';
import { newTicketCode } from '#tickets';
import { eventTime } from './clock-rules.ts';
import { effectsOf } from './effects.ts';
import { eventIds } from './event-ids.ts';
import { sealRow } from './log.ts';
import type { ContextWrite, EventRef, Flush, Keeping, Opened, Tools } from './ports.ts';
import { salesOf } from './sales-effects.ts';
import { tellingOf } from './telling.ts';
import { chainDeeds, entriesOf, SYSTEM } from './trail.ts';
import type { Answer, QueuedWish, Wish } from './wish.ts';

/** A flush changes at most so many seats and decides for at most so long: others wait for it. */
const MOST_SEATS = 1_000;
const DECIDING_MS = 10;

export type Decided = Readonly<{
  /** The revision that it was decided on. */
  base: number;
  /** Null: nothing is to be written, and the answers hold as they are. */
  flush: Flush | null;
  /** Keys to be kept where there is no flush. */
  keeping: Keeping | null;
  /** What everybody is told once the flush is committed. */
  answers: ReadonlyMap<QueuedWish, Answer>;
  /** Wishes whose decision threw: bugs, one by one. */
  broken: ReadonlyMap<QueuedWish, unknown>;
  /** Not decided this time. */
  left: readonly QueuedWish[];
}>;

export type FlushTools = Tools & Readonly<{ demoHoldSeconds: number | null }>;

/** Decides a batch on the exact board. Nothing in here waits for anything. */
export function decideFlush(
  event: EventRef,
  board: Board,
  opened: Opened,
  batch: readonly QueuedWish[],
  tools: FlushTools,
): Decided {
  return new FlushDecision(event, board, opened, tools).decide(batch);
}

class FlushDecision {
  readonly #event: EventRef;
  readonly #board: Board;
  readonly #opened: Opened;
  readonly #tools: FlushTools;
  readonly #now_ms: number;
  readonly #draft: Draft;
  readonly #facts: Facts;
  readonly #answers = new Map<QueuedWish, Answer>();
  readonly #broken = new Map<QueuedWish, unknown>();
  readonly #left: QueuedWish[] = [];
  readonly #deeds: Deed[] = [];
  readonly #contexts = new Map<string, ContextWrite>();
  readonly #keys: Flush['keys'][number][] = [];
  /** Accepted with a key, and nothing has changed. */
  readonly #idle: QueuedWish[] = [];
  readonly #also: Flush['also'][number][] = [];
  /** Wishes of this batch by their key, so that the second copy gets the first one's outcome. */
  readonly #byKey = new Map<string, QueuedWish>();

  constructor(event: EventRef, board: Board, opened: Opened, tools: FlushTools) {
    this.#event = event;
    this.#board = board;
    this.#opened = opened;
    this.#tools = tools;
    // Time on a board never runs backwards, whatever the database's clock does.
    const { now_ms: wall_ms, clock } = opened;
    this.#now_ms = Math.max(Math.floor(eventTime(clock, wall_ms)), board.at_ms);
    this.#draft = new Draft(board, this.#now_ms);
    const boardClock = { ...tools.clock, now: () => this.#now_ms };
    this.#facts = {
      now_ms: this.#now_ms,
      wall_ms,
      newId: () => uuidv7({ clock: boardClock, random: tools.random }),
      organizationActive: opened.organizationActive,
      memberships: opened.memberships,
      owned: opened.owned,
      demoHoldSeconds: tools.demoHoldSeconds,
      ...opened.sales,
      trouble: (rule, error) =>
        tools.telemetry.emit({
          kind: 'rule.broken',
          rule,
          reason: reasonOf(error),
          ids: eventIds(event),
        }),
    };
  }

  decide(batch: readonly QueuedWish[]): Decided {
    const more = endDue(this.#board, this.#draft, this.#now_ms);
    this.#note(SYSTEM, null, this.#draft, this.#draft.changes);
    if (more) this.#left.push(...batch);
    else {
      this.#workTask();
      this.#decideAll(batch);
    }
    const wrote = this.#draft.changes.length > 0;
    if (!wrote) this.#answerAsOfNow();
    const idle = this.#idleKeys();
    const flush = wrote ? this.#flush(idle) : null;
    const keeping = !flush && idle.length > 0 ? { at_ms: this.#now_ms, idle } : null;
    const base = this.#board.revision;
    const told = { answers: this.#answers, broken: this.#broken, left: this.#left };
    return { base, flush, keeping, ...told };
  }

  /** Nothing is written, so there is no next revision to speak of. */
  #answerAsOfNow(): void {
    const { revision } = this.#board;
    for (const [wish, answer] of this.#answers) {
      const own = answer.kind === 'done' && !answer.replayed;
      if (own) this.#answers.set(wish, { ...answer, revision });
    }
  }

  /** With the answers as they are given. */
  #idleKeys(): Flush['keys'] {
    return this.#idle.flatMap((wish) => {
      const { key } = wish.wish;
      return key ? [{ ...key, answer: JSON.stringify(this.#answers.get(wish)) }] : [];
    });
  }

  #workTask(): void {
    const [task] = this.#draft.tasks;
    if (!task) return;
    const nested = new Draft(this.#draft, this.#now_ms);
    workTask(nested);
    this.#keep(nested, task.actor, null);
  }

  #decideAll(batch: readonly QueuedWish[]): void {
    const { clock } = this.#tools;
    const until = clock.monotonic() + DECIDING_MS;
    for (const [index, wish] of batch.entries()) {
      const late = index > 0 && clock.monotonic() > until;
      if (late || this.#draft.size >= MOST_SEATS) {
        this.#left.push(...batch.slice(index));
        return;
      }
      if (wish.isSettled) continue;
      try {
        this.#decideOne(wish);
      } catch (error) {
        this.#broken.set(wish, error);
      }
    }
  }

  #decideOne(wish: QueuedWish): void {
    const { command, key } = wish.wish;
    if (key && this.#answerAgain(wish)) return;
    const nested = new Draft(this.#draft, this.#now_ms);
    const outcome = decide(nested, command, this.#facts, () => this.#board.holds());
    if (outcome.kind === 'needs_membership') {
      // Decided again in the next flush, which asks for it.
      wish.needsMembership = true;
      this.#left.push(wish);
      return;
    }
    if (outcome.kind === 'again') {
      this.#left.push(wish);
      return;
    }
    const refused = outcome.kind === 'refused';
    if (!refused) this.#accept(wish.wish, nested, outcome);
    this.#answers.set(wish, this.#answer(outcome, false));
    // What was refused is not kept: another copy is a wish like any other.
    if (!key || refused) return;
    this.#byKey.set(keyText(key), wish);
    if (nested.changes.length === 0) this.#idle.push(wish);
  }

  #accept({ actor, context, command, key, also }: Wish, nested: Draft, outcome: Outcome): void {
    const wrote = nested.changes.length > 0;
    if (wrote) {
      // Asked first: if it throws, nothing of this wish is kept.
      this.#also.push(...(also?.(outcome) ?? []));
      this.#keep(nested, actor, context?.id ?? null);
      if (command.kind === 'change_config') {
        const { action, changes } = command.entry;
        const entry = { action, entityType: 'event', entityId: this.#event.eventId, changes };
        this.#deeds.push({ actor, contextId: context?.id ?? null, entries: [entry] });
      }
      if (context) this.#contexts.set(context.id, context);
    }
    if (key && wrote) {
      const answer = JSON.stringify(this.#answer(outcome, false));
      this.#keys.push({ ...key, answer });
    }
  }

  #keep(nested: Draft, actor: Deed['actor'], contextId: string | null): void {
    this.#note(actor, contextId, nested, nested.changes);
    this.#draft.record(...nested.changes);
  }

  #note(
    actor: Deed['actor'],
    contextId: string | null,
    draft: Draft,
    changes: readonly Change[],
  ): void {
    const { eventId } = this.#event;
    const entries = entriesOf(eventId, this.#board, draft, changes, this.#now_ms);
    if (entries.length > 0) this.#deeds.push({ actor, contextId, entries });
  }

  /** A wish that was fulfilled before, in an earlier commit or in this batch. */
  #answerAgain(wish: QueuedWish): boolean {
    const { key } = wish.wish;
    if (!key) return false;
    const first = this.#byKey.get(keyText(key));
    if (first) {
      const same = first.wish.key?.bodyHash.equals(key.bodyHash);
      const answer = this.#answers.get(first);
      if (answer?.kind !== 'done') return false;
      this.#answers.set(wish, same ? { ...answer, replayed: true } : { kind: 'key_reused' });
      return true;
    }
    const stored = this.#opened.answers.find((one) => keyText(one) === keyText(key));
    if (!stored) return false;
    const same = stored.bodyHash === key.bodyHash.toString('hex');
    const answer = { ...(stored.answer as Answer & { kind: 'done' }), replayed: true };
    this.#answers.set(wish, same ? answer : { kind: 'key_reused' });
    return true;
  }

  #answer(outcome: Outcome, replayed: boolean): Answer {
    const revision = this.#board.revision + 1;
    return { kind: 'done', outcome, revision, at_ms: this.#now_ms, replayed };
  }

  #flush(idle: Flush['keys']): Flush {
    const { changes } = this.#draft;
    const board = this.#board;
    const { row, text } = sealRow(this.#event.eventId, board.hash, {
      revision: board.revision + 1,
      flush_id: this.#facts.newId(),
      at_ms: this.#now_ms,
      changes,
      keyed: [...new Set([...this.#keys, ...idle].map(({ userId }) => userId))],
    });
    const head = this.#opened.head?.audit ?? { count: 0, hash: Buffer.alloc(32) };
    const trail = chainDeeds(this.#event, head, this.#now_ms, this.#deeds);
    const { config, tasks } = this.#draft;
    return {
      row,
      text,
      audit: trail.rows,
      auditHead: trail.head,
      // In one order everywhere: flushes of two events may share two of them.
      contexts: [...this.#contexts.values()].sort((one, other) => (one.id < other.id ? -1 : 1)),
      keys: this.#keys,
      idle,
      ...effectsOf(board, this.#draft, this.#now_ms),
      sales: salesOf(board, this.#draft, this.#opened.sales.checkouts, () =>
        newTicketCode(this.#tools.random),
      ),
      config: config === board.config ? null : config,
      tasks: tasks === board.tasks ? null : tasks,
      also: this.#also,
      telling: tellingOf({
        event: this.#event,
        board,
        draft: this.#draft,
        at_ms: this.#now_ms,
      }),
    };
  }
}

function keyText({ userId, route, key }: { userId: string; route: string; key: string }): string {
  return `${userId} ${route} ${key}`;
}
