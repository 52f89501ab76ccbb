import {
  type ClockState,
  type Flush,
  isFlush,
  type Keeping,
  type Store,
} from '@voelgoed/engine/registry';
import { ALL_ON, type GuardsOff } from './guards.ts';
import { GuardError, type MemoryEvent } from './memory-event.ts';
import { type Simulation, START_MS } from './simulation.ts';

/** As the writers' connections have them. */
const LOCK_MS = 500;
const IDLE_MS = 1_000;
/** From the log of the primary to the log of the standby. */
const STANDBY_MS = 0.5;

/** One transaction of one client, as the server sees it. */
export type Session = {
  readonly who: string;
  /** When the client was heard last; silent for too long, it is over. */
  heard_ms: number;
  isOver: boolean;
};

type Waiting = Readonly<{ session: Session; answer(locked: boolean): void }>;

/** How COMMIT ends; `cancelled`: visible here, and perhaps not on the standby. */
export type Said = 'committed' | 'over' | 'cancelled' | GuardError;

/** A transaction in COMMIT: in the log of the primary, waiting for the standby. */
type Committing = Readonly<{
  session: Session;
  /** Null: it writes nothing but the record of its commit. */
  flush: Flush | Keeping | null;
  answer(said: Said): void;
}>;

/** What a database does, told to whoever keeps a trace. */
export type Say = (who: string, what: () => string) => void;

/** The server of one event: its lock, its clock, its rows. */
export class MemoryDatabase {
  readonly event: MemoryEvent;
  /** Writes that contradicted what was there: none, unless the writer is wrong. */
  readonly guards: string[] = [];
  /** Revisions that were visible and are lost; `excused`: some of them were acknowledged. */
  readonly lost: { from: number; to: number; at_ms: number; excused: boolean }[] = [];
  /** When each revision was committed and its event time, also those that are lost by now. */
  readonly commits: { revision: number; at_ms: number; row_ms: number }[] = [];
  skew_ms = 0;
  /** The shared drift. */
  clock: ClockState = { epoch: 0, drift_ms: 0, jumps: 0, slewing_since_ms: null, changed_ms: 0 };
  readonly #simulation: Simulation;
  readonly #off: GuardsOff;
  readonly #say: Say;
  #holder: Session | null = null;
  #waiting: Waiting[] = [];
  #sessions = new Set<Session>();
  /** Ways back to the last few revisions; null: nobody will ask for them. */
  readonly #ways: { revision: number; back: () => void }[] | null;
  /** What the synchronous standby has; null: there is no standby. */
  #standby: { revision: number; back: () => void } | null;
  #isLinked = true;
  readonly #committing = new Set<Committing>();

  constructor(
    simulation: Simulation,
    event: MemoryEvent,
    settings: { off?: GuardsOff; say?: Say; fails?: boolean; standby?: boolean } = {},
  ) {
    const { off = ALL_ON, say = () => {}, fails = false, standby = false } = settings;
    this.#simulation = simulation;
    this.event = event;
    this.#off = off;
    this.#say = say;
    this.#standby = standby ? { revision: 0, back: event.remember() } : null;
    this.#ways = fails ? [{ revision: 0, back: event.remember() }] : null;
  }

  get isLocked(): boolean {
    return this.#holder !== null;
  }

  now(): number {
    return Math.floor(START_MS + this.#simulation.time_ms + this.skew_ms);
  }

  /** What `event_now()` says. */
  eventNow(): number {
    return this.now() - this.clock.drift_ms;
  }

  /** Compare-and-set, as the shared row of the real one. */
  setDrift(wanted: Parameters<Store['setDrift']>[0]): boolean {
    const { epoch, drift_ms, isJump, from_ms, until_ms } = wanted;
    const changed_ms = this.now();
    if (this.clock.epoch !== epoch || changed_ms < from_ms || changed_ms > until_ms) return false;
    const isOff = this.#off.has('shared drift');
    if (!isOff) this.clock = { ...this.clock, drift_ms };
    const jumps = this.clock.jumps + (isJump || isOff ? 1 : 0);
    this.clock = { ...this.clock, epoch: epoch + 1, jumps, changed_ms };
    this.#say('database', () => `drift ${drift_ms} ms`);
    return true;
  }

  begin(who: string): Session {
    const session = { who, heard_ms: this.#simulation.time_ms, isOver: false };
    this.#sessions.add(session);
    return session;
  }

  /** The event's lock, in order of arrival; false: it took too long, or the session is over. */
  lock(session: Session, answer: (locked: boolean) => void): void {
    if (session.isOver) return answer(false);
    if (!this.#holder || this.#off.has('event lock')) {
      this.#holder = session;
      return answer(true);
    }
    const waiting = { session, answer };
    this.#waiting.push(waiting);
    this.#endSilent();
    this.#simulation.after(LOCK_MS, () => {
      const place = this.#waiting.indexOf(waiting);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      this.#say(session.who, () => 'lock timeout');
      answer(false);
    });
  }

  /** The client is done with it, or the server is done with the client. */
  end(session: Session): void {
    session.isOver = true;
    this.#sessions.delete(session);
    if (this.#holder !== session) return;
    this.#holder = null;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#holder = next.session;
    next.session.heard_ms = this.#simulation.time_ms;
    next.answer(true);
  }

  /** Write and COMMIT of a session that may be over; with a standby, once the standby has it. */
  commit(session: Session, flush: Flush | Keeping | null, answer: (said: Said) => void): void {
    if (this.#simulation.time_ms - session.heard_ms >= IDLE_MS) this.end(session);
    if (session.isOver) return answer('over');
    if (!this.#standby) return answer(this.#write(session, flush));
    // It waits for the standby and not for its client: nothing ends it for being silent.
    session.heard_ms = Number.POSITIVE_INFINITY;
    const committing = { session, flush, answer };
    this.#committing.add(committing);
    this.#simulation.after(STANDBY_MS, () => {
      if (this.#isLinked) this.#release(committing, 'committed');
    });
  }

  /** The standby hears nothing for so long, or until it takes over. */
  cutStandby(duration_ms: number): void {
    this.#isLinked = false;
    this.#simulation.after(duration_ms, () => this.linkStandby());
  }

  linkStandby(): void {
    this.#isLinked = true;
    for (const one of [...this.#committing]) this.#release(one, 'committed');
  }

  /** Whoever waits for the standby stops waiting: committed and visible, and only here. */
  stopWaiting(how: 'terminated' | 'cancelled'): void {
    const said = this.#off.has('standby warning') ? 'committed' : 'cancelled';
    for (const one of [...this.#committing]) {
      this.#say(one.session.who, () => `${how} while it waits for the standby`);
      this.#release(one, how === 'cancelled' ? said : 'over', false);
    }
  }

  /** The synchronous standby takes over: what it has not heard of is gone. */
  failOverToStandby(): void {
    const standby = this.#standby;
    if (!standby) return;
    for (const { answer } of this.#committing) answer('over');
    this.#committing.clear();
    const { revision } = this.event;
    this.restart();
    this.#isLinked = true;
    if (standby.revision === revision) return;
    const at_ms = this.#simulation.time_ms;
    this.lost.push({ from: standby.revision + 1, to: revision, at_ms, excused: false });
    this.#say('database', () => `the standby takes over at ${standby.revision} of ${revision}`);
    standby.back();
    this.#standby = { revision: standby.revision, back: this.event.remember() };
  }

  #release(committing: Committing, said: Said, isReplicated = true): void {
    if (!this.#committing.delete(committing)) return;
    const { session, flush, answer } = committing;
    const written = this.#write(session, flush);
    const { revision } = this.event;
    if (isReplicated && this.#standby && this.#standby.revision !== revision) {
      this.#standby = { revision, back: this.event.remember() };
    }
    answer(written === 'committed' ? said : written);
  }

  #write(session: Session, flush: Flush | Keeping | null): 'committed' | GuardError {
    try {
      if (isFlush(flush)) this.#writeFlush(session, flush);
      else if (flush) this.event.keep(flush.idle);
      return 'committed';
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      this.guards.push(error.message);
      this.#say(session.who, () => `guard: ${error.message}`);
      return error;
    } finally {
      this.end(session);
    }
  }

  #writeFlush(session: Session, flush: Flush): void {
    this.event.write(flush, this.#off);
    const { revision, flush_id, at_ms: row_ms } = flush.row;
    this.#say(session.who, () => `commit ${revision} (flush ${flush_id.slice(-4)})`);
    this.commits.push({ revision, at_ms: this.#simulation.time_ms, row_ms });
    this.#remember(revision);
  }

  /** Another transaction takes the lock as soon as it can, for so long. */
  hog(duration_ms: number): void {
    const session = this.begin('somebody');
    this.lock(session, (locked) => {
      if (!locked) return this.end(session);
      session.heard_ms = Number.POSITIVE_INFINITY;
      this.#simulation.after(duration_ms, () => this.end(session));
    });
  }

  /** Every connection is gone; what is in the log is visible, on the standby or not. */
  restart(): void {
    for (const one of [...this.#committing]) this.#release(one, 'over', false);
    const [waiting, sessions] = [this.#waiting, this.#sessions];
    this.#waiting = [];
    this.#sessions = new Set();
    this.#holder = null;
    for (const session of sessions) session.isOver = true;
    for (const { answer } of waiting) answer(false);
  }

  /** A standby takes over that has not heard of the last commits. */
  failOver(commits: number): void {
    const ways = this.#ways ?? [];
    const { revision } = this.event;
    const kept = ways[Math.max(0, ways.length - 1 - commits)];
    this.restart();
    if (!kept || kept.revision === revision) return;
    const at_ms = this.#simulation.time_ms;
    this.lost.push({ from: kept.revision + 1, to: revision, at_ms, excused: true });
    this.#say('database', () => `fails over: ${kept.revision + 1} to ${revision} are lost`);
    kept.back();
    ways.splice(ways.indexOf(kept));
    this.#remember(kept.revision);
  }

  #remember(revision: number): void {
    if (!this.#ways) return;
    this.#ways.push({ revision, back: this.event.remember() });
    if (this.#ways.length > 8) this.#ways.shift();
  }

  /** Somebody waits: a client that says nothing in its transaction is not waited for longer. */
  #endSilent(): void {
    const holder = this.#holder;
    if (!holder) return;
    const rest_ms = holder.heard_ms + IDLE_MS - this.#simulation.time_ms;
    if (rest_ms === Number.POSITIVE_INFINITY) return;
    this.#simulation.after(rest_ms, () => {
      if (this.#holder !== holder || holder.isOver) return;
      // Sums of fractions are not exact: a moment earlier counts as well.
      if (this.#simulation.time_ms - holder.heard_ms < IDLE_MS - 1) return this.#endSilent();
      this.#say(holder.who, () => 'session ended: idle in transaction');
      this.end(holder);
    });
  }
}
