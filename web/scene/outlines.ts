import type { Point } from './drawing.ts';
import { hullAround, type Polygon, polygonOf, simplified } from './polygons.ts';
import type { Spacing } from './spacing.ts';

type Row = readonly Point[];

/** How far the outline stays away from the middle of the seats, in seats. */
const MARGIN = 0.95;
/** What people do not see at the scale where outlines are looked at, in seats. */
const TOLERANCE = 0.5;
/** A row whose ends are this much closer than its length bends around a table. */
const CLOSED = 0.5;
/** Rows whose middles are further apart, in rows, do not lie behind each other. */
const BEHIND = 2.6;

/**
 * The outline of seats in rows: along the front row, up the ends, back along the last row and down
 * the other ends. Where rows do not lie behind each other (tables), the convex hull.
 */
export function outlineOf(rows: readonly Row[], spacing: Spacing): Polygon {
  const margin = MARGIN * spacing.seat;
  const turned = sameWay(rows);
  if (!isOrderly(turned, spacing)) return hullAround(rows.flat(), margin);
  const [front, last] = [turned[0] as Row, turned.at(-1) as Row];
  const away = awayFrom(turned, front, last);
  const along = alongRows(turned, away);
  const back = { x: -along.x, y: -along.y };
  const between = turned.slice(1, -1);
  const points = [
    ...edge(front, away, -margin, along),
    ...between.map((row) => end(row, margin, along)),
    ...edge(last, away, margin, along).toReversed(),
    ...between.toReversed().map((row) => end(row.toReversed(), margin, back)),
  ];
  const tolerance = TOLERANCE * spacing.seat;
  // In two halves, since the first and the last point of a line are always kept.
  const half = points.length >> 1;
  return polygonOf([
    ...simplified(points.slice(0, half + 1), tolerance).slice(0, -1),
    ...simplified([...points.slice(half), points[0] as Point], tolerance).slice(0, -1),
  ]);
}

/** All rows from the same side to the other. */
function sameWay(rows: readonly Row[]): Row[] {
  let before: Point | undefined;
  return rows.map((row) => {
    const along = direction(row);
    const isTurned = before !== undefined && along.x * before.x + along.y * before.y < 0;
    if (row.length > 1) before = isTurned ? { x: -along.x, y: -along.y } : along;
    return isTurned ? row.toReversed() : row;
  });
}

function direction(row: Row): Point {
  const [first, last] = [row[0] as Point, row.at(-1) as Point];
  const length = Math.hypot(last.x - first.x, last.y - first.y) || 1;
  return { x: (last.x - first.x) / length, y: (last.y - first.y) / length };
}

function isOrderly(rows: readonly Row[], spacing: Spacing): boolean {
  if (rows.length === 1 && rows[0]?.length === 1) return false;
  return rows.every((row, index) => {
    if (isClosed(row, spacing)) return false;
    const before = rows[index - 1];
    if (!before) return true;
    return distance(before, row) < BEHIND * spacing.row;
  });
}

function isClosed(row: Row, spacing: Spacing): boolean {
  return bendsAround(row[0] as Point, row.at(-1) as Point, row.length, spacing);
}

/** Does a row with these ends bend around a table? */
export function bendsAround(first: Point, last: Point, count: number, spacing: Spacing): boolean {
  const chord = Math.hypot(last.x - first.x, last.y - first.y);
  return count > 2 && chord < CLOSED * (count - 1) * spacing.seat;
}

/** From row to row, taken where they are closest: one may be much shorter. */
function distance(one: Row, other: Row): number {
  let least = Number.POSITIVE_INFINITY;
  for (const probe of [one[0], one[one.length >> 1], one.at(-1)] as Point[]) {
    for (const { x, y } of other) {
      const squared = (x - probe.x) ** 2 + (y - probe.y) ** 2;
      if (squared < least) least = squared;
    }
  }
  return Math.sqrt(least);
}

/** From front to back; of a single row, one of its two sides. */
function awayFrom(rows: readonly Row[], front: Row, last: Row): Point {
  const along = direction(front);
  const across = { x: -along.y, y: along.x };
  if (rows.length < 2) return across;
  const [from, to] = [middle(front), middle(last)];
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
}

/** The way of the longest row: a row of one seat has none of its own. */
function alongRows(rows: readonly Row[], away: Point): Point {
  const longest = rows.reduce((best, row) => (row.length > best.length ? row : best));
  return longest.length > 1 ? direction(longest) : { x: -away.y, y: away.x };
}

function middle(row: Row): Point {
  return row[row.length >> 1] as Point;
}

/** A row moved by `by` to the side that `away` tells, and lengthened at both ends. */
function edge(row: Row, away: Point, by: number, way: Point): Point[] {
  const margin = Math.abs(by);
  const [only] = row;
  if (only && row.length === 1) {
    const [x, y] = [only.x + away.x * by, only.y + away.y * by];
    return [
      { x: x - way.x * margin, y: y - way.y * margin },
      { x: x + way.x * margin, y: y + way.y * margin },
    ];
  }
  return row.map(({ x, y }, index) => {
    const [from, to] = [row[index - 1] ?? { x, y }, row[index + 1] ?? { x, y }];
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const along =
      length === 0
        ? { x: away.y, y: -away.x }
        : { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    const side = -along.y * away.x + along.x * away.y < 0 ? -1 : 1;
    const [nx, ny] = [-along.y * side * by, along.x * side * by];
    const reach = (index === 0 ? -margin : 0) + (index === row.length - 1 ? margin : 0);
    return { x: x + nx + along.x * reach, y: y + ny + along.y * reach };
  });
}

/** Beyond the last seat of a row. */
function end(row: Row, margin: number, along: Point): Point {
  const last = row.at(-1) as Point;
  const before = row.at(-2);
  const length = before ? Math.hypot(last.x - before.x, last.y - before.y) : 0;
  if (!before || length === 0) {
    return { x: last.x + along.x * margin, y: last.y + along.y * margin };
  }
  return {
    x: last.x + ((last.x - before.x) / length) * margin,
    y: last.y + ((last.y - before.y) / length) * margin,
  };
}
