import type { Clock } from '#kit';
import type { Telemetry } from '#telemetry';
import {
  APART_MS,
  areComparable,
  type ClockState,
  driftAfter,
  driftForRow,
  eventTime,
  isOthersDrift,
  isStep,
  type Moved,
  movedBetween,
  NO_DRIFT,
  type Reading,
  STEP_MS,
} from './clock-rules.ts';

/** What the database says about its clock. */
export type ClockRead = Readonly<{ wall_ms: number; state: ClockState }>;

export type NewDrift = Readonly<{
  epoch: number;
  drift_ms: number;
  /** Event time does not go on from where it was. */
  isJump: boolean;
  /** It is right for the clock as it was read: for one that says at least and at most this. */
  from_ms: number;
  until_ms: number;
}>;

/** The shared row, read and changed only if nobody else has. */
export type SharedClock = Readonly<{
  clock(): Promise<ClockRead>;
  /** False: it is at another epoch by now, or the clock has been set again. */
  setDrift(wanted: NewDrift): Promise<boolean>;
}>;

type Tools = Readonly<{ clock: Clock; telemetry: Telemetry; store: SharedClock }>;
type Range = Readonly<{ least_ms: number; most_ms: number }>;
type Wanted = Pick<NewDrift, 'epoch' | 'drift_ms' | 'isJump'> &
  Readonly<{ moved_ms: number; why: string; wall_ms: number; asked_ms: number }>;

/**
 * The database's time, as this node knows it between two readings. A reading says only that the
 * database read its clock after the question left and before the answer was handled, so that its
 * time is known as a range. An answer that is handled late makes the range wide, not wrong.
 *
 * Event time is that clock without its steps. A step is found by comparing two readings with this
 * node's own clock; the drift that takes it up is then set once for all nodes. Until it is, this
 * node's event time goes on by its own clock and nothing is decided.
 */
export class DatabaseTime {
  readonly #tools: Tools;
  /** The database's clock, as what has to be added to the monotonic clock; null: never read. */
  #range: Range | null = null;
  #state: ClockState = NO_DRIFT;
  #last: Reading | null = null;
  /** Since when each reading could be compared with the one before. */
  #since_ms = 0;
  #wanted: Wanted | null = null;
  #settling: Promise<void> | null = null;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  get isKnown(): boolean {
    return this.#range !== null;
  }

  get state(): ClockState {
    return this.#state;
  }

  /** A step was found and the shared drift has not taken it up yet. */
  get isStepped(): boolean {
    return this.#wanted !== null;
  }

  /**
   * The database answered to a question that left at `asked_ms` of the monotonic clock. False: its
   * clock was set, and what it says is not the time of any event before `settle`.
   */
  read(read: ClockRead, asked_ms: number): boolean {
    // To ask how long the machine has slept takes 12 µs: a flush does that where it matters.
    return this.#read(read, asked_ms, this.#last?.suspended_ms ?? this.#suspended());
  }

  /** A row of a log was written then. False: the clock was set back behind it. */
  readRow({ wall_ms, state }: ClockRead, row_ms: number): boolean {
    const drift_ms = driftForRow(state, wall_ms, row_ms);
    if (drift_ms === null) return true;
    const moved_ms = eventTime(state, wall_ms) - row_ms;
    const why = 'the last row is ahead of it';
    const asked_ms = this.#tools.clock.monotonic();
    const { epoch } = state;
    this.#wanted = { epoch, drift_ms, moved_ms, isJump: true, why, wall_ms, asked_ms };
    return false;
  }

  /** Sets the drift that takes a step up, unless another node has; then reads the clock again. */
  settle(): Promise<void> {
    this.#settling ??= this.#settleOnce().finally(() => {
      this.#settling = null;
    });
    return this.#settling;
  }

  /** Asks the database, and settles a step at once. */
  async ask(): Promise<void> {
    if (!(await this.#ask()) && this.isStepped) return this.settle();
  }

  /** Event time is at least this late: what is over by then is over. Null: never read. */
  least(): number | null {
    const wall_ms = this.wall();
    return wall_ms === null ? null : eventTime(this.#state, wall_ms);
  }

  /** Event time is at most this late: what has time left then is not over. Null: never read. */
  most(): number | null {
    if (!this.#range) return null;
    return eventTime(this.#state, this.#tools.clock.monotonic() + this.#range.most_ms);
  }

  /** The time of day by the database's clock, at least. Null: never read. */
  wall(): number | null {
    return this.#range && this.#tools.clock.monotonic() + this.#range.least_ms;
  }

  async #settleOnce(): Promise<void> {
    const { clock, telemetry, store } = this.#tools;
    const wanted = this.#wanted;
    if (!wanted) return;
    const { epoch, drift_ms, isJump, moved_ms, why, wall_ms, asked_ms } = wanted;
    const until_ms = wall_ms + clock.monotonic() - asked_ms + STEP_MS;
    const isOurs = await store.setDrift({ epoch, drift_ms, isJump, from_ms: wall_ms, until_ms });
    this.#wanted = null;
    if (isOurs) telemetry.emit({ kind: 'clock.stepped', moved_ms, drift_ms, reason: why });
    await this.#ask();
  }

  async #ask(): Promise<boolean> {
    const { clock, store } = this.#tools;
    const suspended_ms = this.#suspended();
    const asked_ms = clock.monotonic();
    return this.#read(await store.clock(), asked_ms, suspended_ms);
  }

  #read({ wall_ms, state }: ClockRead, asked_ms: number, suspended_ms: number): boolean {
    const answered_ms = this.#tools.clock.monotonic();
    let now: Reading = { wall_ms, state, asked_ms, answered_ms, suspended_ms };
    if (isOvertaken(this.#last, now)) return false;
    if (this.#stepSince(this.#last, now)) now = { ...now, suspended_ms: this.#suspended() };
    const moved = this.#stepSince(this.#last, now);
    if (moved) {
      const { epoch } = state;
      const drift_ms = driftAfter(now, moved);
      const moved_ms = moved.most_ms;
      const why = 'it was set';
      this.#wanted = { epoch, drift_ms, moved_ms, isJump: false, why, wall_ms, asked_ms };
      return false;
    }
    // A log that is ahead stays a reason until it is settled, whatever other events have read.
    if (!this.#wanted?.isJump) this.#wanted = null;
    if (!this.#last || !areComparable(this.#last, now)) this.#since_ms = asked_ms;
    this.#last = now;
    this.#state = state;
    this.#range = narrowed(this.#range, now);
    return true;
  }

  /** How far the clock was set between two readings; null: it was not, or it cannot be said. */
  #stepSince(before: Reading | null, now: Reading): Moved | null {
    if (!before || !areComparable(before, now)) return null;
    const moved = movedBetween(before, now);
    if (!isStep(moved)) return null;
    const isNew = now.asked_ms - this.#since_ms < APART_MS;
    return isOthersDrift(before, now, isNew) ? null : moved;
  }

  #suspended(): number {
    const { clock } = this.#tools;
    const monotonic_ms = clock.monotonic();
    return (clock.boot?.() ?? monotonic_ms) - monotonic_ms;
  }
}

/** Another question left later and was answered sooner. (Later, an older epoch is a failover.) */
function isOvertaken(last: Reading | null, { state, asked_ms }: Reading): boolean {
  return last !== null && state.epoch < last.state.epoch && asked_ms < last.answered_ms;
}

function narrowed(before: Range | null, { wall_ms, asked_ms, answered_ms }: Reading): Range {
  const range = { least_ms: wall_ms - answered_ms, most_ms: wall_ms - asked_ms };
  // One of the two clocks was set: what was known before says nothing any more.
  if (!before || range.least_ms > before.most_ms || range.most_ms < before.least_ms) return range;
  return {
    least_ms: Math.max(before.least_ms, range.least_ms),
    most_ms: Math.min(before.most_ms, range.most_ms),
  };
}
