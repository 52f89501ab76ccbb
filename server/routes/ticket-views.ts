import type { SignedTicket } from '@voelgoed/engine/workflows';

/** A ticket as its owner sees it. */
export function ticketView(ticket: SignedTicket) {
  const { seat_id, zone_id, zone_name, label, section, row_name, number } = ticket;
  const name = zone_name ?? '';
  const seat = { label, block: name, section, row: row_name, number };
  return {
    ticket_id: ticket.ticket_id,
    event_id: ticket.event_id,
    checkout_id: ticket.checkout_id,
    code: ticket.code,
    status: ticket.status,
    seat: seat_id === null ? null : { seat_id, ...seat },
    zone: { zone_id, name },
    valid_days: ticket.days,
    price_cents: ticket.price_cents,
    currency: ticket.currency,
    needs_reseating: ticket.needs_reseating,
    entry_count: ticket.entry_count,
    qr: ticket.qr,
    qr_valid_until: ticket.qr_valid_until,
  };
}

/** The same for staff, with whose it is and why it has ended. */
export function staffTicketView(ticket: SignedTicket) {
  const { user_id, holder, created_at, ended_at, end_reason, method } = ticket;
  return { ...ticketView(ticket), user_id, holder, created_at, ended_at, end_reason, method };
}
