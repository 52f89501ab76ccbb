import { contains, type Scene, type SceneZone } from '#scene';
import { toWorldX, toWorldY } from '#view';
import type { Camera } from './camera.ts';
import type { PointerKind } from './gestures.ts';

/** How far from a seat a pointer may be, in pixels, at least. */
const SLOP: Readonly<Record<PointerKind, number>> = { touch: 22, pen: 10, mouse: 5, keyboard: 0 };
/** How far apart seats must be, in pixels, to be chosen one by one. */
const CHOSEN_FROM: Readonly<Record<PointerKind, number>> = {
  touch: 13,
  pen: 9,
  mouse: 6,
  keyboard: 0,
};
/** Around a seat's middle, in parts of the way to the next: closer than half is unmistakable. */
const OWN_SPACE = 0.55;

/** What is under a point of the screen. */
export class Pointing {
  readonly #scene: Scene;
  readonly #camera: Camera;

  constructor(scene: Scene, camera: Camera) {
    this.#scene = scene;
    this.#camera = camera;
  }

  /** Are seats large enough to be chosen with this pointer? */
  choosesSeats(kind: PointerKind): boolean {
    return this.#scene.spacing.seat * this.#camera.view.scale >= CHOSEN_FROM[kind];
  }

  seatAt(x: number, y: number, kind: PointerKind): number {
    const { view, size } = this.#camera;
    const reach = Math.max(SLOP[kind] / view.scale, OWN_SPACE * this.#scene.spacing.seat);
    return this.#scene.grid.nearest(toWorldX(view, size, x), toWorldY(view, size, y), reach);
  }

  areaAt(x: number, y: number): SceneZone | undefined {
    const { view, size } = this.#camera;
    const [worldX, worldY] = [toWorldX(view, size, x), toWorldY(view, size, y)];
    return this.#scene.zones.find(
      ({ isArea, outline }) => isArea && outline && contains(outline, worldX, worldY),
    );
  }

  blockAt(x: number, y: number): number {
    const { view, size } = this.#camera;
    const [worldX, worldY] = [toWorldX(view, size, x), toWorldY(view, size, y)];
    return this.#scene.blocks.findIndex(
      ({ bounds, outline }) =>
        worldX >= bounds.left &&
        worldX <= bounds.right &&
        worldY >= bounds.top &&
        worldY <= bounds.bottom &&
        contains(outline, worldX, worldY),
    );
  }

  /** The next seat from one in a direction: nearest, with what lies aside counting double. */
  nextSeat(from: number, dx: number, dy: number): number {
    const { x, y, grid, spacing } = this.#scene;
    const [fromX, fromY] = [x[from] as number, y[from] as number];
    let found = -1;
    let least = Number.POSITIVE_INFINITY;
    grid.nearest(fromX, fromY, 8 * spacing.row, (other) => {
      const [wayX, wayY] = [(x[other] as number) - fromX, (y[other] as number) - fromY];
      const ahead = wayX * dx + wayY * dy;
      const aside = Math.abs(wayX * dy - wayY * dx);
      if (other !== from && ahead > 0.3 * spacing.seat && aside <= 1.2 * ahead) {
        const cost = ahead + 2 * aside;
        if (cost < least) [least, found] = [cost, other];
      }
      return false;
    });
    return found;
  }
}
