import {
  type BaseZone,
  type EventOverrides,
  findEventLayout,
  findLayoutSeats,
  type LayoutZoneRow,
  listLayoutZones,
  NO_OVERRIDES,
  putEventLayout,
  readOverrides,
} from '#events';
import { assert, NIL_ID, uuidOf } from '#kit';
import { type LayoutVersionRow, listVersions } from '#layouts';
import { type AccessMode, type ZoneType, zoneHasSeats } from '#policies';
import type { Transaction } from '#postgres';
import type { Problem } from '#reading';
import { type Inventory, lockTaken, replaceInventory } from '#registry';
import type { Scope } from '#scope';
import { type Caller, change, changed, type Done, type Engine, type KeyReused } from './change.ts';
import { detailOf, type EventDetail, type EventRefusal, lockedEvent } from './events.ts';
import { policyOf } from './policy.ts';

/** A zone of an event of general admission alone. */
export type OpenZone = Readonly<{
  name: string;
  zone_type: ZoneType;
  capacity: number;
  access_mode: AccessMode;
  membership_tier: string | null;
  allowed_roles: readonly string[];
}>;

export type LayoutChoice =
  | { kind: 'layout'; layoutId: string; version?: number | undefined; overrides: unknown }
  | { kind: 'open'; zones: readonly OpenZone[]; overrides: unknown };

type Refusal =
  | EventRefusal
  | { kind: 'layout_not_found' }
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
    const event = await lockedEvent(transaction, organizationId, eventId);
    if (!event) return { kind: 'not_found' as const };
    if (!['draft', 'published', 'live', 'postponed'].includes(event.status)) {
      return { kind: 'wrong_state' as const, status: event.status };
    }
    if (!(await isFree(transaction, scope, eventId))) return { kind: 'in_use' as const };
    const base = await baseOf(transaction, scope, eventId, choice);
    if (!base) return { kind: 'layout_not_found' as const };
    const judged = await judgeOverrides(transaction, scope, base, choice.overrides);
    if (judged.kind === 'refused') return { kind: 'invalid' as const, problems: judged.problems };
    const { version } = base;
    if (event.status !== 'draft') {
      const inventory = inventoryOf(eventId, base, judged.overrides);
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
  const version = versions.find(
    (row) => row.status === 'active' && row.version === (choice.version ?? row.version),
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
  | { kind: 'overrides'; overrides: EventOverrides }
  | { kind: 'refused'; problems: readonly Problem[] }
> {
  const asked = (overrides as { blocked_seat_ids?: unknown } | null)?.blocked_seat_ids;
  const ids = Array.isArray(asked) ? asked.map(String).filter((id) => UUID.test(id)) : [];
  const { layout_id = NIL_ID, version = 0 } = base.version ?? {};
  const found = await transaction.query(
    findLayoutSeats(scope.organizationId, layout_id, version, ids),
  );
  const seats = new Set(found.map(({ seat_id }) => seat_id));
  const layout = { zones: base.zones, hasSeat: (id: string) => seats.has(id) };
  const policy = await policyOf(transaction, scope);
  return readOverrides(overrides ?? NO_OVERRIDES, layout, policy);
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
  overrides: EventOverrides,
): Inventory {
  const { version } = base;
  return {
    eventId,
    zones: effectiveZones(base, overrides),
    seats: version && {
      layoutId: version.layout_id,
      version: version.version,
      count: version.seat_count,
      blocked: overrides.blocked_seat_ids,
    },
  };
}
