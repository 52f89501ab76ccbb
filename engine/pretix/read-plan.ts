import type { Point } from '#geometry';
import { LAYOUT_LIMITS, type LayoutProblems, type LayoutReader } from '#layouts';
import { SEAT_CATEGORIES, type SeatCategory } from '#policies';
import { type Place, placeAt } from '#reading';
import { type PretixArea, readArea } from './read-area.ts';
import {
  anyFields,
  extensionOf,
  mended,
  readExtension,
  readPosition,
  type ZoneExtension,
} from './read-values.ts';

/**
 * Reads a seating plan in the open format of pretix. What the format has no words for (general
 * admission, accessibility, access) may be said in an object `voelgoed` on a plan, category, zone,
 * area or seat. Fields that mean nothing to us are counted, so that the report can name them.
 */
export type PretixPlan = {
  name: string;
  focal_point: Point | undefined;
  categories: Map<string, PretixCategory>;
  zones: PretixZone[];
  seat_count: number;
  /** How often a field was met that is not taken over, such as `seat.radius`. */
  ignored: Map<string, number>;
  /** Twice the smallest radius: how wide the plan draws a seat. */
  seat_width: number;
};

type PretixCategory = { color: string | undefined; seat_category: SeatCategory | undefined };

export type PretixZone = {
  name: string;
  extension: ZoneExtension;
  rows: PretixRow[];
  areas: PretixArea[];
};

export type PretixRow = { name: string; seats: PretixSeat[] };

export type PretixSeat = Point & {
  guid: string;
  number: string;
  category: string;
  seat_category: SeatCategory | undefined;
  companion_of: string | undefined;
};

/** pretix draws a seat with this radius unless it says another. */
const PRETIX_RADIUS = 10;
const ANY = { least: 0, most: Number.POSITIVE_INFINITY };

const USED = {
  plan: new Set(['name', 'categories', 'zones', 'voelgoed']),
  category: new Set(['name', 'color', 'voelgoed']),
  zone: new Set(['name', 'position', 'rows', 'areas', 'voelgoed']),
  row: new Set(['row_number', 'position', 'seats']),
  seat: new Set(['seat_guid', 'seat_number', 'position', 'category', 'radius', 'voelgoed']),
};

export function readPlan(input: unknown, problems: LayoutProblems): PretixPlan {
  const reader = anyFields(input, placeAt(''), problems);
  const plan: PretixPlan = {
    name: mended(reader.anyText('name')),
    focal_point: extensionOf(reader).point('focal_point', 'optional'),
    categories: new Map(),
    zones: [],
    seat_count: 0,
    ignored: new Map(),
    seat_width: 2 * PRETIX_RADIUS,
  };
  count(plan, 'plan', reader);
  for (const [index, category] of (reader.list('categories', ANY, 'optional') ?? []).entries()) {
    readCategory(plan, category, placeAt(`categories[${index}]`), problems);
  }
  const zones = reader.list('zones', { least: 1, most: LAYOUT_LIMITS.zones }, 'required') ?? [];
  for (const [index, zone] of zones.entries()) {
    plan.zones.push(readZone(plan, zone, index, problems));
  }
  return plan;
}

function count(plan: PretixPlan, kind: keyof typeof USED, reader: LayoutReader): void {
  for (const name of reader.names()) {
    if (USED[kind].has(name)) continue;
    const field = `${kind}.${mended(name).slice(0, 40)}`;
    const known = plan.ignored.get(field);
    // A hostile file could have a new name in every seat; the report only needs a few.
    if (known !== undefined || plan.ignored.size < 100) plan.ignored.set(field, (known ?? 0) + 1);
  }
}

function readCategory(
  plan: PretixPlan,
  input: unknown,
  place: Place,
  problems: LayoutProblems,
): void {
  const reader = anyFields(input, place, problems);
  count(plan, 'category', reader);
  const extension = extensionOf(reader);
  plan.categories.set(mended(reader.anyText('name')), {
    color: reader.anyText('color'),
    seat_category: extension.choice('seat_category', SEAT_CATEGORIES, 'optional'),
  });
}

function readZone(
  plan: PretixPlan,
  input: unknown,
  index: number,
  problems: LayoutProblems,
): PretixZone {
  const path = `zones[${index}]`;
  const reader = anyFields(input, placeAt(path), problems);
  count(plan, 'zone', reader);
  const at = readPosition(reader);
  const rows = reader.list('rows', ANY, 'optional') ?? [];
  const areas = reader.list('areas', ANY, 'optional') ?? [];
  return {
    name: mended(reader.anyText('name')) || `Zone ${index + 1}`,
    extension: readExtension(extensionOf(reader)),
    rows: rows.map((row, n) => readRow(plan, row, placeAt(`${path}.rows[${n}]`), at, problems)),
    areas: areas.map((area, n) => readArea(area, `${path}.areas[${n}]`, at, problems)),
  };
}

function readRow(
  plan: PretixPlan,
  input: unknown,
  place: Place,
  from: Point,
  problems: LayoutProblems,
): PretixRow {
  const reader = anyFields(input, place, problems);
  count(plan, 'row', reader);
  const at = readPosition(reader, from);
  const seats = reader.list('seats', ANY, 'required') ?? [];
  plan.seat_count += seats.length;
  if (plan.seat_count > LAYOUT_LIMITS.seats) {
    const sentence = `A layout has at most ${LAYOUT_LIMITS.seats} seats.`;
    problems.add(place.path('seats'), 'too_many_seats', sentence);
    return { name: '', seats: [] };
  }
  return {
    name: mended(reader.anyText('row_number')),
    seats: problems.full
      ? []
      : seats.map((seat, n) => {
          return readSeat(plan, seat, placeAt(`${place.path('seats')}[${n}]`), at, problems);
        }),
  };
}

function readSeat(
  plan: PretixPlan,
  input: unknown,
  place: Place,
  from: Point,
  problems: LayoutProblems,
): PretixSeat {
  const reader = anyFields(input, place, problems);
  count(plan, 'seat', reader);
  const radius = reader.numberOr('radius', PRETIX_RADIUS);
  if (radius > 0) plan.seat_width = Math.min(plan.seat_width, 2 * radius);
  if (reader.readable && !reader.has('position')) {
    reader.refuse('position', 'missing_field', 'A seat without a position cannot be drawn.');
  }
  const extension = extensionOf(reader);
  return {
    ...readPosition(reader, from),
    guid: mended(reader.anyText('seat_guid')),
    number: mended(reader.anyText('seat_number')),
    category: mended(reader.anyText('category')),
    seat_category: extension.choice('category', SEAT_CATEGORIES, 'optional'),
    companion_of: extension.anyText('companion_of'),
  };
}
