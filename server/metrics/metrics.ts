/**
 * Metrics: counts what the engine and the HTTP server report, in Prometheus form. It turns
 * happenings into numbers; it decides nothing. Labels are names and codes from our own code, never
 * ids, so the number of series is bounded.
 */
import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export { alsoLogged } from './happening-log.ts';

export type Metrics = Readonly<{
  telemetry: Telemetry;
  request(seen: { method: string; route: string; status: number; seconds: number }): void;
  gauge(name: string, help: string, read: () => number): void;
  text(): Promise<string>;
  contentType: string;
}>;

/** From a refusal out of memory (under 1 ms) to a request at its deadline (3 s). */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3];

export function createMetrics(): Metrics {
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
    telemetry: { emit: happeningCounters(registry) },
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

function happeningCounters(registry: Registry): (happening: Happening) => void {
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
  const { flushes, flushSize, trouble, guards, fast, loads, lineages, swept } =
    boardMetrics(registers);
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
      case 'flush.done': {
        flushSize.observe(happening.wishes);
        return flushes.observe({ outcome: happening.outcome }, happening.duration_ms / 1_000);
      }
      case 'flush.trouble':
        return trouble.inc({ trouble: happening.trouble });
      case 'flush.guard':
        return guards.inc();
      case 'hold.refused_fast':
        return fast.inc({ code: happening.code });
      case 'board.loaded':
        return loads.observe(happening.duration_ms / 1_000);
      case 'board.other_lineage':
        return lineages.inc();
      case 'sweep.run':
        return swept.setToCurrentTime();
      case 'board.evicted':
      case 'command.broken':
      case 'feed.failed':
      case 'flush.settled':
      case 'job.failed':
      case 'writer.stopped':
      case 'layout.version_changed':
      case 'postgres.listening':
      case 'redis.connected':
        return;
    }
  };
}

function boardMetrics(registers: Registry[]) {
  return {
    flushes: new Histogram({
      name: 'voelgoed_flush_seconds',
      help: 'Time of a flush from asking for the lock to its end',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    }),
    flushSize: new Histogram({
      name: 'voelgoed_flush_wishes',
      help: 'Wishes decided in one flush',
      buckets: [0, 1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    trouble: new Counter({
      name: 'voelgoed_flush_trouble_total',
      help: 'Flushes that failed and why',
      labelNames: ['trouble'],
      registers,
    }),
    guards: new Counter({
      name: 'voelgoed_flush_guard_total',
      help: 'Flushes that contradicted the database: each is a bug',
      registers,
    }),
    fast: new Counter({
      name: 'voelgoed_hold_refused_fast_total',
      help: 'Holds refused from memory',
      labelNames: ['code'],
      registers,
    }),
    loads: new Histogram({
      name: 'voelgoed_board_load_seconds',
      help: 'Time to load a board',
      buckets: SECONDS,
      registers,
    }),
    lineages: new Counter({
      name: 'voelgoed_board_other_lineage_total',
      help: 'Boards that were discarded because the log had another history',
      registers,
    }),
    swept: new Gauge({
      name: 'voelgoed_reaper_last_run_timestamp_seconds',
      help: 'When the sweep ran last',
      registers,
    }),
  };
}
