import type { Problem } from '#policies';
import { LAYOUT_LIMITS } from './layout-config.ts';

/** Every code a layout, a generator's spec or an import can be refused with. */
export const LAYOUT_PROBLEM_CODES = Object.freeze([
  // The shape of the JSON.
  'wrong_type',
  'missing_field',
  'unknown_field',
  'unknown_value',
  'not_integer',
  'out_of_range',
  'coordinates_out_of_range',
  'not_uuid',
  'text_blank',
  'text_too_long',
  'text_invalid',
  'list_empty',
  'list_too_long',
  'metadata_too_large',
  // Names and ids.
  'duplicate_zone_name',
  'duplicate_zone_id',
  'duplicate_label',
  'duplicate_seat_id',
  'duplicate_group_id',
  'duplicate_seat_number',
  'duplicate_order',
  'order_incomplete',
  // Zones.
  'empty_zone',
  'seats_and_rows',
  'seats_not_allowed',
  'capacity_mismatch',
  'membership_tier_missing',
  'allowed_roles_missing',
  'too_many_seats',
  'too_much_capacity',
  // Drawing.
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
  'too_many_problems',
] as const);

export type LayoutProblemCode = (typeof LAYOUT_PROBLEM_CODES)[number];

/** Gathers all problems of one input, up to a number that a person can still read. */
export class ProblemList {
  readonly #problems: Problem[] = [];

  get full(): boolean {
    return this.#problems.length > LAYOUT_LIMITS.problems;
  }

  get empty(): boolean {
    return this.#problems.length === 0;
  }

  add(path: string, code: LayoutProblemCode, message: string): void {
    if (this.full) return;
    if (this.#problems.length === LAYOUT_LIMITS.problems) {
      const sentence = `There are more than ${LAYOUT_LIMITS.problems} problems.`;
      this.#problems.push(
        Object.freeze({ path: '', code: 'too_many_problems', message: sentence }),
      );
      return;
    }
    this.#problems.push(Object.freeze({ path, code, message }));
  }

  list(): readonly Problem[] {
    return Object.freeze([...this.#problems]);
  }
}
