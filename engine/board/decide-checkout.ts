import type { Checkout } from '#checkouts';
import { isOpen } from '#checkouts';
import { assert } from '#kit';
import { holdTimes } from '#policies';
import { accessTo } from './access-rules.ts';
import { type BoardConfig, saleState, saleTime } from './board-config.ts';
import type { Hold } from './board-state.ts';
import { refuseBooking, seatsOf } from './booking-rules.ts';
import { refuseApart } from './choice-rules.ts';
import { type Facts, type Outcome, type Refused, type RefusedItem, refused } from './commands.ts';
import type { Draft } from './draft.ts';
import { refuseBroken } from './group-rules.ts';
import { placeOfHold } from './hold-place.ts';
import { endHolds } from './leave-checkout.ts';
import { judgeBought } from './person-rules.ts';
import type { CancelCheckoutCommand, StartCheckoutCommand } from './sale-commands.ts';
import { judgeCart } from './seat-choice.ts';
import { refuseTooMany } from './sell-checkout.ts';
import { isSettled } from './settled.ts';

/**
 * Opens a checkout with the user's holds and makes them longer, once. While it is open, the same
 * wish names what is in it from now on.
 */
export function decideStartCheckout(
  draft: Draft,
  command: StartCheckoutCommand,
  facts: Facts,
): Outcome {
  const own = draft.holdsOfUser(command.user_id);
  const holds = wantedHolds(own, command);
  if (!Array.isArray(holds)) return holds;
  const open = openOf(draft, own);
  const same = open && isSame(open, holds) ? open : undefined;
  const isJudged = same && (same.status === 'paying' || !same.given_back);
  if (isJudged) return checkoutOutcome(draft, same, true);
  if (open?.status === 'paying') return refused('payment_in_progress');
  // What is left of it was let in when it began: only the choice is another one.
  const no = (same ? judgeChoice : refuseCheckout)(draft, command, facts, holds);
  if (no) return no;
  const checkout_id = open?.checkout_id ?? facts.newId();
  const { currency } = open ?? draft.config;
  const items = pricesOf(draft, holds, open);
  const { user_id } = command;
  draft.record({ kind: 'checkout_started', checkout_id, user_id, currency, items });
  if (!open) extendAll(draft, holds, facts);
  const checkout = draft.checkoutOf(checkout_id);
  assert(checkout, 'what was started is there');
  return checkoutOutcome(draft, checkout, open !== undefined);
}

/** What was in it keeps its price, whatever else changes; the prices of now are for the new. */
function pricesOf(draft: Draft, holds: readonly Hold[], open: Checkout | undefined) {
  const pinned = new Map(open?.items.map(({ hold_id, price_cents }) => [hold_id, price_cents]));
  return holds.map(({ hold_id, zone }) => {
    const price_cents = pinned.get(hold_id) ?? draft.config.zones[zone]?.price_cents;
    assert(typeof price_cents === 'number', 'what has no price was refused');
    return [hold_id, price_cents] as const;
  });
}

/** By name, of one cart, or everything the user has. */
function wantedHolds(own: readonly Hold[], command: StartCheckoutCommand): Hold[] | Refused {
  const { hold_ids, cart_token } = command;
  if (hold_ids) {
    const byId = new Map(own.map((hold) => [hold.hold_id, hold]));
    const ids = [...new Set(hold_ids.map((id) => id.toLowerCase()))];
    const missing = ids.find((id) => !byId.has(id));
    if (missing !== undefined) return refused('hold_not_found', [], { hold_id: missing });
    return ids.flatMap((id) => byId.get(id) ?? []);
  }
  const holds = cart_token === null ? own : own.filter((hold) => hold.cart_token === cart_token);
  return holds.length > 0 ? [...holds].sort(byAge) : refused('no_active_holds');
}

function byAge(one: Hold, other: Hold): number {
  return one.created_ms - other.created_ms || (one.hold_id < other.hold_id ? -1 : 1);
}

/** A user has one open checkout in an event, and every hold in it knows it. */
function openOf(draft: Draft, own: readonly Hold[]): Checkout | undefined {
  const hold = own.find(({ checkout_id }) => checkout_id !== null);
  return hold?.checkout_id ? draft.checkoutOf(hold.checkout_id) : undefined;
}

function isSame({ items }: Checkout, holds: readonly Hold[]): boolean {
  const ids = new Set(holds.map(({ hold_id }) => hold_id));
  return ids.size === items.length && items.every(({ hold_id }) => ids.has(hold_id));
}

function refuseCheckout(
  draft: Draft,
  command: StartCheckoutCommand,
  facts: Facts,
  holds: readonly Hold[],
): Outcome | null {
  const { event, zones } = draft.config;
  const sale = saleState(event, saleTime(facts));
  if (!facts.organizationActive || sale === 'not_available') {
    return refused('event_not_available', [], { status: event.status });
  }
  const tooMany = refuseTooMany(holds);
  if (tooMany) return tooMany;
  const forCaller = holds.every(({ made_by }) => made_by !== null);
  if (sale === 'closed' && !forCaller) return refused('event_sales_closed');
  const closing = closingItems(draft, holds);
  if (closing.length > 0) return refused('seat_not_available', closing);
  for (const { zone: number, made_by } of holds) {
    const zone = zones[number];
    assert(zone, 'a hold is in a zone');
    if (zone.price_cents === null) {
      return refused('event_not_available', [], { status: event.status, missing: 'price' });
    }
    const { user_id, role } = command;
    const access = accessTo(zone, { user_id, role, made_by }, facts);
    if (access === 'needs_membership') return { kind: 'needs_membership', user_id };
    if (access === 'denied') {
      const { zone_id } = zone;
      return refused('zone_access_denied', [{ zone_id, code: 'zone_access_denied' }]);
    }
  }
  const bought = judgeBought(draft, command.user_id, facts, holds);
  if (bought) return bought;
  return refuseBooking(draft, holds) ?? judgeChoice(draft, command, facts, holds);
}

/**
 * Whatever is in it is judged as a whole, however it was put together. What the engine chose stays
 * legal: if somebody has taken a seat beside it since, that is not this buyer's doing.
 */
export function judgeChoice(
  draft: Draft,
  { user_id, allow_orphan }: Pick<StartCheckoutCommand, 'user_id' | 'allow_orphan'>,
  { trouble }: Facts,
  holds: readonly Hold[],
): Refused | null {
  const insists = allow_orphan ? 'allow' : undefined;
  const settled = isSettled(holds);
  const orphans = settled ? 'tell' : insists;
  const seats = settled ? [] : seatsOf(holds);
  const ruled = refuseApart(draft, user_id, seats) ?? refuseBroken(draft, user_id, seats);
  if (ruled) return ruled;
  return judgeCart(draft, holds, { orphans, ...(trouble ? { trouble } : {}) });
}

/** Seats that staff have taken out of the sale and the work has not reached yet. */
export function closingItems(draft: Draft, holds: readonly Pick<Hold, 'ordinal'>[]): RefusedItem[] {
  return holds.flatMap(({ ordinal }) => {
    if (ordinal < 0 || !draft.isClosing(ordinal)) return [];
    const seat_id = draft.plan.seatIdOf(ordinal);
    const label = draft.plan.labelOf(ordinal);
    return [{ seat_id, label, code: 'seat_not_available', current_status: 'blocked' as const }];
  });
}

/** Once per checkout, and at the cap not at all. */
function extendAll(draft: Draft, holds: readonly Hold[], facts: Facts): void {
  const longer = extensionsOf(draft.config, holds, facts.demoHoldSeconds ?? undefined);
  if (longer.length > 0) draft.record({ kind: 'extended', holds: longer });
}

/** Until when the start of a checkout makes holds last that it makes longer. */
export function extensionsOf(
  { policy }: Pick<BoardConfig, 'policy'>,
  holds: readonly Hold[],
  demoHoldSeconds?: number,
): (readonly [hold_id: string, until_ms: number])[] {
  const times = holdTimes(policy, demoHoldSeconds);
  return holds.flatMap(({ hold_id, until_ms, created_ms }) => {
    const cap_ms = created_ms + times.most_seconds * 1_000;
    const extended_ms = Math.min(until_ms + times.extension_seconds * 1_000, cap_ms);
    return extended_ms > until_ms ? [[hold_id, extended_ms] as const] : [];
  });
}

function checkoutOutcome(draft: Draft, checkout: Checkout, existing: boolean): Outcome {
  const holds = checkout.items.flatMap(({ hold_id }) => draft.holdOf(hold_id) ?? []);
  return {
    kind: 'checkout',
    checkout,
    places: holds.map((hold) => placeOfHold(draft, hold)),
    until_ms: Math.min(...holds.map(({ until_ms }) => until_ms)),
    existing,
  };
}

/** The checkout as it is at this moment of the flush, or why there is none for this user. */
export function findCheckout(
  draft: Draft,
  facts: Facts,
  { checkout_id, user_id }: { checkout_id: string; user_id: string },
): Checkout | Refused | { kind: 'again' } {
  const open = draft.checkoutOf(checkout_id);
  if (!open && draft.isTouched(checkout_id)) return { kind: 'again' };
  const checkout = open ?? facts.checkouts.get(checkout_id);
  if (!checkout || checkout.user_id !== user_id) return refused('checkout_not_found');
  return checkout;
}

export function decideCancelCheckout(
  draft: Draft,
  command: CancelCheckoutCommand,
  facts: Facts,
): Outcome {
  const checkout = findCheckout(draft, facts, command);
  if ('kind' in checkout) return checkout;
  const { checkout_id, status } = checkout;
  if (status === 'paying') return refused('payment_in_progress');
  if (status === 'completed') return refused('ticket_already_paid');
  // What has been cancelled stays cancelled: nothing happens.
  if (status === 'cancelled') return { kind: 'checkout_cancelled', checkout_id, released: [] };
  if (!isOpen(checkout)) return refused('checkout_closed', [], { status });
  const holds = checkout.items.flatMap(({ hold_id }) => draft.holdOf(hold_id) ?? []);
  const released = holds.map((hold) => ({
    place: placeOfHold(draft, hold),
    quantity: hold.quantity,
  }));
  const ids = holds.map(({ hold_id }) => hold_id);
  endHolds(draft, ids, 'user_cancelled', command.note);
  return { kind: 'checkout_cancelled', checkout_id, released };
}
