import { dayAt, type EventState } from '#events';
import { forgetOldest } from '#kit';
import type { Scope } from '#scope';
import { findDays, listInside } from '#tickets';
import type { Engine } from './change.ts';

/** Who is inside right now, by zone. */
export type Attendance = ReadonlyMap<string, number>;

const NOBODY: Attendance = new Map();
/** A dashboard redraws about once a second; everybody who looks in between sees the same. */
const KEPT_MS = 1_000;
const MOST_KEPT = 1_000;

type Kept = { until_ms: number; attendance: Promise<Attendance> };
const kept = new WeakMap<Engine['postgres'], Map<string, Kept>>();

/** One question per event, node and second, and none before the doors open. */
export function attendanceOf(
  engine: Engine,
  scope: Scope,
  eventId: string,
  /** Null: not known here. */
  status: EventState | null,
): Promise<Attendance> {
  if (status !== null && status !== 'live' && status !== 'ended') return Promise.resolve(NOBODY);
  const events = kept.get(engine.postgres) ?? new Map<string, Kept>();
  kept.set(engine.postgres, events);
  const now_ms = engine.clock.monotonic();
  const name = `${scope.organizationId} ${eventId.toLowerCase()}`;
  const known = events.get(name);
  if (known && known.until_ms > now_ms) return known.attendance;
  const attendance = ask(engine, scope, eventId);
  events.delete(name);
  events.set(name, { until_ms: now_ms + KEPT_MS, attendance });
  forgetOldest(events, MOST_KEPT);
  // What failed is asked anew by the next one.
  attendance.catch(() => events.delete(name));
  return attendance;
}

function ask({ postgres }: Engine, scope: Scope, eventId: string): Promise<Attendance> {
  const { organizationId } = scope;
  return postgres.transaction(scope, { name: 'entries.attendance' }, async (transaction) => {
    const [event] = await transaction.query(findDays(organizationId, eventId));
    if (!event) return NOBODY;
    const day = dayAt(event.now_ms, event.timezone, event.days);
    const rows = await transaction.query(listInside(organizationId, eventId, day));
    return new Map(rows.map(({ zone_id, inside }) => [zone_id, inside]));
  });
}
