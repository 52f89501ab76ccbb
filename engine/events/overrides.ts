import { isRole } from '#accounts';
import {
  ACCESS_MODES,
  type AccessMode,
  effectivePolicy,
  isTier,
  permitsAccessMode,
  permitsMix,
  permitsZoneType,
  type SeatingPolicy,
  TIER_SENTENCE,
  ZONE_TYPES,
  type ZoneType,
  zoneHasSeats,
} from '#policies';
import { fieldPath, type Problem, recordOf, textProblem } from '#reading';

/** What an event does differently from its layout: deltas only. */
export type EventOverrides = Readonly<{
  disabled_zones: readonly string[];
  blocked_seat_ids: readonly string[];
  zone_overrides: Readonly<Record<string, ZoneOverride>>;
  /** Zones that cost what another zone costs. */
  pricing_zones: Readonly<Record<string, string>>;
  seating_overrides: Readonly<Record<string, unknown>>;
}>;

export type ZoneOverride = Readonly<{
  name?: string;
  /** Seats may become places without seats, never the other way round. */
  zone_type?: ZoneType;
  /** Of a zone without seats: how many places it has at this event. */
  capacity?: number;
  access_mode?: AccessMode;
  membership_tier?: string;
  allowed_roles?: readonly string[];
}>;

/** A zone as the layout has it, which is all that overrides are judged against. */
export type BaseZone = Readonly<{
  zone_id: string;
  name: string;
  zone_type: ZoneType;
  capacity: number;
  access_mode: AccessMode;
  membership_tier: string | null;
  allowed_roles: readonly string[];
}>;

export const NO_OVERRIDES: EventOverrides = Object.freeze({
  disabled_zones: [],
  blocked_seat_ids: [],
  zone_overrides: {},
  pricing_zones: {},
  seating_overrides: {},
});

/** A venue may be blocked seat by seat; a list longer than the largest layout is a mistake. */
const MOST_SEATS = 100_000;
const FIELDS = Object.keys(NO_OVERRIDES);
const ZONE_FIELDS = [
  'name',
  'zone_type',
  'capacity',
  'access_mode',
  'membership_tier',
  'allowed_roles',
];
/** As zones of a layout have it, and events without a layout. */
const MOST_NAME = 100;
const MOST_PLACES = 1_000_000;

export type OverridesOutcome =
  | Readonly<{ kind: 'overrides'; overrides: EventOverrides; policy: SeatingPolicy }>
  | Readonly<{ kind: 'refused'; problems: readonly Problem[] }>;

/** Judges what an organiser sends, by the layout's zones and seats and by the policy. */
export function readOverrides(
  input: unknown,
  layout: { zones: readonly BaseZone[]; hasSeat(seatId: string): boolean },
  organization: SeatingPolicy,
): OverridesOutcome {
  const record = recordOf(input ?? {});
  if (!record) return refused([problem('', 'wrong_type', 'Overrides must be an object.')]);
  const problems: Problem[] = Object.keys(record)
    .filter((name) => !FIELDS.includes(name))
    .map((name) => problem(fieldPath('', name), 'unknown_field', 'There is no such field.'));
  const zones = new Map(layout.zones.map((zone) => [zone.zone_id, zone]));
  const overrides: EventOverrides = {
    disabled_zones: readIds(record, 'disabled_zones', (id) => zones.has(id), problems),
    blocked_seat_ids: readIds(record, 'blocked_seat_ids', layout.hasSeat, problems),
    zone_overrides: readZones(record.zone_overrides, zones, problems),
    pricing_zones: readPricing(record.pricing_zones, zones, problems),
    seating_overrides: recordOf(record.seating_overrides ?? {}) ?? {},
  };
  const effective = effectivePolicy(organization, record.seating_overrides ?? {});
  if (effective.kind === 'refused') {
    const within = (path: string) => `seating_overrides.${path}`;
    problems.push(...effective.problems.map((one) => ({ ...one, path: within(one.path) })));
  } else judgeZones(layout.zones, overrides, effective.policy, problems);
  const closed = overrides.disabled_zones.filter((id) => zones.has(id));
  if (zones.size > 0 && closed.length >= zones.size) {
    problems.push(problem('disabled_zones', 'nothing_left', 'An event needs at least one zone.'));
  }
  if (problems.length > 0 || effective.kind === 'refused') return refused(problems);
  return { kind: 'overrides', overrides, policy: effective.policy };
}

/** Without what the layout does not know: for another version of it. */
export function knownOverrides(
  overrides: EventOverrides,
  layout: { zones: readonly BaseZone[]; hasSeat(seatId: string): boolean },
): EventOverrides {
  const ids = new Set(layout.zones.map(({ zone_id }) => zone_id));
  const known = Object.entries(overrides.zone_overrides).filter(([id]) => ids.has(id));
  return {
    ...overrides,
    disabled_zones: overrides.disabled_zones.filter((id) => ids.has(id)),
    blocked_seat_ids: overrides.blocked_seat_ids.filter(layout.hasSeat),
    zone_overrides: Object.fromEntries(known),
    pricing_zones: Object.fromEntries(
      Object.entries(overrides.pricing_zones).filter((pair) => pair.every((id) => ids.has(id))),
    ),
  };
}

function readIds(
  record: Readonly<Record<string, unknown>>,
  field: 'disabled_zones' | 'blocked_seat_ids',
  isThere: (id: string) => boolean,
  problems: Problem[],
): string[] {
  const list = record[field] ?? [];
  if (!Array.isArray(list) || list.length > MOST_SEATS) {
    problems.push(problem(field, 'wrong_type', 'This must be a list of ids.'));
    return [];
  }
  const ids = list.map((id) => (typeof id === 'string' ? id.toLowerCase() : ''));
  ids.forEach((id, index) => {
    if (isThere(id) || problems.length > 100) return;
    problems.push(problem(`${field}[${index}]`, 'unknown_id', 'The layout has no such id.'));
  });
  return [...new Set(ids)];
}

function readPricing(
  input: unknown,
  zones: ReadonlyMap<string, BaseZone>,
  problems: Problem[],
): Record<string, string> {
  const pairs = Object.entries(recordOf(input ?? {}) ?? { '': '' });
  const known = pairs.filter(([zone, like]) => zones.has(zone) && zones.has(String(like)));
  if (known.length < pairs.length) {
    const message = 'This names zones of the layout by their ids, each with another zone.';
    problems.push(problem('pricing_zones', 'unknown_id', message));
  }
  return Object.fromEntries(known.map(([zone, like]) => [zone, String(like)]));
}

function readZones(
  input: unknown,
  zones: ReadonlyMap<string, BaseZone>,
  problems: Problem[],
): Record<string, ZoneOverride> {
  const record = recordOf(input ?? {});
  if (!record) {
    problems.push(problem('zone_overrides', 'wrong_type', 'This must be an object by zone id.'));
    return {};
  }
  const read: Record<string, ZoneOverride> = {};
  for (const [id, value] of Object.entries(record)) {
    const path = fieldPath('zone_overrides', id);
    const zone = zones.get(id.toLowerCase());
    const override = recordOf(value);
    if (!zone || !override) {
      problems.push(problem(path, 'unknown_id', 'The layout has no such zone.'));
    } else read[zone.zone_id] = readZone(override, path, problems);
  }
  return read;
}

/** Field by field: nothing goes through that is not exactly what it should be. */
function readZone(
  override: Readonly<Record<string, unknown>>,
  path: string,
  problems: Problem[],
): ZoneOverride {
  const add = (field: string, message: string) =>
    problems.push(problem(fieldPath(path, field), 'unknown_value', message));
  for (const name of Object.keys(override)) {
    if (!ZONE_FIELDS.includes(name)) add(name, 'There is no such field.');
  }
  const { name, zone_type, capacity, access_mode, membership_tier, allowed_roles } = override;
  const misnamed = name === undefined ? undefined : textProblem(name, MOST_NAME);
  if (misnamed) add('name', misnamed.message);
  const places = Number.isInteger(capacity) && Number(capacity) > 0;
  const fits = places && Number(capacity) <= MOST_PLACES;
  if (capacity !== undefined && !fits) {
    add('capacity', `This must be a whole number from 1 to ${MOST_PLACES}.`);
  }
  const type = ZONE_TYPES.find((known) => known === zone_type);
  if (zone_type !== undefined && !type) add('zone_type', 'There is no such type.');
  const mode = ACCESS_MODES.find((known) => known === access_mode);
  if (access_mode !== undefined && !mode) add('access_mode', 'There is no such mode.');
  const tier = isTier(membership_tier);
  if (membership_tier !== undefined && !tier) {
    problems.push(problem(fieldPath(path, 'membership_tier'), 'tier_invalid', TIER_SENTENCE));
  }
  const roles = Array.isArray(allowed_roles) && allowed_roles.every(isRole);
  if (allowed_roles !== undefined && !roles) add('allowed_roles', 'Roles must be roles.');
  return {
    ...(name !== undefined && !misnamed ? { name: String(name) } : {}),
    ...(type ? { zone_type: type } : {}),
    ...(fits ? { capacity: Number(capacity) } : {}),
    ...(mode ? { access_mode: mode } : {}),
    ...(tier ? { membership_tier: String(membership_tier) } : {}),
    ...(roles ? { allowed_roles: allowed_roles as string[] } : {}),
  };
}

/** Every zone that is sold, as the event has it: the policy may have changed since the layout. */
function judgeZones(
  zones: readonly BaseZone[],
  overrides: EventOverrides,
  policy: SeatingPolicy,
  problems: Problem[],
): void {
  const types: ZoneType[] = [];
  for (const base of zones) {
    if (overrides.disabled_zones.includes(base.zone_id)) continue;
    const zone = { ...base, ...overrides.zone_overrides[base.zone_id] };
    types.push(zone.zone_type);
    const add = (field: string, code: string, message: string) =>
      problems.push(problem(fieldPath(`zones.${base.zone_id}`, field), code, message));
    const { zone_type: type, access_mode: mode } = zone;
    judgePlaces(base, overrides.zone_overrides[base.zone_id] ?? {}, add);
    if (!permitsZoneType(policy, type)) {
      add('zone_type', 'zone_type_not_allowed', `The policy does not allow ${type} zones.`);
    }
    if (!permitsAccessMode(policy, mode)) {
      add('access_mode', 'access_mode_not_allowed', `The policy does not allow ${mode}.`);
    }
    if (mode === 'membership_tier' && !zone.membership_tier) {
      add('membership_tier', 'membership_tier_missing', 'Access by membership needs its tier.');
    } else if (mode === 'membership_tier' && !isTier(zone.membership_tier)) {
      // A layout that is older than this rule keeps its tier; no member can have it.
      add('membership_tier', 'tier_invalid', TIER_SENTENCE);
    }
    const roles = zone.allowed_roles;
    if (!roles.every(isRole) || (mode === 'role_based' && roles.length === 0)) {
      add('allowed_roles', 'allowed_roles_missing', 'Access by role needs roles that exist.');
    }
  }
  if (permitsMix(policy, types)) return;
  const message = 'The policy does not allow seats and general admission in one event.';
  problems.push(problem('zones', 'hybrid_not_allowed', message));
}

/** Only a zone without seats has a number of places that somebody chooses. */
function judgePlaces(
  base: BaseZone,
  { zone_type: type = base.zone_type, capacity }: ZoneOverride,
  add: (field: string, code: string, message: string) => void,
): void {
  if (zoneHasSeats(type) && !zoneHasSeats(base.zone_type)) {
    add('zone_type', 'seats_differ', 'Places without seats cannot become seats for one event.');
  } else if (zoneHasSeats(type) && capacity !== undefined) {
    add('capacity', 'capacity_of_seats', 'A zone with seats has as many places as it has seats.');
  } else if (zoneHasSeats(base.zone_type) && !zoneHasSeats(type) && capacity === undefined) {
    const message = 'A zone that is used without its seats needs a capacity of its own.';
    add('capacity', 'capacity_missing', message);
  }
}

function problem(path: string, code: string, message: string): Problem {
  return { path, code, message };
}

function refused(problems: readonly Problem[]): OverridesOutcome {
  return Object.freeze({ kind: 'refused', problems });
}
