import type { Point, Rect } from './drawing.ts';

/** Corners one after the other: x, y, x, y … */
export type Polygon = Float32Array;

export function boundsOf(polygon: ArrayLike<number>): Rect {
  let [left, top] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [right, bottom] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let at = 0; at < polygon.length; at += 2) {
    const x = polygon[at] as number;
    const y = polygon[at + 1] as number;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return { left, top, right, bottom };
}

export function union(one: Rect, other: Rect): Rect {
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

export function grown(rect: Rect, by: number): Rect {
  const { left, top, right, bottom } = rect;
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

/** Even-odd: is the point inside? */
export function contains(polygon: ArrayLike<number>, x: number, y: number): boolean {
  let inside = false;
  const { length } = polygon;
  for (let at = 0, before = length - 2; at < length; before = at, at += 2) {
    const [x1, y1] = [polygon[at] as number, polygon[at + 1] as number];
    const [x2, y2] = [polygon[before] as number, polygon[before + 1] as number];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside;
  }
  return inside;
}

/** The smallest convex polygon around points (monotone chain), moved outwards by `margin`. */
export function hullAround(points: readonly Point[], margin: number): Polygon {
  const corners = points.flatMap(({ x, y }) =>
    // An octagon around each point: the hull of all of them has the margin everywhere.
    OCTAGON.map(([dx, dy]) => ({ x: x + dx * margin, y: y + dy * margin })),
  );
  corners.sort((one, other) => one.x - other.x || one.y - other.y);
  const half = (sorted: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of sorted) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return polygonOf([...half(corners), ...half(corners.toReversed())]);
}

const OCTAGON = Array.from({ length: 8 }, (_, corner) => {
  const angle = ((corner + 0.5) * Math.PI) / 4;
  return [Math.cos(angle), Math.sin(angle)] as const;
});

function turn(from: Point | undefined, over: Point | undefined, to: Point): number {
  if (!from || !over) return 1;
  return (over.x - from.x) * (to.y - from.y) - (over.y - from.y) * (to.x - from.x);
}

export function polygonOf(points: readonly Point[]): Polygon {
  const polygon = new Float32Array(points.length * 2);
  points.forEach(({ x, y }, index) => {
    polygon[2 * index] = x;
    polygon[2 * index + 1] = y;
  });
  return polygon;
}

/** Leaves out points that are within `tolerance` of the line without them (Douglas–Peucker). */
export function simplified(points: readonly Point[], tolerance: number): Point[] {
  if (points.length < 3) return [...points];
  const kept = new Uint8Array(points.length);
  kept[0] = 1;
  kept[points.length - 1] = 1;
  const stretches: [number, number][] = [[0, points.length - 1]];
  for (let stretch = stretches.pop(); stretch; stretch = stretches.pop()) {
    const [from, to] = stretch;
    const worst = farthest(points, from, to);
    if (worst.distance <= tolerance) continue;
    kept[worst.index] = 1;
    stretches.push([from, worst.index], [worst.index, to]);
  }
  return points.filter((_, index) => kept[index] === 1);
}

function farthest(points: readonly Point[], from: number, to: number) {
  const [a, b] = [points[from] as Point, points[to] as Point];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  let found = { index: from, distance: 0 };
  for (let index = from + 1; index < to; index++) {
    const { x, y } = points[index] as Point;
    const distance =
      length === 0
        ? Math.hypot(x - a.x, y - a.y)
        : Math.abs((b.x - a.x) * (a.y - y) - (a.x - x) * (b.y - a.y)) / length;
    if (distance > found.distance) found = { index, distance };
  }
  return found;
}
