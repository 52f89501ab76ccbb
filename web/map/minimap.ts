import type { Painter } from '#paint';
import type { Scene } from '#scene';
import { fitted, visible } from '#view';
import type { Camera } from './camera.ts';

const WIDEST = 148;
const HIGHEST = 116;
const MARGIN = 7;
/** Everything must be seen this much larger before an overview helps. */
const HELPS_FROM = 1.25;
/** Frames between two paintings of its ground while seats change. */
const REST = 30;

/** Everything in small, with what is seen now; a touch goes there. */
export class Minimap {
  readonly #canvas: HTMLCanvasElement;
  readonly #scene: Scene;
  readonly #camera: Camera;
  readonly #ratio: number;
  readonly #ground: OffscreenCanvas;
  readonly #size: Readonly<{ width: number; height: number }>;
  readonly #ending = new AbortController();
  #isDirty = true;
  #rest = 0;

  constructor(
    canvas: HTMLCanvasElement,
    scene: Scene,
    camera: Camera,
    { ratio, moved }: Readonly<{ ratio: number; moved: () => void }>,
  ) {
    this.#canvas = canvas;
    this.#scene = scene;
    this.#camera = camera;
    this.#ratio = ratio;
    const { left, right, top, bottom } = scene.bounds;
    const [width, height] = [right - left, bottom - top];
    const scale = Math.min((WIDEST - 2 * MARGIN) / width, (HIGHEST - 2 * MARGIN) / height);
    this.#size = {
      width: Math.round(width * scale + 2 * MARGIN),
      height: Math.round(height * scale + 2 * MARGIN),
    };
    canvas.width = Math.round(this.#size.width * ratio);
    canvas.height = Math.round(this.#size.height * ratio);
    canvas.style.width = `${this.#size.width}px`;
    canvas.style.height = `${this.#size.height}px`;
    this.#ground = new OffscreenCanvas(canvas.width, canvas.height);
    const { signal } = this.#ending;
    const go = (event: PointerEvent) => {
      if (event.type === 'pointerdown') canvas.setPointerCapture(event.pointerId);
      else if (!canvas.hasPointerCapture(event.pointerId)) return;
      this.#goTo(event.offsetX, event.offsetY, event.type === 'pointerdown');
      moved();
    };
    canvas.addEventListener('pointerdown', go, { signal });
    canvas.addEventListener('pointermove', go, { signal });
  }

  touch(): void {
    this.#isDirty = true;
  }

  end(): void {
    this.#ending.abort();
  }

  /** True when its ground is out of date and waits for its turn. */
  draw(painter: Painter): boolean {
    const isShown = this.#camera.view.scale > this.#camera.fitScale * HELPS_FROM;
    this.#canvas.toggleAttribute('data-shown', isShown);
    if (!isShown) return false;
    if (this.#isDirty && this.#rest-- <= 0) this.#paintGround(painter);
    const pen = this.#canvas.getContext('2d');
    if (!pen) return false;
    const { width, height } = this.#canvas;
    pen.clearRect(0, 0, width, height);
    pen.drawImage(this.#ground, 0, 0);
    this.#frame(pen, painter);
    return this.#isDirty;
  }

  #view() {
    return fitted(this.#scene.bounds, this.#size, MARGIN);
  }

  #frame(pen: CanvasRenderingContext2D, painter: Painter): void {
    const view = this.#view();
    const seen = visible(this.#camera.view, this.#camera.size);
    const edge = (value: number, middle: number, length: number) =>
      Math.min(Math.max((value - middle) * view.scale + length / 2, 1.5), length - 1.5);
    const left = edge(seen.left, view.x, this.#size.width);
    const right = edge(seen.right, view.x, this.#size.width);
    const top = edge(seen.top, view.y, this.#size.height);
    const bottom = edge(seen.bottom, view.y, this.#size.height);
    const { theme } = painter.palette;
    pen.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    pen.beginPath();
    pen.roundRect(left, top, Math.max(right - left, 4), Math.max(bottom - top, 4), 3);
    pen.globalAlpha = 0.12;
    pen.fillStyle = theme.focus;
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = theme.focus;
    pen.lineWidth = 2;
    pen.stroke();
    pen.setTransform(1, 0, 0, 1, 0, 0);
  }

  #paintGround(painter: Painter): void {
    this.#isDirty = false;
    this.#rest = REST;
    const pen = this.#ground.getContext('2d');
    if (!pen) return;
    const { width, height } = this.#ground;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, width, height);
    const view = this.#view();
    const scale = view.scale * this.#ratio;
    pen.setTransform(scale, 0, 0, scale, width / 2 - view.x * scale, height / 2 - view.y * scale);
    painter.ground.draw(pen, painter.palette, { strength: 1, scale }, () => true);
  }

  #goTo(x: number, y: number, isPress: boolean): void {
    const view = this.#view();
    const to = {
      x: (x - this.#size.width / 2) / view.scale + view.x,
      y: (y - this.#size.height / 2) / view.scale + view.y,
      scale: this.#camera.view.scale,
    };
    if (isPress) this.#camera.fly(to);
    else this.#camera.jump(to);
  }
}
