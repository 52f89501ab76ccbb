import { namesOfUsers } from '#accounts';
import {
  type Board,
  type Hold,
  type HoldPlace,
  isKept,
  isPaying,
  placeAt,
  SEAT,
  wordOf,
} from '#board';
import { findTicketOfSeat } from '#tickets';
import type { Caller, Engine } from './change.ts';
import type { EventMissing } from './hold-seats.ts';
import { type SignedTicket, signedTickets } from './own-tickets.ts';
import { type BlockRow, findLastBlock } from './seat-facts.sql.ts';

/** Why a seat is not to be had: `layout` is closed since the event was planned. */
export type SeatReason = 'free' | 'held' | 'sold' | 'blocked' | 'layout' | 'companion';

export type SeatFacts = Readonly<{
  place: HoldPlace;
  status: string;
  why: SeatReason;
  price_cents: number | null;
  hold: Hold | null;
  /** A payment for the hold is under way. */
  paying: boolean;
  /** The name of who holds it. */
  holder: string | null;
  ticket: SignedTicket | null;
  block: BlockRow | null;
  /** The wheelchair space whose companion it is kept for. */
  kept_for: string | null;
  at_ms: number;
  revision: number;
}>;

/**
 * Everything about one seat, for those who may know: who has it until when, its ticket, and if it
 * is out of the sale, by whom and why. The state is the board's, the rest is found by key.
 */
export async function seatFacts(
  engine: Engine,
  { scope, scopes }: Pick<Caller, 'scope' | 'scopes'>,
  eventId: string,
  seatId: string,
): Promise<SeatFacts | EventMissing | { kind: 'seat_not_found' }> {
  const board = await engine.registry.board({ scope, eventId });
  if (!board) return { kind: 'event_not_found' };
  const ordinal = board.plan.ordinalOf(seatId);
  if (ordinal === undefined) return { kind: 'seat_not_found' };
  const at_ms = engine.registry.now(board);
  const seen = seatSeen(board, ordinal, at_ms);
  const { organizationId } = scope;
  const seat_id = board.plan.seatIdOf(ordinal);
  const isOut = seen.status === 'blocked' && seen.kept_for === null;
  const mayTickets = scopes.has('tickets:read');
  const code = board.codeOf(ordinal);
  const hasTicket = mayTickets && (code === SEAT.sold || code === SEAT.blockedSold);
  const found = await engine.postgres.transaction(
    scope,
    { name: 'seats.facts' },
    async (transaction) => ({
      names: seen.hold
        ? await transaction.query(namesOfUsers(organizationId, [seen.hold.user_id]))
        : [],
      tickets: hasTicket
        ? await transaction.query(findTicketOfSeat(organizationId, eventId, seat_id))
        : [],
      blocks: isOut ? await transaction.query(findLastBlock(organizationId, eventId, seat_id)) : [],
    }),
  );
  const [block = null] = found.blocks;
  return {
    ...seen,
    why: isOut && !block ? 'layout' : seen.why,
    holder: found.names[0]?.name ?? null,
    ticket: signedTickets(engine, organizationId, found.tickets)[0] ?? null,
    block,
    at_ms,
    revision: board.revision,
  };
}

function seatSeen(board: Board, ordinal: number, at_ms: number) {
  const zone = board.plan.zoneOf(ordinal);
  const held = board.holdOfSeat(ordinal);
  const hold = held && held.until_ms > at_ms ? held : null;
  const isClosing = board.isClosing(ordinal);
  const kept = !isClosing && !hold && isKept(board, ordinal, { now_ms: at_ms, userId: null });
  const space = kept ? board.plan.seating.spaceOf(ordinal) : undefined;
  const word = held && !hold ? 'available' : wordOf(board.codeOf(ordinal));
  const status = isClosing || kept ? 'blocked' : word;
  const why: SeatReason = kept ? 'companion' : status === 'available' ? 'free' : REASONS[status];
  return {
    place: placeAt(board, ordinal, zone),
    price_cents: board.config.zones[zone]?.price_cents ?? null,
    status,
    why,
    hold,
    paying: hold !== null && isPaying(board, hold),
    kept_for: space === undefined ? null : board.plan.labelOf(space),
  };
}

const REASONS = { held: 'held', sold: 'sold', blocked: 'blocked' } as const;
