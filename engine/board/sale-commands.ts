import type { Role } from '#accounts';
import type { Checkout, MessageOutcome, PaymentMessage, SaleMethod } from '#checkouts';
import type { HoldPlace } from './hold-place.ts';

/** What can be wished of holds on their way to tickets, and of tickets. */
export type SaleCommand =
  | StartCheckoutCommand
  | BeginPaymentCommand
  | CancelCheckoutCommand
  | (Readonly<{ kind: 'payment_message'; checkout_id: string }> & PaymentMessage)
  | SellCommand
  | EndTicketCommand
  | Readonly<{ kind: 'reseat'; ticket_id: string; seat_id: string; reason: string }>
  /** The event is cancelled: money for these tickets is to be given back. */
  | Readonly<{ kind: 'owe_tickets'; ticket_ids: readonly string[] }>;

export type StartCheckoutCommand = Readonly<{
  kind: 'start_checkout';
  user_id: string;
  role: Role;
  guest: boolean;
  /** Null: those of the cart, or all that the user has. */
  hold_ids: readonly string[] | null;
  cart_token: string | null;
  /** A seat may be left alone, where the policy permits it. */
  allow_orphan: boolean;
}>;

export type BeginPaymentCommand = Readonly<{
  kind: 'begin_payment';
  user_id: string;
  checkout_id: string;
  provider: string;
}>;

export type CancelCheckoutCommand = Readonly<{
  kind: 'cancel_checkout';
  user_id: string;
  checkout_id: string;
  note: string | null;
}>;

/** At the door: paid for outside, so there is nothing to wait for. */
export type SellCommand = Readonly<{
  kind: 'sell';
  hold_ids: readonly string[];
  method: SaleMethod;
  sold_by: string | null;
  /** Also what a buyer holds in the shop: the tickets go to that buyer. */
  for_holder?: boolean;
}>;

export type EndTicketCommand = Readonly<{
  kind: 'end_ticket';
  ticket_id: string;
  status: 'voided' | 'refunded';
  block: boolean;
  reason: string;
}>;

/** A ticket as the database has it under the event's lock. */
export type TicketRecord = Readonly<{
  ticket_id: string;
  checkout_id: string;
  attempt_id: string | null;
  user_id: string;
  status: 'active' | 'voided' | 'refunded';
  seat_id: string | null;
  zone_id: string;
  price_cents: number;
  currency: string;
  /** There is a refund for it already. */
  owed: boolean;
  /** The provider has given back all that was paid with it. */
  paid_back: boolean;
}>;

export type TicketPlace = Readonly<{ ticket_id: string; place: HoldPlace; price_cents: number }>;

export type SaleOutcome =
  | Readonly<{
      kind: 'checkout';
      checkout: Checkout;
      places: readonly HoldPlace[];
      /** When the first of its holds ends. */
      until_ms: number;
      existing: boolean;
    }>
  | Readonly<{
      kind: 'payment_begun';
      checkout_id: string;
      attempt_id: string;
      amount_cents: number;
      currency: string;
      deadline_ms: number;
    }>
  /** Nothing is to be paid, or it was paid at the door. */
  | SoldOutcome
  | Readonly<{
      kind: 'payment_message';
      checkout_id: string;
      outcome: MessageOutcome;
      /** The checkout after it. */
      status: Checkout['status'];
      /** It was known already. */
      repeated: boolean;
    }>
  | Readonly<{
      kind: 'checkout_cancelled';
      checkout_id: string;
      released: readonly Readonly<{ place: HoldPlace; quantity: number }>[];
    }>
  | Readonly<{ kind: 'ticket_ended'; ticket_id: string; status: 'voided' | 'refunded' }>
  | Readonly<{ kind: 'reseated'; ticket_id: string; place: HoldPlace }>
  | Readonly<{ kind: 'tickets_owed'; tickets: number }>;

export type SoldOutcome = Readonly<{
  kind: 'sold';
  checkout_id: string;
  tickets: readonly TicketPlace[];
  total_cents: number;
  currency: string;
}>;
