/**
 * Metrics: counts what the engine and the HTTP server report, in Prometheus form. It turns
 * happenings into numbers; it decides nothing. Labels are names and codes from our own code, never
 * ids, so the number of series is bounded.
 */
import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { boardMetrics, SECONDS } from './board-metrics.ts';
import { warmMetrics } from './warm-metrics.ts';
import { webhookMetrics } from './webhook-metrics.ts';

export { alsoLogged } from './happening-log.ts';
export { watchSeating } from './seating-gauges.ts';

export type Metrics = Readonly<{
  telemetry: Telemetry;
  request(seen: { method: string; route: string; status: number; seconds: number }): void;
  gauge(name: string, help: string, read: () => number): void;
  text(): Promise<string>;
  contentType: string;
}>;

export function createMetrics(parts: { redis: boolean } = { redis: false }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'voelgoed_' });
  const requests = new Histogram({
    name: 'voelgoed_http_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  return {
    telemetry: { emit: happeningCounters(registry, parts.redis) },
    request: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read());
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function happeningCounters(registry: Registry, withRedis: boolean): (happening: Happening) => void {
  const registers = [registry];
  const statements = new Histogram({
    name: 'voelgoed_postgres_statement_seconds',
    help: 'Time from sending a statement to its answer',
    labelNames: ['statement', 'failed'],
    buckets: SECONDS,
    registers,
  });
  const retries = new Counter({
    name: 'voelgoed_postgres_retries_total',
    help: 'Transactions that were run again',
    labelNames: ['transaction', 'code'],
    registers,
  });
  const full = new Counter({
    name: 'voelgoed_postgres_pool_full_total',
    help: 'Requests refused because no connection became free in time',
    labelNames: ['pool'],
    registers,
  });
  const countBoard = boardMetrics(registers);
  const countWebhooks = webhookMetrics(registers);
  const countWarm = withRedis ? warmMetrics(registers) : () => {};
  const lost = new Counter({
    name: 'voelgoed_connection_lost_total',
    help: 'Connections to a service that broke',
    labelNames: ['service'],
    registers,
  });
  return (happening) => {
    switch (happening.kind) {
      case 'postgres.statement': {
        const labels = { statement: happening.name, failed: String(happening.failed) };
        return statements.observe(labels, happening.duration_ms / 1_000);
      }
      case 'postgres.retry':
        return retries.inc({ transaction: happening.transaction, code: happening.code });
      case 'postgres.pool_full':
        return full.inc({ pool: happening.pool });
      case 'postgres.connection_lost':
        return lost.inc({ service: 'postgres' });
      case 'redis.connection_lost':
        return lost.inc({ service: 'redis' });
      case 'layout.version_changed':
      case 'postgres.listening':
      case 'redis.connected':
        return;
      default:
        countWarm(happening);
        countWebhooks(happening);
        return countBoard(happening);
    }
  };
}
