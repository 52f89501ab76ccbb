import {
  dropPrices,
  type EventLayoutRow,
  type EventRow,
  findEvent,
  findEventLayout,
  insertEvent,
  insertPrices,
  listEvents,
  listPrices,
  lockEvent,
  updateEvent,
} from '#events';
import { NIL_ID, uuidv7 } from '#kit';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { lockedVenue } from './venue-capacity.ts';

/** What an organiser says about an event; instants as texts, days as calendar dates. */
export type EventFields = Readonly<{
  venue_id: string | null;
  name: string;
  description: string | null;
  starts_at: string;
  ends_at: string;
  sale_starts_at: string | null;
  sale_ends_at: string | null;
  currency: string;
  days: readonly string[];
}>;

export type EventRefusal =
  | { kind: 'not_found' }
  | { kind: 'invalid'; problems: readonly Problem[] }
  /** The event is past the state in which this can be done. */
  | { kind: 'wrong_state'; status: string };

type Outcome<Answer> = Done<Answer> | EventRefusal | KeyReused;

/** An event with what belongs to it, as its organiser sees it. */
export type EventDetail = EventRow & {
  layout: EventLayoutRow | null;
  prices: { zone_id: string; price_cents: number }[];
};

export function listAllEvents(
  engine: Engine,
  caller: Caller,
  page: { status?: string | undefined; after?: string | undefined; limit: number },
): Promise<EventRow[]> {
  const { scope } = caller;
  const { status = null, after = NIL_ID, limit } = page;
  return engine.postgres.transaction(scope, { name: 'events.list' }, (transaction) =>
    transaction.query(listEvents(scope.organizationId, status, after, limit)),
  );
}

export function readEvent(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  eventId: string,
): Promise<EventDetail | null> {
  const { scope } = caller;
  return engine.postgres.transaction(scope, { name: 'events.find' }, async (transaction) => {
    const [event] = await transaction.query(findEvent(scope.organizationId, eventId));
    return event ? detailOf(transaction, scope.organizationId, event) : null;
  });
}

export async function detailOf(
  transaction: Transaction,
  organizationId: string,
  event: EventRow,
): Promise<EventDetail> {
  const [layout] = await transaction.query(findEventLayout(organizationId, event.event_id));
  const prices = await transaction.query(listPrices(organizationId, event.event_id));
  return { ...event, layout: layout ?? null, prices };
}

export function createEvent(
  engine: Engine,
  caller: Caller,
  wanted: EventFields & { slug: string },
): Promise<Outcome<EventRow>> {
  const eventId = uuidv7(engine);
  return change(engine, caller, 'event.create', async (transaction) => {
    const problems = await judgeFields(transaction, caller, wanted);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const { organizationId } = caller.scope;
    const [row] = await transaction.query(
      insertEvent(organizationId, eventId, JSON.stringify(wanted)),
    );
    if (!row) {
      const taken = { path: 'slug', code: 'taken', message: 'This slug is taken.' };
      return { kind: 'invalid' as const, problems: [taken] };
    }
    const changes = { slug: wanted.slug, starts_at: row.starts_at };
    const entry = { action: 'event_created', entityType: 'event', entityId: eventId, changes };
    return changed(row, [entry]);
  });
}

/** Until an event has ended its description and times may change; a slug never does. */
export function changeEvent(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wanted: Partial<EventFields>,
): Promise<Outcome<EventRow>> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'event.change', async (transaction) => {
    const before = await lockedEvent(transaction, organizationId, eventId);
    if (!before) return { kind: 'not_found' as const };
    if (!['draft', 'published', 'live', 'postponed'].includes(before.status)) {
      return { kind: 'wrong_state' as const, status: before.status };
    }
    const fields: EventFields = { ...before, ...wanted };
    const problems = await judgeFields(transaction, caller, fields);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const [row] = await transaction.query(
      updateEvent(organizationId, eventId, JSON.stringify(fields)),
    );
    const changes = { ...wanted };
    const entry = { action: 'event_changed', entityType: 'event', entityId: eventId, changes };
    return changed(row ?? before, [entry]);
  });
}

export async function lockedEvent(
  transaction: Transaction,
  organizationId: string,
  eventId: string,
): Promise<EventRow | null> {
  await transaction.query(lockEvent(organizationId, eventId));
  const [event] = await transaction.query(findEvent(organizationId, eventId));
  return event ?? null;
}

async function judgeFields(
  transaction: Transaction,
  caller: Caller,
  fields: EventFields,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const add = (path: string, message: string) => problems.push({ path, code: 'invalid', message });
  if (Date.parse(fields.ends_at) <= Date.parse(fields.starts_at)) {
    add('ends_at', 'An event ends after it has begun.');
  }
  const { sale_starts_at: from, sale_ends_at: to } = fields;
  if (from && to && Date.parse(to) <= Date.parse(from)) {
    add('sale_ends_at', 'A sale ends after it has begun.');
  }
  if (new Set(fields.days).size !== fields.days.length) add('days', 'Each day is named once.');
  if (fields.venue_id && !(await lockedVenue(transaction, caller.scope, fields.venue_id))) {
    add('venue_id', 'There is no such venue.');
  }
  return problems;
}

/** One price per zone, all of them at once. */
export function setPrices(
  engine: Engine,
  caller: Caller,
  eventId: string,
  prices: readonly { zone_id: string; price_cents: number }[],
): Promise<Outcome<EventDetail>> {
  const { organizationId } = caller.scope;
  return change(engine, caller, 'event.prices', async (transaction) => {
    const event = await lockedEvent(transaction, organizationId, eventId);
    if (!event) return { kind: 'not_found' as const };
    if (event.status !== 'draft') return { kind: 'wrong_state' as const, status: event.status };
    const ids = prices.map(({ zone_id }) => zone_id);
    if (new Set(ids).size !== ids.length) {
      const twice = { path: 'prices', code: 'duplicate', message: 'A zone has one price.' };
      return { kind: 'invalid' as const, problems: [twice] };
    }
    await transaction.query(dropPrices(organizationId, eventId));
    const cents = prices.map(({ price_cents }) => price_cents);
    await transaction.query(insertPrices(organizationId, eventId, ids, cents));
    const entry = {
      action: 'event_prices_set',
      entityType: 'event',
      entityId: eventId,
      changes: { prices },
    };
    return changed(await detailOf(transaction, organizationId, event), [entry]);
  });
}
