/** The shared row: how far the database's clock is ahead of event time. */
export type ClockState = Readonly<{
  /** Raised by every change. */
  epoch: number;
  drift_ms: number;
  /** How often event time was moved on purpose. */
  jumps: number;
  /** The database's clock when the drift began to go towards 0; null: it stays. */
  slewing_since_ms: number | null;
  /** The database's clock when this row was changed. */
  changed_ms: number;
}>;

/** One look at the database's clock, and when it was, by this node's monotonic clock. */
export type Reading = Readonly<{
  wall_ms: number;
  state: ClockState;
  asked_ms: number;
  answered_ms: number;
  /** How long this node's machine had been suspended by then, which its monotonic clock omits. */
  suspended_ms: number;
}>;

/** Less is slewing and a busy machine: such steps only move the end of a hold by as much. */
export const STEP_MS = 5_000;
/**
 * Farther apart, two clocks say too little about each other. A failover takes up to half a minute,
 * and clocks of machines run apart by some milliseconds in that time.
 */
export const APART_MS = 60_000;
/** So far apart, two nodes know different event times: half of a step that they would not see. */
const DISPUTED_MS = STEP_MS / 2;
/** The part of the time that passes by which event time may run faster or slower. */
export const SLEW = 0.01;

export const NO_DRIFT: ClockState = {
  epoch: 0,
  drift_ms: 0,
  jumps: 0,
  slewing_since_ms: null,
  changed_ms: 0,
};

/** The drift at a moment of the database's clock. `event_now()` says the same in SQL. */
export function driftAt({ drift_ms, slewing_since_ms }: ClockState, wall_ms: number): number {
  if (slewing_since_ms === null) return drift_ms;
  const gone_ms = Math.max(0, wall_ms - slewing_since_ms) * SLEW;
  return Math.sign(drift_ms) * Math.max(0, Math.abs(drift_ms) - gone_ms);
}

export function eventTime(state: ClockState, wall_ms: number): number {
  return wall_ms - driftAt(state, wall_ms);
}

/** How far event time moved more than the node's clock did, at least and at most. */
export type Moved = Readonly<{ least_ms: number; most_ms: number }>;

export function movedBetween(before: Reading, now: Reading): Moved {
  const event_ms = eventTime(now.state, now.wall_ms) - eventTime(before.state, before.wall_ms);
  return less(event_ms, passedBetween(before, now));
}

/** How far the database's own clock moved more than the node's did, whatever the drift. */
export function wallMovedBetween(before: Reading, now: Reading): Moved {
  return less(now.wall_ms - before.wall_ms, passedBetween(before, now));
}

/** The time between two readings: a machine that slept counts its sleep. */
function passedBetween(before: Reading, now: Reading): Moved {
  const slept_ms = now.suspended_ms - before.suspended_ms;
  return {
    least_ms: now.asked_ms - before.answered_ms + slept_ms,
    most_ms: now.answered_ms - before.asked_ms + slept_ms,
  };
}

function less(moved_ms: number, { least_ms, most_ms }: Moved): Moved {
  return { least_ms: moved_ms - most_ms, most_ms: moved_ms - least_ms };
}

export function isStep({ least_ms, most_ms }: Moved): boolean {
  return least_ms > STEP_MS || most_ms < -STEP_MS;
}

/**
 * Whether a step between two readings could be told at all. A drift that was set meanwhile is no
 * reason against it: event time went on, and the clock may have been set again since.
 */
export function areComparable(before: Reading, now: Reading): boolean {
  const isMoved = before.state.jumps !== now.state.jumps;
  return !isMoved && passedBetween(before, now).least_ms <= APART_MS;
}

/**
 * Whether a step of event time is another node's doing, and not one of the clock. Where event time
 * went on at the moment of the change, as this node knows it, the other node was right then, and
 * the clock has been set again since: that is a step like any other. Where it did not, two nodes
 * would set the drift against each other for ever, so one gives way. That is the one whose event
 * time is ahead, because a machine that was paused unseen is behind and cannot know it, and no hold
 * ends early by that. A node whose own reckoning has just begun gives way to one that is ahead as
 * well: it may have begun while the clock was wrong.
 */
export function isOthersDrift(before: Reading, now: Reading, isNew: boolean): boolean {
  const { state } = now;
  if (state.epoch === before.state.epoch) return false;
  const then_ms = eventTime(state, state.changed_ms);
  const known_ms = eventTime(before.state, before.wall_ms);
  const passed_ms = passedBetween(before, now).most_ms;
  if (then_ms > known_ms + passed_ms + DISPUTED_MS) return isNew;
  if (then_ms >= known_ms - DISPUTED_MS) return false;
  // Slow questions alone put event time behind. It is a dispute where both know the same clock; a
  // change may be dated before the reading that did not see it, for its commit takes a while.
  const isSameClock =
    state.changed_ms >= before.wall_ms - DISPUTED_MS && state.changed_ms <= now.wall_ms;
  return isSameClock && !isStep(wallMovedBetween(before, now));
}

/**
 * The drift with which event time goes on from the reading before. Of all that the readings allow
 * it is the one with the earliest event time: no hold ends early, and none lives longer by more
 * than the two questions took.
 */
export function driftAfter(now: Reading, { most_ms }: Moved): number {
  return Math.round(driftAt(now.state, now.wall_ms) + most_ms);
}

/**
 * The drift with which event time goes on from the last row of a log; null: the clock has not been
 * set back behind it. A board's time never runs backwards, so it would stand still for as long.
 */
export function driftForRow(state: ClockState, wall_ms: number, row_ms: number): number | null {
  return row_ms - eventTime(state, wall_ms) > STEP_MS ? Math.floor(wall_ms - row_ms) : null;
}
