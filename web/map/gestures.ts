import type { Camera } from './camera.ts';

export type PointerKind = 'mouse' | 'touch' | 'pen' | 'keyboard';

/** What gestures lead to, besides moving the camera. */
export type GestureWishes = Readonly<{
  moved(): void;
  tapped(x: number, y: number, kind: PointerKind, isDouble: boolean): void;
  hovered(x: number, y: number): void;
  left(): void;
  /** True when the key meant something. */
  pressed(key: string, isFar: boolean): boolean;
}>;

/** Something that is drawn with a pointer instead of moving the map. */
export interface Stroke {
  /** False: this pointer moves the map after all. */
  begin(x: number, y: number, kind: PointerKind): boolean;
  extend(x: number, y: number): void;
  finish(isAdding: boolean): void;
  cancel(): void;
}

/** A finger trembles more than a mouse. */
const SLOP = { mouse: 4, pen: 6, touch: 9, keyboard: 0 };
const DOUBLE_MS = 300;
const DOUBLE_DISTANCE = 30;
/** Pixels of a wheel's line and page, where a browser counts in those. */
const LINE = 16;
const PAGE = 400;

type Finger = { x: number; y: number };

/** Turns pointers, wheels and keys on an element into movements and wishes. */
export class Gestures {
  readonly #element: HTMLElement;
  readonly #camera: Camera;
  readonly #wishes: GestureWishes;
  readonly #stroke: Stroke;
  readonly #ending = new AbortController();
  readonly #fingers = new Map<number, Finger>();
  #start: Finger & { kind: PointerKind } = { x: 0, y: 0, kind: 'mouse' };
  #isDragging = false;
  #isStroking = false;
  #wasPinching = false;
  #wasStroking = false;
  #lastTap = { x: 0, y: 0, at_ms: Number.NEGATIVE_INFINITY };

  constructor(element: HTMLElement, camera: Camera, wishes: GestureWishes, stroke: Stroke) {
    this.#element = element;
    this.#camera = camera;
    this.#wishes = wishes;
    this.#stroke = stroke;
    const { signal } = this.#ending;
    element.addEventListener('pointerdown', (event) => this.#down(event), { signal });
    element.addEventListener('pointermove', (event) => this.#move(event), { signal });
    element.addEventListener('pointerup', (event) => this.#up(event), { signal });
    element.addEventListener('pointercancel', (event) => this.#cancel(event), { signal });
    element.addEventListener('pointerleave', () => wishes.left(), { signal });
    element.addEventListener('wheel', (event) => this.#wheel(event), { signal, passive: false });
    element.addEventListener('keydown', (event) => this.#key(event), { signal });
  }

  end(): void {
    this.#ending.abort();
  }

  #at(event: MouseEvent): Finger {
    const { left, top } = this.#element.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  }

  #down(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    const finger = this.#at(event);
    this.#camera.stop();
    this.#fingers.set(event.pointerId, finger);
    this.#element.setPointerCapture(event.pointerId);
    if (this.#fingers.size === 1) {
      this.#start = { ...finger, kind: kindOf(event) };
      this.#isDragging = false;
      this.#wasPinching = false;
      this.#wasStroking = false;
      this.#isStroking = this.#stroke.begin(finger.x, finger.y, this.#start.kind);
      this.#camera.glide.begin();
      this.#camera.glide.track(finger.x, finger.y, event.timeStamp);
    } else {
      // A second finger moves the map, whatever the first has begun.
      this.#leaveStroke();
      this.#wasPinching = true;
    }
    this.#wishes.moved();
  }

  #move(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    const now = this.#at(event);
    if (!finger) {
      if (event.pointerType !== 'touch') this.#wishes.hovered(now.x, now.y);
      return;
    }
    if (this.#fingers.size === 1) this.#drag(finger, now, event.timeStamp);
    else this.#pinch(finger, now);
    finger.x = now.x;
    finger.y = now.y;
  }

  #drag(before: Finger, now: Finger, at_ms: number): void {
    if (!this.#isDragging && !this.#wasPinching) {
      const way = Math.hypot(now.x - this.#start.x, now.y - this.#start.y);
      if (way < SLOP[this.#start.kind]) {
        // The way so far is made up for when it turns out to be a drag.
        now.x = before.x;
        now.y = before.y;
        return;
      }
      this.#isDragging = true;
      this.#wishes.left();
    }
    if (this.#isStroking) {
      this.#stroke.extend(now.x, now.y);
      return;
    }
    if (this.#wasStroking) return;
    this.#camera.drag(now.x - before.x, now.y - before.y);
    this.#camera.glide.track(now.x, now.y, at_ms);
    this.#wishes.moved();
  }

  /** Before and after this finger's step: by how much they are further apart, and where between. */
  #pinch(before: Finger, now: Finger): void {
    const other = [...this.#fingers.values()].find((finger) => finger !== before);
    if (!other) return;
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    const further = Math.hypot(now.x - other.x, now.y - other.y);
    this.#camera.drag((now.x - before.x) / 2, (now.y - before.y) / 2);
    const [x, y] = [(now.x + other.x) / 2, (now.y + other.y) / 2];
    this.#camera.pinch(further / Math.max(apart, 1), x, y);
    this.#wishes.moved();
  }

  #up(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return;
    this.#fingers.delete(event.pointerId);
    if (this.#fingers.size > 0) {
      this.#camera.endPinch();
      this.#camera.glide.begin();
      return;
    }
    const isStroke = this.#isStroking && this.#isDragging;
    if (isStroke) this.#stroke.finish(event.shiftKey);
    else if (this.#isStroking) this.#stroke.cancel();
    this.#isStroking = false;
    if (isStroke || this.#wasStroking) {
      this.#wishes.moved();
      return;
    }
    if (this.#isDragging || this.#wasPinching) {
      if (this.#isDragging && !this.#wasPinching) this.#camera.letGo(event.timeStamp);
      else this.#camera.endPinch();
      this.#wishes.moved();
      return;
    }
    this.#tap(event.timeStamp);
  }

  #tap(at_ms: number): void {
    const { x, y, kind } = this.#start;
    const last = this.#lastTap;
    const isDouble =
      at_ms - last.at_ms < DOUBLE_MS && Math.hypot(x - last.x, y - last.y) < DOUBLE_DISTANCE;
    // A third tap begins anew.
    this.#lastTap = { x, y, at_ms: isDouble ? Number.NEGATIVE_INFINITY : at_ms };
    this.#wishes.tapped(x, y, kind, isDouble);
  }

  /** Given up: what the pointer does until it is lifted means nothing any more. */
  #leaveStroke(): void {
    if (!this.#isStroking) return;
    this.#isStroking = false;
    this.#wasStroking = true;
    this.#stroke.cancel();
  }

  #cancel(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    this.#leaveStroke();
    this.#camera.endPinch();
    this.#wishes.moved();
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? LINE : event.deltaMode === 2 ? PAGE : 1;
    // A pinch on a trackpad arrives as a wheel with Ctrl and small steps.
    const speed = event.ctrlKey ? 0.01 : 0.0018;
    const step = Math.min(Math.max(event.deltaY * unit, -240), 240);
    const { x, y } = this.#at(event);
    this.#camera.wheel(Math.exp(-step * speed), x, y, event.timeStamp);
    this.#wishes.moved();
  }

  #key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && this.#isStroking) {
      this.#leaveStroke();
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (this.#wishes.pressed(event.key, event.shiftKey)) event.preventDefault();
  }
}

function kindOf(event: PointerEvent): PointerKind {
  return event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse';
}
