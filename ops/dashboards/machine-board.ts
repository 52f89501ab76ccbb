import { type Board, latency, most, perSecond } from './questions.ts';

const V = 'voelgoed_';

/** What a woken operator looks at: services, memory, background work, contradictions. */
export const MACHINE: Board = {
  uid: 'voelgoed-machine',
  title: 'Voelgoed: machine',
  about: 'Postgres, Redis, memory, background work and what contradicts itself.',
  rows: [
    {
      title: 'Truth',
      panels: [
        {
          title: 'Contradictions',
          description:
            'Must stay 0. Alerts GuardContradicted, InvariantViolated, AuditChainBroken.',
          unit: 'short',
          limit: { above: 1 },
          queries: [
            { legend: 'guards', expr: `sum (increase(${V}flush_guard_total[1h]))` },
            {
              legend: '{{invariant}}',
              expr: `sum by (invariant) (increase(${V}invariant_violated_total[1h]))`,
            },
          ],
        },
        {
          title: 'Since the last look',
          description: 'By invariant. Alert InvariantsUnchecked after 10 minutes.',
          unit: 's',
          limit: { above: 600 },
          queries: [
            {
              legend: '{{invariant}}',
              expr: `time() - max by (invariant) (${V}invariant_last_check_timestamp_seconds)`,
            },
          ],
        },
        {
          title: 'Since the last sweep',
          description: 'It runs every second. Alert ReaperSilent after 5 minutes.',
          unit: 's',
          limit: { above: 300 },
          queries: [
            {
              legend: 'any node',
              expr: `time() - max (${V}reaper_last_run_timestamp_seconds)`,
            },
          ],
        },
        {
          title: 'Oldest overdue hold',
          description: 'Alert HoldsOverdue above 10 s.',
          unit: 's',
          limit: { above: 10 },
          queries: [most('overdue', `${V}hold_overdue_seconds`)],
        },
      ],
    },
    {
      title: 'Services',
      panels: [
        latency('Postgres statements', 'All of them.', `${V}postgres_statement_seconds`),
        {
          title: 'Oldest open snapshot',
          description: 'Alert OldSnapshotOpen above a minute.',
          unit: 's',
          limit: { above: 60 },
          queries: [most('oldest', `${V}postgres_oldest_snapshot_seconds`)],
        },
        {
          title: 'No connection free',
          description: 'Requests refused for it, by pool. Alert PoolFull.',
          unit: 'ops',
          queries: [perSecond('', `${V}postgres_pool_full_total`, 'pool')],
        },
        latency(
          'Redis commands',
          'Slower than 50 ms counts as failed.',
          `${V}redis_command_seconds`,
          0.05,
        ),
        {
          title: 'Redis breaker',
          description: '1: the node works without Redis. Alert RedisBreakerOpen.',
          unit: 'short',
          limit: { above: 1 },
          queries: [most('', `${V}redis_breaker_open`, 'instance')],
        },
        {
          title: 'Redis corrected',
          description:
            'Keys healed, differences found by reconciling, and content that did not match its ' +
            'digest and was not shown. Alert RedisDiffers.',
          unit: 'ops',
          queries: [
            perSecond('not shown', `${V}warm_digest_mismatch_total`, 'what'),
            perSecond('healed', `${V}warm_healed_total`),
            perSecond('reconciled', `${V}warm_reconcile_differences_total`, 'change'),
          ],
        },
      ],
    },
    {
      title: 'Node',
      panels: [
        {
          title: 'Memory of boards',
          description: 'At most 512 MiB. Alert BoardMemoryHigh.',
          unit: 'bytes',
          queries: [most('', `${V}board_bytes`, 'instance')],
        },
        {
          title: 'Boards loaded',
          description: 'Of each node.',
          unit: 'short',
          queries: [most('', `${V}boards_loaded`, 'instance')],
        },
        {
          title: 'Event loop lag',
          description: 'One turn in a hundred. Alert EventLoopBlocked above 0.2 s.',
          unit: 's',
          limit: { above: 0.2 },
          queries: [most('', `${V}nodejs_eventloop_lag_p99_seconds`, 'instance')],
        },
        {
          title: 'Background work that failed',
          description: 'By job. Alert JobFailing.',
          unit: 'ops',
          queries: [perSecond('', `${V}job_failed_total`, 'work')],
        },
        {
          title: 'Webhook lag',
          description: 'Age of the oldest message not delivered. Alert WebhookLag above 5 minutes.',
          unit: 's',
          limit: { above: 300 },
          queries: [most('lag', `${V}webhook_lag_seconds`)],
        },
        {
          title: 'Processor',
          description: 'Seconds per second, of each node.',
          unit: 'short',
          queries: [perSecond('', `${V}process_cpu_seconds_total`, 'instance')],
        },
      ],
    },
  ],
};
