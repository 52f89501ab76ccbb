import type { Board } from '@voelgoed/engine/board';
import { OperatingError } from '@voelgoed/engine/kit';
import {
  type EventRef,
  type Flush,
  isFlush,
  type Keeping,
  type Store,
} from '@voelgoed/engine/registry';
import type { Dice } from './dice.ts';
import type { Machine } from './machine.ts';
import type { MemoryDatabase, Say, Session } from './memory-database.ts';

type Transact = Store['transact'];
type Asked = ReturnType<Parameters<Transact>[1]>;
type Decide = Parameters<Transact>[2];
type Transacted = Awaited<ReturnType<Transact>>;
type Failed = Transacted & { kind: 'failed' };
type Answer = (transacted: Transacted) => void;

/** After this long without a word a client gives its connection up. */
const SILENCE_MS = 1_500;
const IDLE_MS = 1_000;
/** The way of a question about the clock: without chance, so that seeds stay what they were. */
const CLOCK_MS = 0.7;

/** What is wrong with the way from one machine to the database, until when. */
export const ROAD_TROUBLES = [
  /** Nobody answers the door. */
  'refused',
  /** The connection breaks after the lock, before the decision. */
  'reads lost',
  /** The connection breaks before the write arrives. */
  'writes lost',
  /** The write arrives, its answer does not. */
  'answers lost',
  /** The client gives up before the write arrives. */
  'writes late',
  'conflicts',
  'slow',
] as const;
export type RoadTrouble = (typeof ROAD_TROUBLES)[number];

/** The store as one node sees it, on a network that can be bad. */
export class MemoryStore implements Store {
  readonly database: MemoryDatabase;
  readonly #machine: Machine;
  readonly #dice: Dice;
  readonly #say: Say;
  readonly #until = new Map<RoadTrouble, number>();

  constructor(database: MemoryDatabase, machine: Machine, dice: Dice, say: Say = () => {}) {
    this.database = database;
    this.#machine = machine;
    this.#dice = dice;
    this.#say = say;
  }

  /** From now on, for so long. */
  suffer(trouble: RoadTrouble, duration_ms: number): void {
    this.#until.set(trouble, this.#machine.simulation.time_ms + duration_ms);
  }

  heal(): void {
    this.#until.clear();
  }

  load(): Promise<Board | null> {
    return this.#ask(() => this.database.event.board());
  }

  rowsFrom(_: EventRef, revision: number, most: number) {
    return this.#ask(() => this.database.event.rowsFrom(revision, most));
  }

  heads(events: readonly EventRef[]) {
    return this.#ask(() => {
      const { revision, hash } = this.database.event;
      return events.map(({ eventId }) => ({ eventId, revision, hash }));
    });
  }

  async saveSnapshot(): Promise<void> {}

  clock() {
    return this.#ask(
      () => ({ wall_ms: this.database.now(), state: this.database.clock }),
      CLOCK_MS,
    );
  }

  setDrift(wanted: Parameters<Store['setDrift']>[0]): Promise<boolean> {
    return this.#ask(() => this.database.setDrift(wanted), CLOCK_MS);
  }

  transact(_: EventRef, ask: () => Asked, decide: Decide): Promise<Transacted> {
    return new Promise((resolve) => {
      const answer: Answer = (transacted) => {
        this.#machine.deliver(() => resolve(transacted));
      };
      if (this.#suffers('refused')) {
        return this.#machine.simulation.after(this.#hop(), () => answer(failed('unavailable')));
      }
      const asked = ask();
      const session = this.database.begin(this.#machine.name);
      this.#machine.simulation.after(this.#hop(), () => {
        this.database.lock(session, (locked) =>
          this.#locked(session, locked, asked, decide, answer),
        );
      });
    });
  }

  #locked(session: Session, locked: boolean, asked: Asked, decide: Decide, answer: Answer): void {
    const { database } = this;
    const { simulation } = this.#machine;
    if (!locked) {
      const trouble = session.isOver ? 'unavailable' : 'conflict';
      database.end(session);
      return simulation.after(this.#hop(), () => answer(failed(trouble)));
    }
    this.#say(this.#machine.name, () => `lock at ${database.event.revision}`);
    session.heard_ms = simulation.time_ms;
    const opened = database.event.open(asked, database.now(), database.clock);
    if (this.#suffers('reads lost')) {
      // The client is gone; the server finds out later and only then lets go.
      simulation.after(this.#dice.upTo(IDLE_MS), () => database.end(session));
      return simulation.after(this.#hop(), () => answer(failed('unavailable')));
    }
    this.#machine.after(this.#hop(), () => {
      const flush = decided(() => decide(opened, asked));
      const stops_ms = this.#machine.stopsDeciding_ms;
      if (stops_ms > 0) this.#stop(stops_ms);
      if (flush instanceof Error)
        return this.#leave(session, { ...failed('fault'), error: flush }, answer);
      if (!flush) return this.#leave(session, { kind: 'nothing' }, answer);
      // A machine that was stopped sends it when it goes on.
      const write = flush === 'commit' ? null : flush;
      this.#machine.deliver(() => this.#finish(session, write, answer));
    });
  }

  #stop(duration_ms: number): void {
    this.#say(this.#machine.name, () => `stopped between lock and write for ${duration_ms} ms`);
    this.#machine.stopsDeciding_ms = 0;
    this.#machine.stop(duration_ms);
  }

  /** Rolls back: the server is told, and answers. */
  #leave(session: Session, transacted: Transacted, answer: Answer): void {
    const { simulation } = this.#machine;
    this.#machine.deliver(() =>
      simulation.after(this.#hop(), () => {
        this.database.end(session);
        simulation.after(this.#hop(), () => answer(transacted));
      }),
    );
  }

  /** Null: COMMIT without a write. */
  #finish(session: Session, flush: Flush | Keeping | null, answer: Answer): void {
    const { simulation } = this.#machine;
    const dice = this.#dice;
    if (this.#suffers('conflicts')) return this.#leave(session, failed('conflict'), answer);
    if (this.#suffers('writes lost')) {
      // It never arrives: the server waits, then ends the session.
      const what = isFlush(flush) ? flush.row.revision : 'no revision';
      this.#say(this.#machine.name, () => `the write of ${what} is lost`);
      simulation.after(dice.upTo(IDLE_MS), () => this.database.end(session));
      return this.#unknown(dice.upTo(SILENCE_MS), answer);
    }
    if (this.#suffers('writes late')) {
      // It arrives, perhaps after the client has stopped listening.
      const late_ms = dice.upTo(IDLE_MS);
      simulation.after(late_ms, () => this.database.commit(session, flush, () => {}));
      return this.#unknown(dice.upTo(late_ms), answer);
    }
    const isLost = this.#suffers('answers lost');
    simulation.after(this.#hop(), () => this.#commit(session, flush, isLost, answer));
  }

  #commit(session: Session, flush: Flush | Keeping | null, isLost: boolean, answer: Answer): void {
    const { simulation } = this.#machine;
    let isHeard = false;
    this.database.commit(session, flush, (said) => {
      isHeard = true;
      if (isLost || said === 'over') return this.#unknown(this.#dice.upTo(SILENCE_MS), answer);
      if (said === 'cancelled') return this.#unknown(this.#hop(), answer);
      const error = said === 'committed' ? null : { ...failed('guard'), error: said };
      simulation.after(this.#hop(), () => answer(error ?? { kind: 'committed' }));
    });
    // The server waits for its standby: the client waits no longer than for any other answer.
    if (isHeard) return;
    simulation.after(SILENCE_MS, () => {
      if (!isHeard) this.#unknown(0, answer);
    });
  }

  #unknown(after_ms: number, answer: Answer): void {
    this.#machine.simulation.after(after_ms, () => {
      this.#say(this.#machine.name, () => 'the answer to COMMIT is lost');
      answer({ kind: 'unknown', error: new Error('the connection is gone') });
    });
  }

  /** One question without a lock. */
  #ask<Found>(read: () => Found, way_ms?: number): Promise<Found> {
    return new Promise((resolve, reject) => {
      const { simulation } = this.#machine;
      const isLost = this.#suffers('refused');
      simulation.after(way_ms ?? this.#hop(), () => {
        if (isLost) return this.#machine.deliver(() => reject(failed('unavailable').error));
        const found = read();
        this.#machine.after(way_ms ?? this.#hop(), () => resolve(found));
      });
    });
  }

  /** Mostly quick, sometimes not. */
  #hop(): number {
    const quick_ms = this.#dice.between(0.2, 2);
    return this.#suffers('slow') ? quick_ms + this.#dice.upTo(400) : quick_ms;
  }

  #suffers(trouble: RoadTrouble): boolean {
    const until_ms = this.#until.get(trouble);
    return until_ms !== undefined && this.#machine.simulation.time_ms < until_ms;
  }
}

function decided(decide: () => ReturnType<Decide>): ReturnType<Decide> | Error {
  try {
    return decide();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function failed(trouble: Failed['trouble']): Failed {
  const error = new OperatingError('unavailable', trouble, { retryable: true });
  return { kind: 'failed', trouble, error };
}
