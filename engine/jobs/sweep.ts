import type { Clock } from '#kit';
import type { Postgres } from '#postgres';
import type { SeatRegistry } from '#registry';
import { scopeOf } from '#scope';
import type { Telemetry } from '#telemetry';
import { dueEvents } from './jobs.sql.ts';

/** More events than this wait for the next second, or for another node. */
const MOST_EVENTS = 200;
/** Flushes at a time: as many as leave writer connections to buyers. */
const AT_ONCE = 4;
const FLUSH_MS = 2_000;

type SweepTools = Readonly<{
  postgres: Postgres;
  registry: SeatRegistry;
  clock: Clock;
  telemetry: Telemetry;
}>;

/**
 * Looks for events with something to do and sends each an empty flush, which begins with what is
 * due. It only makes visible what is true already: an expired seat can be taken without it.
 */
export async function sweepOnce(tools: SweepTools): Promise<void> {
  const { postgres, registry, clock, telemetry } = tools;
  const started = clock.monotonic();
  const due = await postgres.ask(null, dueEvents(MOST_EVENTS), { pool: 'jobs' });
  let failed = 0;
  const queue = [...due];
  const work = async () => {
    for (let event = queue.shift(); event; event = queue.shift()) {
      const scope = scopeOf(event.organization_id);
      const deadline_ms = clock.monotonic() + FLUSH_MS;
      await registry.sweep({ scope, eventId: event.event_id }, deadline_ms).catch(() => {
        failed++;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const duration_ms = clock.monotonic() - started;
  telemetry.emit({ kind: 'reaper.run', events: due.length, failed, duration_ms });
}
