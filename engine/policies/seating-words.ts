/** The five kinds of zone: what is sold in it (seats or places) and whether it is a VIP area. */
const ZONE_KINDS = {
  reserved_seating: { seats: true, vip: false },
  ga_seated: { seats: false, vip: false },
  ga_standing: { seats: false, vip: false },
  vip_reserved: { seats: true, vip: true },
  vip_standing: { seats: false, vip: true },
} as const;

export type ZoneType = keyof typeof ZONE_KINDS;

export const ZONE_TYPES = Object.freeze(Object.keys(ZONE_KINDS)) as readonly ZoneType[];

/** True when the zone's places are single seats; false when it only has a capacity. */
export function zoneHasSeats(zone_type: ZoneType): boolean {
  return ZONE_KINDS[zone_type].seats;
}

export function zoneIsVip(zone_type: ZoneType): boolean {
  return ZONE_KINDS[zone_type].vip;
}

export const ACCESS_MODES = Object.freeze([
  'public',
  'membership_tier',
  'role_based',
  'whitelist',
] as const);
export type AccessMode = (typeof ACCESS_MODES)[number];

export const SEAT_CATEGORIES = Object.freeze([
  'standard',
  'wheelchair',
  'companion',
  'restricted_view',
  'aisle',
] as const);
export type SeatCategory = (typeof SEAT_CATEGORIES)[number];

/** A tier of membership: of members, of zones of layouts and of what events change. */
export const TIER_PATTERN = '^[a-z0-9_]{1,64}$';
export const TIER_SENTENCE =
  'A tier has 1 to 64 small letters, digits or underscores, for example voelgoed_vriendinne.';
const TIER = new RegExp(TIER_PATTERN);

export function isTier(value: unknown): value is string {
  return typeof value === 'string' && TIER.test(value);
}
