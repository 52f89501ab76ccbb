import { distance, type Point } from './points.ts';

/**
 * How the seats of a row stand, from their coordinates alone: straight rows are sorted along the
 * direction in which they spread most, rows that bend far (a horseshoe, a round table) by the angle
 * around their centre. The first seat is the leftmost end, or the uppermost of a vertical row.
 */
export function physicalOrder(points: readonly Point[]): number[] {
  const axis = principalAxis(points);
  const along = points.map((point) => point.x * axis.x + point.y * axis.y);
  const across = points.map((point) => point.y * axis.x - point.x * axis.y);
  const straight = byValue(along, across);
  if (spread(across) <= BENDS_FAR * spread(along)) return straight;
  const centre = circleCentre(points);
  return centre ? aroundCircle(points, centre) : straight;
}

/** Fewer points are on some circle anyway. */
const POINTS_OF_RING = 4;
/** Seats around a table are a step apart; where a step and a half is, the circle is open. */
const WIDEST_STEP = 1.5;

/** Do these seats go all around something, as at a round table? */
export function isRing(points: readonly Point[]): boolean {
  if (points.length < POINTS_OF_RING) return false;
  const centre = circleCentre(points);
  if (!centre) return false;
  const angles = points.map(({ x, y }) => Math.atan2(y - centre.y, x - centre.x));
  angles.sort((one, other) => one - other);
  const turn = 2 * Math.PI;
  const widest = angles.reduce((most, angle, place) => {
    const next = angles[place + 1] ?? (angles[0] ?? 0) + turn;
    return Math.max(most, next - angle);
  }, 0);
  return widest <= (WIDEST_STEP * turn) / points.length;
}

/** An arc of less than about 150° stays below this ratio and is in order along its chord. */
const BENDS_FAR = 0.4;

/** The eigenvector of the points' covariance, pointing right, or down when it is vertical. */
function principalAxis(points: readonly Point[]): Point {
  const middle = centroid(points);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const { x, y } of points) {
    xx += (x - middle.x) ** 2;
    yy += (y - middle.y) ** 2;
    xy += (x - middle.x) * (y - middle.y);
  }
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const axis = { x: Math.cos(angle), y: Math.sin(angle) };
  // The half angle never points left, but rounding can make a vertical row point up.
  return axis.x < 1e-9 && axis.y < 0 ? { x: 0, y: 1 } : axis;
}

function centroid(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point.x;
    y += point.y;
  }
  return { x: x / points.length, y: y / points.length };
}

function spread(values: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least;
}

/**
 * Indices by value; where values agree, by the second list, so that no input order shows through.
 */
function byValue(values: readonly number[], ties: readonly number[]): number[] {
  const indices = values.map((_, index) => index);
  return indices.sort(
    (a, b) => (values[a] ?? 0) - (values[b] ?? 0) || (ties[a] ?? 0) - (ties[b] ?? 0) || a - b,
  );
}

/** Least squares for the circle nearest to the points; undefined when they are on no circle. */
function circleCentre(points: readonly Point[]): Point | undefined {
  const middle = centroid(points);
  const sums = { uu: 0, vv: 0, uv: 0, uq: 0, vq: 0, q: 0 };
  for (const point of points) {
    const u = point.x - middle.x;
    const v = point.y - middle.y;
    const q = u * u + v * v;
    sums.uu += u * u;
    sums.vv += v * v;
    sums.uv += u * v;
    sums.uq += u * q;
    sums.vq += v * q;
    sums.q += q;
  }
  const determinant = 2 * (sums.uu * sums.vv - sums.uv ** 2);
  if (Math.abs(determinant) < 1e-9) return undefined;
  const u = (sums.uq * sums.vv - sums.vq * sums.uv) / determinant;
  const v = (sums.vq * sums.uu - sums.uq * sums.uv) / determinant;
  const centre = { x: middle.x + u, y: middle.y + v };
  const radius = Math.sqrt(u * u + v * v + sums.q / points.length);
  const off = points.some((point) => Math.abs(distance(point, centre) - radius) > radius * 0.2);
  return off ? undefined : centre;
}

/** Along the circle from one side of its widest gap to the other, the leftmost end first. */
function aroundCircle(points: readonly Point[], centre: Point): number[] {
  const angles = points.map((point) => Math.atan2(point.y - centre.y, point.x - centre.x));
  const order = byValue(angles, angles);
  const angleOf = (place: number) => angles[order[place % order.length] ?? 0] ?? 0;
  let widest = 0;
  let start = 0;
  for (let place = 0; place < order.length; place++) {
    const turn = place + 1 === order.length ? 2 * Math.PI : 0;
    const gap = angleOf(place + 1) + turn - angleOf(place);
    if (gap <= widest + 1e-9) continue;
    widest = gap;
    start = (place + 1) % order.length;
  }
  const open = [...order.slice(start), ...order.slice(0, start)];
  const first = points[open[0] ?? 0];
  const last = points[open[open.length - 1] ?? 0];
  return first && last && last.x < first.x ? open.reverse() : open;
}
