import { type Counting, nothing, type Series } from './series.ts';

type Kinds =
  | 'redis.command'
  | 'redis.breaker'
  | 'redis.probe_failed'
  | 'warm.claim'
  | 'warm.written'
  | 'warm.healed'
  | 'warm.digest_mismatch'
  | 'warm.reconciled';

/** A node without Redis has none of these series. */
export const WITHOUT_REDIS: Counting<Kinds> = {
  'redis.command': nothing,
  'redis.breaker': nothing,
  'redis.probe_failed': nothing,
  'warm.claim': nothing,
  'warm.written': nothing,
  'warm.healed': nothing,
  'warm.digest_mismatch': nothing,
  'warm.reconciled': nothing,
};

/** Counts what Redis is told and says. */
export function countRedis(series: Series): Counting<Kinds> {
  const commands = series.histogram('redis_command_seconds', 'Time of a command', [
    'command',
    'failed',
  ]);
  const breaker = series.counter('redis_breaker_total', 'How often the breaker became so', [
    'state',
  ]);
  const probes = series.counter(
    'redis_probe_failed_total',
    'Times that a Redis which is down was asked and did not answer',
  );
  const claims = series.counter('warm_claim_total', 'What Redis said about a wish for seats', [
    'verdict',
  ]);
  const writes = series.histogram('warm_write_seconds', 'Time to write a commit through to Redis');
  const healed = series.counter(
    'warm_healed_total',
    'Keys that said what was not so and were put right',
  );
  const mismatches = series.counter(
    'warm_digest_mismatch_total',
    'Content in Redis that was changed since a node had written it, and not shown',
    ['what'],
  );
  const reconciled = series.histogram(
    'warm_reconcile_seconds',
    'Time to compare an event with Postgres',
  );
  const differences = series.counter(
    'warm_reconcile_differences_total',
    'Entries in which Redis and Postgres differed',
    ['change'],
  );
  return {
    'redis.command': ({ name, failed, duration_ms }) =>
      commands.observe(duration_ms / 1_000, { command: name, failed: String(failed) }),
    'redis.breaker': ({ state }) => breaker.inc({ state }),
    'redis.probe_failed': () => probes.inc(),
    'warm.claim': ({ verdict, wishes }) => claims.inc({ verdict }, wishes),
    'warm.written': ({ duration_ms }) => writes.observe(duration_ms / 1_000),
    'warm.healed': ({ keys }) => healed.inc({}, keys),
    'warm.digest_mismatch': ({ what }) => mismatches.inc({ what }),
    'warm.reconciled': ({ written, removed, duration_ms }) => {
      reconciled.observe(duration_ms / 1_000);
      differences.inc({ change: 'written' }, written);
      differences.inc({ change: 'removed' }, removed);
    },
  };
}
