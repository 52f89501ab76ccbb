import { areasOf, isWithoutSeats } from './areas.ts';
import { type Block, blockOf, blocksOfRuns } from './blocks.ts';
import type { Drawing, DrawingSeat, DrawingZone, Point, Rect } from './drawing.ts';
import { boundsOf, grown, type Polygon, union } from './polygons.ts';
import { type RowMarks, rowMarksOf } from './row-marks.ts';
import { type Run, runsOf } from './runs.ts';
import { SeatGrid } from './seat-grid.ts';
import { type Spacing, spacingOf } from './spacing.ts';
import { type Stage, stageAt } from './stage.ts';

/** What stands on a seat besides its state. */
export const CATEGORY = {
  standard: 0,
  wheelchair: 1,
  companion: 2,
  restricted_view: 3,
  aisle: 4,
} as const;

export type SceneZone = Readonly<{
  index: number;
  zone_id: string;
  name: string;
  zone_type: string;
  capacity: number;
  /** Its places are not seats: it is drawn as an area with counts. */
  isArea: boolean;
  /** The area's, or the one that the drawing gives. */
  outline: Polygon | null;
  bounds: Rect;
  /** Where its name stands best, and then second best. */
  labels: readonly Point[];
  /** The edge of its seats behind which (1) or before which (-1) its name has room, or null. */
  beside: (Point & Readonly<{ way: 1 | -1 }>) | null;
  spacing: Spacing;
  blocks: readonly number[];
}>;

/** A drawing, made ready to be painted and asked. By ordinal, unless said otherwise. */
export type Scene = Readonly<{
  seats: readonly DrawingSeat[];
  x: Float32Array;
  y: Float32Array;
  zoneOf: Uint16Array;
  blockOf: Uint32Array;
  category: Uint8Array;
  grid: SeatGrid;
  zones: readonly SceneZone[];
  blocks: readonly Block[];
  rowMarks: RowMarks;
  stage: Stage | null;
  bounds: Rect;
  /** Of most seats: the measure of level of detail. */
  spacing: Spacing;
}>;

const EMPTY: Rect = { left: 0, top: 0, right: 1, bottom: 1 };

export function buildScene(drawing: Drawing): Scene {
  const seats = inOrder(drawing.seats);
  const columns = columnsOf(seats, drawing);
  const { x, y } = columns;
  const hasSeats = columns.counts.some((count) => count > 0);
  const seatBounds = hasSeats ? boundsOfSeats(x, y) : null;
  const unit = drawing.seat_size || 10;
  const grid = new SeatGrid(x, y, seatBounds ?? EMPTY, 4 * unit);
  const spacings = drawing.zones.map((_, zone) => zoneSpacing(grid, columns, zone, unit));
  const spacingOfSeat = (ordinal: number) => spacings[columns.zoneOf[ordinal] as number] as Spacing;
  const isDrawn = ({ first }: Run) => columns.x[first] !== FAR_AWAY;
  const runs = runsOf(columns, spacingOfSeat).filter(isDrawn);
  const { blocks, blockOf: ofSeat } = buildBlocks(columns, runs, grid, spacingOfSeat);
  const isArea = (zone: number) => columns.counts[zone] === 0;
  const areas = areasOf(
    drawing.zones.filter((_, zone) => isArea(zone)),
    seatBounds,
    unit,
  );
  const zones = drawing.zones.map((zone, index) =>
    sceneZone(zone, index, areas.get(zone.zone_id), spacings[index] as Spacing, blocks, grid),
  );
  const inner = zones.map((zone) => zone.bounds).reduce(union, zones[0]?.bounds ?? EMPTY);
  const stage = stageOf(drawing, columns, zones, inner, unit);
  return {
    seats,
    x,
    y,
    zoneOf: columns.zoneOf,
    blockOf: ofSeat,
    category: columns.category,
    grid,
    zones,
    blocks,
    rowMarks: rowMarksOf(
      blocks,
      columns,
      (row) => columns.rowNames[row] ?? '',
      (block) => spacings[block.zone] as Spacing,
    ),
    stage,
    bounds: grown(stage ? union(inner, stage) : inner, 2 * unit),
    spacing: commonSpacing(spacings, columns.counts, unit),
  };
}

/** The server sends them by ordinal; whoever made a drawing by hand need not. */
function inOrder(seats: readonly DrawingSeat[]): readonly DrawingSeat[] {
  const isSorted = seats.every((seat, index) => seat.ordinal === index);
  if (isSorted) return seats;
  const sorted = [...seats].sort((one, other) => one.ordinal - other.ordinal);
  if (sorted.every((seat, index) => seat.ordinal === index)) return sorted;
  throw new Error('ordinals of a drawing are 0, 1, 2 … without gaps');
}

/** Where a seat is that a zone without seats still has in its drawing: nobody meets it. */
const FAR_AWAY = 1e9;

type Columns = ReturnType<typeof columnsOf>;

function columnsOf(seats: readonly DrawingSeat[], { zones, drawing_id }: Drawing) {
  const count = seats.length;
  // A plan that is still drawn may have such seats by mistake: then they are shown.
  const taken = zones.map((zone) => drawing_id !== undefined && isWithoutSeats(zone));
  const zoneIndex = new Map(zones.map((zone, index) => [zone.zone_id, index]));
  const columns = {
    x: new Float32Array(count),
    y: new Float32Array(count),
    zoneOf: new Uint16Array(count),
    category: new Uint8Array(count),
    row: new Uint32Array(count),
    group: new Uint32Array(count),
    counts: new Uint32Array(zones.length),
    firsts: new Uint32Array(zones.length),
    rowNames: [] as string[],
    sections: [] as (string | null)[],
  };
  const groups = new Map<string, number>();
  let before: DrawingSeat | undefined;
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const seat = seats[ordinal] as DrawingSeat;
    const zone = zoneIndex.get(seat.zone_id);
    if (zone === undefined) throw new Error(`seat ${seat.label} is in no zone of its drawing`);
    columns.x[ordinal] = taken[zone] ? FAR_AWAY : seat.x;
    columns.y[ordinal] = taken[zone] ? FAR_AWAY : seat.y;
    columns.zoneOf[ordinal] = zone;
    columns.category[ordinal] = CATEGORY[seat.category as keyof typeof CATEGORY] ?? 0;
    const isSameGroup = before?.zone_id === seat.zone_id && before.section === seat.section;
    if (!isSameGroup || before?.row !== seat.row) columns.rowNames.push(seat.row);
    columns.row[ordinal] = columns.rowNames.length - 1;
    columns.group[ordinal] = isSameGroup
      ? (columns.group[ordinal - 1] as number)
      : groupOf(groups, columns.sections, zone, seat.section);
    before = seat;
    if (taken[zone]) continue;
    if (columns.counts[zone] === 0) columns.firsts[zone] = ordinal;
    columns.counts[zone] = (columns.counts[zone] as number) + 1;
  }
  return columns;
}

function groupOf(
  groups: Map<string, number>,
  sections: (string | null)[],
  zone: number,
  section: string | undefined,
): number {
  const key = `${zone} ${section ?? ''}`;
  const known = groups.get(key);
  if (known !== undefined) return known;
  groups.set(key, sections.length);
  sections.push(section ?? null);
  return sections.length - 1;
}

function boundsOfSeats(x: Float32Array, y: Float32Array): Rect {
  const [left, right] = span(x);
  const [top, bottom] = span(y);
  return { left, right, top, bottom };
}

function span(values: Float32Array): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === FAR_AWAY) continue;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return [least, most];
}

function zoneSpacing(grid: SeatGrid, columns: Columns, zone: number, unit: number): Spacing {
  const [first, count] = [columns.firsts[zone] as number, columns.counts[zone] as number];
  return spacingOf(grid, columns, first, count, unit);
}

function buildBlocks(
  columns: Columns,
  runs: readonly Run[],
  grid: SeatGrid,
  spacingOfSeat: (ordinal: number) => Spacing,
) {
  const { ofRun, count } = blocksOfRuns(columns, runs, grid, spacingOfSeat);
  const members: Run[][] = Array.from({ length: count }, () => []);
  // A seat that is not drawn is in no block.
  const ofSeat = new Uint32Array(columns.x.length).fill(count);
  runs.forEach((run, index) => {
    const block = ofRun[index] as number;
    members[block]?.push(run);
    ofSeat.fill(block, run.first, run.first + run.count);
  });
  const blocks = members.map((own, index) => {
    const { first, group } = own[0] as Run;
    const zone = columns.zoneOf[first] as number;
    const facts = { index, zone, name: columns.sections[group] ?? null };
    return blockOf(facts, own, columns, spacingOfSeat(first));
  });
  return { blocks, blockOf: ofSeat };
}

function sceneZone(
  zone: DrawingZone,
  index: number,
  area: Polygon | undefined,
  spacing: Spacing,
  allBlocks: readonly Block[],
  grid: SeatGrid,
): SceneZone {
  const { zone_id, name, zone_type, capacity } = zone;
  const blocks = allBlocks.filter((block) => block.zone === index);
  const facts = { index, zone_id, name, zone_type, capacity, spacing };
  if (area) {
    const bounds = boundsOf(area);
    const label = { x: (bounds.left + bounds.right) / 2, y: (bounds.top + bounds.bottom) / 2 };
    return {
      ...facts,
      isArea: true,
      outline: area,
      bounds,
      labels: [label],
      beside: null,
      blocks: [],
    };
  }
  const bounds = blocks.map((block) => block.bounds).reduce(union);
  return {
    ...facts,
    isArea: false,
    outline: null,
    bounds,
    labels: labelPlaces(blocks),
    beside: freePlace(bounds, spacing, grid),
    blocks: blocks.map((block) => block.index),
  };
}

/** In the middle; where that is empty, as in a ring, in its lowest block, or the one opposite. */
function labelPlaces(blocks: readonly Block[]): Point[] {
  const total = blocks.reduce((sum, block) => sum + block.seats, 0);
  const mean = (pick: (block: Block) => number) =>
    blocks.reduce((sum, block) => sum + pick(block) * block.seats, 0) / total;
  const middle = { x: mean((block) => block.middle.x), y: mean((block) => block.middle.y) };
  const isInside = blocks.some(
    ({ bounds }) =>
      middle.x >= bounds.left &&
      middle.x <= bounds.right &&
      middle.y >= bounds.top &&
      middle.y <= bounds.bottom,
  );
  if (isInside || blocks.length < 6) return [middle];
  return [1, -1].map((way) => {
    const score = (block: Block) => way * block.middle.y - 2 * Math.abs(block.middle.x - middle.x);
    const outmost = blocks.reduce((best, block) => (score(block) > score(best) ? block : best));
    return { x: middle.x, y: outmost.middle.y };
  });
}

/** Behind or before a zone, where no seat is as far as a name reaches. */
function freePlace(bounds: Rect, { seat }: Spacing, grid: SeatGrid): SceneZone['beside'] {
  const x = (bounds.left + bounds.right) / 2;
  const edges = [
    { x, y: bounds.bottom, way: 1 },
    { x, y: bounds.top, way: -1 },
  ] as const;
  const isFree = ({ y, way }: (typeof edges)[number]) =>
    [-4, -2, 0, 2, 4].every(
      (step) => grid.nearest(x + step * seat, y + 1.4 * way * seat, 1.6 * seat) < 0,
    );
  return edges.find(isFree) ?? null;
}

/** Around areas people stand as well: their corners keep the stage away as seats do. */
function stageOf(
  drawing: Drawing,
  columns: Columns,
  zones: readonly SceneZone[],
  bounds: Rect,
  unit: number,
): Stage | null {
  const corners = zones.flatMap(({ isArea, bounds: { left, right, top, bottom } }) =>
    isArea ? [left, top, right, top, right, bottom, left, bottom, (left + right) / 2, top] : [],
  );
  const obstacles = [
    columns,
    {
      x: corners.filter((_, index) => index % 2 === 0),
      y: corners.filter((_, index) => index % 2 === 1),
    },
  ];
  const focus = drawing.focal_point ?? { x: (bounds.left + bounds.right) / 2, y: bounds.top };
  const covered = zones.some(
    ({ isArea, bounds: { left, right, top, bottom } }) =>
      isArea && focus.x > left && focus.x < right && focus.y > top && focus.y < bottom,
  );
  return covered ? null : stageAt(focus, obstacles, bounds, unit);
}

function commonSpacing(spacings: readonly Spacing[], counts: Uint32Array, unit: number): Spacing {
  let most = -1;
  counts.forEach((count, zone) => {
    if (count > 0 && count > (counts[most] ?? 0)) most = zone;
  });
  return spacings[most] ?? { seat: 1.1 * unit, row: 1.8 * unit };
}
