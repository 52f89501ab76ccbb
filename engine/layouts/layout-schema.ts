import { ROLES } from '#accounts';
import { ACCESS_MODES, SEAT_CATEGORIES, TIER_PATTERN, ZONE_TYPES } from '#policies';
import { METADATA_LIMITS } from '#reading';
import { deepFreeze } from './deep-freeze.ts';
import { DEFAULT_SEAT_SIZE, GROUP_TYPES, LAYOUT_LIMITS } from './layout-config.ts';

/**
 * The published JSON Schema of the layout config. It describes the shape; what compares two seats,
 * zones or groups (unique labels, overlaps, companions, policy) only `validateLayout` can tell.
 */

const optional = (type: string, rest: object) => ({ type: [type, 'null'], ...rest });
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const maybe = (name: string) => ({ anyOf: [ref(name), { type: 'null' }] });
const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values });
const maybeOneOf = (values: readonly string[]) => ({ enum: [...values, null] });

/**
 * No blank at either end, no control characters and none that nobody sees; halves of characters are
 * no JSON anyway.
 */
const UNSEEN = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800';
const TEXT = `^(?!\\s)[^${UNSEEN}]+(?<!\\s)$`;
const text = (most: number) => ({ type: 'string', minLength: 1, maxLength: most, pattern: TEXT });
const maybeText = (most: number) => ({ ...text(most), type: ['string', 'null'] });

const whole = { minimum: 0, maximum: LAYOUT_LIMITS.number };
const metadata = {
  ...optional('object', {}),
  description: `Free notes with at most ${METADATA_LIMITS.values} values.`,
};

const seatFields = {
  seat_id: {
    ...maybe('uuid'),
    description: 'Given = kept; absent = the seat of that label in the previous version, else new.',
  },
  label: { ...text(LAYOUT_LIMITS.label), description: 'Unique in the layout, for example A-1.' },
  number: { type: 'integer', ...whole },
  category: { ...maybeOneOf(SEAT_CATEGORIES), default: 'standard' },
  coordinates: { ...ref('point'), description: 'The centre of the seat; y grows downwards.' },
  order: {
    ...optional('integer', whole),
    description: 'Place in the row as people sit, for all seats of a row or none.',
  },
  gap_after: {
    ...optional('boolean', {}),
    description:
      'An aisle behind this seat. If one seat of a row says it, geometry finds no others.',
  },
  ring: {
    ...optional('boolean', {}),
    description: 'On any seat of a round table: the last seat of its row is beside the first.',
  },
  companion_of: {
    ...maybeText(LAYOUT_LIMITS.label),
    description: 'On a companion seat: the label of its wheelchair space in the same zone.',
  },
};

const rowFields = {
  row: text(LAYOUT_LIMITS.row),
  section: {
    ...maybeText(LAYOUT_LIMITS.section),
    description: 'The part of the zone, where one zone has the same row in several sections.',
  },
};

const seat = {
  type: 'object',
  additionalProperties: false,
  required: ['label', 'row', 'number', 'coordinates'],
  properties: { ...seatFields, ...rowFields },
};

const row = {
  type: 'object',
  additionalProperties: false,
  required: ['row', 'seats'],
  properties: {
    ...rowFields,
    seats: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['label', 'number', 'coordinates'],
        properties: seatFields,
      },
    },
  },
};

const zone = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'zone_type'],
  properties: {
    zone_id: {
      ...maybe('uuid'),
      description:
        'Given = kept; absent = the zone of that name in the previous version, else new.',
    },
    name: { ...text(LAYOUT_LIMITS.zone_name), description: 'Unique in the layout.' },
    zone_type: oneOf(ZONE_TYPES),
    capacity: {
      ...optional('integer', { minimum: 1, maximum: LAYOUT_LIMITS.capacity }),
      description: 'Required without seats; with seats their number, or absent.',
    },
    access_mode: { ...maybeOneOf(ACCESS_MODES), default: 'public' },
    membership_tier: optional('string', { pattern: TIER_PATTERN }),
    allowed_roles: optional('array', {
      maxItems: LAYOUT_LIMITS.roles,
      items: { enum: ROLES },
    }),
    metadata,
    focal_point: { ...maybe('point'), description: 'Where this zone looks; default: the layout.' },
    outline: optional('array', {
      minItems: 3,
      maxItems: LAYOUT_LIMITS.outline_points,
      items: ref('point'),
    }),
    seats: optional('array', { items: ref('seat'), description: 'The canonical flat form.' }),
    rows: optional('array', { items: ref('row'), description: 'The same seats, nested in rows.' }),
  },
  not: {
    required: ['seats', 'rows'],
    properties: { seats: { type: 'array' }, rows: { type: 'array' } },
  },
};

const group = {
  type: 'object',
  additionalProperties: false,
  required: ['group_type', 'seat_labels'],
  properties: {
    group_id: maybe('uuid'),
    group_type: oneOf(GROUP_TYPES),
    zone: { ...maybeText(LAYOUT_LIMITS.zone_name), description: 'The name of the zone.' },
    seat_labels: {
      type: 'array',
      minItems: 1,
      maxItems: LAYOUT_LIMITS.seats_in_group,
      items: text(LAYOUT_LIMITS.label),
    },
    metadata,
  },
};

const coordinate = {
  type: 'number',
  minimum: -LAYOUT_LIMITS.coordinate,
  maximum: LAYOUT_LIMITS.coordinate,
};

export const LAYOUT_SCHEMA = deepFreeze({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Voelgoed Seating layout',
  description: `Zones with up to ${LAYOUT_LIMITS.seats} seats. An optional field may be null.`,
  type: 'object',
  additionalProperties: false,
  required: ['zones'],
  properties: {
    seat_size: {
      ...optional('number', {
        minimum: LAYOUT_LIMITS.smallest_seat,
        maximum: LAYOUT_LIMITS.largest_seat,
        default: DEFAULT_SEAT_SIZE,
      }),
      description: 'Width of a seat in the unit of the coordinates; closer centres overlap.',
    },
    focal_point: { ...maybe('point'), description: 'Where the audience looks.' },
    zones: { type: 'array', minItems: 1, maxItems: LAYOUT_LIMITS.zones, items: ref('zone') },
    groups: optional('array', { maxItems: LAYOUT_LIMITS.groups, items: ref('group') }),
  },
  $defs: {
    uuid: {
      type: 'string',
      pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
    },
    point: {
      type: 'object',
      additionalProperties: false,
      required: ['x', 'y'],
      properties: { x: coordinate, y: coordinate },
    },
    zone,
    row,
    seat,
    group,
  },
});
