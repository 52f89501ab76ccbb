/**
 * Metrics: counts what the engine and the HTTP server report, in Prometheus form, and writes down
 * what is worth a line. It turns happenings into numbers; it decides nothing. Labels are names and
 * codes from our own code, so the number of series is bounded. Ids are labels of the worst events
 * alone, which are a handful.
 */
import type { Happening, Telemetry } from '@voelgoed/engine/telemetry';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { countBoards } from './count-boards.ts';
import { countBugs } from './count-bugs.ts';
import { countHolds } from './count-holds.ts';
import { countJobs } from './count-jobs.ts';
import { countPostgres } from './count-postgres.ts';
import { countRedis, WITHOUT_REDIS } from './count-redis.ts';
import { countSales } from './count-sales.ts';
import { type Counting, type GaugeBy, Series } from './series.ts';

export { alsoLogged, LEVELS } from './happening-log.ts';
export { watchNode } from './node-gauges.ts';

export type Metrics = Readonly<{
  telemetry: Telemetry;
  request(seen: { method: string; route: string; status: number; seconds: number }): void;
  gauge(name: string, help: string, read: () => number): void;
  gaugeBy: GaugeBy;
  text(): Promise<string>;
  contentType: string;
}>;

/** Nobody counts: for measuring what counting costs. */
export const NO_METRICS: Metrics = {
  telemetry: { emit: () => {} },
  request: () => {},
  gauge: () => {},
  gaugeBy: () => {},
  text: async () => '',
  contentType: 'text/plain',
};

export function createMetrics(parts: { redis: boolean } = { redis: false }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'voelgoed_' });
  const series = new Series(registry);
  return {
    telemetry: { emit: counter(series, parts.redis) },
    request: requestTimes(series),
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
    gaugeBy: (name, help, labelNames, read) => {
      new Gauge({
        name,
        help,
        labelNames: [...labelNames],
        registers: [registry],
        collect() {
          this.reset();
          for (const { labels, value } of read()) this.set(labels, value);
        },
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function counter(series: Series, withRedis: boolean): (happening: Happening) => void {
  const counting: Counting<Happening['kind']> = {
    ...countPostgres(series),
    ...countBoards(series, withRedis),
    ...countBugs(series),
    ...countHolds(series, withRedis),
    ...countSales(series),
    ...countJobs(series),
    ...(withRedis ? countRedis(series) : WITHOUT_REDIS),
  };
  const table = counting as Record<string, (happening: Happening) => void>;
  return (happening) => table[happening.kind]?.(happening);
}

function requestTimes(series: Series): Metrics['request'] {
  const labels = ['method', 'route', 'status'];
  const times = series.histogram('http_request_seconds', 'Time to answer a request', labels);
  return ({ method, route, status, seconds }) =>
    times.observe(seconds, { method, route, status: String(status) });
}
