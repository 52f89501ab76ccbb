import type { Scene, SeatStates } from '#scene';
import { CaptionPainter, type Captions } from './captions.ts';
import { Colours } from './colours.ts';
import { DotPainter, SEAT_RADIUS } from './dot-painter.ts';
import { Ground } from './ground.ts';
import { Looks } from './looks.ts';
import { Overlay } from './overlay.ts';
import { Palette } from './palette.ts';
import { SeatPainter } from './seat-painter.ts';
import type { Theme } from './theme.ts';
import { type Frame, type Surface, TileMap } from './tile-map.ts';

/** In device pixels: few on the screen, and each repainted within a part of a frame. */
const TILE = 256;
const FINE_TILE = 384;
/** From this radius on, in device-independent pixels, seats are pictures and no dots. */
const PICTURE_RADIUS = 4.2;
/** Device-independent pixels from seat to seat when dots begin to show, and when they suffice. */
const DOTS_FROM = 1.9;
const DOTS_ALONE = 5;

type Setting = Readonly<{ theme: Theme; captions: Captions; ratio: number }>;

/** Everything that is painted, from the ground up. */
export class Painter {
  readonly looks: Looks;
  readonly ground: Ground;
  readonly overlay: Overlay;
  readonly #scene: Scene;
  readonly #ratio: number;
  readonly #colours = new Colours();
  readonly #tiles: TileMap;
  readonly #dots: DotPainter;
  readonly #seats: SeatPainter;
  readonly #captions: CaptionPainter;
  #palette: Palette;

  constructor(scene: Scene, states: SeatStates, { theme, captions, ratio }: Setting) {
    this.#scene = scene;
    this.#ratio = ratio;
    this.#palette = new Palette(theme, this.#colours);
    this.looks = new Looks(scene, states);
    this.ground = new Ground(scene, states, this.looks);
    this.overlay = new Overlay(scene, this.looks, ratio);
    const found = new Uint32Array(Math.max(scene.x.length, scene.rowMarks.x.length));
    const size = ratio > 1 ? FINE_TILE : TILE;
    this.#dots = new DotPainter(scene, this.looks, this.#palette, found, size);
    this.#seats = new SeatPainter(scene, this.looks, this.#palette, found, { size, ratio });
    this.#tiles = new TileMap(size, (surface, left, top, scale) =>
      this.#paintTile(surface, left, top, scale),
    );
    const parts = { scene, states, looks: this.looks, ground: this.ground };
    this.#captions = new CaptionPainter(parts, this.#palette, captions, ratio);
  }

  get palette(): Palette {
    return this.#palette;
  }

  set(theme: Theme, captions: Captions): void {
    this.#palette = new Palette(theme, this.#colours);
    this.#dots.setPalette(this.#palette);
    this.#seats.setPalette(this.#palette);
    this.#captions.set(this.#palette, captions);
    this.#tiles.touchAll();
  }

  touch(ordinal: number): void {
    const { x, y, spacing } = this.#scene;
    this.#tiles.touch(x[ordinal] as number, y[ordinal] as number, spacing.seat);
  }

  touchAll(): void {
    this.#tiles.touchAll();
  }

  /** One frame; true when tiles are still missing. */
  draw(
    pen: CanvasRenderingContext2D,
    frame: Frame,
    { now_ms, budget }: Readonly<{ now_ms: number; budget: number }>,
  ): boolean {
    const apart = (this.#scene.spacing.seat * frame.scale) / this.#ratio;
    const dots = Math.min(Math.max((apart - DOTS_FROM) / (DOTS_ALONE - DOTS_FROM), 0), 1);
    const isBusy = dots > 0 && this.#tiles.prepare(frame, budget);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.fillStyle = this.#palette.theme.background;
    pen.fillRect(0, 0, frame.width, frame.height);
    pen.setTransform(frame.scale, 0, 0, frame.scale, frame.originX, frame.originY);
    const how = { strength: 1 - dots, scale: frame.scale };
    this.ground.draw(pen, this.#palette, how, (block) => this.#isSeen(block, frame));
    pen.setTransform(1, 0, 0, 1, 0, 0);
    if (dots > 0) {
      pen.globalAlpha = Math.min(1, 0.25 + dots);
      this.#tiles.draw(pen, frame);
      pen.globalAlpha = 1;
    }
    this.#captions.draw(pen, frame);
    this.overlay.draw(pen, this.#palette, frame, now_ms);
    return isBusy;
  }

  #paintTile(surface: Surface, left: number, top: number, scale: number): number {
    const radius = SEAT_RADIUS * this.#scene.spacing.seat * scale;
    const painter = radius < PICTURE_RADIUS * this.#ratio ? this.#dots : this.#seats;
    return painter.paint(surface, left, top, scale);
  }

  #isSeen(block: number, frame: Frame): boolean {
    const bounds = this.#scene.blocks[block]?.bounds;
    if (!bounds) return false;
    return (
      bounds.right * frame.scale + frame.originX > 0 &&
      bounds.left * frame.scale + frame.originX < frame.width &&
      bounds.bottom * frame.scale + frame.originY > 0 &&
      bounds.top * frame.scale + frame.originY < frame.height
    );
  }
}
