import { findEvent } from '#events';
import type { Scope } from '#scope';
import type { Engine } from './change.ts';
import { type FiguresRow, findStakes, listFigures, type StakesRow } from './event-figures.sql.ts';
import { inTime } from './in-time.ts';

export type EventFigures = Omit<FiguresRow, 'event_id'>;

const NONE: EventFigures = { places: 0, sold: 0, held: 0, tickets: 0, tickets_cents: 0 };

/** A list of events is worth more than its figures: later than this they are left out. */
const LIST_MS = 400;

/** Places and tickets of several events, by their ids; null: there was no time to count them. */
export async function figuresOf(
  engine: Pick<Engine, 'postgres' | 'clock'>,
  { scope }: { scope: Scope },
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, EventFigures> | null> {
  if (eventIds.length === 0) return new Map();
  let rows: readonly FiguresRow[] = [];
  const limit = { name: 'events.list_figures', ms: LIST_MS };
  const isLate = await inTime(engine, scope, limit, async (query) => {
    rows = await query(listFigures(scope.organizationId, eventIds));
  });
  if (isLate) return null;
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
