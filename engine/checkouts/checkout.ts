/** From `completed` on nothing about a checkout changes but what becomes of its payments. */
export const CHECKOUT_STATES = [
  'started',
  'paying',
  'completed',
  'abandoned',
  'failed',
  'cancelled',
] as const;
export type CheckoutState = (typeof CHECKOUT_STATES)[number];
export type ClosedState = Exclude<CheckoutState, 'started' | 'paying'>;

/**
 * What became of one try to pay. `refund_due`: the money was taken and bought nothing. A declined
 * attempt may still succeed: providers correct themselves, and messages overtake each other.
 */
export const ATTEMPT_STATES = ['pending', 'failed', 'succeeded', 'refund_due', 'refunded'] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

export type CheckoutItem = Readonly<{
  hold_id: string;
  /** Null: places in a zone without seats. */
  seat_id: string | null;
  zone_id: string;
  quantity: number;
  /** Of one seat or place. */
  price_cents: number;
  /** Until when it was held before payment began; null before that. */
  until_ms: number | null;
}>;

export type Attempt = Readonly<{
  attempt_id: string;
  provider: string;
  amount_cents: number;
  created_ms: number;
  deadline_ms: number;
  status: AttemptState;
}>;

/** Holds on their way to tickets. While it is open it is part of the board. */
export type Checkout = Readonly<{
  checkout_id: string;
  user_id: string;
  status: CheckoutState;
  currency: string;
  items: readonly CheckoutItem[];
  /** In order; the last one is the current one. */
  attempts: readonly Attempt[];
  created_ms: number;
  /** The last payment was declined: if nothing follows, that is why it ends. */
  declined: boolean;
  /** Something of it was given back since its seats were judged together. */
  given_back: boolean;
}>;

export const PAYMENT_TYPES = ['payment.succeeded', 'payment.failed', 'payment.refunded'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

/**
 * The provider of attempts where the operator has named none, as all were before there were names:
 * messages about them may come by any name.
 */
export const UNNAMED_PROVIDER = 'platform';

/** What a provider tells us, once its signature has been verified. */
export type PaymentMessage = Readonly<{
  provider: string;
  message_id: string;
  type: PaymentType;
  attempt_id: string;
  amount_cents: number;
  currency: string;
}>;

/** What a message has led to. A repeat of the message gets the same word. */
export const MESSAGE_OUTCOMES = [
  /** The checkout is paid, and its tickets are made. */
  'completed',
  /** The current attempt was declined. */
  'declined',
  /** The money was taken and bought nothing: it is to be given back. */
  'refund_due',
  /** Another amount or currency than was asked for; it is to be given back. */
  'amount_mismatch',
  /** The money was given back. */
  'refunded',
  /** It changes nothing: an old attempt's decline, or a second word about the same thing. */
  'ignored',
] as const;
export type MessageOutcome = (typeof MESSAGE_OUTCOMES)[number];

/** Why money is to be given back. */
export const REFUND_REASONS = [
  'seats_gone',
  'paid_twice',
  'amount_mismatch',
  'checkout_cancelled',
  'event_cancelled',
  'ticket_refunded',
] as const;
export type RefundReason = (typeof REFUND_REASONS)[number];

/** How tickets were paid for: through a provider, at the door, or not at all. */
export const SALE_METHODS = [
  'payment',
  'free',
  'cash',
  'card',
  'invoice',
  'complimentary',
] as const;
export type SaleMethod = (typeof SALE_METHODS)[number];

export function isOpen({ status }: Pick<Checkout, 'status'>): boolean {
  return status === 'started' || status === 'paying';
}

export function currentAttempt({ attempts }: Checkout): Attempt | undefined {
  return attempts.at(-1);
}

export function attemptOf({ attempts }: Checkout, attemptId: string): Attempt | undefined {
  return attempts.find(({ attempt_id }) => attempt_id === attemptId);
}

export function withAttempt(
  checkout: Checkout,
  attemptId: string,
  status: AttemptState,
): readonly Attempt[] {
  return checkout.attempts.map((one) => (one.attempt_id === attemptId ? { ...one, status } : one));
}

export function totalOf(items: readonly Pick<CheckoutItem, 'quantity' | 'price_cents'>[]): number {
  return items.reduce((sum, { quantity, price_cents }) => sum + quantity * price_cents, 0);
}
