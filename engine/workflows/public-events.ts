import { gzipSync } from 'node:zlib';
import { findOrganization, lookupOrganization } from '#accounts';
import {
  type EventRow,
  type EventZoneRow,
  findEvent,
  isOnSale,
  isPublic,
  listEventZones,
  listPinnedLayouts,
  listPublicEvents,
} from '#events';
import { assert, uuidOf } from '#kit';
import { findVenues, type VenueRow } from '#layouts';
import type { Transaction } from '#postgres';
import { type Scope, scopeOf } from '#scope';
import type { Engine } from './change.ts';
import { type DrawnZone, drawingIdOf } from './drawn-zones.ts';

/** What is left and what is taken, in numbers. */
export type Counts = Readonly<{
  available: number;
  held: number;
  sold: number;
  blocked: number;
  total: number;
}>;

export type PublicZone = Readonly<{
  zone_id: string;
  name: string;
  zone_type: string;
  access_mode: string;
  capacity: number;
  available: number;
  held: number;
  sold: number;
  price_cents: number | null;
}>;

/** An event as the world sees it: never a reason, never who. */
export type PublicEvent = Readonly<
  Pick<
    EventRow,
    | 'event_id'
    | 'slug'
    | 'name'
    | 'description'
    | 'status'
    | 'starts_at'
    | 'ends_at'
    | 'sale_starts_at'
    | 'sale_ends_at'
    | 'currency'
    | 'days'
  > & {
    on_sale: boolean;
    venue: Pick<VenueRow, 'name' | 'timezone' | 'address'> | null;
    from_price_cents: number | null;
    layout_id: string | null;
    layout_version: number | null;
    zones: PublicZone[];
    /** All of them, as its drawing has them. */
    drawn: readonly DrawnZone[];
    occupancy: Counts;
  }
>;

export async function organizationEvents(
  engine: Engine,
  slug: string,
  { after, limit }: Readonly<{ after?: string | undefined; limit: number }>,
): Promise<PublicEvent[] | null> {
  const scope = await activeScope(engine, slug);
  if (!scope) return null;
  return engine.postgres.transaction(scope, { name: 'events.public' }, async (transaction) => {
    const events = await transaction.query(
      listPublicEvents(scope.organizationId, after ?? null, limit),
    );
    return viewsOf(engine, transaction, scope, events);
  });
}

/** An archived organization has no public face. */
async function activeScope(engine: Engine, slug: string): Promise<Scope | null> {
  const [row] = await engine.postgres.ask(null, lookupOrganization(slug));
  return row && row.status !== 'archived' ? scopeOf(row.organization_id) : null;
}

/** As it is now: never as it was before somebody asked. */
export function publicEvent(
  engine: Engine,
  scope: Scope,
  eventId: string,
): Promise<PublicEvent | null> {
  const name = `${scope.organizationId} ${eventId.toLowerCase()}`;
  return engine.publicEvents.ask(name, () => readPublicEvent(engine, scope, eventId));
}

function readPublicEvent(
  engine: Engine,
  scope: Scope,
  eventId: string,
): Promise<PublicEvent | null> {
  return engine.postgres.transaction(scope, { name: 'events.one' }, async (transaction) => {
    const [event] = await transaction.query(findEvent(scope.organizationId, eventId));
    if (!event || !isPublic(event.status)) return null;
    const [view] = await viewsOf(engine, transaction, scope, [event]);
    return view ?? null;
  });
}

async function viewsOf(
  engine: Engine,
  transaction: Transaction,
  { organizationId }: Scope,
  events: readonly EventRow[],
): Promise<PublicEvent[]> {
  const ids = events.map(({ event_id }) => event_id);
  const venueIds = events.flatMap(({ venue_id }) => venue_id ?? []);
  const [rows, venues, [organization], layouts] = await Promise.all([
    transaction.query(listEventZones(organizationId, ids)),
    transaction.query(findVenues(organizationId, venueIds)),
    transaction.query(findOrganization(organizationId)),
    transaction.query(listPinnedLayouts(organizationId, ids)),
  ]);
  // A suspended organization is seen, and sells nothing.
  const sells = organization?.status === 'active';
  return events.map((event) => {
    const layout = layouts.find(({ event_id }) => event_id === event.event_id);
    const all = rows.filter(({ event_id }) => event_id === event.event_id);
    const zones = all.filter(({ disabled }) => !disabled);
    return {
      ...shown(event),
      venue: venueView(venues.find(({ venue_id }) => venue_id === event.venue_id)),
      from_price_cents: lowestPrice(zones),
      on_sale: sells && isOnSale(event, engine.clock.now()),
      layout_id: layout?.layout_id ?? null,
      layout_version: layout?.layout_version ?? null,
      zones: zones.map(zoneView),
      drawn: all,
      occupancy: countsOf(zones),
    };
  });
}

function shown(event: EventRow) {
  const { event_id, slug, name, description, status, starts_at, ends_at } = event;
  const { sale_starts_at, sale_ends_at, currency, days } = event;
  const times = { starts_at, ends_at, sale_starts_at, sale_ends_at };
  return { event_id, slug, name, description, status, ...times, currency, days };
}

function venueView(venue: VenueRow | undefined): PublicEvent['venue'] {
  if (!venue) return null;
  const { name, timezone, address } = venue;
  return { name, timezone, address };
}

function lowestPrice(zones: readonly EventZoneRow[]): number | null {
  const prices = zones.flatMap(({ price_cents }) => price_cents ?? []);
  return prices.length > 0 ? Math.min(...prices) : null;
}

function zoneView(row: EventZoneRow): PublicZone {
  const { zone_id, name, zone_type, access_mode, capacity, held, sold, price_cents } = row;
  const available = capacity - held - sold - row.blocked;
  return { zone_id, name, zone_type, access_mode, capacity, available, held, sold, price_cents };
}

function countsOf(zones: readonly EventZoneRow[]): Counts {
  const sum = (pick: (zone: EventZoneRow) => number) =>
    zones.reduce((total, zone) => total + pick(zone), 0);
  const [total, held, sold, blocked] = [
    sum((zone) => zone.capacity),
    sum((zone) => zone.held),
    sum((zone) => zone.sold),
    sum((zone) => zone.blocked),
  ];
  return { available: total - held - sold - blocked, held, sold, blocked, total };
}

/** What the event's policy lets one buyer do; null while nothing can be sold. */
export async function bookingRules(engine: Engine, scope: Scope, eventId: string) {
  const board = await engine.registry.board({ scope, eventId });
  if (!board) return null;
  const { policy } = board.config;
  return {
    max_seats: policy.max_seats_per_booking,
    max_wheelchair_spaces: policy.max_wheelchair_seats_per_booking,
    allow_orphan: policy.allow_orphan_on_request,
    hold_minutes: policy.default_hold_ttl_minutes,
    engine_chooses: policy.prefer_clustering_over_selection,
  };
}

/**
 * The drawing of an event's layout, compressed, with a tag that names it: the layout's version and
 * what the event calls its zones and sells in them.
 */
export async function seatMap(
  engine: Engine,
  scope: Scope,
  event: PublicEvent,
): Promise<{ gzip: Buffer; etag: string }> {
  const { layout_id, layout_version, drawn } = event;
  if (layout_id === null || layout_version === null) return openDrawing(event);
  const drawing_id = drawingIdOf(drawn);
  const version = { layout_id, version: layout_version, status: 'active', drawing_id };
  const gzip = await engine.layouts.drawing(scope, version, async (text) => {
    const answer = await engine.workshop.do({
      kind: 'draw',
      text,
      ...{ layout_id, layout_version, drawing_id },
      zones: drawn.map(drawnZone),
    });
    assert(answer.kind === 'drawing', 'a stored config can be drawn');
    return Buffer.from(answer.gzip);
  });
  assert(gzip, 'a pinned version has a config');
  return { gzip, etag: `"${layout_id}-${layout_version}-${drawing_id}"` };
}

function drawnZone({ zone_id, name, zone_type, capacity }: DrawnZone): DrawnZone {
  return { zone_id, name, zone_type, capacity };
}

/** General admission alone: zones and no seats. */
function openDrawing({ zones, drawn }: PublicEvent): { gzip: Buffer; etag: string } {
  const drawing_id = drawingIdOf(drawn);
  const open = { layout_id: null, layout_version: 0, drawing_id };
  const data = { ...open, zones: zones.map(drawnZone), seats: [] };
  const text = JSON.stringify({ data });
  return { gzip: gzipSync(text), etag: `"open-${uuidOf(text)}"` };
}
