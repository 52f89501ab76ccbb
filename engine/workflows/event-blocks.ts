import { type Board, SEAT } from '#board';
import type { Transaction } from '#postgres';
import type { Caller, Engine } from './change.ts';
import { type BlockEntryRow, listBlockEntries } from './event-blocks.sql.ts';

/** Entries read at once: most events have fewer, and one may name all seats of a hall. */
const CHUNK = 200;

/** Seats that are out of the sale for one reason; without an entry since the event was planned. */
export type EventBlock = Readonly<{
  entry: Omit<BlockEntryRow, 'seat_ids'> | null;
  ordinals: readonly number[];
}>;

export type EventBlocks = Readonly<{ board: Board; blocks: readonly EventBlock[] }>;

/**
 * The blocked seats of an event by the entries of the audit log that have blocked them last, the
 * newest first; null: the event is not on sale. A seat is in one of them alone, so that all pages
 * together have no more seats than the hall, and reading ends with the last blocked seat.
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
  const blocks = await engine.postgres.transaction(
    scope,
    { name: 'seats.block_entries' },
    (transaction) => claim(transaction, { ...scope, eventId }, board, open, page),
  );
  const planned = { entry: null, ordinals: [...open] };
  const isAll = blocks.length < page.limit && open.size > 0;
  return { board, blocks: isAll ? [...blocks, planned] : blocks };
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

/** Each seat goes to the newest entry that names it; what is left in `open` has none. */
async function claim(
  transaction: Transaction,
  { organizationId, eventId }: Readonly<{ organizationId: string; eventId: string }>,
  board: Board,
  open: Set<number>,
  { before, limit }: Readonly<{ before: number | null; limit: number }>,
): Promise<EventBlock[]> {
  const blocks: EventBlock[] = [];
  let last: number | null = null;
  while (open.size > 0 && blocks.length < limit) {
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
  return blocks;
}
