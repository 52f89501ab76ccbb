import { type FreeSeats, isCompanionKept, STANDING } from '#allocation';
import { BoardSeating } from './board-seating.ts';
import type { BoardState } from './board-state.ts';
import { type Refused, refused } from './commands.ts';
import type { SeatGroup } from './seat-groups.ts';

/** The fewest seats of a family block in one booking: one person alone is no family. */
const FAMILY = 2;
/** So many groups are opened to one search: more would take longer than the search. */
const MOST_OPENED = 250;

/**
 * Seats of a group that this buyer could add to a cart: free, or held by them and not to be bought
 * now. A companion seat is kept for the one who has its wheelchair space, so others miss nothing.
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
    if (state.holdOfSeat(seat)?.user_id === user) return true;
    if (!seating.isAvailable(seat)) return false;
    const space = seating.plan.spaceOf(seat);
    if (space === undefined || !isCompanionKept(seating, seat)) return true;
    return cart.has(space) || seating.holderOf(space) === user;
  });
}

type Missing = Readonly<{ count: number; of: readonly number[] }>;

/**
 * What a cart still needs: of a table everything, of a family block a second seat. What one booking
 * cannot take is not missing: a table may have more seats, or wheelchair spaces, than that.
 */
function missingOf(
  state: BoardState,
  user: string,
  group: SeatGroup,
  cart: ReadonlySet<number>,
): Missing {
  const { policy } = state.config;
  const own = group.seats.filter((seat) => cart.has(seat));
  const rest = restOf(state, user, group, cart);
  const spaces = rest.filter((seat) => isSpace(state, seat));
  const taken = own.filter((seat) => isSpace(state, seat)).length;
  const spare = Math.max(0, policy.max_wheelchair_seats_per_booking - taken);
  const extra = policy.enforce_accessibility_rules ? Math.max(0, spaces.length - spare) : 0;
  const needed = group.kind === 'vip_table' ? group.seats.length : FAMILY;
  const most = Math.min(needed, policy.max_seats_per_booking) - own.length;
  const of = extra === spaces.length ? rest.filter((seat) => !spaces.includes(seat)) : rest;
  return { count: Math.max(0, Math.min(rest.length - extra, most)), of };
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
    const { count, of } = missingOf(state, user, group, cart);
    if (count === 0) continue;
    const missing = of.map((seat) => state.plan.labelOf(seat));
    const message = sentenceFor(group.kind, missing, count);
    const details = { rule: group.kind, missing, needed: count };
    return { ...refused('forbidden', [], details), message };
  }
  return null;
}

function sentenceFor(kind: SeatGroup['kind'], missing: readonly string[], count: number): string {
  const list = missing.join(', ');
  const isAll = count === missing.length;
  const add = `please add ${isAll ? '' : `${count} of `}${list}.`;
  if (kind === 'family_block') {
    return `These seats are for families, at least ${FAMILY} of them in one booking: ${add}`;
  }
  return isAll
    ? `This table is sold as a whole: ${add}`
    : `One booking cannot have all of this table: ${add}`;
}

/** What somebody wants who lets the engine choose, and in which zones there may be seats for it. */
type GroupWish = Readonly<{
  user: string;
  beside: readonly number[];
  quantity: number;
  accessible: number;
  zones: ReadonlySet<number>;
}>;

export type Opened = Readonly<{
  free: FreeSeats;
  groups: readonly SeatGroup[];
  /** Wheelchair spaces and companion seats of groups that stay closed. */
  closed: ReadonlySet<number>;
}>;

/**
 * The index for a search of so many seats: a table is open when all that is left of it is exactly
 * what is asked for, a family block for two or more. To others they stay closed.
 */
export function openGroups(state: BoardState, free: FreeSeats, wish: GroupWish): Opened {
  const { user, beside, zones, accessible } = wish;
  const cart = new Set(beside);
  const { all } = state.plan.groups;
  const groups: SeatGroup[] = [];
  for (const group of all) {
    if (groups.length === MOST_OPENED) break;
    if (!group.seats.some((seat) => zones.has(state.plan.zoneOf(seat)))) continue;
    if (opensFor(state, group, wish, cart)) groups.push(group);
  }
  const closed = closedBut(state, groups, accessible);
  if (groups.length === 0) return { free, groups, closed };
  const seats = groups.flatMap((group) => freeOf(state, user, group, cart));
  const plain = seats.filter((seat) => !state.plan.seating.isSpace(seat));
  return { free: free.with(plain.map((seat) => [seat, STANDING.pool])), groups, closed };
}

function opensFor(
  state: BoardState,
  group: SeatGroup,
  { user, quantity, accessible }: GroupWish,
  cart: ReadonlySet<number>,
): boolean {
  if (group.kind === 'family_block') {
    const own = group.seats.filter((seat) => cart.has(seat)).length;
    return own + quantity >= FAMILY && freeOf(state, user, group, cart).length > 0;
  }
  // With its wheelchair spaces a party has the companion seats that belong to them.
  const spaces = freeOf(state, user, group, cart).filter((seat) => isSpace(state, seat));
  const chosen = spaces.slice(0, accessible);
  const { count, of } = missingOf(state, user, group, new Set([...cart, ...chosen]));
  const others = of.filter((seat) => !isSpace(state, seat)).length;
  const size = chosen.length + count;
  return chosen.length === accessible && size === quantity && count <= others;
}

/** What is free for other parties: tables, by how many seats a booking has of them, and blocks. */
export type ForOthers = Readonly<{ tables: readonly number[]; families: boolean }>;

/** Groups that are free, and not for a party of this size; null: there are none. */
export function groupsForOthers(state: BoardState, wish: GroupWish): ForOthers | null {
  const { user, beside, zones, quantity, accessible } = wish;
  if (beside.length > 0 || accessible > 0) return null;
  const cart = new Set<number>();
  const tables = new Set<number>();
  let families = false;
  for (const group of state.plan.groups.all) {
    if (!group.seats.some((seat) => zones.has(state.plan.zoneOf(seat)))) continue;
    const { count } = missingOf(state, user, group, cart);
    if (group.kind === 'vip_table') {
      if (count > 0 && count !== quantity) tables.add(count);
    } else if (quantity < FAMILY) families ||= count > 0;
  }
  if (tables.size === 0 && !families) return null;
  return { tables: [...tables].sort((one, other) => one - other), families };
}

/** For whom there are seats, when there are none for so many. */
export function sentenceForOthers(quantity: number, { tables, families }: ForOthers): string {
  const sizes = tables.join(' or ');
  const none = `There are no seats for a party of ${quantity}.`;
  const whole = `Tables are sold as a whole: there are some for ${sizes}.`;
  const blocks = 'Seats of family blocks are sold to two or more.';
  return [none, ...(sizes ? [whole] : []), ...(families ? [blocks] : [])].join(' ');
}

/** Without what the same buyer holds in another cart. */
function freeOf(
  state: BoardState,
  user: string,
  group: SeatGroup,
  cart: ReadonlySet<number>,
): number[] {
  return restOf(state, user, group, cart).filter((seat) => !state.holdOfSeat(seat));
}

/**
 * What a wish could have in one group by itself: seats that follow each other as far as they are
 * free, with so many wheelchair spaces and the companion seats that come with them.
 */
export function choicesIn(state: BoardState, group: SeatGroup, wish: GroupWish): number[][] {
  const { user, beside, quantity, accessible } = wish;
  const free = (cart: readonly number[]) => freeOf(state, user, group, new Set(cart));
  const spaces = free(beside).filter((seat) => isSpace(state, seat));
  const parties = accessible === 0 ? [[]] : windowsOf(spaces, accessible);
  const choices = parties.flatMap((chosen) => {
    const others = free([...beside, ...chosen]).filter((seat) => !isSpace(state, seat));
    const windows = windowsOf([...chosen, ...others], quantity);
    return windows.filter((seats) => chosen.every((seat) => seats.includes(seat)));
  });
  // A table is one place in however many rows it is drawn.
  const rows = group.kind === 'vip_table' ? Infinity : state.config.policy.max_group_split;
  const whole = choices.filter((seats) => !refuseBroken(state, user, [...beside, ...seats]));
  return whole.filter((seats) => rowsOf(state, seats) <= rows);
}

/** So many that follow each other, also across the end, because a group may be around a table. */
function windowsOf(seats: readonly number[], size: number): number[][] {
  if (seats.length < size) return [];
  const sorted = [...seats].sort((one, other) => one - other);
  if (sorted.length === size) return [sorted];
  const around = [...sorted, ...sorted];
  return sorted.map((_, from) => around.slice(from, from + size).sort((one, other) => one - other));
}

function rowsOf({ plan }: BoardState, seats: readonly number[]): number {
  return new Set(seats.map((seat) => plan.seating.rowOf(seat))).size;
}

function isSpace({ plan }: BoardState, seat: number): boolean {
  return plan.seating.isSpace(seat);
}

/** No other search than one for wheelchair users comes to these seats. */
function closedBut(
  { plan }: BoardState,
  open: readonly SeatGroup[],
  accessible: number,
): Set<number> {
  if (accessible === 0) return new Set();
  const opened = new Set(open);
  const { seating, groups } = plan;
  const special = (seat: number) => seating.isSpace(seat) || seating.spaceOf(seat) !== undefined;
  const isShut = (group: SeatGroup) => !opened.has(group);
  return new Set(
    groups.all.filter(isShut).flatMap(({ seats }) => seats.filter((seat) => special(seat))),
  );
}

/** With no group open at all. */
export function shutGroups(
  state: BoardState,
  free: FreeSeats,
  { accessible }: Pick<GroupWish, 'accessible'>,
): Opened {
  return { free, groups: [], closed: closedBut(state, [], accessible) };
}
