import type { Change } from '#board';

/** What an endpoint can be told. A kind keeps its meaning for ever; new ones may come. */
export const WEBHOOK_KINDS = [
  'seat_held',
  'hold_extended',
  'hold_reduced',
  'hold_expired',
  'seat_released',
  'seat_sold',
  'seat_blocked',
  'seat_unblocked',
  'checkout_started',
  'checkout_completed',
  'checkout_abandoned',
  'checkout_failed',
  'checkout_cancelled',
  'payment_initiated',
  'payment_succeeded',
  'payment_failed',
  'payment_refunded',
  'refund_due',
  'ticket_voided',
  'ticket_refunded',
  'ticket_reseated',
  'event_changed',
  'capacity_critical',
  'test',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** What a change of the log is told as; most of them as one thing, a sale as up to three. */
export function kindsOf(change: Change): readonly WebhookKind[] {
  switch (change.kind) {
    case 'held':
      return ['seat_held'];
    case 'extended':
      return ['hold_extended'];
    case 'reduced':
      return ['hold_reduced'];
    case 'ended':
      return [change.reason === 'ttl_expired' ? 'hold_expired' : 'seat_released'];
    case 'blocked':
      return ['seat_blocked'];
    case 'unblocked':
      return ['seat_unblocked'];
    case 'sold':
      return ['seat_sold', 'checkout_completed'];
    case 'checkout_started':
    case 'refund_due':
      return [change.kind];
    case 'checkout_closed':
      return [`checkout_${change.status}`];
    case 'payment_begun':
      return ['payment_initiated'];
    case 'payment_message':
      return paymentKinds(change);
    case 'ticket_ended':
      return [`ticket_${change.status}`];
    case 'reseated':
      return ['ticket_reseated'];
    case 'event':
      return ['event_changed'];
    case 'config':
      return change.event ? ['event_changed'] : [];
    default:
      return [];
  }
}

/** A message that changed nothing is nobody's news: its attempt was not the current one. */
function paymentKinds(change: Extract<Change, { kind: 'payment_message' }>): WebhookKind[] {
  if (change.outcome === 'ignored') return [];
  if (change.type === 'payment.succeeded') return ['payment_succeeded'];
  return [change.type === 'payment.failed' ? 'payment_failed' : 'payment_refunded'];
}
