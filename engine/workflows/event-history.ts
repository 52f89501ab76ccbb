import { findEvent } from '#events';
import { reasonOf } from '#kit';
import {
  type ActivityRow,
  countActivity,
  type EventRef,
  eventIds,
  findHeadRevision,
} from '#registry';
import type { Scope } from '#scope';
import { entriesByTime } from '#tickets';
import { eventOccupancy } from './availability.ts';
import type { Engine } from './change.ts';
import {
  insertOccupancy,
  listOccupancy,
  listOccupancyEvery,
  type OccupancyRow,
} from './history.sql.ts';
import { countPageViews } from './page-views.sql.ts';
import { countRefusals, type RefusalCount } from './refusals.sql.ts';

/** Events whose curve is of interest: those that sell or take place. */
const KEPT: ReadonlySet<string> = new Set(['published', 'live', 'postponed']);

/** Writes down how full the events of this node are; an event on no node does not change. */
export async function keepOccupancy(engine: Engine): Promise<void> {
  for (const event of engine.registry.loadedEvents) {
    const status = engine.registry.loadedBoard(event)?.config.event.status;
    if (!status || !KEPT.has(status)) continue;
    await keepOne(engine, event).catch((error) => {
      const about = { reason: reasonOf(error), ids: eventIds(event) };
      engine.telemetry.emit({ kind: 'job.failed', job: 'occupancy', ...about });
    });
  }
}

async function keepOne(engine: Engine, { scope, eventId }: EventRef): Promise<void> {
  const occupancy = await eventOccupancy(engine, scope, eventId);
  if (!occupancy) return;
  const { revision, available, held, sold, blocked, total, live_attendees } = occupancy;
  const percent = total === 0 ? 0 : Math.round(((held + sold) / total) * 1_000) / 10;
  const { organizationId } = scope;
  const options = { name: 'occupancy.keep', pool: 'jobs' } as const;
  const counts = [available, held, sold, blocked, live_attendees] as const;
  await engine.postgres.transaction(scope, options, (transaction) =>
    transaction.query(insertOccupancy(organizationId, eventId, revision, ...counts, percent)),
  );
}

type Period = Readonly<{ from: string; to: string }>;

/** How full it was, minute by minute; null: no such event. */
export function occupancyHistory(
  { postgres }: Engine,
  scope: Scope,
  eventId: string,
  { from, to, limit, every }: Period & { limit: number; every: number },
): Promise<OccupancyRow[] | null> {
  const { organizationId } = scope;
  return postgres.transaction(scope, { name: 'occupancy.history' }, async (transaction) => {
    const [event] = await transaction.query(findEvent(organizationId, eventId));
    if (!event) return null;
    const wish = [organizationId, eventId, from, to, limit] as const;
    return transaction.query(
      every === 1 ? listOccupancy(...wish) : listOccupancyEvery(...wish, every),
    );
  });
}

const BUCKETS = { minute: 60, quarter: 900, hour: 3_600, day: 86_400 } as const;
type Bucket = keyof typeof BUCKETS;

type Activity = Readonly<{
  /** Of the log that was counted. */
  revision: number;
  buckets: readonly (ActivityRow & { entries: number; refused: number; page_views: number })[];
  refusals: readonly Readonly<{ code: string; refused: number }>[];
  funnel: Readonly<{
    page_view: number;
    seat_held: number;
    checkout_started: number;
    payment_initiated: number;
    payment_completed: number;
    tickets: number;
    ticket_scanned: number;
    /** Parts of 1. */
    to_checkout: number;
    conversion: number;
    abandonment: number;
    expiry: number;
  }>;
}>;

/** What happened when, and how many came how far; null: no such event. */
export function eventActivity(
  { postgres }: Engine,
  scope: Scope,
  eventId: string,
  { from, to, bucket }: Period & { bucket: Bucket },
): Promise<Activity | null> {
  const { organizationId } = scope;
  const seconds = BUCKETS[bucket];
  return postgres.transaction(scope, COUNT, async (transaction) => {
    const [event] = await transaction.query(findEvent(organizationId, eventId));
    if (!event) return null;
    const place = [organizationId, eventId, seconds, from, to] as const;
    const [head] = await transaction.query(findHeadRevision(organizationId, eventId));
    const rows = await transaction.query(countActivity(...place));
    const entries = await transaction.query(entriesByTime(...place));
    const refusals = await transaction.query(countRefusals(...place));
    const viewed = await transaction.query(countPageViews(...place));
    const scanned = new Map(entries.map(({ bucket: at, entries: many }) => [at, many]));
    const views = new Map(viewed.map(({ bucket: at, views: many }) => [at, many]));
    return { revision: head?.revision ?? 0, ...activityOf(rows, scanned, views, refusals) };
  });
}

/** Everything is counted at one moment: whoever adds what comes after it counts nothing twice. */
const COUNT = { name: 'log.activity', mode: 'isolation level repeatable read read only' } as const;

const NOTHING = {
  seats_held: 0,
  holds: 0,
  checked_out: 0,
  converted: 0,
  checkouts_started: 0,
  payments_initiated: 0,
  checkouts_completed: 0,
  tickets: 0,
  expired: 0,
  released: 0,
  checkouts_abandoned: 0,
};

function activityOf(
  rows: readonly ActivityRow[],
  entries: ReadonlyMap<string, number>,
  views: ReadonlyMap<string, number>,
  refusals: readonly RefusalCount[],
): Omit<Activity, 'revision'> {
  const byTime = new Map(rows.map((row) => [row.bucket, row]));
  const refused = totals(refusals, ({ bucket }) => bucket);
  const all = [byTime, entries, refused, views];
  const times = [...new Set(all.flatMap((one) => [...one.keys()]))].sort();
  const buckets = times.map((bucket) => ({
    ...(byTime.get(bucket) ?? { bucket, ...NOTHING }),
    entries: entries.get(bucket) ?? 0,
    refused: refused.get(bucket) ?? 0,
    page_views: views.get(bucket) ?? 0,
  }));
  const byCode = [...totals(refusals, ({ code }) => code)];
  const sum = (pick: (row: (typeof buckets)[number]) => number) =>
    buckets.reduce((total, row) => total + pick(row), 0);
  const holds = sum((row) => row.holds);
  const [expired, released] = [sum((row) => row.expired), sum((row) => row.released)];
  const part = (many: number) => (holds === 0 ? 0 : Math.round((many / holds) * 1_000) / 1_000);
  return {
    buckets,
    refusals: byCode
      .map(([code, many]) => ({ code, refused: many }))
      .sort((one, other) => other.refused - one.refused),
    funnel: {
      page_view: sum((row) => row.page_views),
      seat_held: holds,
      checkout_started: sum((row) => row.checkouts_started),
      payment_initiated: sum((row) => row.payments_initiated),
      payment_completed: sum((row) => row.checkouts_completed),
      tickets: sum((row) => row.tickets),
      ticket_scanned: sum((row) => row.entries),
      to_checkout: part(sum((row) => row.checked_out)),
      conversion: part(sum((row) => row.converted)),
      abandonment: part(expired + released),
      expiry: part(expired),
    },
  };
}

function totals(
  rows: readonly RefusalCount[],
  nameOf: (row: RefusalCount) => string,
): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.refused);
  return sums;
}
