import type { Board } from '@voelgoed/engine/board';
import { OperatingError } from '@voelgoed/engine/kit';
import type { EventRef, Flush, Store } from '@voelgoed/engine/registry';
import { GuardError, type MemoryEvent } from './memory-event.ts';
import type { Simulation } from './simulation.ts';

type Transact = Store['transact'];
type Transacted = Awaited<ReturnType<Transact>>;
type Failed = Transacted & { kind: 'failed' };

/** As the writers' connections have them. */
const LOCK_MS = 500;
const IDLE_MS = 1_000;
const SILENCE_MS = 1_500;

/** How often each thing goes wrong, while things go wrong at all. */
const FAULTS = { connect: 0.03, read: 0.04, write: 0.05, answer: 0.08, conflict: 0.02, load: 0.1 };

/** What a store can be told to go without, to show what it is for. */
export type Laws = Readonly<{ lock: boolean; guards: boolean }>;

/** The store of one event on a bad network. All nodes of a simulation share one. */
export class MemoryStore implements Store {
  readonly event: MemoryEvent;
  /** Writes that contradicted what was there: none, unless the writer is wrong. */
  readonly guards: string[] = [];
  isCalm = false;
  readonly #simulation: Simulation;
  #locked = false;
  readonly #waiting: (() => void)[] = [];
  /** The database's clock may be set back. */
  #skew_ms = 0;

  readonly #laws: Laws;

  constructor(simulation: Simulation, event: MemoryEvent, laws: Laws) {
    this.#simulation = simulation;
    this.#laws = laws;
    this.event = event;
  }

  async load(): Promise<Board | null> {
    await this.#travel();
    this.#mayFail('load');
    const board = this.event.board();
    await this.#travel();
    return board;
  }

  async rowsFrom(_: EventRef, revision: number, most: number) {
    await this.#travel();
    this.#mayFail('load');
    const rows = this.event.rowsFrom(revision, most);
    await this.#travel();
    return rows;
  }

  async heads(events: readonly EventRef[]) {
    await this.#travel();
    this.#mayFail('load');
    const { revision, hash } = this.event;
    await this.#travel();
    return events.map(({ eventId }) => ({ eventId, revision, hash }));
  }

  async saveSnapshot(): Promise<void> {}

  async transact(
    _: EventRef,
    asked: Parameters<Transact>[1],
    decide: Parameters<Transact>[2],
  ): Promise<Transacted> {
    await this.#travel();
    if (this.#strikes('connect')) return failed('unavailable');
    if (!(await this.#lock())) return failed('conflict');
    const opened = this.event.open(asked, this.now());
    if (this.#strikes('read')) {
      // The client is gone; the server finds out later and only then lets go.
      this.#simulation.after(this.#simulation.upTo(IDLE_MS), () => this.#unlock());
      return failed('unavailable');
    }
    await this.#travel();
    const flush = decided(() => decide(opened));
    if (flush instanceof Error) return this.#letGo({ ...failed('fault'), error: flush });
    if (!flush) return this.#letGo({ kind: 'nothing' });
    return this.#commit(flush);
  }

  /** The database's clock: now and then it is set, and not always forward. */
  now(): number {
    if (!this.isCalm && this.#simulation.chance(0.02)) {
      this.#skew_ms = this.#simulation.upTo(2_000) - 1_000;
    }
    return this.#simulation.time_ms + this.#skew_ms + Date.UTC(2026, 0, 1);
  }

  async #commit(flush: Flush): Promise<Transacted> {
    const { upTo } = this.#simulation;
    const simulation = this.#simulation;
    if (this.#strikes('conflict')) return this.#letGo(failed('conflict'));
    if (this.#strikes('write')) {
      // It never arrives: the server waits, then ends the session.
      simulation.after(upTo.call(simulation, IDLE_MS), () => this.#unlock());
      return this.#unknown();
    }
    if (this.#strikes('answer')) {
      // It arrives, perhaps after the client has stopped listening.
      simulation.after(upTo.call(simulation, IDLE_MS), () => {
        this.#write(flush);
        this.#unlock();
      });
      return this.#unknown();
    }
    await this.#travel();
    const refused = this.#write(flush);
    this.#unlock();
    await this.#travel();
    return refused ?? { kind: 'committed' };
  }

  #write(flush: Flush): Failed | null {
    try {
      this.event.write(flush, this.#laws.guards);
      return null;
    } catch (error) {
      if (!(error instanceof GuardError)) throw error;
      this.guards.push(error.message);
      return { ...failed('guard'), error };
    }
  }

  async #unknown(): Promise<Transacted> {
    await this.#simulation.sleep(this.#simulation.upTo(SILENCE_MS));
    return { kind: 'unknown', error: new Error('the connection is gone') };
  }

  #letGo<Answer extends Transacted>(answer: Answer): Answer {
    this.#unlock();
    return answer;
  }

  async #lock(): Promise<boolean> {
    if (!this.#locked || !this.#laws.lock) {
      this.#locked = true;
      return true;
    }
    return new Promise((resolve) => {
      const admit = () => resolve(true);
      this.#waiting.push(admit);
      this.#simulation.after(LOCK_MS, () => {
        const place = this.#waiting.indexOf(admit);
        if (place >= 0) this.#waiting.splice(place, 1);
        resolve(false);
      });
    });
  }

  #unlock(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#locked = false;
  }

  /** Mostly quick, sometimes not. */
  #travel(): Promise<void> {
    const simulation = this.#simulation;
    const slow = !this.isCalm && simulation.chance(0.05);
    return simulation.sleep(slow ? simulation.upTo(600) : simulation.upTo(5));
  }

  #strikes(fault: keyof typeof FAULTS): boolean {
    return !this.isCalm && this.#simulation.chance(FAULTS[fault]);
  }

  #mayFail(fault: keyof typeof FAULTS): void {
    if (this.#strikes(fault)) throw failed('unavailable').error;
  }
}

function decided(decide: () => Flush | null): Flush | null | Error {
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
