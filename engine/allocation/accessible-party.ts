import type { FreeSeats, SeatChange } from './free-seats.ts';
import { type GrowthWish, growParty } from './grow-party.ts';
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
}>;

/** So many wheelchair spaces are tried as the first; they come best first. */
const TRIED = 32;

/**
 * A party with wheelchair users: their spaces, the companion seats that belong to them, and for
 * everybody else seats beside those.
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
  let best: { seats: number[]; total: number } | null = null;
  for (const first of spaces.slice(0, TRIED)) {
    const seats = partyAround(free, nearestTo(free, first, spaces, wish.accessible), wish);
    if (!seats) continue;
    const { total } = scoreOf(free, seats);
    if (!best || total < best.total) best = { seats, total };
  }
  return best?.seats ?? null;
}

function nearestTo(
  { plan }: FreeSeats,
  first: number,
  spaces: readonly number[],
  count: number,
): number[] {
  const here = plan.centreOf([first]);
  const away = (seat: number) => distanceBetween(plan.centreOf([seat]), here);
  if (count === 1) return [first];
  const sorted = [...spaces].sort((one, other) => away(one) - away(other) || one - other);
  return sorted.slice(0, count);
}

function partyAround(
  free: FreeSeats,
  spaces: readonly number[],
  { size, strict, rows, may }: AccessibleWish,
): number[] | null {
  const companions = spaces.flatMap((space) =>
    (free.plan.companions.get(space) ?? []).filter(
      (seat) => free.isOpen(seat) && (!may || may(seat)),
    ),
  );
  const own = [...spaces, ...companions.slice(0, size - spaces.length)];
  const missing = size - own.length;
  const sorted = [...own].sort((one, other) => one - other);
  if (missing === 0) return sorted;
  const gone = free.with(sorted.map((seat): SeatChange => [seat, STANDING.gone]));
  const wish: GrowthWish = { size: missing, beside: sorted, strict, rows, may };
  const others = growParty(gone, wish);
  return others ? [...sorted, ...others].sort((one, other) => one - other) : null;
}
