import type { Effort } from './effort.ts';
import type { FreeSeats, SeatChange } from './free-seats.ts';
import { type GrowthWish, growApart, growNearby, growTouching, rowsOf } from './grow-party.ts';
import { piecesOf } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import { scoreOf } from './score.ts';
import type { MayTake } from './seat-blocks.ts';
import { distanceBetween } from './seating-plan.ts';

export type AccessibleWish = Readonly<{
  size: number;
  /** How many of them are wheelchair spaces. */
  accessible: number;
  strict: boolean;
  rows: number;
  may?: MayTake | undefined;
  effort?: Effort | undefined;
}>;

/** So many wheelchair spaces are tried as the first; they come best first. */
const TRIED = 32;
/** Where the others are not beside them, it is looked for those of only so many. */
const TRIED_APART = 3;
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
  const spaces = (free.plan.spaces[zone] ?? []).filter(
    (seat) => free.isOpen(seat) && (!wish.may || wish.may(seat)),
  );
  if (spaces.length < wish.accessible) return null;
  const begun = spaces
    .slice(0, TRIED)
    .flatMap((first) => beginAround(free, nearestTo(free, first, spaces, wish), wish) ?? []);
  const beside = bestParty(free, begun, growTouching, wish);
  if (beside || wish.strict) return beside;
  const first = begun.slice(0, TRIED_APART);
  const near = bestParty(free, first, growNearby, wish);
  if (near) return near;
  for (const one of first) {
    const apart = bestParty(free, [one], growApart, wish);
    if (apart) return apart;
  }
  return null;
}

function bestParty(
  free: FreeSeats,
  begun: readonly Begun[],
  grow: Grow,
  { strict, size, effort }: AccessibleWish,
): number[] | null {
  let best: { seats: number[]; total: number } | null = null;
  let compared = 0;
  for (const { own, free: left, wish } of begun) {
    const others = wish.size === 0 ? [] : grow(left, wish);
    if (!others) continue;
    const seats = [...own, ...others].sort((one, other) => one - other);
    if (strict && piecesOf(free, seats).length > 1) continue;
    const { total } = scoreOf(free, seats);
    if (!best || total < best.total) best = { seats, total };
    compared += size;
    if (compared >= COMPARED_SEATS || effort?.isOver) break;
  }
  return best?.seats ?? null;
}

/** The spaces nearest to the first one, in no more rows than a group may have. */
function nearestTo(
  free: FreeSeats,
  first: number,
  spaces: readonly number[],
  { accessible, rows }: AccessibleWish,
): number[] {
  if (accessible === 1) return [first];
  const { plan } = free;
  const here = plan.centreOf([first]);
  const away = (seat: number) => distanceBetween(plan.centreOf([seat]), here);
  const sorted = [...spaces].sort((one, other) => away(one) - away(other) || one - other);
  const chosen: number[] = [];
  for (const space of sorted) {
    if (chosen.length < accessible && rowsOf(free, [...chosen, space]) <= rows) chosen.push(space);
  }
  return chosen;
}

/** Null: not everybody who needs a space has one. */
function beginAround(
  free: FreeSeats,
  spaces: readonly number[],
  { size, accessible, strict, rows, may, effort }: AccessibleWish,
): Begun | null {
  if (spaces.length < accessible) return null;
  const companions = spaces.flatMap((space) =>
    (free.plan.companions.get(space) ?? []).filter(
      (seat) => free.isOpen(seat) && (!may || may(seat)),
    ),
  );
  const own = [...spaces, ...companions.slice(0, size - spaces.length)];
  const sorted = [...own].sort((one, other) => one - other);
  const gone = free.with(sorted.map((seat): SeatChange => [seat, STANDING.gone]));
  const wish = { size: size - own.length, beside: sorted, strict, rows, may, effort };
  return { own: sorted, free: gone, wish };
}
