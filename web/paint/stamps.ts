/** A dot as opacities from 0 to 255 in a square of `size` pixels. */
export type Stamp = Readonly<{ size: number; alpha: Uint8Array }>;

/** Positions within a pixel, each way: dots that are rounded to pixels make waves in rows. */
export const PHASES = 4;

/**
 * The same dot at every position within a pixel. `inner` cuts a hole, so that seats which are held
 * differ from others by shape as well.
 */
export function stampsOf(radius: number, inner: number, shape: DotShape = 'disc'): Stamp[] {
  const reach = Math.ceil(radius + 0.5);
  const size = 2 * reach + 1;
  return Array.from({ length: PHASES * PHASES }, (_, phase) => {
    const x = reach + (phase % PHASES) / PHASES;
    const y = reach + Math.floor(phase / PHASES) / PHASES;
    return { size: size + 1, alpha: dot(size + 1, x, y, radius, inner, DISTANCES[shape]) };
  });
}

/** How far a point is from the middle of a shape that reaches to 1. */
type Distance = (dx: number, dy: number) => number;
export type DotShape = 'disc' | 'diamond' | 'square' | 'triangle';
const DISTANCES: Readonly<Record<DotShape, Distance>> = {
  disc: Math.hypot,
  diamond: (dx, dy) => 0.8 * (Math.abs(dx) + Math.abs(dy)),
  square: (dx, dy) => 1.1 * Math.max(Math.abs(dx), Math.abs(dy)),
  triangle: (dx, dy) => 1.25 * Math.max(dy, 0.87 * Math.abs(dx) - 0.5 * dy),
};

function dot(
  size: number,
  x: number,
  y: number,
  radius: number,
  inner: number,
  distanceOf: Distance,
): Uint8Array {
  const alpha = new Uint8Array(size * size);
  for (let line = 0; line < size; line++) {
    for (let column = 0; column < size; column++) {
      const distance = distanceOf(column - x, line - y);
      const outside = Math.min(Math.max(radius + 0.5 - distance, 0), 1);
      const hole = inner > 0 ? Math.min(Math.max(distance - inner + 0.5, 0), 1) : 1;
      alpha[line * size + column] = Math.round(255 * outside * hole);
    }
  }
  return alpha;
}

/**
 * Puts a dot into pixels (little endian RGBA). Where two touch, the stronger one counts: adding up
 * would make bright seams between seats.
 */
export function stamp(
  pixels: Uint32Array,
  width: number,
  stamps: readonly Stamp[],
  x: number,
  y: number,
  colour: number,
  opacity: number,
): void {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const phase = phaseOf(x - left) + PHASES * phaseOf(y - top);
  const { size, alpha } = stamps[phase] as Stamp;
  const reach = (size - 2) >> 1;
  const height = pixels.length / width;
  const [firstColumn, firstLine] = [left - reach, top - reach];
  const fromLine = Math.max(0, -firstLine);
  const toLine = Math.min(size, height - firstLine);
  const fromColumn = Math.max(0, -firstColumn);
  const toColumn = Math.min(size, width - firstColumn);
  for (let line = fromLine; line < toLine; line++) {
    let at = (firstLine + line) * width + firstColumn + fromColumn;
    for (let column = fromColumn; column < toColumn; column++, at++) {
      const strength = ((alpha[line * size + column] as number) * opacity) | 0;
      if (strength > (pixels[at] as number) >>> 24) pixels[at] = (strength << 24) | colour;
    }
  }
}

/** A hair below a whole pixel the difference is rounded up to a whole one. */
function phaseOf(part: number): number {
  return Math.min(Math.floor(part * PHASES), PHASES - 1);
}
