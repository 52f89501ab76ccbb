import type { Rect } from '#scene';
import {
  clamped,
  type Flight,
  fitted,
  flightBetween,
  Glide,
  type Limits,
  limitsOf,
  moved,
  type Size,
  type View,
  zoomedAt,
} from '#view';

/** Pixels around everything, and on each side what other parts of a page cover. */
const MARGIN = 16;
/** A wheel that rests so long has come to its end. */
const WHEEL_REST_MS = 140;

export type Insets = Readonly<{ top: number; right: number; bottom: number; left: number }>;
const NO_INSETS: Insets = { top: 0, right: 0, bottom: 0, left: 0 };

/** Where the buyer looks, and how that moves: by hand, by itself after a swipe, or in flight. */
export class Camera {
  view: View = { x: 0, y: 0, scale: 1 };
  size: Size = { width: 1, height: 1 };
  insets: Insets = NO_INSETS;
  reducedMotion = false;
  readonly glide = new Glide();
  readonly #bounds: Rect;
  readonly #seat: number;
  #limits: Limits;
  #flight: Flight | null = null;
  #flightBegan_ms = -1;
  #isGliding = false;
  #isPinching = false;
  #wheeled_ms = Number.NEGATIVE_INFINITY;
  #last_ms = -1;
  /** Until somebody moves it, everything is shown whatever the size. */
  #isUntouched = true;

  constructor(bounds: Rect, seat: number) {
    this.#bounds = bounds;
    this.#seat = seat;
    this.#limits = limitsOf(bounds, this.size, seat, MARGIN);
  }

  resize(size: Size): void {
    this.size = size;
    this.#limits = limitsOf(this.#bounds, this.#free(), this.#seat, MARGIN);
    if (this.#isUntouched) this.view = this.fit(this.#bounds);
    else this.view = clamped(this.view, this.#limits);
  }

  /** The scale at which everything is seen. */
  get fitScale(): number {
    return this.fit(this.#bounds).scale;
  }

  fit(rect: Rect, margin = MARGIN): View {
    const view = fitted(rect, this.#free(), margin);
    const { left, right, top, bottom } = this.insets;
    const scale = Math.min(view.scale, this.#limits.most);
    return {
      x: view.x - (left - right) / 2 / scale,
      y: view.y - (top - bottom) / 2 / scale,
      scale,
    };
  }

  fitAll(): void {
    this.fly(this.fit(this.#bounds));
    this.#isUntouched = true;
  }

  fly(to: View): void {
    this.stop();
    this.#isUntouched = false;
    const end = clamped(to, this.#limits);
    if (this.reducedMotion) this.view = end;
    else {
      this.#flight = flightBetween(this.view, end);
      this.#flightBegan_ms = -1;
    }
  }

  jump(to: View): void {
    this.stop();
    this.#isUntouched = false;
    this.view = clamped(to, this.#limits);
  }

  /** Flies on from where the last flight would have ended, so that quick presses add up. */
  zoomBy(factor: number, x = this.size.width / 2, y = this.size.height / 2): void {
    const from = this.#flight?.at(Number.POSITIVE_INFINITY) ?? this.view;
    this.fly(zoomedAt(from, this.size, x, y, this.#scale(from.scale * factor)));
  }

  panBy(dx: number, dy: number): void {
    const from = this.#flight?.at(Number.POSITIVE_INFINITY) ?? this.view;
    this.fly(moved(from, dx, dy));
  }

  drag(dx: number, dy: number): void {
    this.#isUntouched = false;
    this.view = clamped(moved(this.view, dx, dy), this.#limits);
  }

  wheel(factor: number, x: number, y: number, at_ms: number): void {
    this.stop();
    this.#wheeled_ms = at_ms;
    this.#zoom(factor, x, y);
  }

  pinch(factor: number, x: number, y: number): void {
    this.#isPinching = true;
    this.#zoom(factor, x, y);
  }

  letGo(at_ms: number): void {
    this.#isPinching = false;
    if (!this.reducedMotion) this.#isGliding = this.glide.release(at_ms);
  }

  endPinch(): void {
    this.#isPinching = false;
  }

  stop(): void {
    this.#flight = null;
    this.#isGliding = false;
  }

  #zoom(factor: number, x: number, y: number): void {
    this.#isUntouched = false;
    const scale = this.#scale(this.view.scale * factor);
    this.view = clamped(zoomedAt(this.view, this.size, x, y, scale), this.#limits);
  }

  #scale(wished: number): number {
    return Math.min(Math.max(wished, this.#limits.least), this.#limits.most);
  }

  #free(): Size {
    const { left, right, top, bottom } = this.insets;
    const { width, height } = this.size;
    return { width: Math.max(width - left - right, 1), height: Math.max(height - top - bottom, 1) };
  }

  /** Goes on until this moment; true while it moves. */
  step(now_ms: number): boolean {
    const elapsed_ms = this.#last_ms < 0 ? 16 : Math.min(now_ms - this.#last_ms, 64);
    this.#last_ms = now_ms;
    if (this.#flight) {
      if (this.#flightBegan_ms < 0) this.#flightBegan_ms = now_ms - elapsed_ms;
      const flown_ms = now_ms - this.#flightBegan_ms;
      this.view = this.#flight.at(flown_ms);
      if (flown_ms >= this.#flight.duration_ms) this.#flight = null;
      return true;
    }
    if (this.#isGliding) {
      const way = this.glide.step(elapsed_ms);
      if (way) this.view = clamped(moved(this.view, way.dx, way.dy), this.#limits);
      this.#isGliding = way !== null;
      return true;
    }
    // One frame more when a wheel has come to rest, so that sharp tiles can be painted.
    return this.isZooming(now_ms);
  }

  isZooming(now_ms: number): boolean {
    return this.#flight !== null || this.#isPinching || now_ms - this.#wheeled_ms < WHEEL_REST_MS;
  }
}
