import { isFailure } from '@voelgoed/client/client';
import { t } from '#words';
import type { EventShop } from './event.svelte.ts';
import { findNear } from './near-seats.ts';
import { notices } from './notices.svelte.ts';
import { reasonOf } from './reason.ts';
import type { Seat } from './seat-plan.ts';

/** Somebody was quicker, or a rule stands in the way: say which, and what is free beside it. */
export function sayTaken(shop: EventShop, error: unknown, seat: Seat): void {
  askIfUnknown(shop, error);
  shop.cart.onRefused([seat]);
  const isTaken = isFailure(error, 'seat_held_by_another_user', 'seat_not_available');
  if (!isTaken || !shop.plan) {
    notices.say({ kind: 'bad', text: `${t().seatNamed(seat.label)}: ${reasonOf(error)}` });
    return;
  }
  const isHeld = error.code === 'seat_held_by_another_user';
  const words = isHeld ? t().takenHeld(seat.label) : t().taken(seat.label);
  const isFree = (one: Seat) => shop.stateOf(one) === 0 && !shop.cart.has(one.seat_id);
  const near = findNear(shop.plan, seat, isFree);
  const actions = near.map((one) => ({
    label: t().takeInstead(one.label),
    run: async () => void (await shop.cart.take(one)),
  }));
  const text = near.length > 0 ? `${words} ${t().takenAlternatives}` : words;
  notices.say({ kind: 'warning', text, actions });
}

/** Seats and places that were asked for together. */
export function sayRefused(shop: EventShop, error: unknown, seatIds: readonly string[]): void {
  askIfUnknown(shop, error);
  shop.cart.onRefused(seatIds.flatMap((seatId) => shop.plan?.seatOf(seatId) ?? []));
  if (isFailure(error, 'orphan_rule')) {
    shop.cart.refused = error.details;
    return;
  }
  const details = isFailure(error) ? (error.details as { seats?: { seat_id: string }[] }) : {};
  const which = details.seats?.[0]?.seat_id;
  const seat = which ? shop.plan?.seatOf(which) : undefined;
  if (seat) sayTaken(shop, error, seat);
  else notices.say({ kind: 'bad', text: reasonOf(error) });
}

/** What is judged again when something was given back; everything else is a notice. */
export function refusalOf(error: unknown): string | null {
  if (isFailure(error, 'orphan_rule')) {
    const { orphans, alternatives } = error.details;
    const words = alternatives.length > 0 ? t().checkoutAlone : t().checkoutAloneOnly;
    return words(orphans.join(', '));
  }
  const isRule = isFailure(error, 'no_adjacent_seats', 'companion_reserved', 'forbidden');
  return isRule ? reasonOf(error) : null;
}

/** Nobody knows whether it was done: the server will, in a moment. */
function askIfUnknown({ cart }: EventShop, error: unknown): void {
  if (isFailure(error, 'outcome_unknown', 'network', 'timeout')) void cart.refresh();
}
