import {
  type GroupConfig,
  LAYOUT_LIMITS,
  type LayoutConfig,
  LayoutProblems,
  type SeatConfig,
  type ZoneConfig,
} from '#layouts';
import type { SeatCategory } from '#policies';
import type { Invalid } from '#reading';
import { drawBowl } from './draw-bowl.ts';
import { drawCurvedRows, drawStraightRows } from './draw-rows.ts';
import { drawTables } from './draw-tables.ts';
import {
  type AreaSpec,
  type BowlSpec,
  type CurvedRowsSpec,
  DRAWING,
  type LayoutSpec,
  type SeatPosition,
  type ShapeSpec,
  type StraightRowsSpec,
  type TablesSpec,
} from './layout-spec.ts';
import { isPreset, readPreset } from './presets.ts';
import { readSpec } from './read-spec.ts';
import { type DrawnRow, nameSeats, type RowCategories, seatNumbers } from './seat-naming.ts';
import { nameOfPosition, plainSpec, SeatPlaces } from './seat-places.ts';

type GeneratedLayout =
  | Readonly<{ kind: 'generated'; config: LayoutConfig; spec: LayoutSpec }>
  | Invalid;

/**
 * Draws a layout from a spec, or from `{ preset, … }`. Whether a policy allows it is told later.
 */
export function generateLayout(input: unknown): GeneratedLayout {
  const problems = new LayoutProblems();
  const spec = isPreset(input) ? readPreset(input, problems) : readSpec(input, problems);
  const config = spec && draw(spec, problems);
  if (!spec || !config || !problems.empty) return problems.invalid();
  return Object.freeze({ kind: 'generated', config, spec: plainSpec(spec, config) });
}

function draw(spec: LayoutSpec, problems: LayoutProblems): LayoutConfig {
  const seated = spec.shapes.filter(({ shape }) => shape !== 'area').length;
  const budget = { seats: LAYOUT_LIMITS.seats };
  const groups: GroupConfig[] = [];
  const zones = spec.shapes.map((shape, index) => {
    if (shape.shape === 'area') return areaZone(shape);
    const prefix = shape.label_prefix ?? (seated > 1 ? `${shape.zone} ` : '');
    const hand = { prefix, budget, problems, path: `shapes[${index}]`, groups };
    return { ...zoneFields(shape), seats: drawSeats(shape, hand) };
  });
  reportSharedLabels(zones, problems);
  return {
    seat_size: DRAWING.seat_size,
    focal_point: spec.focal_point ?? { x: 0, y: 0 },
    zones,
    ...(groups.length === 0 ? {} : { groups }),
  };
}

/** Said once for two shapes, where it can be changed, and not for each of their seats. */
function reportSharedLabels(
  zones: readonly Pick<ZoneConfig, 'name' | 'seats'>[],
  problems: LayoutProblems,
): void {
  const owners = new Map<string, number>();
  zones.forEach(({ name, seats }, index) => {
    let shared: string | null = null;
    for (const { label } of seats ?? []) {
      const owner = owners.get(label) ?? index;
      if (owner === index) owners.set(label, index);
      else shared ??= `Both ${zones[owner]?.name} and ${name} would have a seat ${label}.`;
    }
    if (shared === null) return;
    const sentence = `${shared} Let something else stand before the labels of one of them.`;
    problems.add(`shapes[${index}].label_prefix`, 'duplicate_label', sentence);
  });
}

/** What drawing one shape needs beside its spec, and where it leaves groups and problems. */
type Hand = Readonly<{
  prefix: string;
  budget: { seats: number };
  problems: LayoutProblems;
  path: string;
  groups: GroupConfig[];
}>;

function zoneFields(spec: ShapeSpec): ZoneConfig {
  return {
    name: spec.zone,
    zone_type: spec.zone_type ?? 'reserved_seating',
    access_mode: spec.access_mode ?? 'public',
    ...(spec.membership_tier ? { membership_tier: spec.membership_tier } : {}),
    ...(spec.allowed_roles ? { allowed_roles: spec.allowed_roles } : {}),
    ...(spec.metadata ? { metadata: spec.metadata } : {}),
  };
}

function areaZone(spec: AreaSpec): ZoneConfig {
  const { x, y } = spec.origin ?? { x: 0, y: 0 };
  const [left, right, end] = [x - spec.width / 2, x + spec.width / 2, y + spec.height];
  const outline = [
    { x: left, y },
    { x: right, y },
    { x: right, y: end },
    { x: left, y: end },
  ];
  return { ...zoneFields(spec), capacity: spec.capacity, outline };
}

function drawSeats(spec: Exclude<ShapeSpec, AreaSpec>, hand: Hand): SeatConfig[] {
  if (spec.shape === 'tables') return tableSeats(spec, hand);
  if (spec.shape === 'bowl') return bowlSeats(spec, hand);
  const rows = spec.shape === 'straight_rows' ? drawStraightRows(spec) : drawCurvedRows(spec);
  return rowSeats(spec, rows, hand);
}

/** False once the layout has more seats than any may have; then drawing stops at once. */
function spend(hand: Hand, seats: number): boolean {
  const enough = hand.budget.seats >= 0;
  hand.budget.seats -= seats;
  if (hand.budget.seats < 0 && enough) {
    const sentence = `A layout has at most ${LAYOUT_LIMITS.seats} seats.`;
    hand.problems.add(hand.path, 'too_many_seats', sentence);
  }
  return hand.budget.seats >= 0;
}

function tableSeats(spec: TablesSpec, hand: Hand): SeatConfig[] {
  const seats: SeatConfig[] = [];
  for (const table of drawTables(spec, hand.prefix)) {
    if (!spend(hand, table.seats.length)) break;
    for (const seat of table.seats) seats.push(seat);
    if (table.group) hand.groups.push(table.group);
  }
  return seats;
}

function bowlSeats(spec: BowlSpec, hand: Hand): SeatConfig[] {
  const pairs = spec.wheelchair_pairs_per_section ?? 0;
  const front = new Map<number, SeatCategory>();
  for (let place = 0; place < 2 * pairs; place++) {
    front.set(place, place % 2 === 0 ? 'wheelchair' : 'companion');
  }
  const seen = new Set<string | null>();
  const seats: SeatConfig[] = [];
  for (const row of drawBowl(spec)) {
    const count = row.blocks.flat().length;
    if (!spend(hand, count)) break;
    // A pair that does not fit as a whole is left out, or its companion would be nobody's.
    const fits = !seen.has(row.section) && count >= front.size;
    seen.add(row.section);
    const named = nameSeats(row, namingOf(spec, hand), fits ? front : NOTHING);
    for (const seat of named) seats.push(seat);
  }
  return seats;
}

const NOTHING: RowCategories = new Map();

function namingOf(spec: StraightRowsSpec | CurvedRowsSpec | BowlSpec, hand: Hand) {
  return { prefix: hand.prefix, numbering: spec.numbering ?? 'left_to_right' };
}

function rowSeats(
  spec: StraightRowsSpec | CurvedRowsSpec,
  rows: Iterable<DrawnRow>,
  hand: Hand,
): SeatConfig[] {
  const places = new SeatPlaces(spec, hand.prefix);
  const naming = namingOf(spec, hand);
  const seats: SeatConfig[] = [];
  let index = 0;
  for (const row of rows) {
    const count = row.blocks.flat().length;
    if (!spend(hand, count)) break;
    const numbers = seatNumbers(naming.numbering, count);
    const categories = places.categories(index, row.row, numbers);
    for (const seat of nameSeats(row, naming, categories)) seats.push(seat);
    index += 1;
  }
  checkPositions('wheelchair_pairs', spec.wheelchair_pairs, places, 2, hand);
  checkPositions('restricted_view', spec.restricted_view, places, 1, hand);
  return seats;
}

function checkPositions(
  field: string,
  positions: readonly SeatPosition[] | null | undefined,
  places: SeatPlaces,
  width: number,
  hand: Hand,
): void {
  positions?.forEach((position, index) => {
    if (places.has(position, width)) return;
    const what = width === 1 ? 'no such seat' : 'no such seat with another one to the right of it';
    const sentence = `There is ${what} in this shape: ${nameOfPosition(position)}.`;
    hand.problems.add(`${hand.path}.${field}[${index}]`, 'unknown_seat', sentence);
  });
}
