import { SALE_METHODS } from '#checkouts';
import { assert } from '#kit';
import { isCalledOff, saleState, saleTime } from './board-config.ts';
import { type Hold, isCounterHold, SEAT, wordOf } from './board-state.ts';
import { type Facts, type Outcome, type Refused, refused } from './commands.ts';
import type { Draft } from './draft.ts';
import { placeAt } from './hold-place.ts';
import { isPaying, leaveCheckouts } from './leave-checkout.ts';
import type { EndTicketCommand, SaleCommand, SellCommand, TicketRecord } from './sale-commands.ts';
import { refuseTooMany, sellHolds } from './sell-checkout.ts';

/** At the door: holds of one person become tickets at once. */
export function decideSell(draft: Draft, command: SellCommand, facts: Facts): Outcome {
  assert(SALE_METHODS.includes(command.method), 'a sale has a method');
  const { event } = draft.config;
  if (!facts.organizationActive || saleState(event, saleTime(facts)) === 'not_available') {
    return refused('event_not_available', [], { status: event.status });
  }
  const ids = [...new Set(command.hold_ids.map((id) => id.toLowerCase()))];
  const holds = ids.flatMap((id) => draft.holdOf(id) ?? []);
  const [first] = holds;
  const missing = ids.find((id) => !first || draft.holdOf(id)?.user_id !== first.user_id);
  if (!first || missing !== undefined) {
    return refused('hold_not_found', [], { hold_id: missing ?? '' });
  }
  if (holds.some((hold) => isPaying(draft, hold))) return refused('payment_in_progress');
  const ofBuyer = holds.filter((hold) => !isCounterHold(hold));
  if (ofBuyer.length > 0 && !command.for_holder) return refuseCart(draft, ofBuyer);
  const tooMany = refuseTooMany(holds);
  if (tooMany) return tooMany;
  const sold = holds.map((hold) => {
    const price_cents = draft.config.zones[hold.zone]?.price_cents ?? 0;
    return { hold, price_cents: command.method === 'complimentary' ? 0 : price_cents };
  });
  leaveCheckouts(draft, ids, 'admin_override');
  const { user_id } = first;
  const { currency } = draft.config;
  const { method, sold_by } = command;
  const sale = { checkout_id: facts.newId(), user_id, currency, method, sold_by };
  const sources = [...new Set(ofBuyer.map(({ source }) => source))].sort();
  const whose = sources.length > 0 ? { for_holder: sources } : {};
  return sellHolds(draft, { ...sale, attempt_id: null, ...whose }, sold, facts);
}

/** A buyer's own holds become that buyer's tickets: staff say that they mean it. */
function refuseCart(draft: Draft, holds: readonly Hold[]): Refused {
  const code = 'seat_held_by_another_user' as const;
  const items = holds.map(({ ordinal, zone, until_ms }) => {
    if (ordinal < 0) return { zone_id: draft.config.zones[zone]?.zone_id ?? '', code, until_ms };
    const seat_id = draft.plan.seatIdOf(ordinal);
    return { seat_id, label: draft.plan.labelOf(ordinal), code, until_ms };
  });
  const message =
    'A buyer holds this in the shop. With `for_holder: true` the payment is taken for that ' +
    'buyer, who gets the tickets. To sell to another person, release the holds first.';
  return { ...refused(code, items, { needs: 'for_holder' }), message };
}

function findTicket(
  draft: Draft,
  facts: Facts,
  ticketId: string,
): TicketRecord | Refused | { kind: 'again' } {
  if (draft.isTouched(ticketId)) return { kind: 'again' };
  return facts.tickets.get(ticketId) ?? refused('ticket_not_found');
}

/**
 * Ends a ticket: its seat goes back into the sale, or stays out of it. The price of a refunded one
 * is owed to whoever paid it.
 */
export function decideEndTicket(draft: Draft, command: EndTicketCommand, facts: Facts): Outcome {
  const ticket = findTicket(draft, facts, command.ticket_id);
  if ('kind' in ticket) return ticket;
  const { ticket_id, price_cents, currency, checkout_id, attempt_id } = ticket;
  const { status, block: blocked, reason } = command;
  // What has ended that way stays so: nothing happens.
  if (ticket.status === status) return { kind: 'ticket_ended', ticket_id, status };
  if (ticket.status === 'refunded') {
    return refused('ticket_ended', [], { status: ticket.status });
  }
  const vacates = ticket.status === 'active';
  const where = placeOfTicket(draft, ticket);
  draft.record({ kind: 'ticket_ended', ticket_id, status, ...where, vacates, blocked, reason });
  if (status === 'refunded' && price_cents > 0 && !ticket.owed && !ticket.paid_back) {
    draft.record({
      kind: 'refund_due',
      refund_id: facts.newId(),
      checkout_id,
      attempt_id,
      ticket_id,
      amount_cents: price_cents,
      currency,
      reason: 'ticket_refunded',
    });
  }
  return { kind: 'ticket_ended', ticket_id, status };
}

function placeOfTicket(
  draft: Draft,
  { seat_id, zone_id, status }: TicketRecord,
): { ordinal: number; zone: number } {
  const ordinal = seat_id === null ? -1 : draft.plan.ordinalOf(seat_id);
  // The seat of a ticket that was voided long ago may not be in today's plan.
  if (ordinal === undefined && status !== 'active') return { ordinal: -1, zone: 0 };
  assert(ordinal !== undefined, 'a good ticket has a seat in the plan');
  const named = draft.config.zones.findIndex((zone) => zone.zone_id === zone_id);
  return { ordinal, zone: ordinal < 0 ? Math.max(0, named) : draft.plan.zoneOf(ordinal) };
}

/** Another seat for the same ticket, with the same code, in one commit. */
export function decideReseat(
  draft: Draft,
  command: SaleCommand & { kind: 'reseat' },
  facts: Facts,
): Outcome {
  const ticket = findTicket(draft, facts, command.ticket_id);
  if ('kind' in ticket) return ticket;
  const { ticket_id, user_id, seat_id, status } = ticket;
  if (status !== 'active' || seat_id === null) return refused('ticket_ended', [], { status });
  const from = draft.plan.ordinalOf(seat_id);
  assert(from !== undefined, 'a good ticket has a seat in the plan');
  const to = draft.plan.ordinalOf(command.seat_id);
  const wanted = { seat_id: command.seat_id };
  if (to === undefined) {
    return refused('seat_not_found', [{ ...wanted, code: 'seat_not_found' }]);
  }
  const zone = draft.plan.zoneOf(to);
  if (from === to) return { kind: 'reseated', ticket_id, place: placeAt(draft, to, zone) };
  // Another ticket has left it in this flush: rows that are written together do not wait for each
  // other, and a seat has one ticket at any moment.
  if (draft.isTouched(draft.plan.seatIdOf(to))) return { kind: 'again' };
  const label = draft.plan.labelOf(to);
  const hold = draft.holdOfSeat(to);
  if (hold) {
    const code = 'seat_held_by_another_user' as const;
    return refused(code, [{ ...wanted, label, code, until_ms: hold.until_ms }]);
  }
  if (draft.codeOf(to) !== SEAT.available || draft.isClosing(to)) {
    const code = 'seat_not_available' as const;
    const current_status = draft.isClosing(to) ? 'blocked' : wordOf(draft.codeOf(to));
    return refused(code, [{ ...wanted, label, code, current_status }]);
  }
  draft.record({ kind: 'reseated', ticket_id, user_id, from, to, reason: command.reason });
  return { kind: 'reseated', ticket_id, place: placeAt(draft, to, zone) };
}

/** The event is cancelled: what was paid for its tickets is owed, once each. */
export function decideOwe(
  draft: Draft,
  { ticket_ids }: SaleCommand & { kind: 'owe_tickets' },
  facts: Facts,
): Outcome {
  if (!isCalledOff(draft.config)) return { kind: 'tickets_owed', tickets: 0 };
  let tickets = 0;
  for (const id of ticket_ids) {
    const ticket = facts.tickets.get(id);
    if (ticket?.status !== 'active' || draft.isTouched(id)) continue;
    if (ticket.owed || ticket.paid_back) continue;
    const { ticket_id, checkout_id, attempt_id, currency, price_cents } = ticket;
    const owed = { checkout_id, attempt_id, ticket_id, amount_cents: price_cents, currency };
    const refund_id = facts.newId();
    draft.record({ kind: 'refund_due', refund_id, ...owed, reason: 'event_cancelled' });
    tickets++;
  }
  return { kind: 'tickets_owed', tickets };
}
