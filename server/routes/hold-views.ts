import type { ErrorCode } from '@voelgoed/client/wire';
import type { Refused, RefusedItem } from '@voelgoed/engine/board';
import type { HeldPlace } from '@voelgoed/engine/workflows';
import { type AnyReply, refuse } from '#http';

/** A hold as its holder sees it, with the time left at the moment of the answer. */
export function holdView(eventId: string, { hold, place }: HeldPlace, at_ms: number) {
  return {
    hold_id: hold.hold_id,
    event_id: eventId,
    seat_id: place.seat?.seat_id ?? null,
    zone_id: place.zone_id,
    quantity: hold.quantity,
    block_name: place.zone_name,
    label: place.seat?.label ?? null,
    section: place.seat?.section ?? null,
    row: place.seat?.row ?? null,
    seat_number: place.seat?.number ?? null,
    status: 'held' as const,
    cart_token: hold.cart_token,
    ...timeLeft(hold.until_ms, at_ms),
  };
}

export function timeLeft(until_ms: number, at_ms: number) {
  return {
    held_until: new Date(until_ms).toISOString(),
    held_until_unix: Math.floor(until_ms / 1_000),
    expires_in_seconds: Math.max(0, Math.floor((until_ms - at_ms) / 1_000)),
  };
}

export function minutesSentence(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return `${minutes} minutes`;
}

/** What people read. A group's refusal is told seat by seat in the details. */
const SENTENCES: Readonly<Record<Refused['code'], string>> = {
  forbidden: 'This cannot be chosen like this.',
  event_not_available: 'This event is not on sale.',
  event_sales_closed: 'The sale of this event is closed at the moment.',
  seat_not_found: 'The event has no such seat.',
  zone_not_found: 'The event has no such zone with places to choose from.',
  hold_not_found: 'You have no such hold.',
  zone_access_denied:
    'This zone is for members, certain roles or named people. Please choose another one.',
  seat_held_by_another_user: 'Somebody else holds this seat. Please choose a different one.',
  seat_not_available: 'This seat is not available. Please choose a different one.',
  block_at_capacity: 'There is not that much room left in this zone.',
  orphan_rule: 'This choice would leave a single seat alone.',
  no_adjacent_seats: 'There are not that many seats together.',
  no_available_seats: 'There are not that many seats available.',
  wheelchair_limit: 'One booking may not have that many wheelchair spaces.',
  companion_reserved: 'This seat is kept for the companion of a wheelchair user.',
  hold_limit_reached: 'You hold as many seats as you may.',
  extension_limit_reached: 'This hold cannot be made longer.',
  hold_cannot_grow: 'A hold cannot get more places. Please make another hold for them.',
  hold_expired: 'The time of this hold is over. Please choose again.',
  no_active_holds: 'You hold nothing that could be checked out.',
  checkout_not_found: 'You have no such checkout.',
  checkout_closed: 'This checkout is over. Please choose again.',
  payment_in_progress: 'A payment for this is under way. Please wait until it has ended.',
  ticket_already_paid: 'This checkout is paid. The tickets are there.',
  message_reused: 'Another message had this id.',
  ticket_not_found: 'There is no such ticket.',
  ticket_ended: 'This ticket has ended.',
  wrong_state: 'The event is not in a state for this.',
  changed_meanwhile: 'Somebody else has changed this meanwhile.',
};

/** Codes of the board that the contract does not know stand for one that it does. */
function codeOf({ code }: Refused): ErrorCode {
  if (code === 'wrong_state') return 'event_not_available';
  if (code === 'ticket_ended') return 'checkout_closed';
  if (code === 'message_reused') return 'idempotency_key_reused';
  return code === 'changed_meanwhile' ? 'event_busy' : code;
}

/** A refusal by the board: one code for programs, and each part that failed with its own. */
export function refuseByBoard<Reply extends AnyReply>(
  reply: Reply,
  refusal: Refused,
  at_ms: number,
): Reply {
  const { code, message, details } = refusalWords(refusal, at_ms);
  return refuse(reply, code, message, details);
}

export function refusalWords(refusal: Refused, at_ms: number) {
  const { items, details = {} } = refusal;
  const [first] = items;
  const seats = items.filter(({ seat_id }) => seat_id !== undefined);
  const zones = items.filter(({ seat_id }) => seat_id === undefined);
  return {
    code: codeOf(refusal),
    message: refusal.message ?? SENTENCES[refusal.code],
    details: {
      ...details,
      ...(first ? factsOf(first, at_ms) : {}),
      ...(seats.length > 0 ? { seats: seats.map((item) => itemView(item, at_ms)) } : {}),
      ...(zones.length > 0 ? { zones: zones.map((item) => itemView(item, at_ms)) } : {}),
    },
  };
}

function itemView(item: RefusedItem, at_ms: number) {
  const { seat_id, zone_id, label, code } = item;
  return {
    ...(seat_id === undefined ? {} : { seat_id }),
    ...(seat_id === undefined && zone_id !== undefined ? { zone_id } : {}),
    ...(label === undefined ? {} : { label }),
    error: code,
    ...factsOf(item, at_ms),
  };
}

/** What stands in the way and for how long; never who. */
function factsOf({ current_status, until_ms }: RefusedItem, at_ms: number) {
  return {
    ...(current_status === undefined ? {} : { current_status }),
    ...(until_ms === undefined
      ? {}
      : { expires_in_seconds: Math.max(0, Math.ceil((until_ms - at_ms) / 1_000)) }),
  };
}
