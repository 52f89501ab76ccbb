import { CATEGORY, type Scene, SeatGrid, STATE } from '#scene';
import { SEAT_RADIUS } from './dot-painter.ts';
import type { Looks } from './looks.ts';
import type { Palette } from './palette.ts';
import { Sprites } from './sprites.ts';
import type { Surface } from './tile-map.ts';

/** In device-independent pixels: a smaller seat's number could not be read. */
const NUMBERED_RADIUS = 8.5;
/** What a picture and a text cost, counted in dots. */
const PICTURE_COST = 10;
const TEXT_COST = 60;

/** Seats large enough for marks and numbers, from pictures of each kind; rows with their names. */
export class SeatPainter {
  readonly #scene: Scene;
  readonly #looks: Looks;
  #palette: Palette;
  readonly #found: Uint32Array;
  readonly #size: number;
  readonly #ratio: number;
  readonly #marks: SeatGrid;
  #sprites: Sprites | null = null;

  constructor(
    scene: Scene,
    looks: Looks,
    palette: Palette,
    found: Uint32Array,
    { size, ratio }: Readonly<{ size: number; ratio: number }>,
  ) {
    this.#scene = scene;
    this.#looks = looks;
    this.#palette = palette;
    this.#found = found;
    this.#size = size;
    this.#ratio = ratio;
    const { x, y } = scene.rowMarks;
    this.#marks = new SeatGrid(x, y, scene.bounds, 8 * scene.spacing.seat);
  }

  setPalette(palette: Palette): void {
    this.#palette = palette;
    this.#sprites = null;
  }

  paint(surface: Surface, left: number, top: number, scale: number): number {
    const pen = surface.getContext('2d');
    if (!pen) return 0;
    pen.clearRect(0, 0, this.#size, this.#size);
    const reach = this.#scene.spacing.seat;
    const edges = [
      left / scale - reach,
      top / scale - reach,
      (left + this.#size) / scale + reach,
      (top + this.#size) / scale + reach,
    ] as const;
    const marked = this.#marks.within(...edges, this.#found);
    this.#nameRows(pen, marked, left, top, scale);
    const found = this.#scene.grid.within(...edges, this.#found);
    return marked * TEXT_COST + this.#paintSeats(pen, found, left, top, scale);
  }

  #paintSeats(
    pen: OffscreenCanvasRenderingContext2D,
    found: number,
    left: number,
    top: number,
    scale: number,
  ): number {
    const { x, y, category, spacing } = this.#scene;
    const sprites = this.#spritesFor(SEAT_RADIUS * spacing.seat * scale);
    const half = sprites.side / 2;
    for (let place = 0; place < found; place++) {
      const ordinal = this.#found[place] as number;
      const px = Math.round((x[ordinal] as number) * scale - left - half);
      const py = Math.round((y[ordinal] as number) * scale - top - half);
      const picture = sprites.of(this.#looks.of(ordinal), category[ordinal] as number);
      pen.drawImage(picture, px, py);
    }
    if (sprites.radius < NUMBERED_RADIUS * this.#ratio) return found * PICTURE_COST;
    this.#number(pen, found, left, top, scale, sprites.radius);
    return found * (PICTURE_COST + TEXT_COST);
  }

  #number(
    pen: OffscreenCanvasRenderingContext2D,
    found: number,
    left: number,
    top: number,
    scale: number,
    radius: number,
  ): void {
    const { x, y, category, seats } = this.#scene;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.font = `600 ${Math.round(radius * 0.86)}px ${this.#palette.theme.font}`;
    for (let place = 0; place < found; place++) {
      const ordinal = this.#found[place] as number;
      const look = this.#looks.of(ordinal);
      const kind = category[ordinal] as number;
      const isPlain = kind === CATEGORY.standard || kind === CATEGORY.aisle;
      if ((look & 3) !== STATE.available || look & 32 || !isPlain) continue;
      const { staff, text } = this.#palette.theme;
      pen.fillStyle = staff ? text : this.#palette.ink((look >> 2) & 7);
      const px = Math.round((x[ordinal] as number) * scale - left);
      const py = Math.round((y[ordinal] as number) * scale - top + 0.06 * radius);
      pen.fillText(String(seats[ordinal]?.number ?? ''), px, py, 1.7 * radius);
    }
  }

  #nameRows(
    pen: OffscreenCanvasRenderingContext2D,
    marked: number,
    left: number,
    top: number,
    scale: number,
  ): void {
    const { rowMarks, spacing } = this.#scene;
    const size = Math.min(Math.round(0.5 * spacing.seat * scale), Math.round(15 * this.#ratio));
    if (size < 7.5 * this.#ratio) return;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillStyle = this.#palette.theme.muted;
    pen.font = `500 ${size}px ${this.#palette.theme.font}`;
    for (let place = 0; place < marked; place++) {
      const mark = this.#found[place] as number;
      const px = (rowMarks.x[mark] as number) * scale - left;
      const py = (rowMarks.y[mark] as number) * scale - top;
      pen.fillText(rowMarks.text[mark] ?? '', Math.round(px), Math.round(py));
    }
  }

  #spritesFor(radius: number): Sprites {
    if (this.#sprites?.radius !== radius) this.#sprites = new Sprites(this.#palette, radius);
    return this.#sprites;
  }
}
