import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeatGrid, seatsInside } from './scene.ts';

/** Tenths: doubles of a generator crowd around zero, where nothing is inside of anything. */
const coordinate = fc.integer({ min: -2_000, max: 2_000 }).map((tenths) => tenths / 10);
const point = fc.tuple(coordinate, coordinate);
const hall = fc.array(point, { minLength: 40, maxLength: 150 });
const lasso = fc.array(point, { minLength: 3, maxLength: 40 });

function sceneOf(points: readonly (readonly [number, number])[], size: number) {
  const x = Float32Array.from(points, ([one]) => one);
  const y = Float32Array.from(points, ([, one]) => one);
  const [left, right] = [Math.min(...x), Math.max(...x)];
  const [top, bottom] = [Math.min(...y), Math.max(...y)];
  return { x, y, grid: new SeatGrid(x, y, { left, right, top, bottom }, size) };
}

/**
 * Another way to the same: how often a ray straight down from the point crosses the outline. Null
 * where a point is so near to it that rounding decides.
 */
function isInside(outline: readonly (readonly [number, number])[], x: number, y: number) {
  let crossings = 0;
  for (const [index, [x1, y1]] of outline.entries()) {
    const [x2, y2] = outline[(index + 1) % outline.length] ?? [0, 0];
    const squared = (x2 - x1) ** 2 + (y2 - y1) ** 2;
    const part = ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / squared;
    const along = squared < 1e-9 ? 0 : Math.min(Math.max(part, 0), 1);
    if (Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1)) < 1e-3) return null;
    if (x1 > x === x2 > x) continue;
    const crossed = y1 + ((x - x1) / (x2 - x1)) * (y2 - y1);
    if (crossed > y) crossings++;
  }
  return crossings % 2 === 1;
}

describe('a lasso', () => {
  it('has the seats that are inside by a look at every one of them', () => {
    const size = fc.double({ min: 1, max: 120, noNaN: true });
    let tried = 0;
    fc.assert(
      fc.property(hall, lasso, size, (points, outline, side) => {
        const scene = sceneOf(points, side);
        const found = new Set(seatsInside(scene, outline.flat()));
        for (let seat = 0; seat < scene.x.length; seat++) {
          const expected = isInside(outline, scene.x[seat] as number, scene.y[seat] as number);
          if (expected === null) continue;
          tried += expected ? 1 : 0;
          expect(found.has(seat)).toBe(expected);
        }
      }),
      { numRuns: 400 },
    );
    expect(tried).toBeGreaterThan(1_000);
  });

  it('of less than three corners has nobody inside; a loop in a loop is a hole', () => {
    const scene = sceneOf(
      [
        [0, 0],
        [4, 0],
      ],
      1,
    );
    expect(seatsInside(scene, [-1, -1, 1, 1])).toEqual([]);
    const outer = [-9, -9, 9, -9, 9, 9, -9, 9, -9, -9];
    expect(seatsInside(scene, outer)).toEqual([0, 1]);
    expect(seatsInside(scene, [...outer, -2, -2, 2, -2, 2, 2, -2, 2, -2, -2])).toEqual([1]);
  });
});
