import type { Happening } from '@voelgoed/engine/telemetry';
import { Counter, Histogram, type Registry } from 'prom-client';

/** From a neighbour's answer to the ten seconds that a receiver may take. */
const SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts what endpoints of webhooks were told. */
export function webhookMetrics(registers: Registry[]): (happening: Happening) => void {
  const deliveries = new Counter({
    name: 'voelgoed_webhook_deliveries_total',
    help: 'Tries to tell an endpoint something, and what came of them',
    labelNames: ['outcome'],
    registers,
  });
  const times = new Histogram({
    name: 'voelgoed_webhook_seconds',
    help: 'Time that endpoints took to answer',
    buckets: SECONDS,
    registers,
  });
  const disabled = new Counter({
    name: 'voelgoed_webhook_disabled_total',
    help: 'Endpoints that nothing is sent to any more, and why',
    labelNames: ['reason'],
    registers,
  });
  return (happening) => {
    if (happening.kind === 'webhook.disabled') disabled.inc({ reason: happening.reason });
    if (happening.kind !== 'webhook.sent') return;
    deliveries.inc({ outcome: happening.outcome });
    times.observe(happening.duration_ms / 1_000);
  };
}
