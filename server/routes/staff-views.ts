import { type Board, SEAT } from '@voelgoed/engine/board';
import type { EventBlock, SeatFacts, StaffHeld } from '@voelgoed/engine/workflows';
import { holdView } from './hold-views.ts';
import { staffTicketView } from './ticket-views.ts';

/** A hold for staff: also whose it is, where it comes from, and whether it is being paid for. */
export function staffHoldView(eventId: string, held: StaffHeld, at_ms: number) {
  const { user_id, source, made_by, notes, checkout_id, created_ms } = held.hold;
  return {
    ...holdView(eventId, held, at_ms),
    user_id,
    holder: held.holder,
    source,
    made_by,
    notes,
    checkout_id,
    paying: held.paying,
    created_at: new Date(created_ms).toISOString(),
  };
}

/** One seat with everything that is known about it. */
export function staffSeatView(eventId: string, facts: SeatFacts) {
  const { place, hold, holder, paying, ticket, block, at_ms } = facts;
  return {
    seat_id: place.seat?.seat_id,
    label: place.seat?.label,
    zone_id: place.zone_id,
    block_name: place.zone_name,
    section: place.seat?.section ?? null,
    row: place.seat?.row,
    seat_number: place.seat?.number,
    price_cents: facts.price_cents,
    status: facts.status,
    why: facts.why,
    hold: hold && staffHoldView(eventId, { hold, place, holder, paying }, at_ms),
    ticket: ticket && staffTicketView(ticket),
    block,
    kept_for: facts.kept_for,
    server_time: new Date(at_ms).toISOString(),
    revision: facts.revision,
  };
}

/** Seats that are out of the sale for one reason, and which of them have a ticket all the same. */
export function eventBlockView(board: Board, { entry, ordinals, isCut }: EventBlock) {
  const sold = ordinals.filter((ordinal) => board.codeOf(ordinal) === SEAT.blockedSold);
  return {
    block_id: entry?.sequence ?? null,
    at: entry?.at ?? null,
    reason: entry?.reason ?? null,
    actor_kind: entry?.actor_kind ?? null,
    actor_id: entry?.actor_id ?? null,
    actor_role: entry?.actor_role ?? null,
    actor_name: entry?.actor_name ?? null,
    seat_ids: ordinals.map((ordinal) => board.plan.seatIdOf(ordinal)),
    needs_reseating: sold.map((ordinal) => board.plan.seatIdOf(ordinal)),
    ...(isCut ? { is_cut: true } : {}),
  };
}
