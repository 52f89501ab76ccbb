import type { Painter } from '#paint';
import { type Scene, STATE } from '#scene';
import type { Camera } from './camera.ts';
import type { SeatMap } from './options.ts';
import type { Pointing } from './pointing.ts';

/** Pixels between seats that are shown to somebody. */
export const SHOWN_APART = 30;
const STEP = 90;
const LEAP = 320;

const ARROWS: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export type KeyboardParts = Readonly<{
  camera: Camera;
  scene: Scene;
  pointing: Pointing;
  overlay: Painter['overlay'];
  /** A seat was chosen; a seat has the focus, or none has (-1); something moved. */
  chosen(ordinal: number): void;
  found(ordinal: number): void;
  moved(): void;
}>;

/** The map by keys alone: moving it, and going from seat to seat. */
export class Keyboard {
  readonly #map: SeatMap;
  readonly #parts: KeyboardParts;

  constructor(map: SeatMap, parts: KeyboardParts) {
    this.#map = map;
    this.#parts = parts;
  }

  /** True when the key meant something. */
  press(key: string, isFar: boolean): boolean {
    const arrow = ARROWS[key];
    const { focused } = this.#parts.overlay;
    if (arrow) this.#arrow(arrow, isFar);
    else if (key === '+' || key === '=') this.#map.zoomIn();
    else if (key === '-' || key === '_') this.#map.zoomOut();
    else if (key === '0' || key === 'Home') this.#map.fitAll();
    else if ((key === 'Enter' || key === ' ') && focused >= 0) this.#parts.chosen(focused);
    else if (key === 'Enter' || key === ' ') this.#focus(this.#nearestFree());
    else if (key === 'Escape' && focused >= 0) this.#focus(-1);
    else return false;
    this.#parts.moved();
    return true;
  }

  /** With a seat in focus to the next one, else the map itself. */
  #arrow([dx, dy]: readonly [number, number], isFar: boolean): void {
    const { overlay, pointing, camera } = this.#parts;
    const { focused } = overlay;
    const next = focused < 0 ? -1 : pointing.nextSeat(focused, dx, dy);
    if (next >= 0) this.#focus(next);
    else if (focused < 0) {
      const step = isFar ? LEAP : STEP;
      camera.panBy(-dx * step, -dy * step);
    }
  }

  /** To the middle of what is seen. */
  #nearestFree(): number {
    const { camera, scene } = this.#parts;
    const { left, right, top, bottom } = scene.bounds;
    const isFree = (ordinal: number) => this.#map.stateOf(ordinal) === STATE.available;
    return scene.grid.nearest(
      camera.view.x,
      camera.view.y,
      Math.hypot(right - left, bottom - top),
      isFree,
    );
  }

  #focus(ordinal: number): void {
    const { overlay, scene, camera } = this.#parts;
    overlay.focused = ordinal;
    this.#parts.found(ordinal);
    if (ordinal < 0) return;
    const scale = Math.max(camera.view.scale, SHOWN_APART / scene.spacing.seat);
    const [x, y] = [scene.x[ordinal] as number, scene.y[ordinal] as number];
    camera.fly({ x, y, scale });
  }
}
