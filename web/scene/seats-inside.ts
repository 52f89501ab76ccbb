import type { Scene } from './build-scene.ts';
import { boundsOf, contains } from './polygons.ts';

type Placed = Pick<Scene, 'x' | 'y' | 'grid'>;

/**
 * Seats whose middle is inside a polygon in units of the drawing, in ascending order. Even-odd: a
 * loop within a loop is a hole, as it looks. Only seats of the cells around it are tried.
 */
export function seatsInside({ x, y, grid }: Placed, polygon: ArrayLike<number>): number[] {
  if (polygon.length < 6) return [];
  const bounds = boundsOf(polygon);
  const found = new Uint32Array(x.length);
  const count = grid.within(bounds.left, bounds.top, bounds.right, bounds.bottom, found);
  const inside: number[] = [];
  for (let at = 0; at < count; at++) {
    const ordinal = found[at] as number;
    if (contains(polygon, x[ordinal] as number, y[ordinal] as number)) inside.push(ordinal);
  }
  return inside.sort((one, other) => one - other);
}
