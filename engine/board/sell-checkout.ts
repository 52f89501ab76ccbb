import type { Checkout, SaleMethod } from '#checkouts';
import { totalOf } from '#checkouts';
import { type Hold, type HoldSource, liveHold, SEAT } from './board-state.ts';
import { type Facts, type Refused, refused } from './commands.ts';
import type { Draft } from './draft.ts';
import { placeAt } from './hold-place.ts';
import { roomIn } from './hold-rules.ts';
import type { SoldTicket } from './sale-changes.ts';
import type { SoldOutcome } from './sale-commands.ts';

export type Sale = Readonly<{
  checkout_id: string;
  user_id: string;
  currency: string;
  method: SaleMethod;
  attempt_id: string | null;
  sold_by: string | null;
  for_holder?: readonly HoldSource[];
}>;

type Sold = Readonly<{ hold: Hold; price_cents: number }>;

/** Tickets of one sale: all of them are made in one commit, which must not take long. */
const MOST_TICKETS = 1_000;

/** More than one commit can sell would be paid for and never be sold. */
export function refuseTooMany(holds: readonly Pick<Hold, 'quantity'>[]): Refused | null {
  const held = holds.reduce((sum, { quantity }) => sum + quantity, 0);
  if (held <= MOST_TICKETS) return null;
  const message = `At most ${MOST_TICKETS} places are sold at once. Please choose some of them.`;
  return {
    ...refused('hold_limit_reached', [], { limit: 'sale', most: MOST_TICKETS, held }),
    message,
  };
}

/** Live holds become tickets: one for each seat, and one for each place. */
export function sellHolds(
  draft: Draft,
  sale: Sale,
  sold: readonly Sold[],
  facts: Facts,
): SoldOutcome {
  const tickets = sold.flatMap(({ hold, price_cents }) => {
    const { hold_id, ordinal, zone, quantity } = hold;
    return ticketsOf({ hold_id, ordinal, zone, price_cents }, quantity, facts);
  });
  const holds = sold.map(({ hold }) => hold.hold_id);
  return record(draft, sale, holds, tickets);
}

export function sellCheckout(
  draft: Draft,
  checkout: Checkout,
  sale: Pick<Sale, 'method' | 'attempt_id'>,
  facts: Facts,
): SoldOutcome {
  const { checkout_id, user_id, currency } = checkout;
  const sold = checkout.items.map(({ hold_id, price_cents }) => {
    return { hold: liveHold(draft, hold_id), price_cents };
  });
  const whole = { checkout_id, user_id, currency, sold_by: null, ...sale };
  return sellHolds(draft, whole, sold, facts);
}

/**
 * The money came when the holds were over: everything of it once more, or nothing. Sale window,
 * limits and the rules of choosing are not asked again; blocks and other people are.
 */
export function sellLate(
  draft: Draft,
  checkout: Checkout,
  attempt_id: string,
  facts: Facts,
): SoldOutcome | null {
  const holds: string[] = [];
  const tickets: SoldTicket[] = [];
  const needed = new Map<number, number>();
  for (const item of checkout.items) {
    const { hold_id, price_cents, quantity } = item;
    if (item.seat_id !== null) {
      const ordinal = draft.plan.ordinalOf(item.seat_id);
      if (ordinal === undefined || draft.isClosing(ordinal)) return null;
      const own = draft.holdOfSeat(ordinal);
      const isOwn = own?.user_id === checkout.user_id && own.checkout_id === null;
      if (own && !isOwn) return null;
      if (!own && draft.codeOf(ordinal) !== SEAT.available) return null;
      if (own) holds.push(own.hold_id);
      const zone = draft.plan.zoneOf(ordinal);
      tickets.push(...ticketsOf({ hold_id, ordinal, zone, price_cents }, 1, facts));
    } else {
      const zone = draft.config.zones.findIndex(({ zone_id }) => zone_id === item.zone_id);
      const found = draft.config.zones[zone];
      if (!found || found.disabled || found.has_seats) return null;
      needed.set(zone, (needed.get(zone) ?? 0) + quantity);
      tickets.push(...ticketsOf({ hold_id, ordinal: -1, zone, price_cents }, quantity, facts));
    }
  }
  for (const [zone, quantity] of needed) if (roomIn(draft, zone) < quantity) return null;
  const { checkout_id, user_id, currency } = checkout;
  const sale = { checkout_id, user_id, currency, method: 'payment', sold_by: null } as const;
  return record(draft, { ...sale, attempt_id }, holds, tickets);
}

function ticketsOf(
  ticket: Omit<SoldTicket, 'ticket_id'>,
  quantity: number,
  facts: Facts,
): SoldTicket[] {
  return Array.from({ length: quantity }, () => ({ ticket_id: facts.newId(), ...ticket }));
}

function record(
  draft: Draft,
  sale: Sale,
  holds: readonly string[],
  tickets: readonly SoldTicket[],
): SoldOutcome {
  draft.record({ kind: 'sold', ...sale, holds, tickets });
  return {
    kind: 'sold',
    checkout_id: sale.checkout_id,
    tickets: tickets.map(({ ticket_id, ordinal, zone, price_cents }) => {
      return { ticket_id, place: placeAt(draft, ordinal, zone), price_cents };
    }),
    total_cents: totalOf(tickets.map(({ price_cents }) => ({ price_cents, quantity: 1 }))),
    currency: sale.currency,
  };
}
