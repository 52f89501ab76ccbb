import type { Frame, Painter } from '#paint';
import type { Camera } from './camera.ts';
import type { Furniture } from './furniture.ts';
import type { Minimap } from './minimap.ts';

/** What a frame may paint anew, counted in dots: a few milliseconds on a slow machine. */
const BUDGET = 9_000;
const LEAST_BUDGET = 1_500;
/** A frame that took longer than this was too much. */
const SLOW_MS = 24;

type Setting = Readonly<{ ratio: number; minimap: Minimap | null; seen: () => void }>;

/** Paints when there is a reason to, and rests otherwise. */
export class Loop {
  readonly #furniture: Furniture;
  readonly #camera: Camera;
  readonly #painter: Painter;
  readonly #setting: Setting;
  readonly #watching: ResizeObserver;
  readonly #pen: CanvasRenderingContext2D | null;
  #request = 0;
  #last_ms = 0;
  #budget = BUDGET;
  #shown = { x: Number.NaN, y: Number.NaN, scale: Number.NaN };

  constructor(furniture: Furniture, camera: Camera, painter: Painter, setting: Setting) {
    this.#furniture = furniture;
    this.#camera = camera;
    this.#painter = painter;
    this.#setting = setting;
    this.#pen = furniture.canvas.getContext('2d', { alpha: false });
    this.#watching = new ResizeObserver(() => this.#resize());
    this.#watching.observe(furniture.root);
    this.#resize();
  }

  get isResting(): boolean {
    return this.#request === 0;
  }

  wake(): void {
    if (this.#request === 0) this.#request = requestAnimationFrame((now) => this.#frame(now));
  }

  end(): void {
    cancelAnimationFrame(this.#request);
    this.#watching.disconnect();
  }

  #resize(): void {
    const { root, canvas } = this.#furniture;
    const [width, height] = [root.clientWidth, root.clientHeight];
    const { ratio } = this.#setting;
    const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (width === 0 || height === 0) return;
    if (canvas.width !== across || canvas.height !== down) {
      canvas.width = across;
      canvas.height = down;
    }
    this.#camera.resize({ width, height });
    // At once: a canvas that got another size is empty until it is painted.
    this.#paint(this.#last_ms);
    this.wake();
  }

  #frame(now_ms: number): void {
    this.#request = 0;
    const took_ms = now_ms - this.#last_ms;
    this.#last_ms = now_ms;
    // A pause is no slow frame.
    if (took_ms < 200) {
      this.#budget =
        took_ms > SLOW_MS
          ? Math.max(LEAST_BUDGET, this.#budget * 0.7)
          : Math.min(BUDGET, this.#budget * 1.15);
    }
    const isMoving = this.#camera.step(now_ms);
    const isBusy = this.#paint(now_ms);
    const isDue = this.#setting.minimap?.draw(this.#painter) ?? false;
    if (isMoving || isBusy || isDue || this.#painter.overlay.isMoving) this.wake();
    this.#tell();
  }

  #paint(now_ms: number): boolean {
    const { canvas } = this.#furniture;
    if (!this.#pen || canvas.width === 0) return false;
    const { ratio } = this.#setting;
    const { view } = this.#camera;
    const scale = view.scale * ratio;
    const frame: Frame = {
      originX: Math.round(canvas.width / 2 - view.x * scale),
      originY: Math.round(canvas.height / 2 - view.y * scale),
      scale,
      width: canvas.width,
      height: canvas.height,
      isZooming: this.#camera.isZooming(now_ms),
    };
    // Stretching tiles costs more than copying them: what is left for new ones is less.
    const budget = frame.isZooming ? this.#budget / 2 : this.#budget;
    return this.#painter.draw(this.#pen, frame, { now_ms, budget });
  }

  #tell(): void {
    const { x, y, scale } = this.#camera.view;
    const shown = this.#shown;
    if (shown.x === x && shown.y === y && shown.scale === scale) return;
    shown.x = x;
    shown.y = y;
    shown.scale = scale;
    this.#setting.seen();
  }
}
