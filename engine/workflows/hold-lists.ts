import { namesOfUsers } from '#accounts';
import { type Board, type Hold, isPaying, placeOfHold } from '#board';
import { firstIdAt, LAST_ID, NIL_ID } from '#kit';
import type { Caller, Engine } from './change.ts';
import {
  type HoldEntryRow,
  type HoldTerms,
  listEndedHolds,
  listLiveHolds,
} from './hold-lists.sql.ts';
import type { HeldPlace } from './hold-seats.ts';

type Filters = Readonly<{
  userId?: string | undefined;
  seatId?: string | undefined;
  zoneId?: string | undefined;
  checkoutId?: string | undefined;
  paying?: boolean | undefined;
  /** Ends within so many seconds. */
  dueWithin?: number | undefined;
}>;

/** A hold for those who may know whose it is. */
export type StaffHeld = HeldPlace & Readonly<{ paying: boolean; holder: string | null }>;

export type EventHolds = Readonly<{
  holds: readonly StaffHeld[];
  at_ms: number;
  /** The last hold of a list that was cut; undefined: there are no more. */
  next: string | undefined;
}>;

/** Who holds what in an event, by the ids of the holds; null: it is not on sale. */
export async function eventHolds(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  eventId: string,
  { after = '', limit, ...filters }: Filters & { after?: string | undefined; limit: number },
): Promise<EventHolds | null> {
  const board = await engine.registry.board({ scope, eventId });
  if (!board) return null;
  const at_ms = engine.registry.now(board);
  const wanted = firstById(matching(board, filters, after, at_ms), limit + 1);
  const shown = wanted.slice(0, limit);
  const users = [...new Set(shown.map(({ user_id }) => user_id))];
  const rows = await engine.postgres.ask(scope, namesOfUsers(scope.organizationId, users));
  const names = new Map(rows.map(({ user_id, name }) => [user_id, name]));
  const holds = shown.map((hold) => ({
    hold,
    place: placeOfHold(board, hold),
    paying: isPaying(board, hold),
    holder: names.get(hold.user_id) ?? null,
  }));
  return { holds, at_ms, next: wanted.length > limit ? shown.at(-1)?.hold_id : undefined };
}

function* matching(
  board: Board,
  { userId, seatId, zoneId, checkoutId, paying, dueWithin }: Filters,
  after: string,
  at_ms: number,
): Iterable<Hold> {
  const due_ms = dueWithin === undefined ? Number.POSITIVE_INFINITY : at_ms + dueWithin * 1_000;
  const ordinal = seatId === undefined ? undefined : (board.plan.ordinalOf(seatId) ?? null);
  const zones = board.config.zones;
  const candidates = userId === undefined ? board.holds() : board.holdsOfUser(userId);
  for (const hold of candidates) {
    if (hold.hold_id <= after || hold.until_ms <= at_ms || hold.until_ms > due_ms) continue;
    if (ordinal !== undefined && hold.ordinal !== ordinal) continue;
    if (zoneId !== undefined && zones[hold.zone]?.zone_id !== zoneId) continue;
    if (checkoutId !== undefined && hold.checkout_id !== checkoutId) continue;
    if (paying !== undefined && isPaying(board, hold) !== paying) continue;
    yield hold;
  }
}

/**
 * The first of them by their ids. A page of 100,000 holds sorts that page and not all of them: what
 * comes after the last one of a full page is passed over, and boards keep holds about as they came.
 */
function firstById(holds: Iterable<Hold>, most: number): Hold[] {
  const first: Hold[] = [];
  for (const hold of holds) {
    const last = first.at(-1);
    if (first.length === most && last && hold.hold_id > last.hold_id) continue;
    first.splice(placeIn(first, hold.hold_id), 0, hold);
    if (first.length > most) first.pop();
  }
  return first;
}

function placeIn(sorted: readonly Hold[], id: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.hold_id ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export type HoldSearch = Filters &
  Readonly<{
    status: 'held' | 'converted' | 'expired' | 'cancelled';
    eventId?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
    before?: string | undefined;
    limit: number;
  }>;

/**
 * Rows of the timeline that one page of ended holds looks at. The timeline is the primary key: a
 * hold's id begins with the time at which it was made, so that this list needs no index of its own
 * on the table that every flush writes. A filter that few holds meet is answered in several pages,
 * each at most this dear.
 */
const STRETCH = 5_000;

/** Holds of all events of an organization, the youngest first. */
export async function organizationHolds(
  { postgres }: Engine,
  { scope }: Pick<Caller, 'scope'>,
  { limit, ...search }: HoldSearch,
): Promise<{ holds: HoldEntryRow[]; next: string | undefined }> {
  const terms = termsOf(scope.organizationId, search);
  if (search.status === 'held') {
    const rows = await postgres.ask(scope, listLiveHolds(...terms, limit + 1));
    const holds = rows.slice(0, limit);
    return { holds, next: rows.length > limit ? holds.at(-1)?.hold_id : undefined };
  }
  const rows = await postgres.ask(
    scope,
    listEndedHolds(...terms, limit + 1, search.status, STRETCH),
  );
  const found = rows.filter(({ hold_id }) => hold_id !== null);
  const holds = found.slice(0, limit);
  if (found.length > limit) return { holds, next: holds.at(-1)?.hold_id };
  return { holds, next: rows.find(({ stretch_end }) => stretch_end)?.stretch_end ?? undefined };
}

function termsOf(organizationId: string, search: Omit<HoldSearch, 'limit' | 'status'>): HoldTerms {
  const { before = LAST_ID, from, to } = search;
  const end = to === undefined ? LAST_ID : firstIdAt(Date.parse(to));
  return [
    organizationId,
    from === undefined ? NIL_ID : firstIdAt(Date.parse(from)),
    before < end ? before : end,
    search.eventId ?? null,
    search.userId ?? null,
    search.seatId ?? null,
    search.zoneId ?? null,
    search.checkoutId ?? null,
    search.paying ?? null,
    search.dueWithin ?? null,
  ];
}
