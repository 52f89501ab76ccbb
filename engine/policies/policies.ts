/**
 * The seating policy: what an organization allows in its layouts and how its holds behave. This
 * room knows every field with its default and range, who may change it, which fields the platform
 * has locked, and what an event's policy is after its overrides. The words a policy can allow or
 * forbid (zone types, access modes, seat categories) are defined here, as this is the lowest room
 * that needs them. It must not know layouts, boards or where policies are stored. Every room after
 * it may call it.
 */
export { findPolicy, lockPolicy, putPolicy } from './policies.sql.ts';
export {
  type ChoicesField,
  LOCKED_FIELDS,
  type NumberField,
  POLICY_FIELD_NAMES,
  POLICY_FIELDS,
  type PolicyField,
  type PolicyFieldName,
  type PolicyValues,
  type SeatingPolicy,
  type YesNoField,
} from './policy-fields.ts';
export {
  HOMES_IN_A_NETWORK,
  type HoldRate,
  type HoldTimes,
  holdRate,
  holdSeconds,
  holdsPerIp,
  holdsPerNetwork,
  holdsPerShare,
  holdTimes,
  type PaymentTimes,
  paymentTimes,
} from './policy-limits.ts';
export {
  permitsAccessMode,
  permitsCategory,
  permitsMix,
  permitsZoneType,
} from './policy-permits.ts';
export {
  changePolicy,
  DEFAULT_POLICY,
  effectivePolicy,
  type PolicyAuthor,
  type PolicyOutcome,
  permittedOverrides,
  readPolicy,
} from './policy-rules.ts';
export {
  ACCESS_MODES,
  type AccessMode,
  isTier,
  SEAT_CATEGORIES,
  type SeatCategory,
  TIER_PATTERN,
  TIER_SENTENCE,
  ZONE_TYPES,
  type ZoneType,
  zoneHasSeats,
  zoneIsVip,
} from './seating-words.ts';
