import { type FreeSeats, STANDING } from '#allocation';
import { BoardSeating } from './board-seating.ts';
import type { BoardState } from './board-state.ts';
import { type Refused, refused } from './commands.ts';
import type { SeatGroup } from './seat-groups.ts';

/** The fewest seats of a family block in one booking: one person alone is no family. */
const FAMILY = 2;
/** So many groups are opened to one search: more would take longer than the search. */
const MOST_OPENED = 250;

/**
 * Seats of a group that nobody has, but for those of this cart: free, or held by the same buyer and
 * not to be bought now.
 */
function restOf(
  state: BoardState,
  user: string,
  { seats }: SeatGroup,
  cart: ReadonlySet<number>,
): number[] {
  const seating = new BoardSeating(state);
  return seats.filter((seat) => {
    if (cart.has(seat)) return false;
    return seating.isOpen(seat) || state.holdOfSeat(seat)?.user_id === user;
  });
}

/** A table is sold as a whole, a family block to two or more: as far as there are seats left. */
function isBroken({ kind, seats }: SeatGroup, cart: ReadonlySet<number>, rest: number): boolean {
  if (rest === 0) return false;
  return kind === 'vip_table' || seats.filter((seat) => cart.has(seat)).length < FAMILY;
}

/** What a buyer would have of tables and family blocks; null: nothing is taken apart. */
export function refuseBroken(
  state: BoardState,
  user: string,
  seats: readonly number[],
): Refused | null {
  const cart = new Set(seats);
  const groups = new Set(seats.flatMap((seat) => state.plan.groups.of(seat)));
  for (const group of groups) {
    const rest = restOf(state, user, group, cart);
    if (!isBroken(group, cart, rest.length)) continue;
    const missing = rest.map((seat) => state.plan.labelOf(seat));
    const message = sentenceFor(group.kind, missing);
    return { ...refused('forbidden', [], { rule: group.kind, missing }), message };
  }
  return null;
}

function sentenceFor(kind: SeatGroup['kind'], missing: readonly string[]): string {
  const list = missing.join(', ');
  return kind === 'vip_table'
    ? `This table is sold as a whole: ${list} belong to it and are missing.`
    : `These seats are for families, at least ${FAMILY} of them in one booking: ${list} are free.`;
}

/**
 * The index for a search of so many seats: a table is open when its rest is exactly what is asked
 * for, a family block for two or more. To others they stay closed.
 */
export function openGroups(
  state: BoardState,
  free: FreeSeats,
  { user, beside, quantity }: { user: string; beside: readonly number[]; quantity: number },
): FreeSeats {
  const cart = new Set(beside);
  const opened: number[] = [];
  let groups = 0;
  for (const group of state.plan.groups.all) {
    const rest = restOf(state, user, group, cart).filter((seat) => !state.holdOfSeat(seat));
    const own = group.seats.filter((seat) => cart.has(seat)).length;
    const opens = group.kind === 'vip_table' ? rest.length === quantity : own + quantity >= FAMILY;
    if (!opens || rest.length === 0) continue;
    opened.push(...rest);
    groups++;
    if (groups === MOST_OPENED) break;
  }
  if (opened.length === 0) return free;
  const special = (seat: number) => state.plan.seating.isSpace(seat);
  return free.with(opened.filter((seat) => !special(seat)).map((seat) => [seat, STANDING.pool]));
}
