import type { Counting, Series } from './series.ts';

type Kinds =
  | 'entry.scanned'
  | 'checkout.closed'
  | 'ticket.sold'
  | 'refund.due'
  | 'payment.message'
  | 'http.refused'
  | 'webhook.sent'
  | 'webhook.disabled';

/** From a neighbour's answer to the ten seconds that a receiver may take. */
const RECEIVER_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts what happens after a hold, and what others are told of it. */
export function countSales(series: Series): Counting<Kinds> {
  const checkouts = series.counter('checkout_closed_total', 'Checkouts that are over, and how', [
    'status',
  ]);
  const tickets = series.counter('ticket_sold_total', 'Tickets that were made');
  const refunds = series.counter(
    'refund_due_total',
    'Payments and tickets whose money is to be given back, and why',
    ['reason'],
  );
  const messages = series.counter(
    'payment_message_total',
    'Messages of payment providers and what they led to',
    ['type', 'outcome'],
  );
  const scans = series.counter('entries_total', 'Tickets scanned at the door', [
    'status',
    'reason',
  ]);
  const refused = series.counter(
    'refusals_total',
    'Requests that were answered by an error, by its code',
    ['code'],
  );
  return {
    ...countWebhooks(series),
    'entry.scanned': ({ status, reason }) => scans.inc({ status, reason }),
    'checkout.closed': ({ status }) => checkouts.inc({ status }),
    'ticket.sold': (happening) => tickets.inc({}, happening.tickets),
    'refund.due': ({ reason }) => refunds.inc({ reason }),
    'payment.message': ({ type, outcome }) => messages.inc({ type, outcome }),
    'http.refused': ({ code }) => refused.inc({ code }),
  };
}

function countWebhooks(series: Series): Counting<'webhook.sent' | 'webhook.disabled'> {
  const deliveries = series.counter(
    'webhook_deliveries_total',
    'Tries to tell an endpoint something, and what came of them',
    ['outcome'],
  );
  const times = series.histogram(
    'webhook_seconds',
    'Time that endpoints took to answer',
    [],
    RECEIVER_SECONDS,
  );
  const disabled = series.counter(
    'webhook_disabled_total',
    'Endpoints that nothing is sent to any more, and why',
    ['reason'],
  );
  return {
    'webhook.sent': ({ outcome, duration_ms }) => {
      deliveries.inc({ outcome });
      times.observe(duration_ms / 1_000);
    },
    'webhook.disabled': ({ reason }) => disabled.inc({ reason }),
  };
}
