import { type Board, SEAT } from '#board';
import type { Transaction } from '#postgres';
import type { Caller, Engine } from './change.ts';
import { type BlockEntryRow, listBlockEntries, listPlannedBlocks } from './event-blocks.sql.ts';

/** Entries read at once: most events have fewer, and one may name all seats of a hall. */
const CHUNK = 200;
/** And at most: each office of an event asks again whenever seats are blocked. */
const MOST_ENTRIES = 2_000;

/** Seats that are out of the sale for one reason; without an entry since the event was planned. */
export type EventBlock = Readonly<{
  entry: Omit<BlockEntryRow, 'seat_ids'> | null;
  ordinals: readonly number[];
  /** Among them are seats whose entry is older than those that are looked through. */
  isCut?: boolean;
}>;

export type EventBlocks = Readonly<{ board: Board; blocks: readonly EventBlock[] }>;

/**
 * The blocked seats of an event by the entries of the audit log that have blocked them last, the
 * newest first; null: the event is not on sale. A seat is in one of them alone, so that all pages
 * together have no more seats than the hall, and reading ends with the last blocked seat. Those
 * that the plan keeps closed have no entry and are not looked for.
 */
export async function eventBlocks(
  engine: Engine,
  { scope }: Pick<Caller, 'scope'>,
  eventId: string,
  page: Readonly<{ before: number | null; limit: number }>,
): Promise<EventBlocks | null> {
  const board = await engine.registry.board({ scope, eventId });
  if (!board) return null;
  const open = blockedSeats(board);
  if (open.size === 0) return { board, blocks: [] };
  const planned: number[] = [];
  const { blocks, isCut } = await engine.postgres.transaction(
    scope,
    { name: 'seats.block_entries' },
    async (transaction) => {
      planned.push(...(await takePlanned(transaction, { ...scope, eventId }, board, open)));
      return claim(transaction, { ...scope, eventId }, board, open, page);
    },
  );
  const ordinals = [...planned, ...open].sort((one, other) => one - other);
  const isAll = blocks.length < page.limit && ordinals.length > 0;
  return { board, blocks: isAll ? [...blocks, { entry: null, ordinals, isCut }] : blocks };
}

function blockedSeats(board: Board): Set<number> {
  const blocked = new Set<number>();
  for (let ordinal = 0; ordinal < board.plan.seatCount; ordinal++) {
    const code = board.codeOf(ordinal);
    const isOut = code === SEAT.blocked || code === SEAT.blockedSold || board.isClosing(ordinal);
    if (isOut) blocked.add(ordinal);
  }
  return blocked;
}

type OfEvent = Readonly<{ organizationId: string; eventId: string }>;

/** Seats of closed zones, and those that the plan blocks: they are not in `open` any more. */
async function takePlanned(
  transaction: Transaction,
  { organizationId, eventId }: OfEvent,
  board: Board,
  open: Set<number>,
): Promise<number[]> {
  const closed = [...open].filter((ordinal) => {
    const zone = board.config.zones[board.plan.zoneOf(ordinal)];
    return !zone || zone.disabled || !zone.has_seats;
  });
  const rows = await transaction.query(listPlannedBlocks(organizationId, eventId));
  const blocked = rows.flatMap(({ seat_id }) => board.plan.ordinalOf(seat_id) ?? []);
  return [...closed, ...blocked].filter((ordinal) => open.delete(ordinal));
}

/** Each seat goes to the newest entry that names it; what is left in `open` has none. */
async function claim(
  transaction: Transaction,
  { organizationId, eventId }: OfEvent,
  board: Board,
  open: Set<number>,
  { before, limit }: Readonly<{ before: number | null; limit: number }>,
): Promise<{ blocks: EventBlock[]; isCut: boolean }> {
  const blocks: EventBlock[] = [];
  let last: number | null = null;
  let looked = 0;
  while (open.size > 0 && blocks.length < limit) {
    if (looked === MOST_ENTRIES) return { blocks, isCut: true };
    looked += CHUNK;
    const list = listBlockEntries(organizationId, eventId, last, CHUNK);
    const rows: BlockEntryRow[] = await transaction.query(list);
    for (const { seat_ids, ...entry } of rows) {
      const ordinals = seat_ids.flatMap((id) => board.plan.ordinalOf(id) ?? []);
      const own = ordinals.filter((ordinal) => open.delete(ordinal));
      const isWanted = before === null || entry.sequence < before;
      if (own.length > 0 && isWanted) blocks.push({ entry, ordinals: own });
      if (blocks.length === limit) break;
    }
    last = rows.at(-1)?.sequence ?? null;
    if (rows.length < CHUNK) break;
  }
  return { blocks, isCut: false };
}
