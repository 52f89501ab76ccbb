import {
  type Attempt,
  attemptOf,
  type Checkout,
  type CheckoutItem,
  isOpen,
  withAttempt,
} from '#checkouts';
import { assert } from '#kit';
import { changeHold, type Hold, liveHold, SEAT, type WritableState } from './board-state.ts';
import { messageName } from './commands.ts';
import type {
  ReseatedChange,
  SaleChange,
  SoldChange,
  SoldTicket,
  TicketEndedChange,
} from './sale-changes.ts';

/** What becomes of a board when holds are checked out, paid, sold, and tickets end. */
export function applySale(state: WritableState, change: SaleChange, at_ms: number): void {
  switch (change.kind) {
    case 'checkout_started':
      return start(state, change, at_ms);
    case 'payment_begun':
      return begin(state, change, at_ms);
    case 'payment_declined':
      return decline(state, change);
    case 'attempt':
      return markAttempt(state, change);
    case 'checkout_closed':
      return close(state, change.checkout_id);
    case 'sold':
      return sell(state, change);
    case 'payment_message':
      // Another one of that name has to wait, whatever it is about.
      state.touch(messageName(change));
      return state.touch(change.checkout_id);
    case 'refunded':
      return state.touch(change.checkout_id);
    case 'refund_due':
      if (change.ticket_id !== null) state.touch(change.ticket_id);
      return state.touch(change.checkout_id);
    case 'ticket_ended':
      return endTicket(state, change);
    case 'reseated':
      return reseat(state, change);
  }
}

function start(
  state: WritableState,
  change: SaleChange & { kind: 'checkout_started' },
  at_ms: number,
): void {
  const { checkout_id, user_id, currency, items, given_back = false } = change;
  const before = state.checkoutOf(checkout_id);
  const wanted = new Set(items.map(([hold_id]) => hold_id));
  for (const { hold_id } of before?.items ?? []) if (!wanted.has(hold_id)) free(state, hold_id);
  state.setCheckout({
    checkout_id,
    user_id,
    status: 'started',
    currency,
    items: items.map(([hold_id, price_cents]) => {
      const hold = { ...liveHold(state, hold_id), checkout_id };
      changeHold(state, hold);
      return itemOf(state, hold, price_cents);
    }),
    attempts: before?.attempts ?? [],
    created_ms: before?.created_ms ?? at_ms,
    declined: before?.declined ?? false,
    given_back,
  });
}

function itemOf({ plan, config }: WritableState, hold: Hold, price_cents: number): CheckoutItem {
  const { hold_id, ordinal, zone, quantity } = hold;
  const seat_id = ordinal < 0 ? null : plan.seatIdOf(ordinal);
  const zone_id = config.zones[zone]?.zone_id ?? '';
  return { hold_id, seat_id, zone_id, quantity, price_cents, until_ms: null };
}

/** While it is being paid for nothing of it ends, whatever time it had. */
function begin(
  state: WritableState,
  change: SaleChange & { kind: 'payment_begun' },
  at_ms: number,
): void {
  const { checkout_id, attempt_id, provider, amount_cents, deadline_ms } = change;
  const before = openCheckout(state, checkout_id);
  const items = before.items.map((item) => {
    const hold = liveHold(state, item.hold_id);
    changeHold(state, { ...hold, until_ms: Math.max(hold.until_ms, deadline_ms) });
    return { ...item, until_ms: item.until_ms ?? hold.until_ms };
  });
  const created_ms = at_ms;
  const status = 'pending' as const;
  const attempt: Attempt = {
    attempt_id,
    provider,
    amount_cents,
    created_ms,
    deadline_ms,
    status,
  };
  const attempts = [...before.attempts, attempt];
  // What may be paid for was judged; a second card does not judge it again.
  const fresh = { declined: false, given_back: false };
  state.setCheckout({ ...before, status: 'paying', items, attempts, ...fresh });
}

function decline(state: WritableState, change: SaleChange & { kind: 'payment_declined' }): void {
  const before = openCheckout(state, change.checkout_id);
  for (const [hold_id, until_ms] of change.holds) {
    changeHold(state, { ...liveHold(state, hold_id), until_ms });
  }
  state.setCheckout({
    ...before,
    status: 'started',
    items: before.items.map((item) => ({ ...item, until_ms: null })),
    // A payment of the wrong amount has its own word already.
    attempts: before.attempts.map((one) => {
      const declined = one.attempt_id === change.attempt_id && one.status === 'pending';
      return declined ? { ...one, status: 'failed' } : one;
    }),
    declined: true,
  });
}

function markAttempt(state: WritableState, change: SaleChange & { kind: 'attempt' }): void {
  const { checkout_id, attempt_id, status } = change;
  const checkout = state.checkoutOf(checkout_id);
  if (!checkout) return state.touch(checkout_id);
  assert(attemptOf(checkout, attempt_id), 'an attempt belongs to its checkout');
  state.setCheckout({ ...checkout, attempts: withAttempt(checkout, attempt_id, status) });
}

/** What of it is still held is held by itself from now on. */
function close(state: WritableState, checkoutId: string): void {
  for (const { hold_id } of openCheckout(state, checkoutId).items) free(state, hold_id);
  state.closeCheckout(checkoutId);
}

function sell(state: WritableState, change: SoldChange): void {
  // What was read of this user's tickets is not all any more.
  state.touch(change.user_id);
  const checkout = state.checkoutOf(change.checkout_id);
  if (checkout) {
    assert(isOpen(checkout), 'an open checkout is completed');
    close(state, change.checkout_id);
  } else state.touch(change.checkout_id);
  for (const hold_id of change.holds) {
    const hold = liveHold(state, hold_id);
    state.removeHold(hold);
    state.addCounts(hold.zone, { held: -hold.quantity, sold: 0, blocked: 0 });
    if (hold.ordinal >= 0) state.setSeat(hold.ordinal, SEAT.available, undefined, null);
  }
  for (const ticket of change.tickets) give(state, ticket, change.user_id);
}

function give(
  state: WritableState,
  { ticket_id, ordinal, zone }: SoldTicket,
  userId: string | undefined,
): void {
  state.touch(ticket_id);
  state.addCounts(zone, { held: 0, sold: 1, blocked: 0 });
  if (ordinal < 0) return;
  assert(state.codeOf(ordinal) === SEAT.available, 'a seat is sold once');
  own(state, ordinal, userId);
  state.setSeat(ordinal, SEAT.sold, undefined, ticket_id);
}

/** Companion seats are sold to who has bought their wheelchair space. */
function own(state: WritableState, ordinal: number, userId: string | undefined): void {
  if (state.plan.seating.companions.has(ordinal)) state.setOwner(ordinal, userId);
}

function endTicket(
  state: WritableState,
  { ticket_id, ordinal, zone, blocked, vacates }: TicketEndedChange,
): void {
  state.touch(ticket_id);
  if (!vacates) return;
  if (ordinal < 0) return state.addCounts(zone, { held: 0, sold: -1, blocked: 0 });
  vacate(state, ordinal, blocked);
}

/** A seat whose ticket is gone is free, unless it is blocked or is to be. */
function vacate(state: WritableState, ordinal: number, blocked: boolean): void {
  const code = state.codeOf(ordinal);
  assert(code === SEAT.sold || code === SEAT.blockedSold, 'a ticket has its seat');
  const wasBlocked = code === SEAT.blockedSold;
  own(state, ordinal, undefined);
  const stays = blocked || wasBlocked;
  state.setSeat(ordinal, stays ? SEAT.blocked : SEAT.available, undefined, null);
  state.addCounts(state.plan.zoneOf(ordinal), {
    held: 0,
    sold: wasBlocked ? 0 : -1,
    blocked: stays && !wasBlocked ? 1 : 0,
  });
}

function reseat(state: WritableState, { ticket_id, user_id, from, to }: ReseatedChange): void {
  // A row that is older than its user is silent about an owner from another seat.
  const owner = user_id ?? state.ownerOf(from);
  vacate(state, from, false);
  state.touch(state.plan.seatIdOf(from));
  const zone = state.plan.zoneOf(to);
  give(state, { ticket_id, hold_id: '', ordinal: to, zone, price_cents: 0 }, owner);
}

function free(state: WritableState, holdId: string): void {
  const hold = state.holdOf(holdId);
  if (hold) changeHold(state, { ...hold, checkout_id: null });
}

function openCheckout(state: WritableState, checkoutId: string): Checkout {
  const checkout = state.checkoutOf(checkoutId);
  assert(checkout, `checkout ${checkoutId} is open`);
  return checkout;
}
