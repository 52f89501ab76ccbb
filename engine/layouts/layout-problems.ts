import { ProblemList, READING_CODES } from '#reading';

/** Every code a layout, a generator's spec or an import can be refused with. */
export const LAYOUT_PROBLEM_CODES = Object.freeze([
  ...READING_CODES,
  // Names and ids.
  'duplicate_zone_name',
  'duplicate_zone_id',
  'duplicate_label',
  'duplicate_seat_id',
  'duplicate_group_id',
  'duplicate_seat_number',
  'duplicate_order',
  'order_incomplete',
  'ring_impossible',
  // Zones.
  'empty_zone',
  'seats_and_rows',
  'seats_not_allowed',
  'capacity_mismatch',
  'membership_tier_missing',
  'tier_invalid',
  'allowed_roles_missing',
  'too_many_seats',
  'too_much_capacity',
  // Drawing.
  'coordinates_out_of_range',
  'seats_overlap',
  // Companions and groups.
  'companion_unknown',
  'companion_in_other_zone',
  'companion_not_companion',
  'companion_not_wheelchair',
  'companion_cycle',
  'companion_conflict',
  'unknown_zone',
  'unknown_seat',
  'group_zone_mismatch',
  'group_too_small',
  'seat_in_two_groups',
  'wheelchair_pair_invalid',
  // The policy of the organization.
  'zone_type_not_allowed',
  'access_mode_not_allowed',
  'category_not_allowed',
  'hybrid_not_allowed',
] as const);

export type LayoutProblemCode = (typeof LAYOUT_PROBLEM_CODES)[number];

/** Everything that is wrong with a layout, a spec or a plan. */
export class LayoutProblems extends ProblemList<LayoutProblemCode> {}
