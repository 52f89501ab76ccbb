import { type Block, contains, type Scene, type SceneZone, type SeatStates, STATE } from '#scene';
import type { Ground } from './ground.ts';
import type { Looks } from './looks.ts';
import type { Palette } from './palette.ts';
import type { Frame } from './tile-map.ts';

/** Words on the map; whoever shows it says them in the buyer's language. */
export type Captions = Readonly<{
  stage: string;
  field: string;
  soldOut: string;
  left(count: number): string;
  price(cents: number): string;
}>;

/** Pictures of words that are kept; more are only seen on maps of many hundred sections. */
const MOST_PICTURES = 1_500;
/** A section's name needs so many pixels, with and without its price. */
const NAME_WIDTH = 22;
/** Zones are named until seats are this far apart, in pixels. */
const ZONES_UNTIL = 9;
const SECTIONS_FROM = 1.1;
const SECTIONS_UNTIL = 12;

type Line = Readonly<{ text: string; size: number; weight: number; faint?: boolean }>;
type Box = { left: number; top: number; right: number; bottom: number };

/** Names, prices and counts on stage, areas, zones and sections, never one over the other. */
export class CaptionPainter {
  readonly #scene: Scene;
  readonly #states: SeatStates;
  readonly #looks: Looks;
  readonly #ground: Ground;
  readonly #pictures = new Map<string, OffscreenCanvas>();
  readonly #taken: Box[] = [];
  #palette: Palette;
  #captions: Captions;
  readonly #ratio: number;

  constructor(
    parts: Readonly<{ scene: Scene; states: SeatStates; looks: Looks; ground: Ground }>,
    palette: Palette,
    captions: Captions,
    ratio: number,
  ) {
    this.#scene = parts.scene;
    this.#states = parts.states;
    this.#looks = parts.looks;
    this.#ground = parts.ground;
    this.#palette = palette;
    this.#captions = captions;
    this.#ratio = ratio;
  }

  set(palette: Palette, captions: Captions): void {
    this.#palette = palette;
    this.#captions = captions;
    this.#pictures.clear();
  }

  draw(pen: CanvasRenderingContext2D, frame: Frame): void {
    this.#taken.length = 0;
    const apart = (this.#scene.spacing.seat * frame.scale) / this.#ratio;
    this.#nameStage(pen, frame);
    for (const zone of this.#scene.zones) if (zone.isArea) this.#nameArea(pen, frame, zone);
    const isWide = this.#scene.zones.length > 1 || this.#scene.blocks.length > 1;
    for (const zone of this.#scene.zones) {
      if (zone.isArea || !isWide) continue;
      // A pill hides seats; where there is room beside them and no sections, it need not.
      if (zone.beside && !this.#hasSections(zone)) this.#nameBeside(pen, frame, zone, apart);
      else if (apart < ZONES_UNTIL) this.#nameZone(pen, frame, zone);
    }
    if (apart > SECTIONS_FROM && apart < SECTIONS_UNTIL) this.#nameSections(pen, frame, apart);
  }

  #hasSections({ blocks }: SceneZone): boolean {
    const [first] = blocks;
    return first !== undefined && this.#scene.blocks[first]?.name != null;
  }

  #nameStage(pen: CanvasRenderingContext2D, frame: Frame): void {
    const { stage } = this.#scene;
    if (!stage) return;
    const width = ((stage.right - stage.left) * frame.scale) / this.#ratio;
    const height = ((stage.bottom - stage.top) * frame.scale) / this.#ratio;
    const isField = stage.kind === 'field';
    const text = isField ? this.#captions.field : this.#captions.stage;
    // Whole numbers: each size is a picture of its own, and a zoom has hundreds.
    const size = Math.round(Math.min(Math.max(height * 0.34, 9), isField ? 15 : 22, width / 7));
    if (size < 8 || text === '') return;
    const { theme } = this.#palette;
    const ink = isField ? theme.muted : theme.stageText;
    const line = { text: text.toUpperCase(), size, weight: 600 };
    const [x, y] = [(stage.left + stage.right) / 2, (stage.top + stage.bottom) / 2];
    this.#put(pen, frame, x, y, [line], ink, null);
  }

  #nameArea(pen: CanvasRenderingContext2D, frame: Frame, zone: SceneZone): void {
    const { available, capacity } = this.#ground.countsOf(zone);
    const { bounds, labels, index, zone_id, name } = zone;
    const [label] = labels;
    const width = ((bounds.right - bounds.left) * frame.scale) / this.#ratio;
    const height = ((bounds.bottom - bounds.top) * frame.scale) / this.#ratio;
    const size = Math.round(Math.min(Math.max(Math.min(width / 9, height / 4.5), 10), 20));
    if (!label || width < 34 || height < 14) return;
    const lines: Line[] = [{ text: name, size, weight: 650 }];
    const count = available === 0 ? this.#captions.soldOut : this.#captions.left(available);
    const price = this.#looks.prices.get(zone_id);
    const words = price === undefined ? count : `${this.#captions.price(price)} · ${count}`;
    if (height > 2.4 * size) lines.push({ text: words, size: 0.72 * size, weight: 500 });
    const tier = this.#looks.tierOfZone(index);
    const ink = this.#looks.isZoneDimmed(index)
      ? this.#palette.theme.muted
      : this.#palette.inkOnDensity(tier, available, capacity);
    this.#put(pen, frame, label.x, label.y, lines, ink, null);
  }

  #nameZone(pen: CanvasRenderingContext2D, frame: Frame, zone: SceneZone): void {
    const { theme } = this.#palette;
    const price = this.#looks.prices.get(zone.zone_id);
    const free = zone.blocks.reduce(
      (sum, block) => sum + this.#states.inBlock(block, STATE.available),
      0,
    );
    const lines: Line[] = [{ text: zone.name, size: 12.5, weight: 650 }];
    const words = free === 0 ? this.#captions.soldOut : undefined;
    const more = words ?? (price === undefined ? null : this.#captions.price(price));
    if (more) lines.push({ text: more, size: 11, weight: 500, faint: true });
    const ink = this.#looks.isZoneDimmed(zone.index) ? theme.muted : theme.text;
    // The second place only when something else stands in the first.
    zone.labels.some(({ x, y }) => this.#put(pen, frame, x, y, lines, ink, theme.background));
  }

  #nameBeside(
    pen: CanvasRenderingContext2D,
    frame: Frame,
    { beside, name, zone_id }: SceneZone,
    apart: number,
  ): void {
    if (!beside) return;
    const price = this.#looks.prices.get(zone_id);
    const text = price === undefined ? name : `${name} · ${this.#captions.price(price)}`;
    const size = Math.round(Math.min(Math.max(1.1 * apart, 11), 22));
    const line = { text, size, weight: 600 };
    const away = 0.4 * this.#scene.spacing.seat + (0.75 * size * this.#ratio) / frame.scale;
    const y = beside.y + beside.way * away;
    this.#put(pen, frame, beside.x, y, [line], this.#palette.theme.muted, null);
  }

  #nameSections(pen: CanvasRenderingContext2D, frame: Frame, apart: number): void {
    const solid = apart < 4;
    for (const block of this.#scene.blocks) {
      const { name, bounds, middle, outline, zone, index, seats } = block;
      if (name === null) continue;
      const across = Math.min(bounds.right - bounds.left, bounds.bottom - bounds.top);
      if ((across * frame.scale) / this.#ratio < NAME_WIDTH) continue;
      const [x, y] = seenMiddle(block, frame);
      if (x !== middle.x && !contains(outline, x, y)) continue;
      const free = this.#states.inBlock(index, STATE.available);
      const tier = this.#looks.tierOfZone(zone);
      const ink =
        solid && !this.#looks.isZoneDimmed(zone)
          ? this.#palette.inkOnDensity(tier, free, seats)
          : this.#palette.theme.text;
      const back = solid ? null : this.#palette.theme.background;
      this.#put(pen, frame, x, y, [{ text: name, size: 10.5, weight: 600 }], ink, back);
    }
  }

  /** False when it is out of sight, or something stands there already. */
  #put(
    pen: CanvasRenderingContext2D,
    frame: Frame,
    x: number,
    y: number,
    lines: readonly Line[],
    ink: string,
    back: string | null,
  ): boolean {
    const [px, py] = [x * frame.scale + frame.originX, y * frame.scale + frame.originY];
    if (px < -400 || py < -100 || px > frame.width + 400 || py > frame.height + 100) return false;
    const picture = this.#picture(lines, ink, back);
    const [left, top] = [Math.round(px - picture.width / 2), Math.round(py - picture.height / 2)];
    const box = { left, top, right: left + picture.width, bottom: top + picture.height };
    for (const other of this.#taken) {
      const isApart =
        box.right < other.left ||
        box.left > other.right ||
        box.bottom < other.top ||
        box.top > other.bottom;
      if (!isApart) return false;
    }
    this.#taken.push(box);
    pen.drawImage(picture, left, top);
    return true;
  }

  #picture(lines: readonly Line[], ink: string, back: string | null): OffscreenCanvas {
    const key = `${ink}|${back}|${lines.map(({ text, size }) => `${size} ${text}`).join('|')}`;
    const known = this.#pictures.get(key);
    if (known) return known;
    if (this.#pictures.size >= MOST_PICTURES) this.#pictures.clear();
    const picture = paintWords(lines, ink, back, this.#palette.theme.font, this.#ratio);
    this.#pictures.set(key, picture);
    return picture;
  }
}

/** The middle of a block, or of what is seen of it when that is outside. */
function seenMiddle({ bounds, middle }: Block, frame: Frame): readonly [number, number] {
  const left = Math.max(bounds.left, -frame.originX / frame.scale);
  const right = Math.min(bounds.right, (frame.width - frame.originX) / frame.scale);
  const top = Math.max(bounds.top, -frame.originY / frame.scale);
  const bottom = Math.min(bounds.bottom, (frame.height - frame.originY) / frame.scale);
  const isWhole =
    left === bounds.left &&
    right === bounds.right &&
    top === bounds.top &&
    bottom === bounds.bottom;
  return isWhole ? [middle.x, middle.y] : [(left + right) / 2, (top + bottom) / 2];
}

const LINE_HEIGHT = 1.3;

function paintWords(
  lines: readonly Line[],
  ink: string,
  back: string | null,
  font: string,
  ratio: number,
): OffscreenCanvas {
  const measure = new OffscreenCanvas(1, 1).getContext('2d');
  const fontOf = (line: Line) => `${line.weight} ${line.size * ratio}px ${font}`;
  const widths = lines.map((line) => {
    if (measure) measure.font = fontOf(line);
    return measure?.measureText(line.text).width ?? 0;
  });
  const padding = (back ? 7 : 2) * ratio;
  const height = lines.reduce((sum, line) => sum + line.size * LINE_HEIGHT * ratio, 0);
  const picture = new OffscreenCanvas(
    Math.ceil(Math.max(...widths) + 2 * padding),
    Math.ceil(height + (back ? 8 : 2) * ratio),
  );
  const pen = picture.getContext('2d');
  if (!pen) return picture;
  if (back) {
    pen.globalAlpha = 0.9;
    pen.fillStyle = back;
    pen.beginPath();
    pen.roundRect(0, 0, picture.width, picture.height, 6 * ratio);
    pen.fill();
  }
  pen.fillStyle = ink;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  let y = (picture.height - height) / 2;
  for (const line of lines) {
    const step = line.size * LINE_HEIGHT * ratio;
    pen.globalAlpha = line.faint ? 0.75 : 1;
    pen.font = fontOf(line);
    pen.fillText(line.text, picture.width / 2, y + step / 2);
    y += step;
  }
  return picture;
}
