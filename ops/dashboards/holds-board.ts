import { type Board, latency, mean, perSecond, ratio } from './questions.ts';

const V = 'voelgoed_';

/** What becomes of holds: the panels that the hold lifecycle asks for, and releases. */
export const HOLDS: Board = {
  uid: 'voelgoed-holds',
  title: 'Voelgoed: holds',
  about: 'How attempts to hold end, how long they take, and how holds end.',
  rows: [
    {
      title: 'Making',
      panels: [
        {
          title: 'Hold success rate',
          description: 'Of the attempts that no rule refused. Alert HoldSuccessRateLow below 99 %.',
          unit: 'percentunit',
          limit: { below: 0.99 },
          queries: [
            {
              legend: 'success',
              expr:
                `1 - (sum (rate(${V}hold_error_total[5m])) or vector(0)) / ` +
                `(sum (rate(${V}hold_attempt_total[5m])) - ` +
                `(sum (rate(${V}hold_conflict_total[5m])) or vector(0)))`,
            },
          ],
        },
        {
          title: 'Conflict rate',
          description: 'Attempts refused per second. Alert HoldConflictsHigh above 10.',
          unit: 'ops',
          limit: { above: 10 },
          queries: [perSecond('', `${V}hold_conflict_total`, 'code')],
        },
        {
          title: 'Redis fallback rate',
          description:
            'Holds made without Redis. Alerts RedisFallback, and …High above 0.5 for 3 minutes.',
          unit: 'ops',
          limit: { above: 0.5 },
          queries: [perSecond('fallback', `${V}hold_redis_fallback_total`)],
        },
        {
          title: 'Average hold duration',
          description: 'The mean, from the request to the commit. Slow ones are beside it.',
          unit: 's',
          queries: [mean('average', `${V}hold_seconds`)],
        },
        {
          title: 'Attempts',
          description: 'With Redis, or by Postgres alone.',
          unit: 'ops',
          queries: [perSecond('', `${V}hold_method_total`, 'method')],
        },
        latency(
          'Hold duration',
          'From the request to the commit. Alert HoldSlow: p95 above 50 ms.',
          `${V}hold_seconds`,
          0.05,
        ),
      ],
    },
    {
      title: 'Ending',
      panels: [
        {
          title: 'Expired holds per minute',
          description: 'Normal while a sale runs: 60 to 100. Alert HoldExpirySpike.',
          unit: 'short',
          queries: [{ legend: 'expired', expr: `60 * sum (rate(${V}hold_expired_total[5m]))` }],
        },
        {
          title: 'Releases per minute, by scenario',
          description: 'Time, buyers, declined payments, staff, cancelled events.',
          unit: 'short',
          queries: [
            { legend: '{{reason}}', expr: `60 * sum by (reason) (rate(${V}hold_ended_total[5m]))` },
          ],
        },
        {
          title: 'How long holds last',
          description: 'The mean, by how they ended.',
          unit: 's',
          queries: [
            {
              legend: '{{reason}}',
              expr:
                `sum by (reason) (rate(${V}hold_lasted_seconds_sum[5m])) / ` +
                `sum by (reason) (rate(${V}hold_lasted_seconds_count[5m]))`,
            },
          ],
        },
        {
          title: 'Failed and repeated releases',
          description: 'Alerts ReleaseFailures and DoubleReleases, each above 5 %.',
          unit: 'ops',
          queries: [
            perSecond('failed', `${V}release_failed_total`, 'code'),
            perSecond('repeated', `${V}release_repeated_total`),
          ],
        },
        latency(
          'Expiry lag',
          'From the end of a hold to its being seen to be over.',
          `${V}hold_expiry_lag_seconds`,
          2,
        ),
        {
          title: 'Hold to sale conversion',
          description: 'Of holds that ended. 40 to 60 %; alert HoldConversionUnusual.',
          unit: 'percentunit',
          queries: [
            {
              legend: 'converted',
              expr:
                `sum (rate(${V}hold_converted_total[1h])) / ` +
                `(sum (rate(${V}hold_converted_total[1h])) + ` +
                `sum (rate(${V}hold_ended_total[1h])))`,
            },
          ],
        },
        {
          title: 'Extensions',
          description:
            'Extended, too late, and failed. Alert HoldExtensionFailed above 5 % failed.',
          unit: 'ops',
          queries: [
            perSecond('extended', `${V}hold_extended_total`),
            perSecond('too late', `${V}hold_expired_before_checkout_total`),
            perSecond('failed', `${V}hold_extension_failed_total`),
          ],
        },
        {
          title: 'Refused from memory',
          description: 'The share of all refusals that cost no query.',
          unit: 'percentunit',
          queries: [ratio('from memory', `${V}hold_refused_fast_total`, `${V}hold_conflict_total`)],
        },
      ],
    },
  ],
};
