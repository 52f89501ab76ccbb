import type { SeatingPolicy } from '#policies';
import { STANDING, type Standing } from './run-seats.ts';
import type { SeatingPlan } from './seating-plan.ts';

/** What the rules for accessible seats ask a board. */
export interface AccessibleView {
  readonly plan: SeatingPlan;
  readonly policy: SeatingPolicy;
  /** Neither held nor sold nor blocked, and not about to be. */
  isAvailable(ordinal: number): boolean;
  /** Who holds a seat or has bought it; undefined: nobody, or nobody that is known. */
  holderOf(ordinal: number): string | undefined;
  /** Have the zone's companion seats gone to everybody? Kept by the board, see below. */
  isReleased(zone: number): boolean;
}

/** Points of occupancy below the threshold at which released companions are kept again. */
const HYSTERESIS = 5;

export type Occupancy = Readonly<{
  capacity: number;
  held: number;
  sold: number;
  blocked: number;
  /** Free companion seats: as long as they are kept, nobody else can fill the zone with them. */
  kept: number;
}>;

/**
 * Are companion seats of a zone for everybody, given whether they were? From the threshold on, or
 * when everything else is taken, which in a small zone is less; and not any more only when it has
 * fallen five points below, so that one hold that comes and goes does not open and close them.
 * Blocked seats are nobody's, so they do not count.
 */
export function isReleasedAt(
  policy: SeatingPolicy,
  { capacity, held, sold, blocked, kept }: Occupancy,
  before: boolean,
): boolean {
  const places = capacity - blocked;
  if (places <= 0) return before;
  const most = 100 * (places - kept);
  const threshold = Math.min(policy.companion_release_occupancy_threshold * places, most);
  const points = 100 * (held + sold);
  if (points >= threshold) return true;
  return before && points > threshold - HYSTERESIS * places;
}

/** Is a companion seat, while it is free, for those alone who have its wheelchair space? */
export function isCompanionKept(view: AccessibleView, ordinal: number): boolean {
  return view.plan.spaceOf(ordinal) !== undefined && !isForEverybody(view, ordinal);
}

/** Is a free companion seat kept for the one who has its wheelchair space? */
export function softReservedFor(view: AccessibleView, ordinal: number): string | undefined {
  const space = view.plan.spaceOf(ordinal);
  if (space === undefined || isForEverybody(view, ordinal)) return undefined;
  return view.holderOf(space);
}

/** Companion seats that are kept for a user who has these wheelchair spaces. */
export function companionsKeptFor(
  view: AccessibleView,
  user: string,
  held: readonly number[],
): number[] {
  const companions = held.flatMap((seat) => view.plan.companions.get(seat) ?? []);
  return companions.filter(
    (seat) => view.isAvailable(seat) && softReservedFor(view, seat) === user,
  );
}

/** What the index says about a seat. It must be told again when the seat or its space changes. */
export function standingOf(view: AccessibleView, ordinal: number): Standing {
  if (!view.isAvailable(ordinal)) return STANDING.gone;
  if (view.plan.isSpace(ordinal)) return STANDING.protected;
  if (view.plan.spaceOf(ordinal) === undefined || isForEverybody(view, ordinal)) {
    return STANDING.pool;
  }
  return softReservedFor(view, ordinal) === undefined ? STANDING.protected : STANDING.gone;
}

/** Seats whose standing depends on this one: itself and, of a wheelchair space, its companions. */
export function touchedBy(plan: SeatingPlan, ordinal: number): readonly number[] {
  const companions = plan.companions.get(ordinal);
  return companions ? [ordinal, ...companions] : [ordinal];
}

function isForEverybody(view: AccessibleView, ordinal: number): boolean {
  if (!view.policy.enforce_accessibility_rules) return true;
  return view.isReleased(view.plan.zoneOf(ordinal));
}

export type AccessibleRefusal =
  | Readonly<{ code: 'wheelchair_limit'; most: number; spaces: readonly number[] }>
  /** Companion seats of somebody else, or without their wheelchair space. */
  | Readonly<{ code: 'companion_reserved'; seats: readonly number[] }>;

/** May this user have these seats beside what is in the cart? Null: yes. */
export function refuseAccessible(
  view: AccessibleView,
  { user, seats, held }: { user: string; seats: readonly number[]; held: readonly number[] },
): AccessibleRefusal | null {
  const { plan, policy } = view;
  if (!policy.enforce_accessibility_rules) return null;
  const all = new Set([...held, ...seats]);
  const spaces = [...all].filter((seat) => plan.isSpace(seat));
  const most = policy.max_wheelchair_seats_per_booking;
  // Who has more from before a change of the policy keeps them, but gets no more.
  if (spaces.length > most && seats.some((seat) => plan.isSpace(seat) && !held.includes(seat))) {
    return { code: 'wheelchair_limit', most, spaces };
  }
  const kept = seats.filter((seat) => {
    const space = plan.spaceOf(seat);
    if (space === undefined || view.isReleased(plan.zoneOf(seat))) return false;
    return !all.has(space) && view.holderOf(space) !== user;
  });
  return kept.length > 0 ? { code: 'companion_reserved', seats: kept } : null;
}

/** What the audit says about a wheelchair booking. */
export function accessibleEntries(
  view: AccessibleView,
  seats: readonly number[],
): { seat: number; companions: readonly number[]; companion_soft_reserved: boolean }[] {
  const { plan, policy } = view;
  return seats
    .filter((seat) => plan.isSpace(seat))
    .map((seat) => {
      const companions = plan.companions.get(seat) ?? [];
      const kept = policy.enforce_accessibility_rules && !view.isReleased(plan.zoneOf(seat));
      const companion_soft_reserved = kept && companions.some((one) => view.isAvailable(one));
      return { seat, companions, companion_soft_reserved };
    });
}
