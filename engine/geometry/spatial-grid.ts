import type { Point } from './points.ts';

/** Rounding of a drawing to hundredths may bring two seats this much closer than they should be. */
const TOLERANCE = 0.02;

/**
 * Points that keep a distance, in squares of that size. Since no two of them are closer, a square
 * has at most four, and looking for a neighbour means looking into nine squares: linear for any
 * input.
 */
export class SpatialGrid<T extends Point> {
  readonly #size: number;
  readonly #closest: number;
  readonly #squares = new Map<number, T[]>();

  constructor(distance: number) {
    this.#size = distance;
    this.#closest = Math.max(distance - TOLERANCE, distance / 2) ** 2;
  }

  /** A point in the grid that is closer than the distance, if there is one. */
  findCloser(x: number, y: number): T | undefined {
    const column = this.#square(x);
    const line = this.#square(y);
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        const square = this.#squares.get(keyOf(column + dx, line + dy));
        if (square === undefined) continue;
        for (const point of square) {
          if ((point.x - x) ** 2 + (point.y - y) ** 2 < this.#closest) return point;
        }
      }
    }
    return undefined;
  }

  put(point: T): void {
    const key = keyOf(this.#square(point.x), this.#square(point.y));
    const square = this.#squares.get(key);
    if (square) square.push(point);
    else this.#squares.set(key, [point]);
  }

  #square(coordinate: number): number {
    return Math.floor(coordinate / this.#size);
  }
}

/** Coordinates give at most ±1,000,001 squares each way, so both fit into one exact number. */
function keyOf(column: number, line: number): number {
  return column * 4_000_003 + line;
}
