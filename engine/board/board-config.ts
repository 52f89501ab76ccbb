import type { EventState } from '#events';
import type { AccessMode, SeatingPolicy, ZoneType } from '#policies';

/** Everything `decide` reads that is not the state of a seat. It changes only by commands. */
export type BoardConfig = Readonly<{
  /** Counts its own changes, so that a change can be made to what its author has seen. */
  version: number;
  event: EventTimes;
  policy: SeatingPolicy;
  /** In the event's own order; a zone's place in it is its number on the board. */
  zones: readonly BoardZone[];
  currency: string;
  /** Null: general admission alone, no seats. */
  layout: Readonly<{ layout_id: string; version: number }> | null;
}>;

/** The state of the event and when it sells, in milliseconds since 1970. */
export type EventTimes = Readonly<{
  status: EventState;
  sale_opens_ms: number;
  sale_closes_ms: number;
  /** A postponed event sells again as soon as it has a new date. */
  rescheduled: boolean;
  ends_ms: number;
}>;

export type BoardZone = Readonly<{
  zone_id: string;
  name: string;
  zone_type: ZoneType;
  has_seats: boolean;
  capacity: number;
  access_mode: AccessMode;
  membership_tier: string | null;
  allowed_roles: readonly string[];
  disabled: boolean;
  /** Who may enter when access is by name. */
  whitelist: readonly string[];
  price_cents: number | null;
}>;

/** A cancelled event may be archived before all its holds have ended. */
export function isCalledOff({ event }: BoardConfig): boolean {
  return event.status === 'cancelled' || event.status === 'archived';
}

export type SaleState = 'open' | 'closed' | 'not_available';

/** Sale windows are times of day, holds and deadlines event time: the two differ after a step. */
export function saleTime({ now_ms, wall_ms = now_ms }: SaleClock): number {
  return wall_ms;
}

type SaleClock = Readonly<{ now_ms: number; wall_ms?: number | undefined }>;

/** May anybody buy now: on sale, or outside the window, or not an event that sells at all. */
export function saleState(event: EventTimes, now_ms: number): SaleState {
  const { status } = event;
  const sells =
    status === 'published' || status === 'live' || (status === 'postponed' && event.rescheduled);
  if (!sells) return 'not_available';
  return now_ms >= event.sale_opens_ms && now_ms <= event.sale_closes_ms ? 'open' : 'closed';
}
