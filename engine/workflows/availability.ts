import { seatingNumbers } from '#allocation';
import {
  type Availability,
  type Board,
  boardCounts,
  currentAvailability,
  Draft,
  endDue,
  isKept,
  publicCountsOf,
  wordOf,
} from '#board';
import type { EventRef } from '#registry';
import type { Scope } from '#scope';
import type { ZoneRecord } from '#warm';
import { type Attendance, attendanceOf } from './attendance.ts';
import type { Engine } from './change.ts';

/** What the world may know of an event on sale at one moment; never who. */
export type EventView = Readonly<{
  revision: number;
  /** Tells histories with the same revision apart. */
  lineage: string;
  layout_version: number;
  /** Two bits per seat, as the API has them. */
  seats: Uint8Array;
  zones: readonly ZoneRecord[];
  at_ms: number;
}>;

type BoardView = Omit<EventView, 'at_ms'>;

/** Made once for everybody who asks while nothing changes. */
const views = new WeakMap<Availability, BoardView>();

/**
 * What is left of an event, as of now; null when it is not on sale. A node that does not have the
 * board takes what another node wrote within the last second, and else loads it.
 */
export async function eventAvailability(
  engine: Engine,
  scope: Scope,
  eventId: string,
): Promise<EventView | null> {
  const event = { scope, eventId };
  const { registry, warm } = engine;
  if (warm && !registry.loadedBoard(event)) {
    const snapshot = await warm.readers.snapshot(event);
    if (snapshot) {
      missedInMemory(engine);
      return { ...snapshot, at_ms: registry.time() };
    }
  }
  const board = await registry.board(event);
  return board && boardView(engine, board);
}

/** Redis had what memory had not: without this, the hit rate of memory would leave that out. */
function missedInMemory({ telemetry }: Engine): void {
  const seen = { what: 'board', source: 'memory', hit: false, duration_ms: 0 } as const;
  telemetry.emit({ kind: 'cache.lookup', ...seen });
}

/** What a board in memory shows as of now. */
export function boardView({ registry }: Pick<Engine, 'registry'>, board: Board): EventView {
  const at_ms = registry.now(board);
  const availability = currentAvailability(board, at_ms);
  const known = views.get(availability);
  if (known) return { ...known, at_ms };
  const view = viewOf(board, availability);
  views.set(availability, view);
  return { ...view, at_ms };
}

function viewOf(board: Board, { revision, seats, counts }: Availability): BoardView {
  const zones = board.config.zones.map(({ zone_id, name, capacity, disabled }, zone) => {
    const { held, sold, blocked } = counts[zone] ?? publicCountsOf(board, zone);
    return { zone_id, name, capacity, disabled, held, sold, blocked };
  });
  const layout_version = board.config.layout?.version ?? 0;
  const lineage = board.hash.slice(0, 16);
  return { revision, lineage, layout_version, seats, zones };
}

type Occupied = Readonly<{
  available: number;
  held: number;
  sold: number;
  blocked: number;
  total: number;
  percent_available: number;
  percent_held: number;
  percent_sold: number;
}>;

export type Occupancy = Occupied &
  Readonly<{
    revision: number;
    live_attendees: number;
    zones: readonly (Occupied &
      Readonly<{ zone_id: string; name: string; live_attendees: number }>)[];
    timestamp: string;
  }>;

/** How full an event is, overall and per zone; null when it is not on sale. */
export async function eventOccupancy(
  engine: Engine,
  scope: Scope,
  eventId: string,
): Promise<Occupancy | null> {
  const event: EventRef = { scope, eventId };
  const here = engine.registry.loadedBoard(event);
  const status = here?.config.event.status ?? null;
  const kept = here ? null : await engine.warm?.readers.occupancy<Occupancy>(event);
  if (kept) {
    missedInMemory(engine);
    return withAttendance(kept, await attendanceOf(engine, scope, eventId, status));
  }
  const view = await eventAvailability(engine, scope, eventId);
  if (!view) return null;
  const occupancy = occupancyOf(view);
  engine.warm?.readers.keepOccupancy(event, occupancy);
  return withAttendance(occupancy, await attendanceOf(engine, scope, eventId, status));
}

/** Who is inside is not the board's to know: it is counted at the door. */
function withAttendance(occupancy: Occupancy, inside: Attendance): Occupancy {
  const zones = occupancy.zones.map((zone) => ({
    ...zone,
    live_attendees: inside.get(zone.zone_id) ?? 0,
  }));
  const live_attendees = [...inside.values()].reduce((sum, one) => sum + one, 0);
  return { ...occupancy, live_attendees, zones };
}

function occupancyOf({ revision, zones: all, at_ms }: EventView): Occupancy {
  const zones = all
    .filter(({ disabled }) => !disabled)
    .map(({ zone_id, name, capacity, held, sold, blocked }) => {
      const counts = { held, sold, blocked };
      return { zone_id, name, ...occupied(capacity, counts), live_attendees: 0 };
    });
  const sum = (pick: (zone: Occupied) => number) =>
    zones.reduce((total, zone) => total + pick(zone), 0);
  const overall = occupied(
    sum(({ total }) => total),
    {
      held: sum(({ held }) => held),
      sold: sum(({ sold }) => sold),
      blocked: sum(({ blocked }) => blocked),
    },
  );
  const timestamp = new Date(at_ms).toISOString();
  return { revision, ...overall, live_attendees: 0, zones, timestamp };
}

function occupied(
  total: number,
  counts: Readonly<{ held: number; sold: number; blocked: number }>,
): Occupied {
  const available = total - counts.held - counts.sold - counts.blocked;
  const percent = (part: number) => (total === 0 ? 0 : Math.round((part / total) * 1_000) / 10);
  return {
    available,
    ...counts,
    total,
    percent_available: percent(available),
    percent_held: percent(counts.held),
    percent_sold: percent(counts.sold),
  };
}

/** How full and how well the event is filled, as of now; null when it is not on sale. */
export async function eventNumbers(engine: Engine, scope: Scope, eventId: string) {
  const board = await engine.registry.board({ scope, eventId });
  const occupancy = board && (await eventOccupancy(engine, scope, eventId));
  if (!board || !occupancy) return null;
  const at_ms = engine.registry.now(board);
  const draft = new Draft(board, at_ms);
  endDue(board, draft, at_ms);
  return { occupancy, numbers: seatingNumbers([boardCounts(draft)]) };
}

export type SeatStatus = Readonly<{
  seat_id: string;
  label: string;
  status: string;
  /** Of a held seat: when it will be free again, at the latest extension of now. */
  expires_in_seconds?: number;
  mine: boolean;
}>;

type Seat = Readonly<{ eventId: string; seatId: string; userId: string | null }>;

/** One seat: what it is, and whether it is the caller's. */
export async function seatStatus(
  engine: Engine,
  scope: Scope,
  seat: Seat,
): Promise<SeatStatus | { kind: 'event_not_found' } | { kind: 'seat_not_found' }> {
  const event = { scope, eventId: seat.eventId };
  const board = await engine.registry.board(event);
  if (!board) return { kind: 'event_not_found' };
  const ordinal = board.plan.ordinalOf(seat.seatId);
  if (ordinal === undefined) return { kind: 'seat_not_found' };
  const at_ms = engine.registry.now(board);
  const about = { seat_id: board.plan.seatIdOf(ordinal), label: board.plan.labelOf(ordinal) };
  const hold = board.holdOfSeat(ordinal);
  const live = hold && hold.until_ms > at_ms ? hold : undefined;
  const mine = live !== undefined && live.user_id === seat.userId;
  if (live) {
    const expires_in_seconds = Math.ceil((live.until_ms - at_ms) / 1_000);
    return { ...about, status: 'held', expires_in_seconds, mine };
  }
  const kept = isKept(board, ordinal, { now_ms: at_ms, userId: seat.userId });
  const closed = board.isClosing(ordinal) || kept;
  const status = closed ? 'blocked' : hold ? 'available' : wordOf(board.codeOf(ordinal));
  return { ...about, status, mine };
}
