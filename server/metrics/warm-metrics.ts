import type { Happening } from '@voelgoed/engine/telemetry';
import { Counter, Histogram, type Registry } from 'prom-client';
import { SECONDS } from './board-metrics.ts';

/** Series about Redis; a node without Redis has none of them. */
export function warmMetrics(registers: Registry[]): (happening: Happening) => void {
  const series = warmSeries(registers);
  return (happening) => {
    switch (happening.kind) {
      case 'redis.command': {
        const labels = { command: happening.name, failed: String(happening.failed) };
        return series.commands.observe(labels, happening.duration_ms / 1_000);
      }
      case 'redis.breaker':
        return series.breaker.inc({ state: happening.state });
      case 'hold.redis_fallback':
        return series.fallbacks.inc();
      case 'warm.claim':
        return series.claims.inc({ verdict: happening.verdict }, happening.wishes);
      case 'warm.written':
        return series.writes.observe(happening.duration_ms / 1_000);
      case 'warm.healed':
        return series.healed.inc(happening.keys);
      case 'warm.reconciled':
        return series.reconciled.observe(happening.duration_ms / 1_000);
      case 'warm.read':
        return series.reads.inc({ what: happening.what, hit: String(happening.hit) });
      default:
        return;
    }
  };
}

function warmSeries(registers: Registry[]) {
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name: `voelgoed_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, labelNames: string[] = []) =>
    new Histogram({ name: `voelgoed_${name}`, help, labelNames, buckets: SECONDS, registers });
  return {
    commands: histogram('redis_command_seconds', 'Time of a command', ['command', 'failed']),
    breaker: counter('redis_breaker_total', 'How often the breaker became so', ['state']),
    fallbacks: counter('hold_redis_fallback_total', 'Holds that went on without Redis'),
    claims: counter('warm_claim_total', 'What Redis said about a wish for seats', ['verdict']),
    writes: histogram('warm_write_seconds', 'Time to write a commit through to Redis'),
    healed: counter('warm_healed_total', 'Keys that said what was not so and were put right'),
    reconciled: histogram('warm_reconcile_seconds', 'Time to compare an event with Postgres'),
    reads: counter('warm_read_total', 'Reads of nodes without the board', ['what', 'hit']),
  };
}
