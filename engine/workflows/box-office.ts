import type { Outcome, Refused, SaleCommand } from '#board';
import type { SaleMethod } from '#checkouts';
import { assert } from '#kit';
import type { Scope } from '#scope';
import { findTicket, listSoldTickets, nameCaller, type TicketRow } from '#tickets';
import type { Caller, Done, Engine, KeyReused } from './change.ts';
import type { EventMissing } from './hold-seats.ts';
import { type SignedTicket, signedTickets } from './own-tickets.ts';
import { readAfterwards, wishFor } from './wish.ts';

type TicketMissing = Readonly<{ kind: 'ticket_not_found' }>;
type BoxRefusal = Readonly<{ kind: 'refused'; refusal: Refused; at_ms: number }>;

export type DoorMethod = Exclude<SaleMethod, 'payment' | 'free'>;

export type DoorSale = Readonly<{
  checkout_id: string;
  total_cents: number;
  currency: string;
  tickets: readonly SignedTicket[];
  revision: number;
}>;

export type DoorWish = Readonly<{
  holdIds: readonly string[];
  method: DoorMethod;
  /** Also what a buyer holds in the shop, for that buyer. */
  forHolder?: boolean;
  /** What a caller is called from now on. */
  buyerName?: string | undefined;
}>;

/** Holds of one person become tickets: paid for outside, or given away. */
export async function sellAtDoor(
  engine: Engine,
  caller: Caller,
  eventId: string,
  sale: DoorWish,
): Promise<Done<DoorSale> | BoxRefusal | EventMissing | KeyReused> {
  const { holdIds: hold_ids, method, forHolder: for_holder = false, buyerName } = sale;
  const sold_by = caller.actor.id;
  const command = { kind: 'sell', hold_ids, method, sold_by, for_holder } as const;
  const answer = await wishFor(engine, caller, eventId, command);
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'event_not_found' };
  const { outcome, at_ms, revision, replayed } = answer;
  if (outcome.kind === 'refused') return { kind: 'refused', refusal: outcome, at_ms };
  assert(outcome.kind === 'sold', 'a sale at the door is answered by tickets');
  const { checkout_id, total_cents, currency } = outcome;
  // Codes are made by the commit and are in no answer that is kept.
  const { scope } = caller;
  const { organizationId } = scope;
  const rows = await readAfterwards(async () => {
    // Also when the sale is repeated: its first answer may have been lost before this.
    if (buyerName !== undefined && !for_holder) {
      await engine.postgres.ask(scope, nameCaller(organizationId, checkout_id, buyerName));
    }
    return engine.postgres.ask(scope, listSoldTickets(organizationId, checkout_id));
  });
  const tickets = signedTickets(engine, organizationId, rows);
  const done = { checkout_id, total_cents, currency, tickets, revision };
  return { kind: 'done', answer: done, replayed };
}

type Changed = Done<SignedTicket & { revision: number }> | BoxRefusal | TicketMissing | KeyReused;

/** Ends a ticket, with its price owed to the buyer or without. */
export function endTicket(
  engine: Engine,
  caller: Caller,
  ticketId: string,
  end: { status: 'voided' | 'refunded'; block: boolean; reason: string },
): Promise<Changed> {
  return changeTicket(engine, caller, ticketId, (ticket_id) => {
    return { kind: 'end_ticket', ticket_id, ...end };
  });
}

/** Another seat for the same ticket: same code, same QR code. */
export async function reseatTicket(
  engine: Engine,
  caller: Caller,
  ticketId: string,
  wish: { seatId: string; reason: string },
): Promise<Changed | { kind: 'no_seat' }> {
  const { seatId: seat_id, reason } = wish;
  const ticket = await ticketRow(engine, caller.scope, ticketId);
  if (ticket && ticket.seat_id === null) return { kind: 'no_seat' };
  return changeTicket(engine, caller, ticketId, (ticket_id) => {
    return { kind: 'reseat', ticket_id, seat_id, reason };
  });
}

/** A ticket names its event, under the caller's own organization. */
async function changeTicket(
  engine: Engine,
  caller: Caller,
  ticketId: string,
  commandFor: (ticketId: string) => SaleCommand,
): Promise<Changed> {
  const before = await ticketRow(engine, caller.scope, ticketId);
  if (!before) return { kind: 'ticket_not_found' };
  const { ticket_id, event_id } = before;
  const answer = await wishFor(engine, caller, event_id, commandFor(ticket_id));
  if (answer.kind === 'key_reused') return answer;
  if (answer.kind === 'not_on_sale') return { kind: 'ticket_not_found' };
  const { outcome, at_ms, revision, replayed } = answer;
  if (outcome.kind === 'refused') return { kind: 'refused', refusal: outcome, at_ms };
  assertChanged(outcome);
  const after = await readAfterwards(() => ticketRow(engine, caller.scope, ticketId));
  assert(after, 'a ticket that was changed is there');
  const [signed] = signedTickets(engine, caller.scope.organizationId, [after]);
  assert(signed, 'one row is one ticket');
  return { kind: 'done', answer: { ...signed, revision }, replayed };
}

function assertChanged({ kind }: Outcome): void {
  assert(kind === 'ticket_ended' || kind === 'reseated', 'a ticket was changed');
}

async function ticketRow(
  { postgres }: Engine,
  scope: Scope,
  ticketId: string,
): Promise<TicketRow | null> {
  const [row] = await postgres.ask(scope, findTicket(scope.organizationId, ticketId));
  return row ?? null;
}
