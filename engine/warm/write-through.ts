import type { Board, ChangeRow } from '#board';
import { readScript } from '#redis';
import type { EventRef, Feed, Watch } from '#registry';
import { EventState } from './event-state.ts';
import { type Portion, wordsOf } from './event-words.ts';
import type { WarmTools } from './tools.ts';

const WRITE = readScript(new URL('./write.lua', import.meta.url));
/** A call that writes more than this would keep others waiting. */
const MOST_PER_CALL = 500;
/** After so many calls that found something newer, it is looked at as a whole. */
const MOST_BEHIND = 5;

export type Written = Readonly<{
  kind: 'ok' | 'behind' | 'gap';
  stored: number;
  lineage: string;
  broken: number;
}>;

type Tools = WarmTools &
  Readonly<{
    now_ms(): number;
    /** The board with all that was committed before; null: it is gone. */
    current(event: EventRef): Promise<Board | null>;
    /** Redis does not have what it should: compare everything, soon. */
    mark(event: EventRef, why: string): void;
    /** The same for an event that is new to Redis: when its rush is over. */
    markUnhurried(event: EventRef): void;
    /** Tells other nodes when Redis cannot. */
    otherwise: Feed;
    /** Lets everybody else have their turn. */
    turn(): Promise<void>;
  }>;

/**
 * Writes to Redis what this node has committed, in the order of the log and one call at a time for
 * each event; nobody waits for it. What is written is always the board as it is at that moment, and
 * only if what is stored is not newer: then a late call can never bring something back.
 */
export class WriteThrough implements Watch, Feed {
  readonly #tools: Tools;
  readonly #states = new Map<string, EventState>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  loaded(event: EventRef, board: Board): void {
    const isKnown = this.#states.has(event.eventId);
    const state = this.stateOf(event, board);
    state.isLeft = false;
    if (!isKnown || state.board !== board) state.begin(board);
  }

  row(event: EventRef, board: Board, row: ChangeRow): void {
    this.stateOf(event, board).remember(board, row);
  }

  left(event: EventRef, why: 'discarded' | 'evicted'): void {
    const state = this.#states.get(event.eventId);
    if (!state) return;
    if (why === 'discarded') state.forget();
    if (state.sending) state.isLeft = true;
    else this.#states.delete(event.eventId);
  }

  /** After a commit of this node. */
  publish(event: EventRef, row: Pick<ChangeRow, 'revision'>): void {
    const state = this.#states.get(event.eventId);
    if (!state || !this.#tools.circuit.isTold) {
      this.#tools.mark(event, 'a commit was not written');
      return this.#tools.otherwise.publish(event, row);
    }
    if (!state.owe(row.revision)) {
      // Its outcome was unknown for a while: the board has it, and nobody knows what it touched.
      this.#tools.mark(event, 'a commit was settled late');
      return this.#tools.otherwise.publish(event, row);
    }
    this.#start(state);
  }

  stateOf(event: EventRef, board: Board): EventState {
    const known = this.#states.get(event.eventId);
    if (known) return known;
    const state = new EventState(event, board);
    this.#states.set(event.eventId, state);
    return state;
  }

  /** Events of which something is remembered here. */
  get known(): number {
    return this.#states.size;
  }

  /** Resolves when nothing is left to be written. */
  async idle(): Promise<void> {
    await Promise.all([...this.#states.values()].map(({ sending }) => sending));
  }

  /** One call. What it does to the state is up to the caller. */
  async write(state: EventState, portion: Portion): Promise<Written> {
    const { cache, circuit, clock, telemetry, now_ms } = this.#tools;
    const { revision } = state.board;
    const { keys, words } = wordsOf(state, portion, now_ms());
    const started = clock.monotonic();
    const answer = await circuit.run(() => cache.run(WRITE, keys, words));
    const [kind, stored, lineage, broken] = answer as [Written['kind'], number, string, number];
    if (kind === 'ok') {
      const duration_ms = clock.monotonic() - started;
      const seats = portion.seats.size;
      telemetry.emit({ kind: 'warm.written', revision, seats, duration_ms });
    }
    return { kind, stored, lineage, broken };
  }

  #start(state: EventState): void {
    state.sending ??= this.#run(state).finally(() => {
      state.sending = null;
      if (isOwing(state)) this.#start(state);
      else if (state.isLeft) this.#states.delete(state.event.eventId);
    });
  }

  async #run(state: EventState): Promise<void> {
    // First everybody gets their answer.
    await this.#tools.turn();
    for (let behind = 0; isOwing(state); ) {
      const { board } = state;
      const { revision } = board;
      const portion = takePortion(state);
      let written: Written;
      try {
        written = await this.write(state, portion);
      } catch {
        return this.#giveUp(state, revision, 'a commit could not be written');
      }
      if (state.board !== board) return;
      if (written.kind === 'ok') {
        behind = 0;
        this.#judge(state, written, revision);
        continue;
      }
      putBack(state, portion);
      if (written.kind === 'gap' && ++behind <= MOST_BEHIND) this.#goneBack(state);
      else if (++behind > MOST_BEHIND || !(await this.#catchUp(state, written.stored))) {
        return this.#giveUp(state, board.revision, 'what is stored is of another history');
      }
    }
  }

  /** Redis has less than it had: it was emptied, or is a replica that had missed something. */
  #goneBack(state: EventState): void {
    if (state.stored !== null) this.#tools.mark(state.event, 'Redis has gone back');
    state.stored = null;
  }

  /** What was found says whether all that came before is there as well. */
  #judge(state: EventState, { stored, lineage, broken }: Written, revision: number): void {
    const isFirst = state.stored === null && state.isFromTheBeginning;
    state.stored = revision;
    // An event that nobody has written about is not forgotten. Compared with its board in the
    // middle of a rush, everything that is on its way would be written twice.
    if (stored < 0 && isFirst) this.#tools.markUnhurried(state.event);
    else if (stored < 0) this.#tools.mark(state.event, 'Redis had forgotten the event');
    else if (broken > 0) this.#tools.mark(state.event, 'a key had the wrong type');
    else if (state.isOurs(stored, lineage) === false) {
      this.#tools.mark(state.event, 'what was stored is of another history');
    }
  }

  /** Somebody has written more than this board knows. False: the log does not know it either. */
  async #catchUp(state: EventState, stored: number): Promise<boolean> {
    const board = await this.#tools.current(state.event).catch(() => null);
    return board === state.board && board.revision >= stored;
  }

  #giveUp(state: EventState, revision: number, why: string): void {
    const { mark, otherwise } = this.#tools;
    state.forget();
    mark(state.event, why);
    otherwise.publish(state.event, { revision });
  }
}

function isOwing({ seats, holds, isNew }: EventState): boolean {
  return seats.size > 0 || holds.size > 0 || isNew;
}

function takePortion(state: EventState): Portion {
  const seats = new Map<number, string>();
  for (const ordinal of take(state.seats)) seats.set(ordinal, '*');
  const publish = state.isNew;
  state.isNew = false;
  return { seats, holds: take(state.holds), whole: false, force: false, publish };
}

function putBack(state: EventState, portion: Portion): void {
  for (const ordinal of portion.seats.keys()) state.seats.add(ordinal);
  for (const id of portion.holds) state.holds.add(id);
  state.isNew ||= portion.publish;
}

function take<Item>(items: Set<Item>): Item[] {
  const taken = [...items].slice(0, MOST_PER_CALL);
  for (const item of taken) items.delete(item);
  return taken;
}
