import type { Rect } from '#scene';

/** The middle of what is seen, and how many pixels a unit of the drawing takes. */
export type View = Readonly<{ x: number; y: number; scale: number }>;
export type Size = Readonly<{ width: number; height: number }>;
export type Limits = Readonly<{ least: number; most: number; bounds: Rect }>;

export function toScreenX(view: View, size: Size, x: number): number {
  return (x - view.x) * view.scale + size.width / 2;
}

export function toScreenY(view: View, size: Size, y: number): number {
  return (y - view.y) * view.scale + size.height / 2;
}

export function toWorldX(view: View, size: Size, x: number): number {
  return (x - size.width / 2) / view.scale + view.x;
}

export function toWorldY(view: View, size: Size, y: number): number {
  return (y - size.height / 2) / view.scale + view.y;
}

export function visible(view: View, size: Size): Rect {
  const [across, down] = [size.width / 2 / view.scale, size.height / 2 / view.scale];
  return {
    left: view.x - across,
    right: view.x + across,
    top: view.y - down,
    bottom: view.y + down,
  };
}

/** The view that shows a rectangle as large as possible with a margin in pixels around it. */
export function fitted(rect: Rect, size: Size, margin: number): View {
  const width = Math.max(size.width - 2 * margin, 1);
  const height = Math.max(size.height - 2 * margin, 1);
  const scale = Math.min(
    width / Math.max(rect.right - rect.left, 1e-6),
    height / Math.max(rect.bottom - rect.top, 1e-6),
  );
  return { x: (rect.left + rect.right) / 2, y: (rect.top + rect.bottom) / 2, scale };
}

/** Zooms so that what is under a point of the screen stays there. */
export function zoomedAt(view: View, size: Size, x: number, y: number, scale: number): View {
  const [worldX, worldY] = [toWorldX(view, size, x), toWorldY(view, size, y)];
  return {
    x: worldX - (x - size.width / 2) / scale,
    y: worldY - (y - size.height / 2) / scale,
    scale,
  };
}

/** Moves what is seen by pixels, as a finger moves paper. */
export function moved(view: View, dx: number, dy: number): View {
  return { ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale };
}

/** The largest seat anybody needs, in pixels: a fingertip with its label. */
const LARGEST_SEAT = 64;
/** Everything may become this much smaller than the screen, so that its edge is felt. */
const SMALLER = 0.85;

export function limitsOf(bounds: Rect, size: Size, seat: number, margin: number): Limits {
  const least = fitted(bounds, size, margin).scale * SMALLER;
  return { least, most: Math.max(LARGEST_SEAT / seat, least * 1.5), bounds };
}

/** Keeps the scale within its limits, and the middle of the screen on the drawing. */
export function clamped(view: View, limits: Limits): View {
  const { left, right, top, bottom } = limits.bounds;
  return {
    x: within(view.x, left, right),
    y: within(view.y, top, bottom),
    scale: within(view.scale, limits.least, limits.most),
  };
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
