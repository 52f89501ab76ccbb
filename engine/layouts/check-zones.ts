import {
  permitsAccessMode,
  permitsCategory,
  permitsMix,
  permitsZoneType,
  type SeatingPolicy,
  zoneHasSeats,
} from '#policies';
import { LAYOUT_LIMITS } from './layout-config.ts';
import type { LayoutDraft, ZoneDraft } from './layout-draft.ts';
import type { LayoutProblems } from './layout-problems.ts';

/** Each zone must hold what its type says, and must say who may enter it. */
export function checkZones(draft: LayoutDraft, problems: LayoutProblems): void {
  let capacity = 0;
  for (const zone of draft.zones) {
    checkCapacity(zone, problems);
    checkAccess(zone, problems);
    capacity += zone.capacity ?? zone.seat_count;
  }
  if (capacity <= LAYOUT_LIMITS.capacity) return;
  const sentence = `A layout has at most ${LAYOUT_LIMITS.capacity} places, this one ${capacity}.`;
  problems.add('zones', 'too_much_capacity', sentence);
}

function checkCapacity(zone: ZoneDraft, problems: LayoutProblems): void {
  if (zone.zone_type === undefined) return;
  if (!zoneHasSeats(zone.zone_type)) {
    if (zone.seat_count > 0) {
      const sentence = `A ${zone.zone_type} zone has a capacity and no single seats.`;
      problems.add(zone.path, 'seats_not_allowed', sentence);
    }
    if (!zone.says('capacity')) {
      const sentence = 'A zone without seats needs a capacity of at least 1.';
      problems.add(`${zone.path}.capacity`, 'missing_field', sentence);
    }
    return;
  }
  if (zone.seat_count === 0) {
    problems.add(zone.path, 'empty_zone', 'A zone with reserved seats needs at least one seat.');
  } else if (zone.capacity !== undefined && zone.capacity !== zone.seat_count) {
    const sentence = `The capacity is ${zone.capacity}, but the zone has ${zone.seat_count} seats.`;
    problems.add(`${zone.path}.capacity`, 'capacity_mismatch', sentence);
  }
}

function checkAccess(zone: ZoneDraft, problems: LayoutProblems): void {
  if (zone.access_mode === 'membership_tier' && !zone.says('membership_tier')) {
    const sentence = 'Access by membership needs the tier that may enter.';
    problems.add(`${zone.path}.membership_tier`, 'membership_tier_missing', sentence);
  }
  if (zone.access_mode === 'role_based' && zone.role_count === 0) {
    const sentence = 'Access by role needs at least one role that may enter.';
    problems.add(`${zone.path}.allowed_roles`, 'allowed_roles_missing', sentence);
  }
}

/** The organization's policy may forbid zone types, access modes, categories and their mix. */
export function checkPolicy(
  draft: LayoutDraft,
  policy: SeatingPolicy,
  problems: LayoutProblems,
): void {
  for (const { zone_type, access_mode, path } of draft.zones) {
    if (zone_type && !permitsZoneType(policy, zone_type)) {
      const sentence = `The seating policy does not allow ${zone_type} zones.`;
      problems.add(`${path}.zone_type`, 'zone_type_not_allowed', sentence);
    }
    if (access_mode && !permitsAccessMode(policy, access_mode)) {
      const sentence = `The seating policy does not allow access by ${access_mode}.`;
      problems.add(`${path}.access_mode`, 'access_mode_not_allowed', sentence);
    }
  }
  const types = draft.zones.flatMap(({ zone_type }) => zone_type ?? []);
  if (!permitsMix(policy, types)) {
    const sentence = 'The seating policy does not allow seats and general admission in one layout.';
    problems.add('zones', 'hybrid_not_allowed', sentence);
  }
  for (const seat of draft.seats) {
    if (seat.category === undefined || permitsCategory(policy, seat.category)) continue;
    const sentence = `The seating policy does not allow ${seat.category} seats.`;
    problems.add(seat.path('category'), 'category_not_allowed', sentence);
  }
}
