import { GROUP_TYPES, LAYOUT_LIMITS, type LayoutProblems, LayoutReader } from '#layouts';
import { ACCESS_MODES, ZONE_TYPES, zoneHasSeats } from '#policies';
import { type Place, placeAt, recordOf } from '#reading';
import { tableRadius } from './draw-tables.ts';
import { DRAWING, type LayoutSpec, NUMBERINGS, ROW_NAMES, type ShapeSpec } from './layout-spec.ts';

/** Fields that a shape may have, by the group of shapes that share them. */
const ZONE = ['zone', 'zone_type', 'access_mode', 'membership_tier', 'allowed_roles', 'metadata'];
const SEATED = [...ZONE, 'shape', 'label_prefix', 'seat_pitch'];
const ROWS = [...SEATED, 'rows', 'row_pitch', 'aisle_width', 'row_names', 'first_row', 'numbering'];
const PLACES = ['wheelchair_pairs', 'restricted_view'];
const CURVE = ['radius', 'arc', 'blocks', 'centre', 'rotation'];
const FIELD = ['field_length', 'field_width', 'clearance', 'corner_radius', 'centre', 'seats'];
const SECTIONS = ['sections', 'first_section', 'wheelchair_pairs_per_section'];
const TABLES = [
  'columns',
  'rows',
  'seats_per_table',
  'table_pitch',
  'tables',
  'group_type',
  'origin',
];
const FIELDS: Readonly<Record<ShapeSpec['shape'], ReadonlySet<string>>> = {
  straight_rows: new Set([...ROWS, ...PLACES, 'blocks', 'widen', 'origin', 'rotation']),
  curved_rows: new Set([...ROWS, ...PLACES, ...CURVE]),
  bowl: new Set([...ROWS, ...FIELD, ...SECTIONS]),
  tables: new Set([...SEATED, ...TABLES]),
  area: new Set([...ZONE, 'shape', 'capacity', 'width', 'height', 'origin']),
};
const SHAPES = Object.freeze(Object.keys(FIELDS)) as readonly ShapeSpec['shape'][];
const SPEC = new Set(['focal_point', 'shapes']);

/** More shapes than zones would be refused as a layout anyway. */
const MOST_SHAPES = LAYOUT_LIMITS.zones;
/** A label is prefix, section, row and number, and has 40 characters. */
const LONGEST_PREFIX = 20;
/** Below this two seats of a bent row would touch. */
const SEAT_PITCH = { least: 10.5, most: 100 };
const ROW_PITCH = { least: 10.5, most: 100 };
/** Far beyond any building, and well inside the coordinates of a layout. */
const LENGTH = { least: 1, most: 20_000 };
const ROW_COUNT = { least: 1, most: 500 };
const DEGREES = { least: -360, most: 360 };
/** A circle that is smaller bends so much that seats touch. */
const SMALLEST_RADIUS = 20;

/** Reads a spec and reports everything that is wrong with it; undefined when there is anything. */
export function readSpec(input: unknown, problems: LayoutProblems): LayoutSpec | undefined {
  const reader = new LayoutReader(input, placeAt(''), { fields: SPEC, problems });
  reader.point('focal_point', 'optional');
  const shapes = reader.list('shapes', { least: 1, most: MOST_SHAPES }, 'required') ?? [];
  const seated = shapes.filter((shape) => shapeOf(shape) !== 'area').length;
  shapes.forEach((shape, index) => {
    const place = placeAt(`shapes[${index}]`);
    const reader = readShape(shape, place, problems);
    if (reader && seated > 1) checkDefaultPrefix(shape, reader);
  });
  return problems.empty ? (input as LayoutSpec) : undefined;
}

function shapeOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'shape' in input ? input.shape : undefined;
}

function readShape(
  input: unknown,
  place: Place,
  problems: LayoutProblems,
): LayoutReader | undefined {
  const shape = SHAPES.find((known) => known === shapeOf(input));
  if (shape === undefined) {
    const sentence = `A shape must be one of ${SHAPES.join(', ')}.`;
    problems.add(place.path('shape'), 'unknown_value', sentence);
    return undefined;
  }
  const reader = new LayoutReader(input, place, { fields: FIELDS[shape], problems });
  readZoneFields(reader, shape !== 'area');
  if (shape === 'area') {
    readArea(reader);
    return reader;
  }
  reader.prefix('label_prefix', LONGEST_PREFIX);
  reader.number('seat_pitch', SEAT_PITCH, 'optional');
  if (shape === 'tables') readTables(reader);
  else readRows(reader);
  if (shape === 'straight_rows') readStraight(reader);
  if (shape === 'curved_rows') readCurved(reader);
  if (shape === 'bowl') readBowl(reader);
  return reader;
}

function readZoneFields(reader: LayoutReader, seats: boolean): void {
  const types = ZONE_TYPES.filter((type) => zoneHasSeats(type) === seats);
  reader.text('zone', LAYOUT_LIMITS.zone_name, 'required');
  reader.choice('zone_type', types, seats ? 'optional' : 'required');
  reader.choice('access_mode', ACCESS_MODES, 'optional');
  reader.tier('membership_tier');
  reader.metadata('metadata');
  reader.roles('allowed_roles');
}

/** Two seated shapes would both have a seat A-1, so the zone's name comes before it. */
function checkDefaultPrefix(shape: unknown, reader: LayoutReader): void {
  if (shapeOf(shape) === 'area' || reader.has('label_prefix')) return;
  const { zone } = shape as { zone?: unknown };
  if (typeof zone !== 'string' || zone.length < LONGEST_PREFIX) return;
  const sentence = 'Give a label_prefix: this name is too long to stand before every label.';
  reader.refuse('zone', 'text_too_long', sentence);
}

function readRows(reader: LayoutReader): void {
  reader.integer('rows', ROW_COUNT, 'required');
  reader.number('row_pitch', ROW_PITCH, 'optional');
  reader.number('aisle_width', { least: 0, most: 500 }, 'optional');
  reader.choice('row_names', ROW_NAMES, 'optional');
  reader.integer('first_row', { least: 1, most: 10_000 }, 'optional');
  reader.choice('numbering', NUMBERINGS, 'optional');
}

function readStraight(reader: LayoutReader): void {
  const blocks = reader.list('blocks', { least: 1, most: 50 }, 'required') ?? [];
  blocks.forEach((count, index) => {
    if (Number.isInteger(count) && (count as number) >= 1 && (count as number) <= 2_000) return;
    const sentence = 'A block is a whole number of seats between 1 and 2000.';
    reader.problems.add(`${reader.path('blocks')}[${index}]`, 'out_of_range', sentence);
  });
  reader.integer('widen', { least: 0, most: 20 }, 'optional');
  reader.point('origin', 'optional');
  reader.number('rotation', DEGREES, 'optional');
  readPositions(reader);
}

const POSITION = new Set(['row', 'seat']);
const LABELLED = new Set(['label']);

function readPositions(reader: LayoutReader): void {
  const { problems } = reader;
  for (const field of PLACES) {
    const positions = reader.list(field, { least: 0, most: 10_000 }, 'optional') ?? [];
    positions.forEach((position, index) => {
      const place = placeAt(`${reader.path(field)}[${index}]`);
      if (recordOf(position)?.label !== undefined) {
        const named = new LayoutReader(position, place, { fields: LABELLED, problems });
        named.text('label', LAYOUT_LIMITS.label, 'required');
        return;
      }
      const own = new LayoutReader(position, place, { fields: POSITION, problems });
      own.integer('row', ROW_COUNT, 'required');
      own.integer('seat', { least: 1, most: LAYOUT_LIMITS.seats }, 'required');
    });
  }
}

function readCurved(reader: LayoutReader): void {
  const from = { least: SMALLEST_RADIUS, most: LENGTH.most };
  const radius = reader.number('radius', from, 'required');
  const arc = reader.number('arc', { least: 1, most: 360 }, 'required');
  const blocks = reader.integer('blocks', { least: 1, most: 50 }, 'optional') ?? 1;
  reader.point('centre', 'optional');
  reader.number('rotation', DEGREES, 'optional');
  readPositions(reader);
  if (radius === undefined || arc === undefined) return;
  if (fitsBlocks(reader, (arc / 180) * Math.PI * radius, blocks)) return;
  reader.refuse('arc', 'out_of_range', 'The front row is too short for its blocks.');
}

/** The front row is the shortest one: can each of its blocks hold at least one seat? */
function fitsBlocks(reader: LayoutReader, length: number, blocks: number): boolean {
  const pitch = reader.numberOr('seat_pitch', DRAWING.seat_pitch);
  const aisle = reader.numberOr('aisle_width', DRAWING.aisle_width);
  return (length - (blocks - 1) * aisle) / blocks >= pitch;
}

function readBowl(reader: LayoutReader): void {
  const length = reader.number('field_length', LENGTH, 'required');
  const width = reader.number('field_width', LENGTH, 'required');
  const clearance = reader.number('clearance', LENGTH, 'required');
  const radius = reader.number('corner_radius', { least: 0, most: LENGTH.most }, 'optional') ?? 0;
  const sections = reader.integer('sections', { least: 1, most: 400 }, 'required');
  reader.integer('first_section', { least: 0, most: 100_000 }, 'optional');
  reader.integer('wheelchair_pairs_per_section', { least: 0, most: 20 }, 'optional');
  reader.integer('seats', { least: 1, most: LAYOUT_LIMITS.seats }, 'optional');
  reader.point('centre', 'optional');
  if (length === undefined || width === undefined || clearance === undefined) return;
  if (radius * 2 > Math.min(length, width)) {
    reader.refuse('corner_radius', 'out_of_range', 'The corners do not fit on the field.');
  }
  if (radius + clearance < SMALLEST_RADIUS) {
    const sentence = `With the corner radius this must be at least ${SMALLEST_RADIUS}.`;
    reader.refuse('clearance', 'out_of_range', sentence);
  }
  const around = 2 * (length + width - 4 * radius) + 2 * Math.PI * (radius + clearance);
  if (sections !== undefined && !fitsBlocks(reader, around, sections)) {
    reader.refuse('sections', 'out_of_range', 'The front row is too short for its sections.');
  }
}

function readTables(reader: LayoutReader): void {
  reader.integer('columns', { least: 1, most: 200 }, 'required');
  reader.integer('rows', { least: 1, most: 200 }, 'required');
  reader.integer('tables', { least: 1, most: 40_000 }, 'optional');
  const seats = reader.integer('seats_per_table', { least: 2, most: 40 }, 'required');
  reader.choice('group_type', GROUP_TYPES.slice(1), 'optional');
  reader.point('origin', 'optional');
  const pitch = reader.number('table_pitch', LENGTH, 'optional');
  if (seats === undefined || pitch === undefined) return;
  const seat_pitch = reader.numberOr('seat_pitch', DRAWING.seat_pitch);
  const least = 2 * tableRadius(seats, seat_pitch) + DRAWING.seat_size;
  if (pitch >= least) return;
  const sentence = `Tables of ${seats} seats must be at least ${Math.ceil(least)} apart.`;
  reader.refuse('table_pitch', 'out_of_range', sentence);
}

function readArea(reader: LayoutReader): void {
  reader.integer('capacity', { least: 1, most: LAYOUT_LIMITS.capacity }, 'required');
  reader.number('width', LENGTH, 'required');
  reader.number('height', LENGTH, 'required');
  reader.point('origin', 'optional');
}
