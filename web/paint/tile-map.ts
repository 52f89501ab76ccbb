import { type Tile, TileLayer } from './tile-layer.ts';

export type Surface = OffscreenCanvas;

/** Paints the piece that begins at a pixel, and says what it cost in its own measure. */
export type PaintTile = (surface: Surface, left: number, top: number, scale: number) => number;

/** In device pixels: which part of the drawing is on the screen. */
export type Frame = Readonly<{
  /** Where the drawing's origin is on the screen, in whole pixels. */
  originX: number;
  originY: number;
  scale: number;
  width: number;
  height: number;
  /** The scale changes from frame to frame: only copy what is there. */
  isZooming: boolean;
}>;

/** Stretching further than this is uglier than waiting for new tiles. */
const STRETCH = 1.9;
/** Tiles kept beyond those on the screen, as a part of them. */
const SPARE = 1.5;
/** Surfaces that wait to be used again. */
const POOL = 24;

/**
 * All seats as tiles. At rest and while panning, tiles of exactly this scale are copied pixel by
 * pixel; while zooming, those of the last scale are stretched, and new ones take their place at
 * once when all that is seen is painted. Each frame paints only as much as its budget allows.
 */
export class TileMap {
  readonly #paint: PaintTile;
  readonly #size: number;
  #current: TileLayer<Surface>;
  #next: TileLayer<Surface> | null = null;
  #pool: Surface[] = [];
  #frame = 0;

  constructor(size: number, paint: PaintTile) {
    this.#size = size;
    this.#paint = paint;
    this.#current = new TileLayer(0, size);
  }

  touch(x: number, y: number, reach: number): void {
    this.#current.touch(x, y, reach);
    this.#next?.touch(x, y, reach);
  }

  touchAll(): void {
    this.#current.touchAll();
    this.#next?.touchAll();
  }

  /** Paints what is missing within the budget; true when there is more to do. */
  prepare(frame: Frame, budget: number): boolean {
    this.#frame++;
    if (this.#wantsOther(frame)) this.#next = new TileLayer(frame.scale, this.#size);
    const layer = this.#next ?? this.#current;
    if (layer.scale === 0) return false;
    const left = this.#paintVisible(layer, frame, budget);
    if (left < 0) return true;
    if (this.#next) {
      this.#recycle(this.#current);
      this.#current = this.#next;
      this.#next = null;
      // What is shown now was stretched a moment ago: the frame after may want yet another scale.
      return this.#wantsOther(frame);
    }
    return false;
  }

  #wantsOther({ scale, isZooming }: Frame): boolean {
    const latest = (this.#next ?? this.#current).scale;
    if (latest === scale) return false;
    if (latest === 0 || !isZooming) return true;
    // One layer at a time, or a long zoom would only begin new ones.
    if (this.#next) return false;
    return scale / latest > STRETCH || latest / scale > STRETCH;
  }

  /** What is left of the budget; below zero: it did not suffice. */
  #paintVisible(layer: TileLayer<Surface>, frame: Frame, budget: number): number {
    let left = budget;
    const span = spanOf(layer, frame);
    for (let line = span.top; line <= span.bottom; line++) {
      for (let column = span.left; column <= span.right; column++) {
        const known = layer.at(column, line);
        if (known) known.used = this.#frame;
        if (known && !known.isDirty) continue;
        if (left <= 0) return -1;
        // Made only now: a used surface must not be seen before it is painted.
        const tile = known ?? layer.add(column, line, this.#surface());
        tile.used = this.#frame;
        left -= this.#repaint(tile, layer);
      }
    }
    const seen = (span.right - span.left + 1) * (span.bottom - span.top + 1);
    layer.shrink(Math.ceil(seen * (1 + SPARE)), (surface) => this.#free(surface));
    return Math.max(left, 0);
  }

  #repaint(tile: Tile<Surface>, layer: TileLayer<Surface>): number {
    tile.isDirty = false;
    return this.#paint(tile.surface, tile.column * this.#size, tile.line * this.#size, layer.scale);
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const layer = this.#current;
    if (layer.scale === 0) return;
    const factor = frame.scale / layer.scale;
    const side = this.#size * factor;
    const span = spanOf(layer, frame);
    for (let line = span.top; line <= span.bottom; line++) {
      const top = Math.round(frame.originY + line * side);
      const bottom = Math.round(frame.originY + (line + 1) * side);
      for (let column = span.left; column <= span.right; column++) {
        const tile = layer.at(column, line);
        if (!tile) continue;
        const left = Math.round(frame.originX + column * side);
        const right = Math.round(frame.originX + (column + 1) * side);
        if (factor === 1) context.drawImage(tile.surface, left, top);
        else context.drawImage(tile.surface, left, top, right - left, bottom - top);
      }
    }
  }

  #surface(): Surface {
    return this.#pool.pop() ?? new OffscreenCanvas(this.#size, this.#size);
  }

  #free(surface: Surface): void {
    if (this.#pool.length < POOL) this.#pool.push(surface);
  }

  #recycle(layer: TileLayer<Surface>): void {
    layer.shrink(0, (surface) => this.#free(surface));
  }
}

/** The columns and lines of a layer that a frame shows. */
function spanOf(layer: TileLayer<Surface>, frame: Frame) {
  const side = (layer.size * frame.scale) / layer.scale;
  return {
    left: Math.floor(-frame.originX / side),
    right: Math.floor((frame.width - 1 - frame.originX) / side),
    top: Math.floor(-frame.originY / side),
    bottom: Math.floor((frame.height - 1 - frame.originY) / side),
  };
}
