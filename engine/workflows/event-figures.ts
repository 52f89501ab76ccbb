import { findEvent } from '#events';
import type { Scope } from '#scope';
import type { Engine } from './change.ts';
import { type FiguresRow, findStakes, listFigures, type StakesRow } from './event-figures.sql.ts';

export type EventFigures = Omit<FiguresRow, 'event_id'>;

const NONE: EventFigures = { places: 0, sold: 0, held: 0, tickets: 0, tickets_cents: 0 };

/** Places and tickets of several events, by their ids. */
export async function figuresOf(
  { postgres }: Engine,
  { scope }: { scope: Scope },
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, EventFigures>> {
  if (eventIds.length === 0) return new Map();
  const rows = await postgres.ask(scope, listFigures(scope.organizationId, eventIds));
  const known = new Map(rows.map(({ event_id, ...figures }) => [event_id, figures]));
  return new Map(eventIds.map((id) => [id, known.get(id) ?? NONE]));
}

/** All counted at one moment. */
const COUNT = {
  name: 'events.figures',
  mode: 'isolation level repeatable read read only',
} as const;

/** What an event has sold, and what depends on it now; null: no such event. */
export function eventFigures(
  { postgres }: Engine,
  { scope }: { scope: Scope },
  eventId: string,
): Promise<(EventFigures & StakesRow & { currency: string }) | null> {
  const { organizationId } = scope;
  return postgres.transaction(scope, COUNT, async (transaction) => {
    const [event] = await transaction.query(findEvent(organizationId, eventId));
    if (!event) return null;
    const [row] = await transaction.query(listFigures(organizationId, [eventId]));
    const [stakes] = await transaction.query(findStakes(organizationId, eventId));
    const { event_id: _, ...figures } = row ?? { event_id: eventId, ...NONE };
    return { ...figures, ...(stakes as StakesRow), currency: event.currency };
  });
}
