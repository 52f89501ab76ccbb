import type { Polygon, Scene, SceneZone, SeatStates } from '#scene';
import { STATE } from '#scene';
import type { Looks } from './looks.ts';
import type { Palette } from './palette.ts';

/** How many places of an area are left. */
export type AreaCounts = Readonly<{ available: number; capacity: number }>;

type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const DIMMED = 0.3;
/** Corners of blocks are rounded by so many seats. */
const ROUNDING = 0.9;
/** In pixels; stroking costs several times what filling does. */
const SEEN_ROUNDING = 2.5;

/**
 * What lies under the seats: stage, areas, and blocks coloured by what is left in them. The pen's
 * transform is the drawing's, so the same paths serve the map, the overview and every scale.
 */
export class Ground {
  readonly #scene: Scene;
  readonly #states: SeatStates;
  readonly #looks: Looks;
  readonly #blocks: readonly Path2D[];
  readonly #areas: ReadonlyMap<number, Path2D>;
  readonly #tables: Path2D;
  readonly #counts = new Map<string, AreaCounts>();

  constructor(scene: Scene, states: SeatStates, looks: Looks) {
    this.#scene = scene;
    this.#states = states;
    this.#looks = looks;
    this.#blocks = scene.blocks.map(({ outline }) => pathOf(outline));
    this.#areas = new Map(
      scene.zones.flatMap(({ index, isArea, outline }) =>
        isArea && outline ? [[index, pathOf(outline)]] : [],
      ),
    );
    this.#tables = new Path2D();
    for (const { x, y, radius } of scene.rowMarks.tables) {
      this.#tables.moveTo(x + radius, y);
      this.#tables.arc(x, y, radius, 0, 2 * Math.PI);
    }
  }

  setCounts(zone_id: string, counts: AreaCounts): void {
    this.#counts.set(zone_id, counts);
  }

  countsOf({ zone_id, capacity }: SceneZone): AreaCounts {
    return this.#counts.get(zone_id) ?? { available: capacity, capacity };
  }

  /**
   * `strength` from 0 (only a hint, seats tell the rest) to 1 (blocks tell everything); `scale` in
   * pixels per unit, since corners that nobody sees need not be rounded.
   */
  draw(
    pen: Pen,
    palette: Palette,
    { strength, scale }: Readonly<{ strength: number; scale: number }>,
    isSeen: (block: number) => boolean,
  ): void {
    this.#drawStage(pen, palette);
    this.#drawAreas(pen, palette);
    pen.lineJoin = 'round';
    this.#scene.blocks.forEach(({ index, zone, seats }, place) => {
      const path = this.#blocks[place];
      if (!path || !isSeen(index)) return;
      const rounding = ROUNDING * (this.#scene.zones[zone]?.spacing.seat ?? 1);
      const free = this.#looks.isZoneDimmed(zone)
        ? 0
        : this.#states.inBlock(index, STATE.available);
      const colour = palette.density(this.#looks.tierOfZone(zone), free, seats, strength);
      pen.fillStyle = colour;
      pen.fill(path);
      if (rounding * scale < SEEN_ROUNDING) return;
      pen.strokeStyle = colour;
      pen.lineWidth = rounding;
      pen.stroke(path);
    });
    pen.fillStyle = palette.theme.line;
    pen.fill(this.#tables);
  }

  #drawStage(pen: Pen, { theme }: Palette): void {
    const { stage, spacing } = this.#scene;
    if (!stage) return;
    const { left, top, right, bottom, kind } = stage;
    const [width, height] = [right - left, bottom - top];
    pen.beginPath();
    if (kind === 'field') {
      pen.roundRect(left, top, width, height, 0.06 * Math.min(width, height));
      pen.fillStyle = theme.surface;
      pen.globalAlpha = 0.6;
      pen.fill();
      pen.strokeStyle = theme.line;
      pen.lineWidth = 0.35 * spacing.seat;
      pen.globalAlpha = 1;
      pen.stroke();
      return;
    }
    // Its front bulges a little towards the audience.
    const bulge = Math.min(0.3 * height, 0.06 * width);
    const corner = Math.min(0.25 * height, 0.04 * width);
    pen.moveTo(left + corner, top);
    pen.lineTo(right - corner, top);
    pen.quadraticCurveTo(right, top, right, top + corner);
    pen.lineTo(right, bottom - bulge);
    pen.quadraticCurveTo((left + right) / 2, bottom + bulge, left, bottom - bulge);
    pen.lineTo(left, top + corner);
    pen.quadraticCurveTo(left, top, left + corner, top);
    pen.fillStyle = theme.stage;
    pen.fill();
  }

  #drawAreas(pen: Pen, palette: Palette): void {
    pen.lineJoin = 'round';
    for (const [index, path] of this.#areas) {
      const zone = this.#scene.zones[index] as SceneZone;
      const { available, capacity } = this.countsOf(zone);
      const isDimmed = this.#looks.isZoneDimmed(index);
      const colour = palette.density(this.#looks.tierOfZone(index), available, capacity);
      pen.fillStyle = colour;
      pen.strokeStyle = colour;
      pen.lineWidth = 1.2 * zone.spacing.seat;
      pen.globalAlpha = isDimmed ? DIMMED : 1;
      pen.stroke(path);
      pen.fill(path);
    }
    pen.globalAlpha = 1;
  }
}

function pathOf(outline: Polygon): Path2D {
  const path = new Path2D();
  for (let at = 0; at < outline.length; at += 2) {
    const [x, y] = [outline[at] as number, outline[at + 1] as number];
    if (at === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
  }
  path.closePath();
  return path;
}
