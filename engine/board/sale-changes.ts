import type {
  AttemptState,
  ClosedState,
  MessageOutcome,
  PaymentMessage,
  RefundReason,
  SaleMethod,
} from '#checkouts';
import type { HoldSource } from './board-state.ts';

/** What happens between a hold and the end of a ticket, as the log keeps it. */
export type SaleChange =
  /** A checkout is open with these holds, or an open one has these from now on. */
  | Readonly<{
      kind: 'checkout_started';
      checkout_id: string;
      user_id: string;
      currency: string;
      items: readonly (readonly [hold_id: string, price_cents: number])[];
      /** The buyer gave something of it back; what is left was not judged by itself. */
      given_back?: true;
    }>
  | Readonly<{
      kind: 'payment_begun';
      checkout_id: string;
      attempt_id: string;
      provider: string;
      amount_cents: number;
      deadline_ms: number;
    }>
  /** The current attempt was declined: the buyer may try another. */
  | Readonly<{
      kind: 'payment_declined';
      checkout_id: string;
      attempt_id: string;
      holds: readonly (readonly [hold_id: string, until_ms: number])[];
    }>
  /** What became of an attempt, and nothing else. */
  | Readonly<{
      kind: 'attempt';
      checkout_id: string;
      attempt_id: string;
      status: AttemptState;
    }>
  | Readonly<{
      kind: 'checkout_closed';
      checkout_id: string;
      status: Exclude<ClosedState, 'completed'>;
      reason: string | null;
    }>
  | SoldChange
  | RefundDueChange
  /** The platform has given it back. */
  | Readonly<{ kind: 'refunded'; checkout_id: string; attempt_id: string; amount_cents: number }>
  | (Readonly<{ kind: 'payment_message'; checkout_id: string; outcome: MessageOutcome }> &
      PaymentMessage)
  | TicketEndedChange
  | ReseatedChange;

/** Holds have become tickets. A late payment's seats had no hold any more. */
export type SoldChange = Readonly<{
  kind: 'sold';
  checkout_id: string;
  user_id: string;
  currency: string;
  method: SaleMethod;
  attempt_id: string | null;
  sold_by: string | null;
  /** Where the buyer held it, when staff took the payment for a buyer's own holds. */
  for_holder?: readonly HoldSource[];
  /** Live ones that end with it. */
  holds: readonly string[];
  tickets: readonly SoldTicket[];
}>;

export type SoldTicket = Readonly<{
  ticket_id: string;
  /** The hold of the checkout's item. */
  hold_id: string;
  /** -1: a place in a zone. */
  ordinal: number;
  zone: number;
  price_cents: number;
}>;

export type RefundDueChange = Readonly<{
  kind: 'refund_due';
  refund_id: string;
  checkout_id: string;
  attempt_id: string | null;
  ticket_id: string | null;
  amount_cents: number;
  currency: string;
  reason: RefundReason;
}>;

export type TicketEndedChange = Readonly<{
  kind: 'ticket_ended';
  ticket_id: string;
  status: 'voided' | 'refunded';
  ordinal: number;
  zone: number;
  /** False: its seat was given up before, when it was voided. */
  vacates: boolean;
  /** The seat stays out of the sale. */
  blocked: boolean;
  reason: string;
}>;

export type ReseatedChange = Readonly<{
  kind: 'reseated';
  ticket_id: string;
  /** Who has it; absent in older rows. */
  user_id?: string;
  from: number;
  to: number;
  reason: string;
}>;
