import { type LayoutProblems, LayoutReader } from '#layouts';
import { placeAt } from '#reading';
import { drawBowl } from './draw-bowl.ts';
import { type BowlSpec, DRAWING, type LayoutSpec, type ShapeSpec } from './layout-spec.ts';

/** Whole venues from a few numbers, for a first layout, the demo and benchmarks. */
export type PresetSpec =
  | Readonly<{ preset: 'theatre'; rows?: number; balcony_rows?: number; vip?: boolean }>
  | Readonly<{ preset: 'arena'; seats?: number; standing?: number }>
  | Readonly<{ preset: 'festival'; vip?: boolean }>
  | Readonly<{ preset: 'gala'; tables?: number; seats_per_table?: number }>;

export function isPreset(input: unknown): input is { preset: unknown } {
  return typeof input === 'object' && input !== null && 'preset' in input;
}

/** The spec of a preset, or undefined after a report. */
export function readPreset(input: { preset: unknown }, problems: LayoutProblems) {
  const { preset } = input;
  const name = PRESET_NAMES.find((known) => known === preset);
  if (!name) {
    const sentence = `A preset must be one of ${PRESET_NAMES.join(', ')}.`;
    problems.add('preset', 'unknown_value', sentence);
    return undefined;
  }
  const fields = new Set(['preset', ...PRESETS[name].fields]);
  const spec = PRESETS[name].spec(new LayoutReader(input, placeAt(''), { fields, problems }));
  return problems.empty ? spec : undefined;
}

type Preset = Readonly<{ fields: readonly string[]; spec: (options: LayoutReader) => LayoutSpec }>;

const PRESETS: Readonly<Record<PresetSpec['preset'], Preset>> = {
  theatre: { fields: ['rows', 'balcony_rows', 'vip'], spec: theatre },
  arena: { fields: ['seats', 'standing'], spec: arena },
  festival: { fields: ['vip'], spec: festival },
  gala: { fields: ['tables', 'seats_per_table'], spec: gala },
};

export const PRESET_NAMES = Object.freeze(Object.keys(PRESETS)) as readonly PresetSpec['preset'][];

/**
 * Stalls and a balcony in curved rows, wheelchair spaces in the last row, a box beside the stage.
 */
function theatre(options: LayoutReader): LayoutSpec {
  const rows = options.integer('rows', { least: 2, most: 40 }, 'optional') ?? 18;
  const balcony_rows = options.integer('balcony_rows', { least: 0, most: 20 }, 'optional') ?? 8;
  const vip = options.yesNo('vip') ?? true;
  const end = 160 + rows * DRAWING.row_pitch;
  const shapes: ShapeSpec[] = [
    {
      shape: 'curved_rows',
      zone: 'Stalls',
      label_prefix: '',
      rows,
      radius: 160,
      arc: 90,
      blocks: 3,
      wheelchair_pairs: [1, 3, 5].map((seat) => ({ row: rows, seat })),
    },
  ];
  if (balcony_rows > 0) {
    shapes.push({
      shape: 'curved_rows',
      zone: 'Balcony',
      rows: balcony_rows,
      radius: end + 60,
      arc: 100,
      blocks: 4,
      restricted_view: [{ row: 1, seat: 1 }],
    });
  }
  if (vip) shapes.push(BOX);
  return { shapes: shapes.map((shape) => ({ ...shape })) };
}

const BOX: ShapeSpec = {
  shape: 'straight_rows',
  zone: 'Box',
  zone_type: 'vip_reserved',
  rows: 2,
  blocks: [4],
  origin: { x: -260, y: 20 },
};

/** From this many seats on an arena is a stadium: a larger field and three tiers. */
const STADIUM_SEATS = 20_000;

/** Rows around a field with exactly the wished number of seats, and places on the field. */
function arena(options: LayoutReader): LayoutSpec {
  const seats = options.integer('seats', { least: 500, most: 100_000 }, 'optional') ?? 10_000;
  const standing = options.integer('standing', { least: 0, most: 100_000 }, 'optional') ?? 0;
  const large = seats >= STADIUM_SEATS;
  const field = large ? FOOTBALL : HALL;
  const shapes: ShapeSpec[] = large
    ? tiers(seats, field)
    : [{ ...bowl('Stands', seats, field), first_section: 101 }];
  if (standing > 0) shapes.push(standingFloor(standing, field));
  return { shapes };
}

/** A football field of 105 by 68 metres with its run-off, and the floor of a hall. */
const FOOTBALL = { field_length: 2_300, field_width: 1_560, corner_radius: 100 };
const HALL = { field_length: 1_000, field_width: 600, corner_radius: 100 };
type Field = typeof HALL;

function bowl(zone: string, seats: number, field: Field): BowlSpec {
  const around = 2 * (field.field_length + field.field_width);
  return {
    shape: 'bowl',
    zone,
    label_prefix: '',
    ...field,
    clearance: 60,
    rows: 200,
    sections: Math.round(around / 160),
    wheelchair_pairs_per_section: 1,
    seats,
  };
}

const TIERS = [
  { zone: 'Lower tier', share: 0.4, first_section: 101 },
  { zone: 'Middle tier', share: 0.25, first_section: 201 },
  { zone: 'Upper tier', share: 0.35, first_section: 301 },
];

/** One tier behind the other, with a concourse between them. */
function tiers(seats: number, field: Field): BowlSpec[] {
  let clearance = 60;
  let left = seats;
  return TIERS.map(({ zone, share, first_section }, index) => {
    const own = index === TIERS.length - 1 ? left : Math.round(seats * share);
    const tier = { ...bowl(zone, own, field), clearance, first_section };
    const rows = new Set([...drawBowl(tier)].map(({ row }) => row)).size;
    clearance += rows * DRAWING.row_pitch + 60;
    left -= own;
    return { ...tier, rows };
  });
}

function standingFloor(capacity: number, field: Field): ShapeSpec {
  return {
    shape: 'area',
    zone: 'Floor',
    zone_type: 'ga_standing',
    capacity,
    width: field.field_length - 200,
    height: field.field_width - 200,
    origin: { x: 0, y: 100 - field.field_width / 2 },
  };
}

/** Seats, a seated floor, a standing pit and a lounge for members: 1,050 places in all. */
function festival(options: LayoutReader): LayoutSpec {
  const pit = { capacity: 300, width: 300, height: 120, origin: { x: 0, y: 40 } };
  const floor = { capacity: 400, width: 400, height: 200, origin: { x: 0, y: 180 } };
  const shapes: ShapeSpec[] = [
    { shape: 'area', zone: 'Pit', zone_type: 'ga_standing', ...pit },
    { shape: 'area', zone: 'Floor', zone_type: 'ga_seated', ...floor },
    {
      shape: 'straight_rows',
      zone: 'Orchestra',
      label_prefix: '',
      rows: 15,
      blocks: [10, 10],
      origin: { x: 0, y: 420 },
      wheelchair_pairs: [{ row: 15, seat: 1 }],
    },
  ];
  if (options.yesNo('vip') ?? true) shapes.push({ ...LOUNGE });
  return { shapes };
}

const LOUNGE: ShapeSpec = {
  shape: 'straight_rows',
  zone: 'VIP Lounge',
  zone_type: 'vip_reserved',
  access_mode: 'membership_tier',
  membership_tier: 'voelgoed_vriendinne',
  label_prefix: 'VIP ',
  rows: 5,
  blocks: [10],
  origin: { x: 320, y: 180 },
};

/** A hall of round tables. */
function gala(options: LayoutReader): LayoutSpec {
  const tables = options.integer('tables', { least: 1, most: 2_000 }, 'optional') ?? 30;
  const seats_per_table =
    options.integer('seats_per_table', { least: 2, most: 20 }, 'optional') ?? 8;
  const columns = Math.ceil(Math.sqrt(tables));
  const rows = Math.ceil(tables / columns);
  const origin = { x: 0, y: 120 };
  return {
    shapes: [{ shape: 'tables', zone: 'Hall', columns, rows, tables, seats_per_table, origin }],
  };
}
