import type { Point, Rect } from './drawing.ts';

/** What the audience looks at: a stage before the front row, or a field that seats surround. */
export type Stage = Rect & Readonly<{ kind: 'stage' | 'field' }>;

type Obstacles = Readonly<{ x: ArrayLike<number>; y: ArrayLike<number> }>;

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
  const sides = [free.left, free.right, free.top, free.bottom].filter(Number.isFinite);
  if (sides.length >= 3) {
    const least = Math.min(...sides);
    if (least < 3 * unit) return null;
    const reach = (side: number) => FILL * (Number.isFinite(side) ? side : least);
    return {
      kind: 'field',
      left: focus.x - reach(free.left),
      right: focus.x + reach(free.right),
      top: focus.y - reach(free.top),
      bottom: focus.y + reach(free.bottom),
    };
  }
  const width = Math.min(Math.max(0.42 * (bounds.right - bounds.left), 12 * unit), 90 * unit);
  const height = Math.max(0.14 * width, 3 * unit);
  const ahead = Number.isFinite(free.bottom) ? free.bottom : 4 * unit;
  const bottom = focus.y + Math.min(0.4 * ahead, ahead - 2 * unit);
  const { x } = focus;
  return { kind: 'stage', left: x - width / 2, right: x + width / 2, top: bottom - height, bottom };
}

/** The nearest obstacle in each quarter of the compass, by its distance along that way. */
function freeSpace(focus: Point, { x, y }: Obstacles) {
  const free = {
    left: Number.POSITIVE_INFINITY,
    right: Number.POSITIVE_INFINITY,
    top: Number.POSITIVE_INFINITY,
    bottom: Number.POSITIVE_INFINITY,
  };
  for (let index = 0; index < x.length; index++) {
    const dx = (x[index] as number) - focus.x;
    const dy = (y[index] as number) - focus.y;
    const side =
      Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? 'left' : 'right') : dy < 0 ? 'top' : 'bottom';
    const distance = Math.max(Math.abs(dx), Math.abs(dy));
    if (distance < free[side]) free[side] = distance;
  }
  return free;
}
