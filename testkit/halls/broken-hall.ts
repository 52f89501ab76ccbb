import type { LayoutProblemCode } from '@voelgoed/engine/layouts';
import { hall, seatRow } from './hall.ts';

/** Ways to break the hall, for the tests of validation. */

/** In the place of a value: the field is taken away. */
const ABSENT = Symbol('absent');

/**
 * A name, the values that break the hall by their paths, the codes that must be found by their
 * paths, and whether the published schema alone can see it.
 */
type BrokenLayout = readonly [
  name: string,
  edits: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, LayoutProblemCode>>,
  seen_by_schema: boolean,
];

/** The hall with some values replaced. */
export function brokenHall(edits: Readonly<Record<string, unknown>>): unknown {
  const config: unknown = structuredClone(hall());
  for (const [path, value] of Object.entries(edits)) {
    const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
    const last = steps.pop() ?? '';
    let parent = config as Record<string, unknown>;
    for (const step of steps) parent = parent[step] as Record<string, unknown>;
    if (value === ABSENT) delete parent[last];
    else parent[last] = value;
  }
  return config;
}

const ID = 'abcdefab-1111-4111-8111-111111111111';
const DEEP = JSON.parse(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`);
const LONG = Array(501).fill(0);
const SEAT = 'zones[0].seats[0]';
const COMPANION = 'zones[0].seats[6]';
const TABLE_SEAT = 'zones[1].rows[0].seats[0]';

const at = (path: string, code: LayoutProblemCode) => ({ [path]: code });

/** One value that is wrong by itself. */
function shape(
  name: string,
  path: string,
  value: unknown,
  code: LayoutProblemCode,
  seen = true,
): BrokenLayout {
  return [name, { [path]: value }, at(path, code), seen];
}

export const BROKEN_SHAPES: readonly BrokenLayout[] = [
  shape('no zones', 'zones', ABSENT, 'missing_field'),
  shape('zones as an object', 'zones', {}, 'wrong_type'),
  ['no zone', { zones: [], groups: [] }, at('zones', 'list_empty'), true],
  shape('a zone as a number, which groups point into', 'zones[1]', 7, 'wrong_type'),
  shape('an unknown field', 'zones[0].colour', 1, 'unknown_field'),
  [
    'an unknown field with a strange name',
    { 'zones[0].seats[1].a"\u0000': 1 },
    at('zones[0].seats[1]["a\\"\\u0000"]', 'unknown_field'),
    true,
  ],
  shape('a row in a nested seat', `${TABLE_SEAT}.row`, 'T1', 'unknown_field'),
  [
    'a seat without label and coordinates',
    { [`${SEAT}.label`]: ABSENT, [`${SEAT}.coordinates`]: ABSENT },
    { ...at(`${SEAT}.label`, 'missing_field'), ...at(`${SEAT}.coordinates`, 'missing_field') },
    true,
  ],
  shape('a number that is a text', `${SEAT}.number`, '1', 'wrong_type'),
  shape('a number that is not whole', `${SEAT}.number`, 1.5, 'not_integer'),
  shape('a negative number', `${SEAT}.number`, -1, 'out_of_range'),
  shape('an unknown zone type', 'zones[2].zone_type', 'beach', 'unknown_value'),
  shape('an unknown access mode', 'zones[0].access_mode', 'secret', 'unknown_value'),
  shape('an unknown category', `${SEAT}.category`, 'golden', 'unknown_value'),
  shape('an unknown group type', 'groups[0].group_type', 'gang', 'unknown_value'),
  shape('a seat id that is no UUID', `${SEAT}.seat_id`, 'A-1', 'not_uuid'),
  shape('a zone id that is a number', 'zones[0].zone_id', 1, 'not_uuid'),
  [
    'coordinates without y',
    { [`${SEAT}.coordinates`]: { x: 1 } },
    at(`${SEAT}.coordinates.y`, 'missing_field'),
    true,
  ],
  [
    'coordinates with z',
    { [`${SEAT}.coordinates`]: { x: 1, y: 1, z: 1 } },
    at(`${SEAT}.coordinates.z`, 'unknown_field'),
    true,
  ],
  shape('a coordinate too far right', `${SEAT}.coordinates.x`, 1e6, 'coordinates_out_of_range'),
  shape('a coordinate too far up', `${SEAT}.coordinates.y`, -1e6, 'coordinates_out_of_range'),
  shape('a coordinate that is no number', `${SEAT}.coordinates.x`, Number.NaN, 'wrong_type'),
  shape('a blank name', 'zones[2].name', '  ', 'text_blank'),
  shape('an empty label', `${SEAT}.label`, '', 'text_blank'),
  shape('a label with white space around it', `${SEAT}.label`, ' A-1', 'text_invalid'),
  shape('U+0000 in a label', `${SEAT}.label`, 'A\u0000', 'text_invalid'),
  shape('a control character in a name', 'zones[2].name', 'A\u0085B', 'text_invalid'),
  shape('nothing to be seen in a label', `${SEAT}.label`, 'A-1\u200b', 'text_invalid'),
  shape('writing that turns round in a row', `${SEAT}.row`, 'A\u202e1', 'text_invalid'),
  shape('a filler in a name', 'zones[2].name', 'A\u3164', 'text_invalid'),
  shape('a tier that no member can have', 'zones[1].membership_tier', 'Gold Club', 'tier_invalid'),
  shape('half of a character in a row', `${SEAT}.row`, 'A\ud800', 'text_invalid', false),
  shape('a label that is too long', `${SEAT}.label`, 'A'.repeat(41), 'text_too_long'),
  shape('an outline of one point', 'zones[2].outline', [{ x: 0, y: 0 }], 'list_empty'),
  [
    'an empty nested row',
    { 'zones[1].rows[1]': { row: 'T2', seats: [] } },
    at('zones[1].rows[1].seats', 'list_empty'),
    true,
  ],
  shape('too many roles', 'zones[2].allowed_roles', Array(33).fill('staff'), 'list_too_long'),
  shape('a role that nobody has', 'zones[2].allowed_roles[0]', 'king', 'unknown_value'),
  shape('a role that is no text', 'zones[2].allowed_roles[0]', 1, 'wrong_type'),
  shape('metadata as a list', 'zones[0].metadata', [], 'wrong_type'),
  shape('metadata that is too deep', 'zones[0].metadata', DEEP, 'metadata_too_large', false),
  shape('too much metadata', 'zones[0].metadata', { a: LONG }, 'metadata_too_large', false),
  [
    'U+0000 in metadata',
    { 'zones[0].metadata': { deep: [{ 'k\u0000': 1 }] } },
    at('zones[0].metadata', 'text_invalid'),
    false,
  ],
  [
    'half of a character in metadata',
    { 'zones[0].metadata.note': '\udc00' },
    at('zones[0].metadata', 'text_invalid'),
    false,
  ],
  shape('a seat without size', 'seat_size', 0, 'out_of_range'),
  shape('a gap that is no yes or no', `${SEAT}.gap_after`, 'wide', 'wrong_type'),
  shape('a floor for nobody', 'zones[2].capacity', 0, 'out_of_range'),
  ['seats and rows at once', { 'zones[1].seats': [] }, at('zones[1].rows', 'seats_and_rows'), true],
];

/** Values that are right by themselves and wrong beside others, which no schema can see. */
function meaning(
  name: string,
  edits: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, LayoutProblemCode>>,
): BrokenLayout {
  return [name, edits, found, false];
}

const NAMES: readonly BrokenLayout[] = [
  meaning(
    'two zones of one name',
    { 'zones[2].name': 'Stalls' },
    at('zones[2].name', 'duplicate_zone_name'),
  ),
  meaning(
    'two zones of one id',
    { 'zones[0].zone_id': ID, 'zones[1].zone_id': ID.toUpperCase() },
    at('zones[1].zone_id', 'duplicate_zone_id'),
  ),
  meaning(
    'two seats of one label, in different zones and forms',
    { [`${TABLE_SEAT}.label`]: 'A-1', groups: [] },
    at(`${TABLE_SEAT}.label`, 'duplicate_label'),
  ),
  meaning(
    'two seats of one id',
    { [`${SEAT}.seat_id`]: ID, 'zones[0].seats[1].seat_id': ID },
    at('zones[0].seats[1].seat_id', 'duplicate_seat_id'),
  ),
  meaning(
    'two groups of one id',
    { 'groups[0].group_id': ID, 'groups[1].group_id': ID },
    at('groups[1].group_id', 'duplicate_group_id'),
  ),
  meaning(
    'a number twice in a row',
    { 'zones[0].seats[1].number': 1 },
    at('zones[0].seats[1].number', 'duplicate_seat_number'),
  ),
  meaning(
    'an order twice in a row',
    Object.fromEntries([1, 2, 3, 4, 4].map((order, n) => [`zones[0].seats[${n}].order`, order])),
    at('zones[0].seats[4].order', 'duplicate_order'),
  ),
  meaning(
    'an order for some seats of a row',
    { 'zones[0].seats[2].order': 3 },
    at('zones[0].seats[2].order', 'order_incomplete'),
  ),
  meaning(
    'a round table with an aisle',
    { 'zones[0].seats[1].ring': true, 'zones[0].seats[2].gap_after': true },
    at('zones[0].seats[1].ring', 'ring_impossible'),
  ),
];

const ZONES: readonly BrokenLayout[] = [
  meaning(
    'a zone without its seats',
    { 'zones[1].rows': [], groups: [] },
    at('zones[1]', 'empty_zone'),
  ),
  meaning(
    'a floor with seats',
    { 'zones[2].seats': seatRow('F', 100, 2) },
    at('zones[2]', 'seats_not_allowed'),
  ),
  meaning(
    'a capacity that is not the number of seats',
    { 'zones[0].capacity': 11 },
    at('zones[0].capacity', 'capacity_mismatch'),
  ),
  meaning(
    'a floor without capacity',
    { 'zones[2].capacity': ABSENT },
    at('zones[2].capacity', 'missing_field'),
  ),
  meaning(
    'more places than any venue has',
    { 'zones[2].capacity': 1_000_000 },
    at('zones', 'too_much_capacity'),
  ),
  meaning(
    'membership without a tier',
    { 'zones[1].membership_tier': null },
    at('zones[1].membership_tier', 'membership_tier_missing'),
  ),
  meaning(
    'roles without a role',
    { 'zones[2].allowed_roles': [] },
    at('zones[2].allowed_roles', 'allowed_roles_missing'),
  ),
  meaning(
    'two seats on each other, in different zones',
    { [`${TABLE_SEAT}.coordinates`]: { x: 3, y: 4 } },
    at(`${TABLE_SEAT}.coordinates`, 'seats_overlap'),
  ),
];

const POINTER = `${COMPANION}.companion_of`;

const COMPANIONS: readonly BrokenLayout[] = [
  meaning('a companion of nobody', { [POINTER]: 'Z-1' }, at(POINTER, 'companion_unknown')),
  meaning(
    'a companion in another zone',
    { [`${TABLE_SEAT}.category`]: 'wheelchair', [POINTER]: 'T1-1' },
    at(POINTER, 'companion_in_other_zone'),
  ),
  meaning(
    'an ordinary seat as a companion',
    { [`${COMPANION}.category`]: 'standard' },
    at(POINTER, 'companion_not_companion'),
  ),
  meaning(
    'a companion of an ordinary seat',
    { [POINTER]: 'B-3' },
    at(POINTER, 'companion_not_wheelchair'),
  ),
  meaning(
    'a circle of companions, and one that leads into it',
    {
      [POINTER]: 'B-3',
      'zones[0].seats[7].category': 'companion',
      'zones[0].seats[7].companion_of': 'B-2',
      'zones[0].seats[0].category': 'companion',
      'zones[0].seats[0].companion_of': 'B-2',
    },
    {
      ...at('zones[0].seats[0].companion_of', 'companion_not_wheelchair'),
      ...at(POINTER, 'companion_cycle'),
      ...at('zones[0].seats[7].companion_of', 'companion_cycle'),
    },
  ),
  meaning('a seat that accompanies itself', { [POINTER]: 'B-2' }, at(POINTER, 'companion_cycle')),
];

const GROUPS: readonly BrokenLayout[] = [
  meaning(
    'a pair that contradicts its companion',
    {
      'zones[0].seats[7].category': 'wheelchair',
      'groups[2]': { group_type: 'wheelchair_pair', seat_labels: ['B-3', 'B-2'] },
    },
    at(POINTER, 'companion_conflict'),
  ),
  meaning(
    'a pair of two ordinary seats',
    { 'groups[2]': { group_type: 'wheelchair_pair', seat_labels: ['A-1', 'A-2'] } },
    at('groups[2]', 'wheelchair_pair_invalid'),
  ),
  meaning(
    'a group of an unknown zone',
    { 'groups[0].zone': 'Beach' },
    at('groups[0].zone', 'unknown_zone'),
  ),
  meaning(
    'a group with an unknown seat',
    { 'groups[0].seat_labels[1]': 'Z-9' },
    at('groups[0].seat_labels[1]', 'unknown_seat'),
  ),
  meaning(
    'a group over two zones',
    { 'groups[1].seat_labels[2]': 'T1-1' },
    at('groups[1].seat_labels[2]', 'group_zone_mismatch'),
  ),
  meaning(
    'a group in another zone than it says',
    { 'groups[0].zone': 'Stalls' },
    at('groups[0].seat_labels[0]', 'group_zone_mismatch'),
  ),
  meaning(
    'a table for one',
    { 'groups[0].seat_labels': ['T1-1'] },
    at('groups[0].seat_labels', 'group_too_small'),
  ),
  meaning(
    'a seat in two groups of a type',
    { 'groups[2]': { group_type: 'family_block', seat_labels: ['A-3', 'A-4'] } },
    at('groups[2].seat_labels[1]', 'seat_in_two_groups'),
  ),
  meaning(
    'a seat twice in a group',
    { 'groups[1].seat_labels[2]': 'A-4' },
    at('groups[1].seat_labels[2]', 'seat_in_two_groups'),
  ),
];

export const BROKEN_MEANINGS = [...NAMES, ...ZONES, ...COMPANIONS, ...GROUPS];
