import { type Counting, nothing, type Series } from './series.ts';

type Kinds =
  | 'postgres.statement'
  | 'postgres.retry'
  | 'postgres.pool_full'
  | 'postgres.connection_lost'
  | 'postgres.listening'
  | 'postgres.refused'
  | 'postgres.writable'
  | 'postgres.oldest_snapshot'
  | 'redis.connection_lost'
  | 'redis.connected';

/** Counts what happens to connections and statements. */
export function countPostgres(series: Series): Counting<Kinds> {
  const statements = series.histogram(
    'postgres_statement_seconds',
    'Time from sending a statement to its answer',
    ['statement', 'failed'],
  );
  const retries = series.counter('postgres_retries_total', 'Transactions that were run again', [
    'transaction',
    'code',
  ]);
  const full = series.counter(
    'postgres_pool_full_total',
    'Requests refused because no connection became free in time',
    ['pool'],
  );
  const lost = series.counter('connection_lost_total', 'Connections to a service that broke', [
    'service',
  ]);
  const refused = series.counter(
    'postgres_refused_total',
    'Statements and connections that Postgres refused because it cannot serve, by reason',
    ['pool', 'reason'],
  );
  const writable = series.gauge(
    'postgres_writable',
    '1: a write of this node was committed within the last second or so, 0: it was not',
  );
  const oldest = series.gauge(
    'postgres_oldest_snapshot_seconds',
    'Age of the oldest snapshot that a session keeps open; an old one slows every commit',
  );
  return {
    'postgres.statement': ({ name, failed, duration_ms }) =>
      statements.observe(duration_ms / 1_000, { statement: name, failed: String(failed) }),
    'postgres.retry': ({ transaction, code }) => retries.inc({ transaction, code }),
    'postgres.pool_full': ({ pool }) => full.inc({ pool }),
    'postgres.connection_lost': () => lost.inc({ service: 'postgres' }),
    'postgres.listening': nothing,
    'postgres.refused': ({ pool, reason }) => refused.inc({ pool, reason }),
    'postgres.writable': ({ state }) => writable.set(state === 'ok' ? 1 : 0),
    'postgres.oldest_snapshot': ({ age_ms }) => oldest.set(age_ms / 1_000),
    'redis.connection_lost': () => lost.inc({ service: 'redis' }),
    'redis.connected': nothing,
  };
}
