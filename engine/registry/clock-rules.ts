/** The shared row: how far the database's clock is ahead of event time. */
export type ClockState = Readonly<{
  /** Raised by every change. */
  epoch: number;
  drift_ms: number;
  /** How often event time was moved on purpose. */
  jumps: number;
  /** The database's clock when the drift began to go towards 0; null: it stays. */
  slewing_since_ms: number | null;
}>;

/** One look at the database's clock, and when it was, by this node's monotonic clock. */
export type Reading = Readonly<{
  wall_ms: number;
  state: ClockState;
  asked_ms: number;
  answered_ms: number;
}>;

/** Less is slewing and a busy machine: such steps only move the end of a hold by as much. */
export const STEP_MS = 5_000;
/**
 * Farther apart, two clocks say too little about each other. A failover takes up to half a minute,
 * and clocks of machines run apart by some milliseconds in that time.
 */
export const APART_MS = 60_000;
/** The part of the time that passes by which event time may run faster or slower. */
export const SLEW = 0.01;

export const NO_DRIFT: ClockState = { epoch: 0, drift_ms: 0, jumps: 0, slewing_since_ms: null };

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
  return {
    least_ms: event_ms - (now.answered_ms - before.asked_ms),
    most_ms: event_ms - (now.asked_ms - before.answered_ms),
  };
}

/** How far the database's own clock moved more than the node's did, whatever the drift. */
export function wallMovedBetween(before: Reading, now: Reading): Moved {
  const wall_ms = now.wall_ms - before.wall_ms;
  return {
    least_ms: wall_ms - (now.answered_ms - before.asked_ms),
    most_ms: wall_ms - (now.asked_ms - before.answered_ms),
  };
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
  return !isMoved && now.asked_ms - before.answered_ms <= APART_MS;
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
