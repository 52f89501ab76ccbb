import {
  type Attempt,
  attemptOf,
  type Checkout,
  type CheckoutState,
  currentAttempt,
  isOpen,
  type MessageOutcome,
  type RefundReason,
  totalOf,
} from '#checkouts';
import { paymentTimes } from '#policies';
import { isCalledOff, saleState, saleTime } from './board-config.ts';
import { type Hold, liveHold } from './board-state.ts';
import { type Facts, messageName, type Outcome, type Refused, refused } from './commands.ts';
import { closingItems, findCheckout, judgeChoice } from './decide-checkout.ts';
import type { Draft } from './draft.ts';
import { endHolds } from './leave-checkout.ts';
import type { BeginPaymentCommand, SaleCommand } from './sale-commands.ts';
import { sellCheckout, sellLate } from './sell-checkout.ts';

type MessageCommand = SaleCommand & { kind: 'payment_message' };

/** After so many cards the seats go to somebody else. */
const MOST_ATTEMPTS = 5;

export function decideBeginPayment(
  draft: Draft,
  command: BeginPaymentCommand,
  facts: Facts,
): Outcome {
  const checkout = findCheckout(draft, facts, command);
  if ('kind' in checkout) return checkout;
  const { checkout_id, status, attempts, currency } = checkout;
  if (status === 'completed') return refused('ticket_already_paid');
  if (status === 'abandoned') return refused('hold_expired');
  if (!isOpen(checkout)) return refused('checkout_closed', [], { status });
  const { event } = draft.config;
  if (!facts.organizationActive || saleState(event, saleTime(facts)) === 'not_available') {
    return refused('event_not_available', [], { status: event.status });
  }
  const holds = checkout.items.map(({ hold_id }) => liveHold(draft, hold_id));
  const closing = closingItems(draft, holds);
  if (closing.length > 0) return refused('seat_not_available', closing);
  const ruled = refuseRest(draft, checkout, facts, holds);
  if (ruled) return ruled;
  const amount_cents = totalOf(checkout.items);
  if (amount_cents === 0) {
    return sellCheckout(draft, checkout, { method: 'free', attempt_id: null }, facts);
  }
  const deadline_ms = deadlineOf(draft, checkout, facts);
  if (attempts.length >= MOST_ATTEMPTS || deadline_ms <= facts.now_ms) {
    return refused('checkout_closed', [], { status, attempts: attempts.length });
  }
  const attempt_id = facts.newId();
  const { provider } = command;
  const attempt = { checkout_id, attempt_id, provider, amount_cents, deadline_ms };
  draft.record({ kind: 'payment_begun', ...attempt });
  return { kind: 'payment_begun', checkout_id, attempt_id, amount_cents, currency, deadline_ms };
}

/**
 * What is left of a checkout when some of it was given back. Insisting on a single seat is for the
 * start of a checkout, which may be asked for again while it is open.
 */
function refuseRest(
  draft: Draft,
  { user_id, given_back }: Checkout,
  facts: Facts,
  holds: readonly Hold[],
): Refused | null {
  return given_back ? judgeChoice(draft, { user_id, allow_orphan: false }, facts, holds) : null;
}

/** Each attempt has its time, and all of them together have theirs. */
function deadlineOf(draft: Draft, { attempts }: Checkout, facts: Facts): number {
  const times = paymentTimes(draft.config.policy, facts.demoHoldSeconds ?? undefined);
  const first_ms = attempts[0]?.created_ms ?? facts.now_ms;
  return Math.min(
    facts.now_ms + times.payment_seconds * 1_000,
    first_ms + times.most_seconds * 1_000,
  );
}

/** What a provider says, once each, in whatever order it comes. */
export function decideMessage(draft: Draft, command: MessageCommand, facts: Facts): Outcome {
  const { checkout_id, attempt_id } = command;
  const name = messageName(command);
  if (draft.isTouched(checkout_id) || draft.isTouched(name)) return { kind: 'again' };
  const checkout = draft.checkoutOf(checkout_id) ?? facts.checkouts.get(checkout_id);
  const attempt = checkout && attemptOf(checkout, attempt_id);
  if (!checkout || !attempt) return refused('checkout_not_found');
  const known = facts.messages.get(name);
  if (known) {
    // Another message under a known name is no repeat: to say so would lose what it tells.
    const same = known.attempt_id === attempt_id && known.type === command.type;
    if (!same) return refused('message_reused');
    return answer(checkout_id, known.outcome, checkout.status, true);
  }
  const { outcome, status } = hear(draft, checkout, attempt, command, facts);
  draft.record({ ...command, outcome });
  return answer(checkout_id, outcome, status, false);
}

function answer(
  checkout_id: string,
  outcome: MessageOutcome,
  status: CheckoutState,
  repeated: boolean,
): Outcome {
  return { kind: 'payment_message', checkout_id, outcome, status, repeated };
}

type Heard = Readonly<{ outcome: MessageOutcome; status: CheckoutState }>;

function hear(
  draft: Draft,
  checkout: Checkout,
  attempt: Attempt,
  command: MessageCommand,
  facts: Facts,
): Heard {
  switch (command.type) {
    case 'payment.succeeded':
      return hearSuccess(draft, checkout, attempt, command, facts);
    case 'payment.failed':
      return hearDecline(draft, checkout, attempt, facts);
    case 'payment.refunded':
      return hearRefund(draft, checkout, attempt, command);
  }
}

/** The first success of any attempt completes the checkout; every other one is given back. */
function hearSuccess(
  draft: Draft,
  checkout: Checkout,
  attempt: Attempt,
  { amount_cents, currency }: MessageCommand,
  facts: Facts,
): Heard {
  const { status } = checkout;
  if (attempt.status !== 'pending' && attempt.status !== 'failed') {
    return { outcome: 'ignored', status };
  }
  const owe = (reason: RefundReason) => {
    owePayment(draft, checkout, attempt, { amount_cents, currency, reason }, facts);
  };
  if (amount_cents !== attempt.amount_cents || currency !== checkout.currency) {
    owe('amount_mismatch');
    const after = isCurrent(checkout, attempt)
      ? giveGrace(draft, checkout, attempt, facts)
      : status;
    return { outcome: 'amount_mismatch', status: after };
  }
  if (isCalledOff(draft.config)) {
    if (isOpen(checkout)) endItems(draft, checkout, 'event_cancelled');
    owe('event_cancelled');
    return { outcome: 'refund_due', status: isOpen(checkout) ? 'cancelled' : status };
  }
  if (attempt.amount_cents !== totalOf(checkout.items)) {
    // It was asked for when other things were in the checkout: nobody gets more or less for it.
    owe('amount_mismatch');
    return { outcome: 'refund_due', status };
  }
  if (isOpen(checkout)) {
    succeed(draft, checkout, attempt);
    const { attempt_id } = attempt;
    sellCheckout(draft, checkout, { method: 'payment', attempt_id }, facts);
    return { outcome: 'completed', status: 'completed' };
  }
  const late =
    (status === 'abandoned' || status === 'failed') && sellsStill(draft)
      ? sellLate(draft, checkout, attempt.attempt_id, facts)
      : null;
  if (!late) {
    owe(LATE_REASONS[status] ?? 'seats_gone');
    return { outcome: 'refund_due', status };
  }
  succeed(draft, checkout, attempt);
  return { outcome: 'completed', status: 'completed' };
}

const LATE_REASONS: Partial<Record<CheckoutState, RefundReason>> = {
  completed: 'paid_twice',
  cancelled: 'checkout_cancelled',
};

/** Nobody gets a ticket for what is over. */
function sellsStill({ config }: Draft): boolean {
  return ['published', 'live', 'postponed'].includes(config.event.status);
}

function succeed(draft: Draft, { checkout_id }: Checkout, { attempt_id }: Attempt): void {
  draft.record({ kind: 'attempt', checkout_id, attempt_id, status: 'succeeded' });
}

function owePayment(
  draft: Draft,
  { checkout_id }: Checkout,
  { attempt_id }: Attempt,
  owed: { amount_cents: number; currency: string; reason: RefundReason },
  facts: Facts,
): void {
  draft.record({ kind: 'attempt', checkout_id, attempt_id, status: 'refund_due' });
  const refund_id = facts.newId();
  draft.record({
    kind: 'refund_due',
    refund_id,
    checkout_id,
    attempt_id,
    ticket_id: null,
    ...owed,
  });
}

/** A decline counts for the attempt that the buyer is at; an older one changes nothing. */
function hearDecline(draft: Draft, checkout: Checkout, attempt: Attempt, facts: Facts): Heard {
  const { checkout_id, status } = checkout;
  const { attempt_id } = attempt;
  if (attempt.status !== 'pending') return { outcome: 'ignored', status };
  if (!isCurrent(checkout, attempt)) {
    draft.record({ kind: 'attempt', checkout_id, attempt_id, status: 'failed' });
    return { outcome: 'ignored', status };
  }
  return { outcome: 'declined', status: giveGrace(draft, checkout, attempt, facts) };
}

function isCurrent(checkout: Checkout, { attempt_id }: Attempt): boolean {
  return checkout.status === 'paying' && currentAttempt(checkout)?.attempt_id === attempt_id;
}

/** Time for another card, if the policy gives any; what was left before paying is never lost. */
function giveGrace(
  draft: Draft,
  checkout: Checkout,
  { attempt_id }: Attempt,
  facts: Facts,
): CheckoutState {
  const { checkout_id } = checkout;
  const times = paymentTimes(draft.config.policy, facts.demoHoldSeconds ?? undefined);
  if (times.grace_seconds === 0 || isCalledOff(draft.config)) {
    if (!isMarked(draft, checkout_id, attempt_id)) {
      draft.record({ kind: 'attempt', checkout_id, attempt_id, status: 'failed' });
    }
    endItems(draft, checkout, isCalledOff(draft.config) ? 'event_cancelled' : 'payment_failed');
    return isCalledOff(draft.config) ? 'cancelled' : 'failed';
  }
  const grace_ms = facts.now_ms + times.grace_seconds * 1_000;
  const deadline_ms = Math.max(...checkout.attempts.map((one) => one.deadline_ms));
  const holds = checkout.items.map(({ hold_id, until_ms }) => {
    // Beyond the deadline a hold lasts only because the buyer was promised so.
    const now_ms = liveHold(draft, hold_id).until_ms;
    const promised_ms = now_ms > deadline_ms ? now_ms : (until_ms ?? 0);
    return [hold_id, Math.max(promised_ms, grace_ms)] as const;
  });
  draft.record({ kind: 'payment_declined', checkout_id, attempt_id, holds });
  return 'started';
}

/** A wrong amount has its own word already. */
function isMarked(draft: Draft, checkoutId: string, attemptId: string): boolean {
  const checkout = draft.checkoutOf(checkoutId);
  return checkout !== undefined && attemptOf(checkout, attemptId)?.status !== 'pending';
}

function endItems(
  draft: Draft,
  { items }: Checkout,
  reason: 'payment_failed' | 'event_cancelled',
): void {
  const ids = items.map(({ hold_id }) => hold_id);
  endHolds(draft, ids, reason);
}

/** The money is back. A success that comes after it buys nothing. */
function hearRefund(
  draft: Draft,
  checkout: Checkout,
  attempt: Attempt,
  { amount_cents }: MessageCommand,
): Heard {
  const { checkout_id, status } = checkout;
  const { attempt_id } = attempt;
  if (attempt.status === 'refunded') return { outcome: 'ignored', status };
  const whole = attempt.status !== 'succeeded' || amount_cents >= attempt.amount_cents;
  if (whole) draft.record({ kind: 'attempt', checkout_id, attempt_id, status: 'refunded' });
  draft.record({ kind: 'refunded', checkout_id, attempt_id, amount_cents });
  return { outcome: 'refunded', status };
}
