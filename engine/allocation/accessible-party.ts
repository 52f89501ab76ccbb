import { comparePlaces, type Placed, placedOf } from './compare-places.ts';
import type { Effort } from './effort.ts';
import type { FreeSeats, SeatChange } from './free-seats.ts';
import {
  type GrowthWish,
  growAsOne,
  growTouching,
  looseSeats,
  rowsOf,
  subsetsOf,
} from './grow-party.ts';
import { partsOf } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import type { MayTake } from './seat-blocks.ts';
import { distanceBetween, type SeatingPlan } from './seating-plan.ts';

export type AccessibleWish = Readonly<{
  size: number;
  /** How many of them are wheelchair spaces. */
  accessible: number;
  strict: boolean;
  rows: number;
  /** What a strict party has already: the others come to sit with it. */
  beside: readonly number[];
  /** Has the buyer this wheelchair space already? */
  has: (space: number) => boolean;
  may?: MayTake | undefined;
  effort?: Effort | undefined;
}>;

/** So many wheelchair spaces are tried as the first; they come best first. */
const TRIED = 32;
/** Where the others are not beside them, it is looked for those of only so many. */
const TRIED_APART = 16;
/** Of so many seats are the parties that are compared: more would take too long. */
const COMPARED_SEATS = 160;

/** Some of the party, and where everybody else may sit. */
type Begun = Readonly<{ own: readonly number[]; free: FreeSeats; wish: GrowthWish }>;
type Grow = (free: FreeSeats, wish: GrowthWish) => number[] | null;

/**
 * A party with wheelchair users: their spaces, the companion seats that belong to them, and for
 * everybody else seats beside those; else near them; else in several places.
 */
export function seatAccessibleParty(
  free: FreeSeats,
  zone: number,
  wish: AccessibleWish,
): number[] | null {
  const open = (free.plan.spaces[zone] ?? []).filter(
    (seat) => free.isOpen(seat) && (!wish.may || wish.may(seat)),
  );
  if (open.length < wish.accessible) return null;
  const spaces = wish.beside.length > 0 ? sortedFrom(free.plan, wish.beside, open) : open;
  const begun = choicesOf(free, spaces, wish).flatMap((own) => beginAround(free, own, wish));
  const beside = bestParty(free, begun, growTouching, wish);
  if (wish.strict || beside?.breaks === 0) return beside ? [...beside.seats] : null;
  const apart = bestParty(free, begun.slice(0, TRIED_APART), growAsOne, wish);
  const best = !beside || (apart && comparePlaces(apart, beside) < 0) ? apart : beside;
  return best ? [...best.seats] : null;
}

function bestParty(
  free: FreeSeats,
  begun: readonly Begun[],
  grow: Grow,
  { strict, size, rows, beside, has, effort }: AccessibleWish,
): Placed | null {
  let best: Placed | null = null;
  let compared = 0;
  for (const { own, free: left, wish } of begun) {
    const others = wish.size === 0 ? [] : grow(left, wish);
    if (!others) continue;
    const seats = [...own, ...others].sort((one, other) => one - other);
    if (strict && partsOf(free, [...beside, ...seats], has).length > 1) continue;
    if (!strict && rowsOf(free, withoutCompanions(free, seats)) > rows) continue;
    const placed = placedOf(free, seats, beside);
    if (!best || comparePlaces(placed, best) < 0) best = placed;
    compared += size;
    // In two places of one row, and nobody alone: of those who are apart none sit better.
    const isGood = grow === growAsOne && best.alone === 0 && best.breaks === 1 && best.rows === 1;
    if (isGood || compared >= COMPARED_SEATS || effort?.isOver) break;
  }
  return best;
}

/** A companion seat may be behind its wheelchair space: it makes no row more. */
function withoutCompanions({ plan }: FreeSeats, party: readonly number[]): number[] {
  return party.filter((seat) => {
    const space = plan.spaceOf(seat);
    return space === undefined || !party.includes(space);
  });
}

/** Which spaces together: all there are to choose from, or of many those near each other. */
function choicesOf(
  free: FreeSeats,
  spaces: readonly number[],
  wish: AccessibleWish,
): readonly number[][] {
  if (wish.accessible === 1) return spaces.slice(0, TRIED).map((space) => [space]);
  const all = subsetsOf(spaces, wish.accessible);
  if (all) return all;
  return spaces.slice(0, TRIED).flatMap((first) => {
    const row = free.plan.rowOf(first);
    const inRow = spaces.filter((space) => free.plan.rowOf(space) === row && space >= first);
    const next = inRow.sort((one, other) => one - other).slice(0, wish.accessible);
    return [nearestTo(free, first, spaces, wish), next];
  });
}

/** The spaces nearest to the first one, in no more rows than a group may have. */
function nearestTo(
  free: FreeSeats,
  first: number,
  spaces: readonly number[],
  { accessible, rows }: AccessibleWish,
): number[] {
  const { plan } = free;
  const chosen: number[] = [];
  for (const space of sortedFrom(plan, [first], spaces)) {
    if (chosen.length < accessible && rowsOf(free, [...chosen, space]) <= rows) chosen.push(space);
  }
  return chosen;
}

function sortedFrom(
  plan: SeatingPlan,
  own: readonly number[],
  seats: readonly number[],
): readonly number[] {
  const here = plan.centreOf(own);
  const away = (seat: number) => distanceBetween(plan.centreOf([seat]), here);
  return [...seats].sort((one, other) => away(one) - away(other) || one - other);
}

/** Empty: not everybody who needs a space has one. */
function beginAround(
  free: FreeSeats,
  spaces: readonly number[],
  wish: AccessibleWish,
): readonly Begun[] {
  const { size, accessible, rows, may } = wish;
  if (spaces.length < accessible || rowsOf(free, spaces) > rows) return [];
  const companions = spaces.flatMap((space) =>
    (free.plan.companions.get(space) ?? []).filter(
      (seat) => free.isOpen(seat) && (!may || may(seat)),
    ),
  );
  const room = size - spaces.length;
  const nearest = sortedFrom(free.plan, spaces, companions);
  // Of more companion seats than people those nearest to all of the spaces; beside seats that the
  // party has, each of them may be the one that joins it.
  const all = wish.beside.length > 0 && room < nearest.length ? subsetsOf(nearest, room) : null;
  return (all ?? [nearest.slice(0, room)]).map((along) => begin(free, [...spaces, ...along], wish));
}

function begin(
  free: FreeSeats,
  own: readonly number[],
  { size, strict, rows, beside: party, has, may, effort }: AccessibleWish,
): Begun {
  const gone = free.with(own.map((seat): SeatChange => [seat, STANDING.gone]));
  const growth = { size: size - own.length, strict, rows, may, effort };
  if (!strict) return { own, free: gone, wish: { ...growth, beside: own } };
  const beside = [...party, ...own];
  // Who sits beside a companion seat that is by itself does not sit with the party.
  const anchors = partsOf(free, beside, has).flat();
  const isOne = (seats: readonly number[]) => partsOf(free, [...beside, ...seats], has).length <= 1;
  const loose = looseSeats(gone, party, may);
  return { own, free: gone, wish: { ...growth, beside, anchors, isOne, loose } };
}
