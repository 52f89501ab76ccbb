import type { SeatingPolicy } from './policy-fields.ts';
import {
  type AccessMode,
  type SeatCategory,
  type ZoneType,
  zoneHasSeats,
  zoneIsVip,
} from './seating-words.ts';

/** May a zone of this type be created: seats or places, and for VIP zones both rules. */
export function permitsZoneType(policy: SeatingPolicy, zone_type: ZoneType): boolean {
  const seats = zoneHasSeats(zone_type) ? policy.allow_reserved_seating : policy.allow_ga_seating;
  return seats && (policy.allow_vip_zones || !zoneIsVip(zone_type));
}

export function permitsAccessMode(policy: SeatingPolicy, access_mode: AccessMode): boolean {
  return policy.allowed_access_modes.includes(access_mode);
}

export function permitsCategory(policy: SeatingPolicy, category: SeatCategory): boolean {
  return policy.allowed_seat_categories.includes(category);
}

/** May these zones stand in one layout: seats and general admission together only as a hybrid. */
export function permitsMix(policy: SeatingPolicy, zone_types: readonly ZoneType[]): boolean {
  if (policy.allow_hybrid_ga_reserved) return true;
  return new Set(zone_types.map(zoneHasSeats)).size < 2;
}
