import type { Board, Hold } from '#board';
import { type Random, reasonOf } from '#kit';
import { type EventKeys, eventKeys } from '#redis';
import type { EventRef } from '#registry';
import { type EventTexts, faultsOf, headOf, readEventTexts } from './event-record.ts';
import type { Reconciler } from './reconcile.ts';
import { millisecondsOf } from './seat-value.ts';
import { differenceOf, readContent } from './tier-content.ts';
import type { WarmTools } from './tools.ts';

type Tools = WarmTools &
  Readonly<{
    random: Random;
    now_ms(): number;
    reconciler: Reconciler;
    boardOf(event: EventRef): Board | null;
    loadedEvents(): EventRef[];
  }>;

/** What is marked is put right this soon; what nobody has marked is glanced at in turn. */
const ROUND_MS = 500;
const GLANCE_EVERY = 3;
const GLANCES = 20;
/** Of events with more holds than this only the numbers and some holds are compared. */
const MOST_HOLDS = 1_000;
/** Without a commit for so long nothing is on its way to Redis any more. */
const CALM_MS = 1_000;
/** While others commit, some holds are compared that were there a while ago and stay a while. */
const SAMPLE = 200;
const SETTLED_MS = 2_000;
const ALL_MS = 300_000;
const NOTHING: ReadonlySet<string> = new Set();

/**
 * Looks after what Redis has: events that are marked because something could not be written, and
 * all loaded ones by a glance every few seconds and in full every five minutes.
 */
export class Watchman {
  readonly #tools: Tools;
  readonly #marked = new Map<string, EventRef>();
  /** To be compared as well, and nothing is known to be wrong: when nobody is in a hurry. */
  readonly #unhurried = new Map<string, EventRef>();
  readonly #fresh = new Map<string, EventRef>();
  /** What looked wrong the last time, by event: it may have been a write under way. */
  readonly #suspects = new Map<string, ReadonlySet<string>>();
  readonly #stopping = new AbortController();
  #glanced = 0;
  #running: Promise<void> | null = null;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  get marked(): number {
    return this.#marked.size;
  }

  mark(event: EventRef): void {
    this.#marked.set(event.eventId, event);
  }

  markUnhurried(event: EventRef): void {
    this.#unhurried.set(event.eventId, event);
  }

  /** It was loaded a moment ago: nobody knows what Redis has of it. */
  lookAt(event: EventRef): void {
    this.#fresh.set(event.eventId, event);
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    await this.#running;
  }

  /**
   * Everything this node has in memory. Rejects when Redis cannot be asked; an event that cannot be
   * compared for another reason stays marked, and keeps nobody from believing Redis about others.
   */
  async reconcileLoaded(): Promise<void> {
    const { circuit, reconciler, loadedEvents } = this.#tools;
    for (const event of loadedEvents()) {
      this.#stopping.signal.throwIfAborted();
      this.#marked.delete(event.eventId);
      if (await reconciler.quietly(event)) continue;
      this.mark(event);
      if (!circuit.isTold) throw new Error('Redis cannot be asked');
    }
  }

  async #run(): Promise<void> {
    const { clock, random, circuit, telemetry } = this.#tools;
    const { signal } = this.#stopping;
    let all_ms = clock.monotonic() + ALL_MS;
    for (let round = 1; !signal.aborted; round++) {
      await clock.sleep(ROUND_MS * (0.8 + 0.4 * random.next()), signal).catch(() => {});
      if (signal.aborted || !circuit.isClosed) continue;
      try {
        await this.#lookAtFresh();
        await this.#putMarkedRight();
        if (round % GLANCE_EVERY === 0) await this.#glance();
        if (clock.monotonic() < all_ms) continue;
        await this.reconcileLoaded();
        all_ms = clock.monotonic() + ALL_MS;
      } catch (error) {
        if (signal.aborted) return;
        const about = { reason: reasonOf(error), ids: null };
        telemetry.emit({ kind: 'job.failed', job: 'reconcile', ...about });
      }
    }
  }

  /**
   * Loaded because a sale has begun, it changes while it is looked at: what is on its way looks
   * wrong, and comparing all of a large hall in the middle of a rush takes a tenth of a node. So it
   * is looked at again, half a second later.
   */
  async #lookAtFresh(): Promise<void> {
    for (const [eventId, event] of [...this.#fresh]) {
      const isSuspect = this.#suspects.has(eventId);
      await this.#lookOnce(event);
      if (isSuspect || !this.#suspects.has(eventId)) this.#fresh.delete(eventId);
    }
  }

  async #putMarkedRight(): Promise<void> {
    const { reconciler, circuit } = this.#tools;
    for (const [eventId, event] of this.#unhurried) {
      const board = this.#tools.boardOf(event);
      if (board && this.#isCalm(board)) this.mark(event);
      if (!board || this.#marked.has(eventId)) this.#unhurried.delete(eventId);
    }
    for (const [eventId, event] of [...this.#marked]) {
      if (!circuit.isClosed || this.#stopping.signal.aborted) return;
      this.#marked.delete(eventId);
      if (!(await reconciler.quietly(event))) this.mark(event);
    }
  }

  /** Some of the loaded events, in turn. */
  async #glance(): Promise<void> {
    const events = this.#tools.loadedEvents();
    const from = this.#glanced % Math.max(1, events.length);
    const turn = [...events.slice(from), ...events.slice(0, from)].slice(0, GLANCES);
    this.#glanced = from + turn.length;
    for (const event of turn) await this.#lookOnce(event);
  }

  /** What is on its way is there by the next look: what is still wrong then stays wrong. */
  async #lookOnce(event: EventRef): Promise<void> {
    const { eventId } = event;
    const board = this.#tools.boardOf(event);
    const wrong = board ? await this.#wrongIn(event, board) : NOTHING;
    const before = this.#suspects.get(eventId) ?? NOTHING;
    const stays = [...wrong].some((what) => before.has(what));
    if (stays) this.mark(event);
    if (stays || wrong.size === 0) this.#suspects.delete(eventId);
    else this.#suspects.set(eventId, wrong);
  }

  /**
   * What Redis does not say as the board does, each thing by a name. On an event that is never calm
   * as well: what a node had committed and not yet written when it was killed, nobody else writes.
   */
  async #wrongIn({ scope, eventId }: EventRef, board: Board): Promise<ReadonlySet<string>> {
    const { cache, circuit } = this.#tools;
    const keys = eventKeys(scope.organizationId, eventId);
    const isCalm = this.#isCalm(board);
    if (board.holdCount > MOST_HOLDS) {
      const texts = await circuit.run(() => readEventTexts(cache, keys));
      const wrong = this.#wrongParts(board, keys, texts);
      const count = () => circuit.run(() => cache.call('zcard', keys.seatHolds)).catch(() => -1);
      const isRight = !isCalm || (await count()) === board.holdCount;
      return isRight && (await this.#hasSome(keys, board)) ? wrong : wrong.add('holds');
    }
    const content = await readContent(this.#tools, keys, board, 'held');
    const wrong = this.#wrongParts(board, keys, content.texts);
    const { seats, holds } = differenceOf(board, content);
    for (const id of holds) wrong.add(id);
    for (const [ordinal, text] of seats) wrong.add(`${ordinal} ${text}`);
    return wrong;
  }

  /** While others commit, another revision is no fault; a bitmap without its digest always is. */
  #wrongParts(board: Board, keys: EventKeys, texts: EventTexts): Set<string> {
    const isCalm = this.#isCalm(board);
    const wrong = new Set<string>();
    for (const fault of faultsOf(board, keys, texts).faults) {
      if (fault !== 'revision' || isCalm) wrong.add(fault);
    }
    if (isCalm && headOf(texts.record)?.revision !== board.revision) wrong.add('revision');
    return wrong;
  }

  #isCalm(board: Board): boolean {
    return this.#tools.now_ms() - board.at_ms > CALM_MS;
  }

  async #hasSome({ seatHolds }: EventKeys, board: Board): Promise<boolean> {
    const { cache, circuit, now_ms } = this.#tools;
    const [since, until] = [now_ms() - SETTLED_MS, now_ms() + SETTLED_MS];
    const some: Hold[] = [];
    for (const hold of board.holds()) {
      if (hold.created_ms < since && hold.until_ms > until) some.push(hold);
      if (some.length === SAMPLE) break;
    }
    if (some.length === 0) return true;
    const ids = some.map(({ hold_id }) => hold_id);
    const ask = () => circuit.run(() => cache.call('zmscore', seatHolds, ...ids));
    const scores = (await ask().catch(() => [])) as (string | null)[];
    return some.every(({ until_ms }, index) => {
      const score = scores[index] ?? null;
      return score !== null && millisecondsOf(Number(score)) === until_ms;
    });
  }
}
