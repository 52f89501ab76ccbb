import { type Clock, reasonOf } from '#kit';
import type { Postgres } from '#postgres';
import { type EventRef, eventIds, type SeatRegistry } from '#registry';
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
  const { postgres, clock, telemetry } = tools;
  const started = clock.monotonic();
  const due = await postgres.ask(null, dueEvents(MOST_EVENTS), { pool: 'jobs' });
  let [failed, holds] = [0, 0];
  const queue = [...due];
  const work = async () => {
    for (let row = queue.shift(); row; row = queue.shift()) {
      const event = { scope: scopeOf(row.organization_id), eventId: row.event_id };
      try {
        holds += await sweepEvent(tools, event);
      } catch (error) {
        failed++;
        telemetry.emit({ kind: 'reaper.failed', reason: reasonOf(error), ids: eventIds(event) });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const duration_ms = clock.monotonic() - started;
  telemetry.emit({ kind: 'reaper.run', events: due.length, failed, holds, duration_ms });
}

/** How many holds it has ended. */
async function sweepEvent({ registry, clock }: SweepTools, event: EventRef): Promise<number> {
  const before = registry.endedBy(event);
  await registry.sweep(event, clock.monotonic() + FLUSH_MS);
  return Math.max(0, registry.endedBy(event) - before);
}
