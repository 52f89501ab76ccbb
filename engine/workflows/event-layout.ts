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
  putEventLayout,
  readOverrides,
} from '#events';
import { assert, isUuid, NIL_ID, uuidOf } from '#kit';
import { type LayoutVersionRow, listVersions } from '#layouts';
import { type AccessMode, type SeatingPolicy, type ZoneType, zoneHasSeats } from '#policies';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import { type Inventory, lockInventory, lockTaken, logPlan, replaceInventory } from '#registry';
import type { Scope } from '#scope';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { detailOf, type EventDetail, type EventRefusal, lockedEvent } from './events.ts';
import { policyOf } from './policy.ts';
import { type Prices, pricedTwice } from './price-rules.ts';

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

type Refusal =
  | EventRefusal
  | { kind: 'layout_not_found' }
  | { kind: 'not_allowed' }
  /** On sale for nothing: send the prices of the new zones along. */
  | { kind: 'unpriced'; problems: readonly Problem[] }
  /** Somebody holds or has bought a place: migrate instead. */
  | { kind: 'in_use' };

/** The event's zones as they are without overrides. */
export type EventBase = Readonly<{
  version: LayoutVersionRow | null;
  zones: readonly (BaseZone & { name: string; capacity: number })[];
}>;

/** Pins a version of a layout to the event, with what the event does differently. */
export function chooseLayout(
  engine: Engine,
  caller: Caller,
  eventId: string,
  choice: LayoutChoice,
): Promise<Done<EventDetail> | Refusal | KeyReused> {
  const { scope } = caller;
  const { organizationId } = scope;
  return change(engine, caller, 'event.layout', async (transaction) => {
    await lockInventory(transaction, scope, eventId);
    const event = await lockedEvent(transaction, organizationId, eventId);
    if (!event) return { kind: 'not_found' as const };
    if (!['draft', 'published', 'live', 'postponed'].includes(event.status)) {
      return { kind: 'wrong_state' as const, status: event.status };
    }
    if (event.status !== 'draft' && !caller.scopes.has('events:publish')) {
      return { kind: 'not_allowed' as const };
    }
    if (!(await isFree(transaction, scope, eventId))) return { kind: 'in_use' as const };
    const base = await baseOf(transaction, scope, eventId, choice);
    if (!base) return { kind: 'layout_not_found' as const };
    const judged = await judgeOverrides(transaction, scope, base, choice.overrides);
    if (judged.kind === 'refused') return { kind: 'invalid' as const, problems: judged.problems };
    const { version } = base;
    const misfit = misfits(event.venue_id, base);
    const mispriced = pricedTwice(choice.prices ?? []);
    const problems = [...misfit, ...mispriced];
    if (problems.length > 0) return { kind: 'invalid' as const, problems };
    if (choice.prices) await writePrices(transaction, organizationId, eventId, choice.prices);
    if (event.status !== 'draft') {
      const zones = effectiveZones(base, judged.overrides);
      const problems = await withoutPrice(transaction, organizationId, eventId, zones);
      if (problems.length > 0) return { kind: 'unpriced' as const, problems };
      const inventory = inventoryOf(eventId, base, judged);
      await replaceInventory(transaction, scope, inventory, {});
    }
    await transaction.query(
      putEventLayout(
        organizationId,
        eventId,
        version?.layout_id ?? null,
        version?.version ?? null,
        version ? null : JSON.stringify(base.zones),
        JSON.stringify(judged.overrides),
      ),
    );
    if (event.status !== 'draft') await logPlan(transaction, { scope, eventId }, engine);
    const entry = {
      action: 'event_layout_set',
      entityType: 'event',
      entityId: eventId,
      changes: { layout_id: version?.layout_id ?? null, layout_version: version?.version ?? null },
    };
    return changed(await detailOf(transaction, organizationId, event), [entry]);
  });
}

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

/** Judged by the layout and by the organization's policy as it is now. */
export async function judgeOverrides(
  transaction: Transaction,
  scope: Scope,
  base: EventBase,
  overrides: unknown,
): Promise<
  | { kind: 'overrides'; overrides: EventOverrides; policy: SeatingPolicy }
  | { kind: 'refused'; problems: readonly Problem[] }
> {
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
    return {
      zone_id: zone.zone_id,
      name: zone.name,
      zone_type: merged.zone_type,
      has_seats: base.version !== null && zoneHasSeats(merged.zone_type),
      capacity: zone.capacity,
      access_mode: merged.access_mode,
      membership_tier: merged.membership_tier,
      allowed_roles: merged.allowed_roles,
      disabled: overrides.disabled_zones.includes(zone.zone_id),
    };
  });
}

/** A draft, or on sale with nothing held or sold. */
async function isFree(transaction: Transaction, scope: Scope, eventId: string): Promise<boolean> {
  const chosen = await chosenBase(transaction, scope, eventId);
  const taken = await lockTaken(transaction, scope, eventId, pinOf(chosen?.base));
  return taken === null || (taken.seats.length === 0 && taken.zones.length === 0);
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
    },
  };
}

/** A layout belongs to its venue, and a zone to its name. */
function misfits(venueId: string | null, base: EventBase): Problem[] {
  const names = base.zones.map(({ name }) => name);
  if (new Set(names).size !== names.length) {
    return [{ path: 'zones', code: 'duplicate', message: 'Each zone has a name of its own.' }];
  }
  if (!base.version || venueId === null || base.version.venue_id === venueId) return [];
  const message = 'The layout is of another venue.';
  return [{ path: 'layout_id', code: 'other_venue', message }];
}

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
