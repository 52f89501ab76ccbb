import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SpatialGrid } from './spatial-grid.ts';

it('finds a point that is too close exactly when there is one', () => {
  const coordinate = fc.double({ min: -40, max: 40, noNaN: true });
  const points = fc.array(fc.record({ x: coordinate, y: coordinate }), { maxLength: 40 });
  fc.assert(
    fc.property(points, (all) => {
      const grid = new SpatialGrid<{ x: number; y: number }>(10);
      const kept: { x: number; y: number }[] = [];
      for (const point of all) {
        const near = kept.filter(({ x, y }) => (x - point.x) ** 2 + (y - point.y) ** 2 < 9.98 ** 2);
        const found = grid.findCloser(point.x, point.y);
        if (near.length > 0) expect(near).toContain(found);
        else expect(found).toBeUndefined();
        if (found) continue;
        grid.put(point);
        kept.push(point);
      }
    }),
  );
});
