/** A square piece of the map, painted once and then only copied. */
export type Tile<Surface> = {
  readonly column: number;
  readonly line: number;
  readonly surface: Surface;
  /** What it shows is not what it should show; it is shown all the same until it is repainted. */
  isDirty: boolean;
  /** When it was last needed, in frames. */
  used: number;
};

/** Columns and lines stay far below this: 100,000 units at 64 pixels each in tiles of 256. */
const HALF = 1 << 20;

/**
 * The tiles of one scale. It knows which tiles there are, which are out of date and which can go;
 * what a surface is and how it is painted is up to whoever uses it.
 */
export class TileLayer<Surface> {
  /** Pixels per unit of the drawing. */
  readonly scale: number;
  /** Pixels along a tile's side. */
  readonly size: number;
  readonly #tiles = new Map<number, Tile<Surface>>();

  constructor(scale: number, size: number) {
    this.scale = scale;
    this.size = size;
  }

  get count(): number {
    return this.#tiles.size;
  }

  at(column: number, line: number): Tile<Surface> | undefined {
    return this.#tiles.get(keyOf(column, line));
  }

  /** A new tile is dirty: nothing has been painted yet. */
  add(column: number, line: number, surface: Surface): Tile<Surface> {
    const tile = { column, line, surface, isDirty: true, used: 0 };
    this.#tiles.set(keyOf(column, line), tile);
    return tile;
  }

  /** The column or line in which a coordinate of the drawing lies. */
  place(coordinate: number): number {
    return Math.floor((coordinate * this.scale) / this.size);
  }

  /** What is painted up to `reach` around a point has changed. */
  touch(x: number, y: number, reach: number): void {
    const last = this.place(y + reach);
    const right = this.place(x + reach);
    for (let line = this.place(y - reach); line <= last; line++) {
      for (let column = this.place(x - reach); column <= right; column++) {
        const tile = this.at(column, line);
        if (tile) tile.isDirty = true;
      }
    }
  }

  touchAll(): void {
    for (const tile of this.#tiles.values()) tile.isDirty = true;
  }

  /** Gives away the tiles that were not needed for longest, until so many are left. */
  shrink(most: number, free: (surface: Surface) => void): void {
    if (this.#tiles.size <= most) return;
    const oldest = [...this.#tiles.values()].sort((one, other) => one.used - other.used);
    for (const tile of oldest.slice(0, this.#tiles.size - most)) {
      this.#tiles.delete(keyOf(tile.column, tile.line));
      free(tile.surface);
    }
  }
}

function keyOf(column: number, line: number): number {
  return (line + HALF) * 2 * HALF + column + HALF;
}
