/**
 * Events: performances that are planned, put on sale and over. It knows their states, sale times,
 * prices and what they do differently from their layout; it does not know who holds a seat, which
 * is the registry's. Workflows change events through it.
 */
import type { Postgres } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import { lookupEvent } from './events.sql.ts';

export { dayAt, daysBetween, daysMoved, MOST_DAYS, problemOfDays } from './day-rules.ts';
export {
  afterStep,
  type EventState,
  type EventStep,
  isOnSale,
  isPublic,
} from './event-states.ts';
export * from './events.sql.ts';
export {
  type BaseZone,
  type EventOverrides,
  knownOverrides,
  NO_OVERRIDES,
  readOverrides,
} from './overrides.ts';

/**
 * The organization of an event that the world may know of; null for drafts and what is not there.
 */
export async function scopeOfEvent(postgres: Postgres, eventId: string): Promise<Scope | null> {
  const [row] = await postgres.ask(null, lookupEvent(eventId));
  return row ? scopeOf(row.organization_id) : null;
}
