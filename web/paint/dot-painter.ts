import { type Scene, STATE } from '#scene';
import { LOOKS, type Looks } from './looks.ts';
import type { Palette } from './palette.ts';
import { PHASES, type Stamp, stamp, stampsOf } from './stamps.ts';
import type { Surface } from './tile-map.ts';

/** A seat's part of the space it has. */
export const SEAT_RADIUS = 0.43;
const DIMMED = 0.22;
/** Each state's dot, in parts of a seat: outer radius, hole, opacity. Not only colours differ. */
const DOTS = {
  [STATE.available]: { outer: 1, hole: 0, opacity: 1 },
  [STATE.held]: { outer: 0.92, hole: 0.52, opacity: 0.9 },
  [STATE.sold]: { outer: 0.62, hole: 0, opacity: 0.95 },
  [STATE.blocked]: { outer: 0.4, hole: 0, opacity: 0.7 },
} as const;

type Ink = Readonly<{ colour: number; opacity: number; stamps: readonly Stamp[] }>;

/**
 * Seats of a few pixels, written straight into pixels: ten times as fast as asking a canvas for a
 * hundred thousand circles.
 */
export class DotPainter {
  readonly #scene: Scene;
  readonly #looks: Looks;
  #palette: Palette;
  readonly #image: ImageData;
  readonly #pixels: Uint32Array;
  readonly #found: Uint32Array;
  readonly #size: number;
  #inks: readonly Ink[] = [];
  #scale = 0;

  constructor(scene: Scene, looks: Looks, palette: Palette, found: Uint32Array, size: number) {
    this.#scene = scene;
    this.#looks = looks;
    this.#palette = palette;
    this.#found = found;
    this.#size = size;
    this.#image = new ImageData(size, size);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
  }

  setPalette(palette: Palette): void {
    this.#palette = palette;
    this.#scale = 0;
  }

  paint(surface: Surface, left: number, top: number, scale: number): number {
    if (this.#scale !== scale) this.#mix(scale);
    const { x, y, grid, spacing } = this.#scene;
    const reach = spacing.seat;
    const found = grid.within(
      left / scale - reach,
      top / scale - reach,
      (left + this.#size) / scale + reach,
      (top + this.#size) / scale + reach,
      this.#found,
    );
    this.#pixels.fill(0);
    // Pixels are looked at in their middles, and positions within them are rounded down.
    const shift = 0.5 / PHASES - 0.5;
    for (let place = 0; place < found; place++) {
      const ordinal = this.#found[place] as number;
      const ink = this.#inks[this.#looks.of(ordinal)] as Ink;
      const px = (x[ordinal] as number) * scale - left + shift;
      const py = (y[ordinal] as number) * scale - top + shift;
      stamp(this.#pixels, this.#size, ink.stamps, px, py, ink.colour, ink.opacity);
    }
    surface.getContext('2d')?.putImageData(this.#image, 0, 0);
    return found + this.#size;
  }

  #mix(scale: number): void {
    this.#scale = scale;
    const radius = SEAT_RADIUS * this.#scene.spacing.seat * scale;
    const stamps = Object.values(DOTS).map(({ outer, hole }) =>
      // A hole of less than a pixel is only mud.
      stampsOf(Math.max(outer * radius, 0.6), hole * radius > 1 ? hole * radius : 0),
    );
    this.#inks = Array.from({ length: LOOKS }, (_, look) => {
      const state = (look & 3) as keyof typeof DOTS;
      const opacity = DOTS[state].opacity * (look & 32 ? DIMMED : 1);
      const colour = this.#palette.pixel(this.#colour(state, (look >> 2) & 7));
      return { colour, opacity, stamps: stamps[state] as readonly Stamp[] };
    });
  }

  #colour(state: number, tier: number): string {
    const { theme } = this.#palette;
    if (state === STATE.available) return this.#palette.price(tier);
    if (state === STATE.held) return theme.held;
    return state === STATE.sold ? theme.soldMark : theme.blocked;
  }
}
