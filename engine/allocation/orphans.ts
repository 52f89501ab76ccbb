import type { FreeSeats, SeatChange } from './free-seats.ts';
import { STANDING, type Standing } from './run-seats.ts';
import type { SeatingPlan } from './seating-plan.ts';

/** Which seats are free: the index, or whatever knows it of single seats. */
export type OpenSeats = Readonly<{
  plan: SeatingPlan;
  isOpen(ordinal: number): boolean;
  standingOf(ordinal: number): Standing;
}>;

/**
 * Which free seats a selection leaves without a free neighbour in their run. Only its neighbours
 * can be: they had company before, the seats of the selection. Seats that the same user holds in
 * the cart belong to the selection, so whether the index counts them as free makes no difference.
 * Wheelchair spaces and companion seats are sold by rules of their own and are never stranded.
 */
export function strandedBy(free: OpenSeats, selection: readonly number[]): number[] {
  const taken = new Set(selection);
  const { plan } = free;
  const stays = (ordinal: number) => ordinal >= 0 && !taken.has(ordinal) && free.isOpen(ordinal);
  const stranded = new Set<number>();
  for (const seat of selection) {
    for (const side of [-1, 1] as const) {
      const neighbour = plan.besideOf(seat, side);
      if (!stays(neighbour) || free.standingOf(neighbour) !== STANDING.pool) continue;
      if (!stays(plan.besideOf(neighbour, side))) stranded.add(neighbour);
    }
  }
  return [...stranded].sort((one, other) => one - other);
}

/** A wheelchair space, or a companion seat that belongs to one. */
function isAccessible(plan: SeatingPlan, ordinal: number): boolean {
  return plan.isSpace(ordinal) || plan.spaceOf(ordinal) !== undefined;
}

/** A party with such a seat is never parted, and never refused, to save a single seat. */
export function sitsAsOne({ plan }: FreeSeats, party: readonly number[]): boolean {
  return party.some((seat) => isAccessible(plan, seat));
}

/** The index as it was before the user took anything: their own seats are free again. */
export function withoutHolds(free: FreeSeats, held: readonly number[]): FreeSeats {
  const { plan } = free;
  const changes = held.map((seat): SeatChange => {
    return [seat, isAccessible(plan, seat) ? STANDING.protected : STANDING.pool];
  });
  return free.with(changes);
}

/** Neighbouring seats of a selection together, left to right, also across the end of a ring. */
export function piecesOf(free: FreeSeats, selection: readonly number[]): number[][] {
  const pieces: number[][] = [];
  let last: number[] = [];
  for (const seat of [...selection].sort((one, other) => one - other)) {
    const before = last.at(-1);
    if (before !== undefined && free.plan.areNeighbours(before, seat)) last.push(seat);
    else {
      last = [seat];
      pieces.push(last);
    }
  }
  return free.plan.hasRings ? joined(free.plan, pieces) : pieces;
}

/**
 * The pieces that count where a group sits side by side: a companion seat is where its layout has
 * put it, behind the wheelchair space or across an aisle, and is with the one who has that space.
 */
export function partsOf(
  free: FreeSeats,
  selection: readonly number[],
  has: (space: number) => boolean,
): number[][] {
  const isTheirs = (seat: number) => {
    const space = free.plan.spaceOf(seat);
    return space !== undefined && (selection.includes(space) || has(space));
  };
  return piecesOf(free, selection).filter((piece) => !piece.every(isTheirs));
}

function joined(plan: SeatingPlan, pieces: readonly number[][]): number[][] {
  return pieces.flatMap((piece) => {
    const before = pieces.find((one) => one !== piece && goesOnWith(plan, one, piece));
    if (before) return [];
    const after = pieces.find((one) => one !== piece && goesOnWith(plan, piece, one));
    return [after ? [...piece, ...after] : piece];
  });
}

/** The last seat of one piece is the end of a ring, the first of the other its beginning. */
function goesOnWith(plan: SeatingPlan, one: readonly number[], other: readonly number[]): boolean {
  const [last = -1, first = -1] = [one.at(-1), other[0]];
  return last > first && plan.besideOf(last, 1) === first;
}

/** More than nine in ten seats of the row are taken: then every rest is a rest. */
export function isNearlyFull(free: FreeSeats, ordinal: number): boolean {
  const row = free.plan.rowOf(ordinal);
  const { count } = free.plan.row(row);
  const taken = count - free.openInRow(row);
  return taken * 10 > count * 9;
}
