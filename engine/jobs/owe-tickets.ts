import { reasonOf } from '#kit';
import { eventIds } from '#registry';
import { scopeOf } from '#scope';
import type { Engine } from '#workflows';
import { unrefundedTickets } from './jobs.sql.ts';

/** As many as one flush may change with ease; the next page follows at once. */
const PAGE = 500;
const FLUSH_MS = 5_000;
const SYSTEM = { kind: 'system', id: null, role: null } as const;

/** Writes down what is owed for the tickets of cancelled events, event by event. */
export async function oweTickets(engine: Engine): Promise<void> {
  const { postgres, registry, clock, telemetry } = engine;
  for (let found = 1; found > 0; ) {
    const pages = await postgres.ask(null, unrefundedTickets(PAGE), { pool: 'jobs' });
    found = 0;
    for (const { organization_id, event_id, ticket_ids } of pages) {
      const event = { scope: scopeOf(organization_id), eventId: event_id };
      const command = { kind: 'owe_tickets', ticket_ids } as const;
      const deadline_ms = clock.monotonic() + FLUSH_MS;
      const wish = { command, actor: SYSTEM, context: null, key: null, deadline_ms };
      await registry.submit(event, wish).then(
        (answer) => {
          const { outcome } = answer.kind === 'done' ? answer : { outcome: null };
          if (outcome?.kind === 'tickets_owed') found += outcome.tickets;
        },
        // An event that is busy keeps no other from it; the next round comes back to it.
        (error) => {
          const about = { reason: reasonOf(error), ids: eventIds(event) };
          telemetry.emit({ kind: 'job.failed', job: 'owe', ...about });
        },
      );
    }
  }
}
