import { findOrganization } from '#accounts';
import {
  daysBetween,
  daysMoved,
  type EventLayoutRow,
  type EventRow,
  findEvent,
  findEventLayout,
  insertEvent,
  listEventPlaces,
  listEvents,
  listPastEvents,
  listPrices,
  listUpcomingEvents,
  lockEvent,
  MOST_DAYS,
  problemOfDays,
  updateEvent,
} from '#events';
import { assert, uuidv7 } from '#kit';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import { timesOf } from '#registry';
import {
  type Caller,
  change,
  changed,
  type Done,
  type Engine,
  type KeyReused,
  replayOf,
} from './change.ts';
import { changeConfig, eventRow } from './event-config.ts';
import { chosenBase, effectiveZones, tooLargeAt } from './event-layout.ts';
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

/** Currency and days may be left to the organization and the calendar. */
export type NewEvent = Omit<EventFields, 'currency' | 'days'> &
  Readonly<{
    slug: string;
    currency?: string | undefined;
    days?: readonly string[] | undefined;
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

/** Where an event takes place, and in which time zone its times are read. */
export type EventPlace = Readonly<{
  timezone: string;
  venue: Readonly<{ name: string; timezone: string; address: string | null }> | null;
}>;

/** In the order of making, or, with `when`, of time: from now on, or back from now. */
export function listAllEvents(
  engine: Engine,
  { scope }: Caller,
  page: Readonly<{
    status?: string | undefined;
    search?: string | undefined;
    when?: 'upcoming' | 'past' | undefined;
    after?: string | undefined;
    limit: number;
  }>,
): Promise<(EventRow & EventPlace)[]> {
  const { organizationId } = scope;
  const { status = null, search = null, when, after = null, limit } = page;
  const which = [organizationId, status, search, after, limit] as const;
  const now = new Date(engine.clock.now()).toISOString();
  return engine.postgres.transaction(scope, { name: 'events.list' }, async (transaction) => {
    const list = when === 'past' ? listPastEvents : listUpcomingEvents;
    const rows = await transaction.query(when ? list(...which, now) : listEvents(...which));
    return withPlaces(transaction, organizationId, rows);
  });
}

export function readEvent(
  engine: Engine,
  caller: Pick<Caller, 'scope'>,
  eventId: string,
): Promise<(EventDetail & EventPlace) | null> {
  const { scope } = caller;
  return engine.postgres.transaction(scope, { name: 'events.find' }, async (transaction) => {
    const [event] = await transaction.query(findEvent(scope.organizationId, eventId));
    if (!event) return null;
    const [placed] = await withPlaces(transaction, scope.organizationId, [event]);
    assert(placed, 'an event is in a place');
    return { ...placed, ...(await detailOf(transaction, scope.organizationId, event)) };
  });
}

async function withPlaces<Row extends EventRow>(
  transaction: Transaction,
  organizationId: string,
  events: readonly Row[],
): Promise<(Row & EventPlace)[]> {
  const ids = events.map(({ event_id }) => event_id);
  const rows = await transaction.query(listEventPlaces(organizationId, ids));
  const places = new Map(rows.map((row) => [row.event_id, row]));
  return events.map((event) => {
    const place = places.get(event.event_id);
    assert(place, 'each event has an organization, which has a time zone');
    const { name, timezone, address } = place;
    return { ...event, timezone, venue: name === null ? null : { name, timezone, address } };
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
  wanted: NewEvent,
): Promise<Outcome<EventRow>> {
  const eventId = uuidv7(engine);
  return change(engine, caller, 'event.create', async (transaction) => {
    const { timeZone, ...fields } = await withDefaults(transaction, caller, wanted);
    const problems = await judgeFields(transaction, caller, fields, timeZone);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const { organizationId } = caller.scope;
    const [row] = await transaction.query(
      insertEvent(organizationId, eventId, JSON.stringify(fields)),
    );
    if (!row) {
      const taken = { path: 'slug', code: 'taken', message: 'This slug is taken.' };
      return { kind: 'invalid' as const, problems: [taken] };
    }
    const changes = { slug: wanted.slug, starts_at: row.starts_at };
    const entry = {
      action: 'event_created',
      entityType: 'event',
      entityId: eventId,
      changes,
    } as const;
    return changed(row, [entry]);
  });
}

/** The organization's currency, and the days that the calendar at the venue has. */
async function withDefaults(
  transaction: Transaction,
  caller: Caller,
  wanted: NewEvent,
): Promise<EventFields & { slug: string; timeZone: string }> {
  const [organization] = await transaction.query(findOrganization(caller.scope.organizationId));
  assert(organization, 'an event needs its organization');
  const timeZone = await timeZoneAt(transaction, caller, wanted.venue_id);
  return {
    ...wanted,
    currency: wanted.currency ?? organization.currency,
    days: wanted.days ?? daysBetween(wanted, timeZone) ?? [],
    timeZone,
  };
}

/** The venue's time zone; without a venue the organization's. */
async function timeZoneAt(
  transaction: Transaction,
  { scope }: Caller,
  venueId: string | null,
): Promise<string> {
  const venue = venueId && (await lockedVenue(transaction, scope, venueId));
  if (venue) return venue.timezone;
  const [organization] = await transaction.query(findOrganization(scope.organizationId));
  assert(organization, 'an event needs its organization');
  return organization.timezone;
}

/**
 * What an event becomes, or what is wrong with that. Days that follow the times move with them;
 * days that the organiser chose have to be chosen again when they no longer fit.
 */
async function fieldsAfter(
  transaction: Transaction,
  caller: Caller,
  before: EventFields,
  wanted: Partial<EventFields>,
): Promise<{ fields: EventFields; problems: readonly Problem[] }> {
  const after = { ...before, ...wanted };
  const timeZone = await timeZoneAt(transaction, caller, after.venue_id);
  const earlierZone = await timeZoneAt(transaction, caller, before.venue_id);
  const moved = daysMoved({ ...before, timeZone: earlierZone }, { ...after, timeZone });
  const fields = { ...after, days: wanted.days ?? moved ?? [] };
  // Days that stay are not judged again: a change of the name is no occasion to ask for them.
  const judged = fields.days === before.days ? null : timeZone;
  const problems = await judgeFields(transaction, caller, fields, judged);
  return { fields, problems };
}

const OTHER_VENUE: Problem = {
  path: 'venue_id',
  code: 'layout_in_use',
  message:
    'The event has a layout of its present venue. Take the venue away first (null), choose a ' +
    'layout of the other one, and then set the venue.',
};

/**
 * What is against another venue, if anything: a layout is a plan of its venue, and what is sold has
 * to fit in. Without a venue of its own an event is where its layout is.
 */
async function judgeVenue(
  transaction: Transaction,
  { scope }: Caller,
  { event_id, venue_id: before }: EventRow,
  venueId: string | null | undefined,
): Promise<EventRefusal | null> {
  if (!venueId || venueId.toLowerCase() === before) return null;
  const chosen = await chosenBase(transaction, scope, event_id);
  if (!chosen) return null;
  const { version } = chosen.base;
  if (version && version.venue_id !== venueId.toLowerCase()) {
    return { kind: 'invalid', problems: [OTHER_VENUE] };
  }
  const zones = effectiveZones(chosen.base, chosen.overrides);
  const problems = await tooLargeAt(transaction, scope, venueId, zones);
  return problems.length > 0 ? { kind: 'invalid', problems } : null;
}

/** Until an event has ended its description and times may change; a slug never does. */
export async function changeEvent(
  engine: Engine,
  caller: Caller,
  eventId: string,
  wanted: Partial<EventFields>,
): Promise<Outcome<EventRow>> {
  const event = await eventRow(engine, caller.scope, eventId);
  if (!event) return { kind: 'not_found' };
  if (event.status !== 'draft') {
    const earlier = await replayOf<EventRow>(engine, caller);
    return earlier ?? changeOnSale(engine, caller, event, wanted);
  }
  const { organizationId } = caller.scope;
  return change(engine, caller, 'event.change', async (transaction) => {
    const before = await lockedEvent(transaction, organizationId, eventId);
    if (!before) return { kind: 'not_found' as const };
    if (before.status !== 'draft') return { kind: 'wrong_state' as const, status: before.status };
    const moved = await judgeVenue(transaction, caller, before, wanted.venue_id);
    if (moved) return moved;
    const { fields, problems } = await fieldsAfter(transaction, caller, before, wanted);
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    const [row] = await transaction.query(
      updateEvent(organizationId, eventId, JSON.stringify(fields)),
    );
    const changes = { ...wanted, days: fields.days };
    const entry = {
      action: 'event_changed',
      entityType: 'event',
      entityId: eventId,
      changes,
    } as const;
    return changed(row ?? before, [entry]);
  });
}

/** When an event on sale sells is part of its board. Money stays what it was. */
function changeOnSale(
  engine: Engine,
  caller: Caller,
  event: EventRow,
  wanted: Partial<EventFields>,
): Promise<Outcome<EventRow>> {
  const { organizationId } = caller.scope;
  const { event_id: eventId } = event;
  const read = async (transaction: Transaction) => {
    const [row] = await transaction.query(findEvent(organizationId, eventId));
    assert(row, 'an event on sale is there');
    return row;
  };
  return changeConfig(
    engine,
    caller,
    event,
    async (transaction) => {
      const before = await read(transaction);
      const otherMoney = wanted.currency !== undefined && wanted.currency !== before.currency;
      if (otherMoney || !['published', 'live', 'postponed'].includes(before.status)) {
        return { kind: 'wrong_state' as const, status: before.status };
      }
      const elsewhere = await judgeVenue(transaction, caller, before, wanted.venue_id);
      if (elsewhere) return elsewhere;
      const { fields, problems } = await fieldsAfter(transaction, caller, before, wanted);
      if (problems.length > 0) return { kind: 'invalid' as const, problems };
      const moved =
        before.status === 'postponed' &&
        Date.parse(fields.starts_at) !== Date.parse(before.starts_at);
      const rescheduled_at = moved ? fields.starts_at : before.rescheduled_at;
      return {
        kind: 'change' as const,
        changes: { event: timesOf({ ...before, ...fields, rescheduled_at }) },
        entry: { action: 'event_changed', changes: { ...wanted, days: fields.days } },
        also: [updateEvent(organizationId, eventId, JSON.stringify(fields))],
      };
    },
    read,
  );
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

const NO_DAYS =
  'The days of this event do not follow its times: say which days it has at the new ones.';
const TOO_MANY_DAYS = `An event of more than ${MOST_DAYS} days has to say which days it has.`;

async function judgeFields(
  transaction: Transaction,
  caller: Caller,
  fields: EventFields,
  /** Null: days were judged when they were given. */
  timeZone: string | null,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  const add = (path: string, message: string) => problems.push({ path, code: 'invalid', message });
  const isBackward = Date.parse(fields.ends_at) <= Date.parse(fields.starts_at);
  if (isBackward) add('ends_at', 'An event ends after it has begun.');
  const { sale_starts_at: from, sale_ends_at: to } = fields;
  if (from && to && Date.parse(to) <= Date.parse(from)) {
    add('sale_ends_at', 'A sale ends after it has begun.');
  }
  // Days cannot lie within times that are wrong themselves.
  const isJudged = timeZone !== null && !isBackward;
  const wrong = isJudged ? problemOfDays(fields.days, fields, timeZone) : null;
  if (wrong) add('days', wrong);
  if (fields.days.length === 0 && problems.length === 0) {
    const isLong = timeZone !== null && daysBetween(fields, timeZone) === null;
    add('days', isLong ? TOO_MANY_DAYS : NO_DAYS);
  }
  if (fields.venue_id && !(await lockedVenue(transaction, caller.scope, fields.venue_id))) {
    add('venue_id', 'There is no such venue.');
  }
  return problems;
}
