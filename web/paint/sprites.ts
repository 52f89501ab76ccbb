import { CATEGORY, STATE } from '#scene';
import { LOOKS } from './looks.ts';
import { companions, cross, hatch, restrictedView, wheelchair } from './marks.ts';
import type { Palette } from './palette.ts';
import { paintStaffSeat } from './staff-marks.ts';

const DIMMED = 0.2;
const CATEGORIES = Object.keys(CATEGORY).length;
/** Smaller people look like a face. */
const PEOPLE_RADIUS = 11;
/** Room for edges that are softened. */
const EDGE = 2;

/** One picture of each kind of seat at one size, painted when it is first asked for. */
export class Sprites {
  readonly radius: number;
  /** Pixels along a picture's side. */
  readonly side: number;
  readonly #palette: Palette;
  readonly #pictures: (OffscreenCanvas | undefined)[] = new Array(LOOKS * CATEGORIES);

  constructor(palette: Palette, radius: number) {
    this.#palette = palette;
    this.radius = radius;
    this.side = 2 * (Math.ceil(radius) + EDGE);
  }

  of(look: number, category: number): OffscreenCanvas {
    const index = look * CATEGORIES + category;
    const known = this.#pictures[index];
    if (known) return known;
    const picture = new OffscreenCanvas(this.side, this.side);
    const pen = picture.getContext('2d');
    if (pen) this.#paint(pen, look, category);
    this.#pictures[index] = picture;
    return picture;
  }

  #paint(pen: OffscreenCanvasRenderingContext2D, look: number, category: number): void {
    const middle = this.side / 2;
    pen.globalAlpha = look & 32 ? DIMMED : 1;
    pen.lineCap = 'round';
    pen.lineJoin = 'round';
    const state = look & 3;
    const { staff } = this.#palette.theme;
    if (staff && state !== STATE.available) {
      const kind = (look >> 2) & 7;
      paintStaffSeat(pen, staff, { state, kind, middle, radius: this.radius });
    } else if (state === STATE.available) this.#available(pen, middle, (look >> 2) & 7, category);
    else if (state === STATE.held) this.#held(pen, middle);
    else if (state === STATE.sold) this.#sold(pen, middle);
    else this.#blocked(pen, middle);
  }

  #available(
    pen: OffscreenCanvasRenderingContext2D,
    middle: number,
    tier: number,
    category: number,
  ): void {
    const { radius } = this;
    const { theme } = this.#palette;
    const ink = theme.staff ? theme.text : this.#palette.ink(tier);
    pen.fillStyle = theme.staff ? theme.background : this.#palette.price(tier);
    pen.beginPath();
    // A space is square: there is no chair, and nobody has to tell colours apart to see it.
    if (category === CATEGORY.wheelchair) {
      pen.roundRect(middle - radius, middle - radius, 2 * radius, 2 * radius, 0.3 * radius);
    } else pen.arc(middle, middle, radius, 0, 2 * Math.PI);
    pen.fill();
    if (theme.staff) this.#outline(pen, tier);
    pen.fillStyle = ink;
    pen.strokeStyle = ink;
    if (category === CATEGORY.wheelchair) wheelchair(pen, middle, middle, radius);
    else if (category === CATEGORY.companion) this.#companion(pen, middle);
    else if (category === CATEGORY.restricted_view) {
      restrictedView(pen, middle, middle, 0.8 * radius);
    }
  }

  /** Where free seats step back the price is only around them. */
  #outline(pen: OffscreenCanvasRenderingContext2D, tier: number): void {
    pen.strokeStyle = this.#palette.price(tier);
    pen.lineWidth = Math.max(1, 0.12 * this.radius);
    pen.stroke();
  }

  /** Two people; where they would be a few pixels, a ring. */
  #companion(pen: OffscreenCanvasRenderingContext2D, middle: number): void {
    const { radius } = this;
    if (radius >= PEOPLE_RADIUS) return companions(pen, middle, middle, radius);
    pen.lineWidth = Math.max(1, 0.2 * radius);
    pen.beginPath();
    pen.arc(middle, middle, 0.48 * radius, 0, 2 * Math.PI);
    pen.stroke();
  }

  #held(pen: OffscreenCanvasRenderingContext2D, middle: number): void {
    const { held } = this.#palette.theme;
    const width = Math.max(1, 0.13 * this.radius);
    pen.fillStyle = held;
    const before = pen.globalAlpha;
    pen.globalAlpha = before * 0.16;
    pen.beginPath();
    pen.arc(middle, middle, this.radius - width / 2, 0, 2 * Math.PI);
    pen.fill();
    pen.globalAlpha = before;
    pen.strokeStyle = held;
    pen.lineWidth = width;
    pen.stroke();
    hatch(pen, middle, middle, this.radius);
  }

  #sold(pen: OffscreenCanvasRenderingContext2D, middle: number): void {
    const { sold, soldMark } = this.#palette.theme;
    pen.fillStyle = sold;
    pen.beginPath();
    pen.arc(middle, middle, 0.86 * this.radius, 0, 2 * Math.PI);
    pen.fill();
    pen.strokeStyle = soldMark;
    pen.lineWidth = Math.max(1, 0.14 * this.radius);
    cross(pen, middle, middle, 0.26 * this.radius);
  }

  #blocked(pen: OffscreenCanvasRenderingContext2D, middle: number): void {
    pen.fillStyle = this.#palette.theme.blocked;
    pen.beginPath();
    pen.arc(middle, middle, 0.42 * this.radius, 0, 2 * Math.PI);
    pen.fill();
  }
}
