import { partsOf } from '#allocation';
import { BoardSeating } from './board-seating.ts';
import type { BoardState } from './board-state.ts';
import { type Refused, type RefusedItem, refused } from './commands.ts';

/**
 * Where the engine chooses, seats cannot be named. A companion seat can: it belongs to its
 * wheelchair space, so nothing is chosen by it.
 */
export function refuseNaming(state: BoardState, seats: readonly number[]): Refused | null {
  if (!state.config.policy.prefer_clustering_over_selection) return null;
  const named = seats.filter((seat) => state.plan.seating.spaceOf(seat) === undefined);
  if (named.length === 0) return null;
  const message = 'The engine chooses the seats of this event: please ask for the best available.';
  const rule = 'prefer_clustering_over_selection';
  return { ...refused('forbidden', itemsOf(state, named, 'forbidden'), { rule }), message };
}

/** Has this user a wheelchair space, held or bought? Then its companion seats are with it. */
export function hasSpace(state: BoardState, user: string): (space: number) => boolean {
  const seating = new BoardSeating(state);
  return (space) => seating.holderOf(space) === user;
}

/** A group in one row and one piece, or not at all: for seats that somebody chose, too. */
export function refuseApart(
  state: BoardState,
  user: string,
  seats: readonly number[],
): Refused | null {
  if (!state.config.policy.group_adjacency_strict || seats.length < 2) return null;
  const parts = partsOf(state.free, seats, hasSpace(state, user));
  if (parts.length <= 1) return null;
  const rule = 'group_adjacency_strict';
  const labels = seats.map((seat) => state.plan.labelOf(seat)).join(', ');
  const message = `Seats of one booking are side by side in this event: ${labels} are not.`;
  return { ...refused('no_adjacent_seats', [], { rule }), message };
}

function itemsOf(
  { plan }: BoardState,
  seats: readonly number[],
  code: RefusedItem['code'],
): RefusedItem[] {
  return seats.map((ordinal) => ({
    seat_id: plan.seatIdOf(ordinal),
    label: plan.labelOf(ordinal),
    code,
    ordinal,
  }));
}
