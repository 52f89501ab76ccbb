import type { View } from './transform.ts';

/** From one view to another; `at` takes the milliseconds since it began. */
export type Flight = Readonly<{ duration_ms: number; at(elapsed_ms: number): View }>;

const SHORTEST_MS = 220;
const LONGEST_MS = 700;
/** Scales closer than this are the same to the eye, and dividing by their difference is unsafe. */
const SAME = 1e-4;

/**
 * The scale grows by equal factors in equal times, and the one point that is at the same place of
 * the screen at both ends stays there all the way: a zoom that never swings.
 */
export function flightBetween(from: View, to: View): Flight {
  const steps = Math.abs(Math.log2(to.scale / from.scale));
  const way = Math.hypot(to.x - from.x, to.y - from.y) * Math.min(from.scale, to.scale);
  const duration_ms = Math.min(SHORTEST_MS + 90 * steps + way * 0.25, LONGEST_MS);
  const isZoom = Math.abs(to.scale / from.scale - 1) > SAME;
  const fixed = (a: number, b: number) => (b * to.scale - a * from.scale) / (to.scale - from.scale);
  const [fx, fy] = isZoom ? [fixed(from.x, to.x), fixed(from.y, to.y)] : [0, 0];
  const at = (elapsed_ms: number): View => {
    const part = eased(Math.min(Math.max(elapsed_ms / duration_ms, 0), 1));
    if (part === 1) return to;
    if (!isZoom) {
      return {
        x: from.x + (to.x - from.x) * part,
        y: from.y + (to.y - from.y) * part,
        scale: to.scale,
      };
    }
    const scale = from.scale * (to.scale / from.scale) ** part;
    const rest = from.scale / scale;
    return { x: fx + (from.x - fx) * rest, y: fy + (from.y - fy) * rest, scale };
  };
  return { duration_ms, at };
}

/** Quick to start, gentle to end. */
function eased(part: number): number {
  return 1 - (1 - part) ** 3;
}
