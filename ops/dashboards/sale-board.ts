import { type Board, latency, most, perSecond, ratio } from './questions.ts';

const V = 'voelgoed_';

/** What an operator looks at while a sale opens: one screen, the most urgent on top. */
export const ON_SALE: Board = {
  uid: 'voelgoed-on-sale',
  title: 'Voelgoed: on sale',
  about: 'The overview while thousands buy at once.',
  rows: [
    {
      title: 'Buyers',
      panels: [
        {
          title: 'Seats held and tickets sold',
          description: 'Per second.',
          unit: 'ops',
          queries: [
            perSecond('held', `${V}hold_seats_total`),
            perSecond('sold', `${V}ticket_sold_total`),
          ],
        },
        latency(
          'What a buyer waits',
          'From the request to the commit. Alerts HoldSlow: p95 above 50 ms; HoldVerySlow.',
          `${V}hold_seconds`,
          0.05,
        ),
        {
          title: 'Answers by status',
          description: 'Requests per second.',
          unit: 'ops',
          queries: [perSecond('', `${V}http_request_seconds_count`, 'status')],
        },
        {
          title: 'Refusals by code',
          description: 'overloaded and event_busy: too many; alert Overloaded.',
          unit: 'ops',
          queries: [perSecond('', `${V}refusals_total`, 'code')],
        },
        {
          title: 'Failed on our side',
          description: 'Alert ServerErrors above 1 %.',
          unit: 'percentunit',
          limit: { above: 0.01 },
          queries: [
            ratio(
              '5xx',
              `${V}http_request_seconds_count{status=~"5.."}`,
              `${V}http_request_seconds_count`,
            ),
          ],
        },
        {
          title: 'Checkouts closed',
          description: 'How they end, per second.',
          unit: 'ops',
          queries: [perSecond('', `${V}checkout_closed_total`, 'status')],
        },
      ],
    },
    {
      title: 'Writers',
      panels: [
        {
          title: 'Waiting commands',
          description: 'All events of a node together. Alert QueueLong above 5,000.',
          unit: 'short',
          limit: { above: 5_000 },
          queries: [most('waiting', `${V}queue_wishes`, 'instance')],
        },
        latency('Wait in the queue', 'Alert QueueWaitLong above 1 s.', `${V}queue_wait_seconds`, 1),
        latency('Flush', 'From asking for the lock to the end.', `${V}flush_seconds`),
        latency('Waiting for the lock', 'With reading what was missed.', `${V}flush_lock_seconds`),
        {
          title: 'Commands per flush',
          description: 'Batches grow with load.',
          unit: 'short',
          queries: [
            {
              legend: 'commands',
              expr: `sum (rate(${V}flush_wishes_sum[5m])) / sum (rate(${V}flush_wishes_count[5m]))`,
            },
          ],
        },
        {
          title: 'Trouble',
          description: 'Flushes that failed. Alerts LockTimeouts and DatabaseUnavailable.',
          unit: 'ops',
          queries: [perSecond('', `${V}flush_trouble_total`, 'trouble')],
        },
      ],
    },
    {
      title: 'Open seat maps',
      panels: [
        {
          title: 'Open streams',
          description: 'Of each node.',
          unit: 'short',
          queries: [most('', `${V}stream_clients`, 'instance')],
        },
        latency('Stream lag', 'From a change to all open maps.', `${V}stream_lag_seconds`, 1),
        latency('Feed lag', 'From a commit elsewhere to this node.', `${V}feed_lag_seconds`, 1),
        {
          title: 'Clients cut off',
          description: 'They read too slowly, and come back by themselves.',
          unit: 'ops',
          queries: [perSecond('dropped', `${V}stream_dropped_total`)],
        },
      ],
    },
  ],
};
