import type { Scene } from '#scene';
import { SEAT_RADIUS } from './dot-painter.ts';
import type { Looks } from './looks.ts';
import { checkMark, cross } from './marks.ts';
import type { Palette } from './palette.ts';
import type { Frame } from './tile-map.ts';
import { drawTrace, type Trace } from './trace.ts';

/** What happens to a seat before people's eyes. */
export type Effect = 'taken' | 'freed' | 'refused' | 'found';

const LASTS_MS: Readonly<Record<Effect, number>> = {
  taken: 900,
  freed: 700,
  refused: 700,
  found: 1_800,
};
/** In a rush more would only flicker. */
const MOST_EFFECTS = 300;
/** Own seats are seen from afar: no smaller than this, in device-independent pixels. */
const LEAST_RADIUS = 5;

/** More than a buyer ever has: staff who choose whole blocks. Then each is a plain square. */
const MANY = 500;

type Running = { ordinal: number; effect: Effect; began_ms: number };

/** What is the buyer's own, and what moves: few seats, painted anew in every frame. */
export class Overlay {
  readonly mine = new Set<number>();
  readonly pending = new Set<number>();
  hovered = -1;
  focused = -1;
  /** A line that is being drawn over the map. */
  trace: Trace | null = null;
  reducedMotion = false;
  readonly #scene: Scene;
  readonly #looks: Looks;
  readonly #ratio: number;
  #running: Running[] = [];

  constructor(scene: Scene, looks: Looks, ratio: number) {
    this.#scene = scene;
    this.#looks = looks;
    this.#ratio = ratio;
  }

  /** It begins with the next frame. */
  play(ordinal: number, effect: Effect): void {
    this.#running = this.#running.filter((running) => running.ordinal !== ordinal);
    if (this.#running.length >= MOST_EFFECTS) this.#running.shift();
    this.#running.push({ ordinal, effect, began_ms: -1 });
  }

  get isMoving(): boolean {
    return this.#running.length > 0 || (this.pending.size > 0 && !this.reducedMotion);
  }

  draw(pen: CanvasRenderingContext2D, palette: Palette, frame: Frame, now_ms: number): void {
    const radius = SEAT_RADIUS * this.#scene.spacing.seat * frame.scale;
    pen.lineCap = 'round';
    pen.lineJoin = 'round';
    this.#drawEffects(pen, palette, frame, now_ms, radius);
    const own = Math.max(radius * 1.06, LEAST_RADIUS * this.#ratio);
    for (const ordinal of this.pending) {
      if (!this.mine.has(ordinal)) this.#drawPending(pen, palette, frame, ordinal, own, now_ms);
    }
    if (this.mine.size > MANY) this.#drawMany(pen, palette, frame, radius);
    else {
      for (const ordinal of this.mine) this.#drawMine(pen, palette, frame, ordinal, own, now_ms);
    }
    this.#drawRing(pen, palette, frame, this.hovered, radius, 1.28);
    this.#drawRing(pen, palette, frame, this.focused, radius, 1.42);
    if (this.trace) drawTrace(pen, palette, frame, this.trace, this.#ratio);
  }

  #x(frame: Frame, ordinal: number): number {
    return (this.#scene.x[ordinal] as number) * frame.scale + frame.originX;
  }

  #y(frame: Frame, ordinal: number): number {
    return (this.#scene.y[ordinal] as number) * frame.scale + frame.originY;
  }

  #isSeen(frame: Frame, ordinal: number, reach: number): boolean {
    const [x, y] = [this.#x(frame, ordinal), this.#y(frame, ordinal)];
    return x > -reach && y > -reach && x < frame.width + reach && y < frame.height + reach;
  }

  /** All in one path: thousands with marks of their own would take longer than a frame. */
  #drawMany(pen: CanvasRenderingContext2D, { theme }: Palette, frame: Frame, radius: number): void {
    const reach = Math.max(radius, 1.5 * this.#ratio);
    pen.fillStyle = theme.mine;
    pen.beginPath();
    for (const ordinal of this.mine) {
      if (!this.#isSeen(frame, ordinal, reach)) continue;
      const [x, y] = [this.#x(frame, ordinal), this.#y(frame, ordinal)];
      pen.rect(x - reach, y - reach, 2 * reach, 2 * reach);
    }
    pen.fill();
  }

  #drawMine(
    pen: CanvasRenderingContext2D,
    { theme }: Palette,
    frame: Frame,
    ordinal: number,
    radius: number,
    now_ms: number,
  ): void {
    if (!this.#isSeen(frame, ordinal, 3 * radius)) return;
    const x = this.#x(frame, ordinal) + this.#shake(ordinal, now_ms, radius);
    const y = this.#y(frame, ordinal);
    pen.fillStyle = theme.background;
    pen.beginPath();
    pen.arc(x, y, radius * 1.16, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = theme.mine;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
    pen.strokeStyle = theme.mineMark;
    pen.lineWidth = Math.max(0.2 * radius, 1.2 * this.#ratio);
    checkMark(pen, x, y, radius);
  }

  /** Asked for and not yet answered: the buyer's colour with a ring that turns. */
  #drawPending(
    pen: CanvasRenderingContext2D,
    { theme }: Palette,
    frame: Frame,
    ordinal: number,
    radius: number,
    now_ms: number,
  ): void {
    if (!this.#isSeen(frame, ordinal, 3 * radius)) return;
    const [x, y] = [this.#x(frame, ordinal), this.#y(frame, ordinal)];
    pen.fillStyle = theme.background;
    pen.beginPath();
    pen.arc(x, y, radius * 1.16, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = theme.mine;
    pen.globalAlpha = 0.75;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.fill();
    pen.globalAlpha = 1;
    const turn = this.reducedMotion ? 0 : (now_ms / 500) * Math.PI;
    pen.strokeStyle = theme.mineMark;
    pen.lineWidth = Math.max(0.18 * radius, 1.2 * this.#ratio);
    pen.beginPath();
    pen.arc(x, y, 0.55 * radius, turn, turn + 1.3 * Math.PI);
    pen.stroke();
  }

  #drawRing(
    pen: CanvasRenderingContext2D,
    { theme }: Palette,
    frame: Frame,
    ordinal: number,
    radius: number,
    wider: number,
  ): void {
    if (ordinal < 0) return;
    const reach = Math.max(radius * wider, radius + 2.5 * this.#ratio);
    pen.beginPath();
    pen.arc(this.#x(frame, ordinal), this.#y(frame, ordinal), reach, 0, 2 * Math.PI);
    pen.strokeStyle = theme.background;
    pen.lineWidth = 4 * this.#ratio;
    pen.stroke();
    pen.strokeStyle = theme.focus;
    pen.lineWidth = 2 * this.#ratio;
    pen.stroke();
  }

  /** From left to right and back, less each time. */
  #shake(ordinal: number, now_ms: number, radius: number): number {
    if (this.reducedMotion) return 0;
    const running = this.#running.find((one) => one.ordinal === ordinal);
    if (running?.effect !== 'refused' || running.began_ms < 0) return 0;
    const part = Math.min((now_ms - running.began_ms) / 400, 1);
    return Math.sin(part * 6 * Math.PI) * (1 - part) * 0.5 * radius;
  }

  #drawEffects(
    pen: CanvasRenderingContext2D,
    palette: Palette,
    frame: Frame,
    now_ms: number,
    radius: number,
  ): void {
    let ended = 0;
    for (const running of this.#running) {
      if (running.began_ms < 0) running.began_ms = now_ms;
      const part = (now_ms - running.began_ms) / LASTS_MS[running.effect];
      if (part >= 1) ended++;
      else if (this.#isSeen(frame, running.ordinal, 6 * radius + 40)) {
        this.#drawEffect(pen, palette, frame, running, part, radius);
      }
    }
    if (ended === 0) return;
    this.#running = this.#running.filter(
      ({ effect, began_ms }) => now_ms - began_ms < LASTS_MS[effect],
    );
  }

  #drawEffect(
    pen: CanvasRenderingContext2D,
    palette: Palette,
    frame: Frame,
    { ordinal, effect, began_ms }: Running,
    part: number,
    radius: number,
  ): void {
    const { theme } = palette;
    const now_ms = began_ms + part * LASTS_MS[effect];
    const x = this.#x(frame, ordinal) + this.#shake(ordinal, now_ms, Math.max(radius, 4));
    const y = this.#y(frame, ordinal);
    const tier = (this.#looks.of(ordinal) >> 2) & 7;
    const colours = {
      taken: theme.held,
      freed: palette.price(tier),
      refused: theme.danger,
      found: theme.focus,
    };
    const grown = this.reducedMotion ? 0.5 : 1 - (1 - part) ** 2;
    const turns = effect === 'found' ? (part * 2) % 1 : grown;
    pen.strokeStyle = colours[effect];
    pen.fillStyle = colours[effect];
    const least = Math.max(radius, 2 * this.#ratio);
    pen.globalAlpha = this.reducedMotion ? 0.9 : 1 - (effect === 'found' ? turns : part);
    pen.lineWidth = Math.max(0.22 * least, 1.5 * this.#ratio);
    pen.beginPath();
    pen.arc(x, y, least * (1.1 + 1.1 * turns), 0, 2 * Math.PI);
    pen.stroke();
    if (effect === 'refused') {
      pen.beginPath();
      pen.arc(x, y, least, 0, 2 * Math.PI);
      pen.fill();
      pen.strokeStyle = '#ffffff';
      cross(pen, x, y, 0.35 * least);
    }
    pen.globalAlpha = 1;
  }
}
