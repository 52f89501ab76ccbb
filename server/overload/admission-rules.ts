import type { Priority } from './priorities.ts';

/** What a decision depends on, all of it known without looking anything up. */
export type Load = Readonly<{
  /** Requests that were let in and are not answered. */
  underWay: number;
  /** How many are answered in a second while there is more to do than can be done. */
  perSecond: number;
  /** Organizations with a request under way, the one that asks included. */
  organizations: number;
  /** Requests under way of the organization that asks. */
  ofOrganization: number;
}>;

/**
 * How long the queue may be for each kind to join it, in seconds of work. Buyers give up after
 * three seconds; what is let in must be answered well before, also by a node that is slower than it
 * thought. A stampede of 5,000 for one seat fits into what a quick node is expected to do.
 */
const PATIENCE_S: Readonly<Record<Priority, number>> = {
  complete: Number.POSITIVE_INFINITY,
  release: 1,
  extend: 0.75,
  hold: 0.5,
  read: 0.3,
  stream: 0.2,
};

/** A node that answers almost nothing still lets a few in, or it would never learn better. */
export const LEAST_PLACES = 64;

/** How many requests may be under way for one more of this kind to be let in. */
export function placesFor(priority: Priority, perSecond: number): number {
  return Math.max(LEAST_PLACES, perSecond * PATIENCE_S[priority]);
}

/**
 * May one more come in? While there are places, everybody may. When there are none, an organization
 * that has less than its equal share under way still may: a neighbour with a large sale takes what
 * is free and not what is theirs.
 */
export function admits(priority: Priority, load: Load): boolean {
  const places = placesFor(priority, load.perSecond);
  if (load.underWay < places) return true;
  return load.ofOrganization < places / Math.max(1, load.organizations);
}

/** Turning away costs a part of what a hold costs: more than this many for each answer is waste. */
const REFUSALS_PER_ANSWER = 0.2;
const MOST_PATIENCE_S = 10;
const MOST_GROWTH = 2;
const SHRINK = 0.9;

/**
 * How long those who are turned away shall wait. Only that decides how often they ask again: when
 * many are turned away they are asked to stay away longer, and sooner back as it becomes quiet.
 */
export function nextPatience(
  patience_s: number,
  refusedPerSecond: number,
  perSecond: number,
): number {
  const most = perSecond * REFUSALS_PER_ANSWER;
  const next =
    refusedPerSecond > most
      ? patience_s * Math.min(refusedPerSecond / most, MOST_GROWTH)
      : patience_s * SHRINK;
  return Math.min(Math.max(next, 1), MOST_PATIENCE_S);
}
