import type { Point, Rect } from './drawing.ts';

/** What the audience looks at: a stage before the front row, or a field that seats surround. */
export type Stage = Rect & Readonly<{ kind: 'stage' | 'field' }>;

/** Points that a stage may not cover. */
type Obstacles = readonly Readonly<{ x: ArrayLike<number>; y: ArrayLike<number> }>[];

/** Free space around the focal point that the field fills. */
const FILL = 0.9;

/**
 * The drawing only says where the audience looks. How far it is from there to the nearest seat on
 * each side tells whether people sit around it or before it, and how much room there is.
 */
export function stageAt(
  focus: Point,
  obstacles: Obstacles,
  bounds: Rect,
  unit: number,
): Stage | null {
  const free = freeSpace(focus, obstacles);
  const sides = [free.left, free.right, free.top, free.bottom];
  if (sides.every(Number.isFinite)) {
    if (Math.min(...sides) < 3 * unit) return null;
    return {
      kind: 'field',
      left: focus.x - FILL * free.left,
      right: focus.x + FILL * free.right,
      top: focus.y - FILL * free.top,
      bottom: focus.y + FILL * free.bottom,
    };
  }
  const wished = Math.min(Math.max(0.42 * (bounds.right - bounds.left), 12 * unit), 90 * unit);
  const height = Math.max(0.14 * wished, 3 * unit);
  const ahead = Number.isFinite(free.bottom) ? free.bottom : 4 * unit;
  const bottom = focus.y + Math.min(0.4 * ahead, ahead - 2 * unit);
  const top = bottom - height;
  const half = Math.min(wished / 2, beside(focus, obstacles, top, bottom) - 2 * unit);
  if (half < 3 * unit) return null;
  return { kind: 'stage', left: focus.x - half, right: focus.x + half, top, bottom };
}

/** How far it is to the left or right until a seat stands beside the stage. */
function beside(focus: Point, obstacles: Obstacles, top: number, bottom: number): number {
  let least = Number.POSITIVE_INFINITY;
  const margin = (bottom - top) / 4;
  for (const { x, y } of obstacles) {
    for (let index = 0; index < x.length; index++) {
      const height = y[index] as number;
      if (height < top - margin || height > bottom + margin) continue;
      least = Math.min(least, Math.abs((x[index] as number) - focus.x));
    }
  }
  return least;
}

/** The nearest obstacle on each side, by its distance along that way. */
function freeSpace(focus: Point, obstacles: Obstacles) {
  const free = {
    left: Number.POSITIVE_INFINITY,
    right: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    bottom: Number.POSITIVE_INFINITY,
  };
  for (const { x, y } of obstacles) {
    for (let index = 0; index < x.length; index++) {
      const dx = (x[index] as number) - focus.x;
      const dy = (y[index] as number) - focus.y;
      const [across, down] = [Math.abs(dx), Math.abs(dy)];
      // What is in a corner limits neither way: fields have corners, too.
      if (across > down / 2 && down > across / 2) continue;
      const side = across > down ? (dx < 0 ? 'left' : 'right') : dy < 0 ? 'top' : 'bottom';
      const distance = Math.max(across, down);
      if (distance < free[side]) free[side] = distance;
    }
  }
  return free;
}
