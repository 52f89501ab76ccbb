import { type Scene, STATE } from '#scene';
import { LOOKS, type Looks } from './looks.ts';
import type { Palette } from './palette.ts';
import { staffColour } from './staff-marks.ts';
import { type DotShape, PHASES, type Stamp, stamp, stampsOf } from './stamps.ts';
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

/** For staff free seats step back, and what is taken or closed has a shape of its own. */
const STAFF_DOTS = {
  available: { outer: 0.8, hole: 0, opacity: 0.4, shape: 'disc' },
  held: { outer: 1, hole: 0.5, opacity: 1, shape: 'disc' },
  sold: { outer: 1, hole: 0, opacity: 1, shape: 'disc' },
  blocked: { outer: 1, hole: 0, opacity: 1, shape: 'square' },
  reseat: { outer: 1, hole: 0, opacity: 1, shape: 'triangle' },
  kept: { outer: 1, hole: 0, opacity: 1, shape: 'diamond' },
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
    const stampsFor = ({ outer, hole, shape }: { outer: number; hole: number; shape?: DotShape }) =>
      // A hole of less than a pixel is only mud.
      stampsOf(Math.max(outer * radius, 0.6), hole * radius > 1 ? hole * radius : 0, shape);
    const { staff } = this.#palette.theme;
    const dots = staff
      ? Object.values(STAFF_DOTS).map((dot) => ({ ...dot, stamps: stampsFor(dot) }))
      : Object.values(DOTS).map((dot) => ({ ...dot, stamps: stampsFor(dot) }));
    this.#inks = Array.from({ length: LOOKS }, (_, look) => {
      const [state, tier] = [look & 3, (look >> 2) & 7];
      const kind = staff && state === STATE.blocked ? state + tier : state;
      const { opacity, stamps } = dots[Math.min(kind, dots.length - 1)] as (typeof dots)[number];
      const shown = opacity * (look & 32 ? DIMMED : 1);
      return { colour: this.#palette.pixel(this.#colour(state, tier)), opacity: shown, stamps };
    });
  }

  #colour(state: number, tier: number): string {
    const { theme } = this.#palette;
    if (state === STATE.available) return this.#palette.price(tier);
    if (theme.staff) return staffColour(theme.staff, state, tier);
    if (state === STATE.held) return theme.held;
    return state === STATE.sold ? theme.soldMark : theme.blocked;
  }
}
