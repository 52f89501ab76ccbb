import {
  type BaseZone,
  dropPrices,
  type EventOverrides,
  findEventLayout,
  findLayoutSeats,
  insertPrices,
  type LayoutZoneRow,
  listLayoutZones,
  listPrices,
  NO_OVERRIDES,
  readOverrides,
} from '#events';
import { assert, isUuid, NIL_ID, uuidOf } from '#kit';
import { type LayoutVersionRow, listVersions } from '#layouts';
import { type AccessMode, type SeatingPolicy, type ZoneType, zoneHasSeats } from '#policies';
import type { Transaction } from '#postgres';
import { type Problem, textProblem } from '#reading';
import type { Inventory } from '#registry';
import type { Scope } from '#scope';
import { policyOf } from './policy.ts';
import type { Prices } from './price-rules.ts';
import { lockedVenue, tooManyPlaces } from './venue-capacity.ts';

/** A zone of an event of general admission alone. */
export type OpenZone = Readonly<{
  name: string;
  zone_type: ZoneType;
  capacity: number;
  access_mode: AccessMode;
  membership_tier: string | null;
  allowed_roles: readonly string[];
}>;

/** What an event is held on. On sale, new zones come with their prices. */
export type LayoutChoice = Readonly<{ overrides: unknown; prices?: Prices | undefined }> &
  (
    | Readonly<{ kind: 'layout'; layoutId: string; version?: number | undefined }>
    | Readonly<{ kind: 'open'; zones: readonly OpenZone[] }>
  );

/** The event's zones as they are without overrides. */
export type EventBase = Readonly<{
  version: LayoutVersionRow | null;
  zones: readonly BaseZone[];
}>;

/** The active version of a layout, or the zones that were sent; their ids stay when sent again. */
export async function baseOf(
  transaction: Transaction,
  scope: Scope,
  eventId: string,
  choice: LayoutChoice,
): Promise<EventBase | null> {
  if (choice.kind === 'open') {
    const zones = choice.zones.map((zone) => ({
      ...zone,
      zone_id: uuidOf('zone', eventId, zone.name),
    }));
    return { version: null, zones };
  }
  const versions = await transaction.query(listVersions(scope.organizationId, choice.layoutId));
  const [pinned] = await transaction.query(findEventLayout(scope.organizationId, eventId));
  // What the event has already stays open to it, also when a newer version is active.
  const isPinned = (row: LayoutVersionRow) =>
    row.layout_id === pinned?.layout_id && row.version === pinned.layout_version;
  const version = versions.find(
    (row) =>
      (row.status === 'active' || (choice.version !== undefined && isPinned(row))) &&
      row.version === (choice.version ?? row.version),
  );
  return version ? { version, zones: await layoutZones(transaction, scope, version) } : null;
}

export async function layoutZones(
  transaction: Transaction,
  scope: Scope,
  version: { layout_id: string; version: number },
): Promise<EventBase['zones']> {
  const { layout_id, version: number } = version;
  const rows = await transaction.query(listLayoutZones(scope.organizationId, layout_id, number));
  return rows.map(zoneOf);
}

function zoneOf(row: LayoutZoneRow): EventBase['zones'][number] {
  return {
    ...row,
    zone_type: row.zone_type as ZoneType,
    access_mode: row.access_mode as AccessMode,
  };
}

export type JudgedPlan = Readonly<{
  kind: 'overrides';
  overrides: EventOverrides;
  policy: SeatingPolicy;
}>;

type Judged = JudgedPlan | Readonly<{ kind: 'refused'; problems: readonly Problem[] }>;

/** May the event be held on this, with these differences: by its layout, policy and venue. */
export async function judgePlan(
  transaction: Transaction,
  scope: Scope,
  event: { venue_id: string | null },
  base: EventBase,
  overrides: unknown,
): Promise<Judged> {
  const judged = await judgeOverrides(transaction, scope, base, overrides);
  if (judged.kind === 'refused') return judged;
  const zones = effectiveZones(base, judged.overrides);
  const venueId = event.venue_id ?? base.version?.venue_id ?? null;
  const problems = [
    ...misfits(event.venue_id, base, zones),
    ...(await tooLargeAt(transaction, scope, venueId, zones)),
  ];
  return problems.length > 0 ? { kind: 'refused', problems } : judged;
}

/** What is sold at an event fits into its venue, whatever its layout says. */
export async function tooLargeAt(
  transaction: Transaction,
  scope: Scope,
  venueId: string | null,
  zones: readonly { capacity: number; disabled: boolean }[],
): Promise<Problem[]> {
  const venue = venueId && (await lockedVenue(transaction, scope, venueId));
  if (!venue) return [];
  const places = zones.reduce((sum, zone) => sum + (zone.disabled ? 0 : zone.capacity), 0);
  return tooManyPlaces(venue, places, 'event');
}

/** Judged by the layout and by the organization's policy as it is now. */
async function judgeOverrides(
  transaction: Transaction,
  scope: Scope,
  base: EventBase,
  overrides: unknown,
): Promise<Judged> {
  const asked = (overrides as { blocked_seat_ids?: unknown } | null)?.blocked_seat_ids;
  const texts = Array.isArray(asked) ? asked.filter((id) => typeof id === 'string') : [];
  const ids = texts.filter((id) => isUuid(id));
  const { layout_id = NIL_ID, version = 0 } = base.version ?? {};
  const found = await transaction.query(
    findLayoutSeats(scope.organizationId, layout_id, version, ids),
  );
  const seats = new Set(found.map(({ seat_id }) => seat_id));
  const layout = { zones: base.zones, hasSeat: (id: string) => seats.has(id) };
  const policy = await policyOf(transaction, scope);
  return readOverrides(overrides ?? NO_OVERRIDES, layout, policy);
}

/** The zones as the event has them: the layout's, changed by the overrides. */
export function effectiveZones(base: EventBase, overrides: EventOverrides) {
  return base.zones.map((zone) => {
    const merged = { ...zone, ...overrides.zone_overrides[zone.zone_id] };
    const wasSeated = base.version !== null && zoneHasSeats(zone.zone_type);
    const has_seats = wasSeated && zoneHasSeats(merged.zone_type);
    return {
      zone_id: zone.zone_id,
      name: merged.name,
      zone_type: merged.zone_type,
      has_seats,
      capacity: has_seats ? zone.capacity : merged.capacity,
      access_mode: merged.access_mode,
      membership_tier: merged.membership_tier,
      allowed_roles: merged.allowed_roles,
      disabled: overrides.disabled_zones.includes(zone.zone_id),
    };
  });
}

export function pinOf(base: EventBase | undefined) {
  const version = base?.version;
  return version ? { layoutId: version.layout_id, version: version.version } : null;
}

/** What the event has chosen so far; null when it has chosen nothing. */
export async function chosenBase(
  transaction: Transaction,
  scope: Scope,
  eventId: string,
): Promise<{ base: EventBase; overrides: EventOverrides } | null> {
  const { organizationId } = scope;
  const [chosen] = await transaction.query(findEventLayout(organizationId, eventId));
  if (!chosen) return null;
  const overrides = chosen.overrides as EventOverrides;
  if (chosen.layout_id === null) {
    return { base: { version: null, zones: chosen.zones as EventBase['zones'] }, overrides };
  }
  const versions = await transaction.query(listVersions(organizationId, chosen.layout_id));
  const version = versions.find((row) => row.version === chosen.layout_version);
  assert(version, 'a pinned version is there');
  return { base: { version, zones: await layoutZones(transaction, scope, version) }, overrides };
}

export function inventoryOf(
  eventId: string,
  base: EventBase,
  { overrides, policy }: { overrides: EventOverrides; policy: SeatingPolicy },
  open: readonly string[] = [],
): Inventory {
  const { version } = base;
  return {
    eventId,
    policy,
    zones: effectiveZones(base, overrides),
    seats: version && {
      layoutId: version.layout_id,
      version: version.version,
      count: version.seat_count,
      blocked: overrides.blocked_seat_ids,
      open,
    },
  };
}

/** A layout belongs to its venue, and a zone to its name. */
function misfits(
  venueId: string | null,
  base: EventBase,
  zones: readonly { name: string }[],
): Problem[] {
  const names = zones.map(({ name }) => name);
  if (new Set(names).size !== names.length) {
    return [{ path: 'zones', code: 'duplicate', message: 'Each zone has a name of its own.' }];
  }
  if (!base.version) return zones.flatMap(({ name }, index) => misnamed(name, index));
  if (venueId === null || base.version.venue_id === venueId) return [];
  const message = 'The layout is of another venue.';
  return [{ path: 'layout_id', code: 'other_venue', message }];
}

/** As in a layout: two names that look the same are the same. */
function misnamed(name: string, index: number): Problem[] {
  const problem = textProblem(name, MOST_NAME);
  return problem ? [{ path: `zones[${index}].name`, ...problem }] : [];
}

const MOST_NAME = 100;

export async function writePrices(
  transaction: Transaction,
  organizationId: string,
  eventId: string,
  prices: Prices,
): Promise<void> {
  await transaction.query(dropPrices(organizationId, eventId));
  const ids = prices.map(({ zone_id }) => zone_id);
  const cents = prices.map(({ price_cents }) => price_cents);
  await transaction.query(insertPrices(organizationId, eventId, ids, cents));
}

/** Nothing goes on sale for nothing by mistake: free is a price of 0, said out loud. */
export async function withoutPrice(
  transaction: Transaction,
  organizationId: string,
  eventId: string,
  zones: readonly { zone_id: string; name: string; disabled: boolean }[],
): Promise<Problem[]> {
  const prices = await transaction.query(listPrices(organizationId, eventId));
  const priced = new Set(prices.map(({ zone_id }) => zone_id));
  return zones.filter((zone) => !zone.disabled && !priced.has(zone.zone_id)).map(noPrice);
}

export function noPrice({ zone_id, name }: { zone_id: string; name: string }): Problem {
  const message = `The zone "${name}" has no price.`;
  return { path: `prices.${zone_id}`, code: 'price_missing', message };
}
