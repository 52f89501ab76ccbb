import type { Painter, Trace } from '#paint';
import { type Scene, STATE, type State, seatsInside } from '#scene';
import { toWorldX, toWorldY } from '#view';
import type { Camera } from './camera.ts';
import type { PointerKind, Stroke } from './gestures.ts';
import type { Pointing } from './pointing.ts';

/** What a pointer does when it is drawn over the map, instead of moving it. */
export type Tool = 'lasso' | 'move';

/** Pixels between two corners of a lasso: finer nobody draws. */
const CORNER_APART = 3;
/** A line longer than any hand draws. */
const MOST_CORNERS = 4_000;

export type ToolParts = Readonly<{
  camera: Camera;
  scene: Scene;
  pointing: Pointing;
  overlay: Painter['overlay'];
  stateOf(ordinal: number): State;
  lassoed(ordinals: readonly number[], isAdding: boolean): void;
  /** A sold seat was dragged onto another seat. */
  dropped(from: number, to: number): void;
  changed(): void;
}>;

/** A lasso around seats, or a sold seat that is dragged to another place. */
export class Tools implements Stroke {
  tool: Tool | null = null;
  readonly #parts: ToolParts;
  #corners: number[] = [];
  #last = { x: 0, y: 0 };
  #from = -1;
  #kind: PointerKind = 'mouse';

  constructor(parts: ToolParts) {
    this.#parts = parts;
  }

  begin(x: number, y: number, kind: PointerKind): boolean {
    if (this.tool === null) return false;
    if (this.tool === 'move') {
      const { pointing, stateOf } = this.#parts;
      this.#from = pointing.choosesSeats(kind) ? pointing.seatAt(x, y, kind) : -1;
      // Anywhere else it moves the map.
      if (this.#from < 0 || stateOf(this.#from) !== STATE.sold) return false;
    }
    this.#kind = kind;
    this.#corners = [];
    this.#add(x, y);
    return true;
  }

  extend(x: number, y: number): void {
    if (this.tool === 'move') this.#corners.length = 2;
    else if (Math.hypot(x - this.#last.x, y - this.#last.y) < CORNER_APART) return;
    if (this.#corners.length >= 2 * MOST_CORNERS) return;
    this.#add(x, y);
    const { tool } = this;
    if (tool) this.#show({ kind: tool, points: this.#corners });
  }

  finish(isAdding: boolean): void {
    const { scene, pointing, lassoed, dropped, overlay } = this.#parts;
    const hovered = pointing.seatAt(this.#last.x, this.#last.y, this.#kind);
    this.#show(null);
    overlay.hovered = -1;
    if (this.tool === 'lasso') lassoed(seatsInside(scene, this.#corners), isAdding);
    else if (hovered >= 0 && hovered !== this.#from) dropped(this.#from, hovered);
  }

  cancel(): void {
    this.#show(null);
    this.#parts.overlay.hovered = -1;
  }

  #add(x: number, y: number): void {
    const { camera, pointing, overlay } = this.#parts;
    const { view, size } = camera;
    this.#last = { x, y };
    this.#corners.push(toWorldX(view, size, x), toWorldY(view, size, y));
    // Where it would be dropped.
    if (this.tool === 'move') overlay.hovered = pointing.seatAt(x, y, this.#kind);
  }

  #show(trace: Trace | null): void {
    this.#parts.overlay.trace = trace;
    this.#parts.changed();
  }
}
