/** How a field of the generator is asked for, and how its text becomes JSON. */
export type FieldKind =
  | 'text'
  /** Before the labels, with the blank that may end it; empty is nothing before them. */
  | 'prefix'
  | 'integer'
  | 'number'
  | 'flag'
  | 'choice'
  /** `10, 12, 10`: whole numbers. */
  | 'counts'
  /** `R-35, R-37`: seats by the row and number that are printed on them. */
  | 'places'
  /** `0, 40`: a point of the drawing. */
  | 'point'
  /** `staff, viewer`. */
  | 'names';

export type FieldName =
  | 'rows'
  | 'balcony_rows'
  | 'vip'
  | 'seats'
  | 'standing'
  | 'tables'
  | 'seats_per_table'
  | 'zone'
  | 'zone_type'
  | 'access_mode'
  | 'membership_tier'
  | 'allowed_roles'
  | 'label_prefix'
  | 'seat_pitch'
  | 'row_pitch'
  | 'aisle_width'
  | 'row_names'
  | 'first_row'
  | 'numbering'
  | 'wheelchair_pairs'
  | 'restricted_view'
  | 'blocks'
  | 'widen'
  | 'origin'
  | 'rotation'
  | 'radius'
  | 'arc'
  | 'centre'
  | 'field_length'
  | 'field_width'
  | 'clearance'
  | 'corner_radius'
  | 'sections'
  | 'first_section'
  | 'wheelchair_pairs_per_section'
  | 'columns'
  | 'table_pitch'
  | 'group_type'
  | 'capacity'
  | 'width'
  | 'height';

export type Field = Readonly<{
  name: FieldName;
  kind: FieldKind;
  least?: number;
  most?: number;
  /** What a new form begins with; empty leaves it to the server. */
  start?: string;
  choices?: readonly string[];
  /** What few people ever change is folded away. */
  isRare?: boolean;
}>;

const whole = (name: FieldName, least: number, most: number, start = ''): Field => ({
  name,
  kind: 'integer',
  least,
  most,
  start,
});
const length = (name: FieldName, least: number, most: number, start = ''): Field => ({
  ...whole(name, least, most, start),
  kind: 'number',
});
const rare = (field: Field): Field => ({ ...field, isRare: true });
const choice = (name: FieldName, choices: readonly string[], start = ''): Field => ({
  name,
  kind: 'choice',
  choices,
  start,
});
const text = (name: FieldName, start = ''): Field => ({ name, kind: 'text', start });

const ACCESS: readonly Field[] = [
  rare(choice('access_mode', ['public', 'membership_tier', 'role_based', 'whitelist'])),
  rare(text('membership_tier')),
  rare({ name: 'allowed_roles', kind: 'names' }),
];
const seated = (zone: string): Field[] => [
  text('zone', zone),
  choice('zone_type', ['reserved_seating', 'vip_reserved'], 'reserved_seating'),
];
const ROWS: readonly Field[] = [
  choice('row_names', ['letters', 'numbers'], 'letters'),
  choice('numbering', ['left_to_right', 'right_to_left', 'odd_even', 'odd'], 'left_to_right'),
  rare(whole('first_row', 1, 10_000)),
  rare({ name: 'label_prefix', kind: 'prefix' }),
  rare(length('seat_pitch', 10.5, 100)),
  rare(length('row_pitch', 10.5, 100)),
  rare(length('aisle_width', 0, 500)),
];
const SPECIAL: readonly Field[] = [
  { name: 'wheelchair_pairs', kind: 'places' },
  { name: 'restricted_view', kind: 'places' },
];
const TURNED: readonly Field[] = [rare(length('rotation', -360, 360))];
const point = (name: FieldName, start = ''): Field => rare({ name, kind: 'point', start });

/** Whole venues from a few numbers. */
export const PRESETS = {
  theatre: [
    whole('rows', 2, 40, '18'),
    whole('balcony_rows', 0, 20, '8'),
    { name: 'vip', kind: 'flag', start: '' },
  ],
  arena: [whole('seats', 500, 100_000, '10000'), whole('standing', 0, 100_000, '0')],
  festival: [{ name: 'vip', kind: 'flag', start: '' }],
  gala: [whole('tables', 1, 2_000, '30'), whole('seats_per_table', 2, 20, '8')],
} as const satisfies Record<string, readonly Field[]>;
export type Preset = keyof typeof PRESETS;

/** Shapes that a hall is put together from; each is one zone. */
export const SHAPES = {
  straight_rows: [
    ...seated('Stalls'),
    whole('rows', 1, 500, '10'),
    { name: 'blocks', kind: 'counts', start: '10, 10' },
    whole('widen', 0, 20, '0'),
    ...ROWS,
    ...SPECIAL,
    point('origin'),
    ...TURNED,
    ...ACCESS,
  ],
  curved_rows: [
    ...seated('Stalls'),
    whole('rows', 1, 500, '12'),
    length('radius', 20, 20_000, '160'),
    length('arc', 1, 360, '90'),
    whole('blocks', 1, 50, '3'),
    ...ROWS,
    ...SPECIAL,
    point('centre'),
    ...TURNED,
    ...ACCESS,
  ],
  bowl: [
    ...seated('Stands'),
    whole('rows', 1, 500, '10'),
    length('field_length', 1, 20_000, '1000'),
    length('field_width', 1, 20_000, '600'),
    length('clearance', 1, 20_000, '60'),
    length('corner_radius', 0, 20_000, '100'),
    whole('sections', 1, 400, '20'),
    whole('first_section', 0, 100_000, '101'),
    whole('wheelchair_pairs_per_section', 0, 20, '1'),
    whole('seats', 1, 100_000),
    ...ROWS,
    point('centre'),
    ...ACCESS,
  ],
  tables: [
    ...seated('Hall'),
    whole('columns', 1, 200, '6'),
    whole('rows', 1, 200, '5'),
    whole('seats_per_table', 2, 40, '8'),
    whole('tables', 1, 40_000),
    rare(choice('group_type', ['vip_table', 'family_block', 'reserved_block'])),
    rare(length('table_pitch', 1, 20_000)),
    rare(length('seat_pitch', 10.5, 100)),
    rare({ name: 'label_prefix', kind: 'prefix' }),
    point('origin'),
    ...ACCESS,
  ],
  area: [
    text('zone', 'Floor'),
    choice('zone_type', ['ga_standing', 'ga_seated', 'vip_standing'], 'ga_standing'),
    whole('capacity', 1, 1_000_000, '200'),
    length('width', 1, 20_000, '300'),
    length('height', 1, 20_000, '120'),
    point('origin', '0, 40'),
    ...ACCESS,
  ],
} as const satisfies Record<string, readonly Field[]>;
export type Shape = keyof typeof SHAPES;

export type Answers = Readonly<Record<string, string>>;

export function startOf(fields: readonly Field[]): Answers {
  return Object.fromEntries(fields.map(({ name, start = '' }) => [name, start]));
}

/** What the form shows for a spec: the way back of `specOf`. */
export function answersOf(fields: readonly Field[], spec: Fields): Answers {
  return Object.fromEntries(fields.map((field) => [field.name, shownAs(field, spec[field.name])]));
}

type Fields = Readonly<Record<string, unknown>>;
type Point = Readonly<{ x: number; y: number }>;
type Position = Readonly<{ label?: string; row?: number; seat?: number }>;

function shownAs({ kind, start = '' }: Field, value: unknown): string {
  // What a preset leaves open is there: a VIP zone.
  if (kind === 'flag') return value === false ? '' : 'yes';
  if (value === undefined || value === null) return kind === 'choice' ? start : '';
  if (kind === 'counts' || kind === 'names') return (value as unknown[]).join(', ');
  if (kind === 'point') return `${(value as Point).x}, ${(value as Point).y}`;
  if (kind !== 'places') return String(value);
  return (value as Position[]).map(({ label, row, seat }) => label ?? `${row}-${seat}`).join(', ');
}

/** The zone's name before the labels follows the zone, until something else stands there. */
export function withPrefix(before: Answers, after: Answers): Answers {
  const isItsOwn = before.label_prefix === prefixOf(before) && before.zone !== after.zone;
  return isItsOwn ? { ...after, label_prefix: prefixOf(after) } : after;
}

export function prefixOf({ zone = '' }: Answers): string {
  return `${zone.trim()} `;
}

/** What was typed as the generator wants it; what is left empty is not sent. */
export function specOf(fields: readonly Field[], answers: Answers): Record<string, unknown> {
  const spec: Record<string, unknown> = {};
  for (const { name, kind } of fields) {
    const raw = (answers[name] ?? '').trimStart();
    const typed = raw.trim();
    if (kind === 'prefix') spec[name] = raw;
    else if (kind === 'flag') spec[name] = typed === 'yes';
    else if (typed !== '') spec[name] = typedAs(kind, typed);
  }
  return spec;
}

/** A text that makes no sense is sent as it is: the server says what is wrong with it. */
function typedAs(kind: FieldKind, typed: string): unknown {
  if (kind === 'places') return labelsOf(typed).map((label) => ({ label }));
  const parts = typed.split(/[\s,;]+/).filter((part) => part !== '');
  if (kind === 'integer' || kind === 'number') return numberOf(typed);
  if (kind === 'counts') return parts.map(numberOf);
  if (kind === 'names') return parts;
  if (kind !== 'point') return typed;
  const [x, y] = parts.map(numberOf);
  return { x, y };
}

function numberOf(typed: string): number | string {
  const value = Number(typed);
  return Number.isFinite(value) ? value : typed;
}

/** A label may have a blank in it: `Balcony A-1`. */
function labelsOf(typed: string): string[] {
  const parts = typed.split(/[,;]+|(?<=-\d+)\s+/);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
