import { BLOCKED, type Filter, LIGHT, Painter, type Prices, type Theme } from '#paint';
import {
  type Block,
  buildScene,
  type DrawingSeat,
  type Point,
  type Rect,
  type Scene,
  type SeatChange,
  SeatStates,
  STATE,
  type State,
  union,
} from '#scene';
import { toScreenX, toScreenY, visible } from '#view';
import { Camera, type Insets } from './camera.ts';
import { dress, type Furniture, furnish } from './furniture.ts';
import { Gestures, type PointerKind } from './gestures.ts';
import { Keyboard, SHOWN_APART } from './keyboard.ts';
import { Listeners } from './listeners.ts';
import { Loop } from './loop.ts';
import { Minimap } from './minimap.ts';
import {
  ENGLISH,
  type Level,
  type PointedSeat,
  type SeatMap,
  type SeatMapEvents,
  type SeatMapLabels,
  type SeatMapOptions,
  type SeenView,
  type ZoneCounts,
} from './options.ts';
import { Pointing } from './pointing.ts';
import { type Tool, Tools } from './tools.ts';

/** Pixels between seats: from here on dots, from there on seats with marks. */
const MIDDLE_FROM = 4;
const NEAR_FROM = 13;
const ZOOM_STEP = 1.7;
const RADIUS = 0.43;

/** The map as a whole: it takes wishes, and keeps what is painted, seen and chosen together. */
export class CanvasSeatMap implements SeatMap {
  readonly #scene: Scene;
  readonly #states: SeatStates;
  readonly #painter: Painter;
  readonly #camera: Camera;
  readonly #pointing: Pointing;
  readonly #tools: Tools;
  readonly #gestures: Gestures;
  readonly #minimap: Minimap | null;
  readonly #furniture: Furniture;
  readonly #listeners = new Listeners<SeatMapEvents>();
  readonly #loop: Loop;
  readonly #ending = new AbortController();
  /** The seat that was chosen last by a pointer. */
  #tapped = -1;
  #theme: Theme;
  #labels: SeatMapLabels;

  constructor(host: HTMLElement, options: SeatMapOptions) {
    const { drawing, minimap = true, controls = true } = options;
    this.#theme = options.theme ?? LIGHT;
    this.#labels = { ...ENGLISH, ...options.labels };
    this.#scene = buildScene(drawing);
    this.#states = new SeatStates(this.#scene.blockOf, this.#scene.blocks.length);
    this.#furniture = furnish(host, { minimap, controls });
    const page = host.ownerDocument.defaultView ?? window;
    const ratio = page.devicePixelRatio || 1;
    const setting = { theme: this.#theme, captions: this.#labels, ratio };
    this.#painter = new Painter(this.#scene, this.#states, setting);
    this.#painter.looks.setPrices(options.prices ?? new Map());
    this.#camera = new Camera(this.#scene.bounds, this.#scene.spacing.seat);
    this.#pointing = new Pointing(this.#scene, this.#camera);
    this.#tools = this.#makeTools();
    this.#gestures = this.#listen();
    this.#minimap = minimap ? this.#overview(ratio) : null;
    this.#loop = new Loop(this.#furniture, this.#camera, this.#painter, {
      ratio,
      minimap: this.#minimap,
      seen: () => this.#listeners.tell('view', this.view),
    });
    const wish = page.matchMedia('(prefers-reduced-motion: reduce)');
    this.setReducedMotion(options.reducedMotion ?? wish.matches);
    dress(this.#furniture, this.#theme, this.#labels);
  }

  #overview(ratio: number): Minimap {
    const moved = () => this.#loop.wake();
    return new Minimap(this.#furniture.overview, this.#scene, this.#camera, { ratio, moved });
  }

  #makeTools(): Tools {
    return new Tools({
      camera: this.#camera,
      scene: this.#scene,
      pointing: this.#pointing,
      overlay: this.#painter.overlay,
      stateOf: (ordinal) => this.#states.of(ordinal),
      lassoed: (ordinals, isAdding) => this.#listeners.tell('lasso', { ordinals, isAdding }),
      dropped: (one, other) => {
        const [from, to] = [this.#pointed(one, 'mouse'), this.#pointed(other, 'mouse')];
        if (from && to) this.#listeners.tell('drop', { from, to });
      },
      changed: () => this.#loop.wake(),
    });
  }

  #listen(): Gestures {
    const { signal } = this.#ending;
    const { zoomIn, zoomOut, showAll } = this.#furniture.buttons;
    zoomIn.addEventListener('click', () => this.zoomIn(), { signal });
    zoomOut.addEventListener('click', () => this.zoomOut(), { signal });
    showAll.addEventListener('click', () => this.fitAll(), { signal });
    const keyboard = new Keyboard(this, {
      camera: this.#camera,
      scene: this.#scene,
      pointing: this.#pointing,
      overlay: this.#painter.overlay,
      chosen: (ordinal) => this.#tellSeat(ordinal),
      found: (ordinal) => this.#listeners.tell('hover', this.#pointed(ordinal, 'keyboard')),
      moved: () => this.#loop.wake(),
    });
    const wishes = {
      moved: () => this.#loop.wake(),
      tapped: (x: number, y: number, kind: PointerKind, isDouble: boolean) =>
        this.#tap(x, y, kind, isDouble),
      hovered: (x: number, y: number) => this.#hover(x, y),
      left: () => this.#point(-1, 'mouse'),
      pressed: (key: string, isFar: boolean) => keyboard.press(key, isFar),
    };
    return new Gestures(this.#furniture.canvas, this.#camera, wishes, this.#tools);
  }

  setStates(packed: Uint8Array): void {
    let changed = 0;
    this.#states.setAll(packed, (ordinal) => {
      changed++;
      this.#painter.touch(ordinal);
    });
    if (changed > 0) this.#minimap?.touch();
    this.#loop.wake();
  }

  applyChanges(changes: readonly SeatChange[], { animate = true } = {}): void {
    for (const [ordinal, state] of changes) {
      const before = this.#states.of(ordinal);
      if (!this.#states.set(ordinal, state)) continue;
      this.#painter.touch(ordinal);
      const { mine, pending } = this.#painter.overlay;
      if (!animate || mine.has(ordinal) || pending.has(ordinal)) continue;
      if (before === STATE.available) this.#painter.overlay.play(ordinal, 'taken');
      else if (state === STATE.available) this.#painter.overlay.play(ordinal, 'freed');
    }
    this.#minimap?.touch();
    this.#loop.wake();
  }

  stateOf(ordinal: number): State {
    return this.#states.of(ordinal);
  }

  setZones(zones: readonly ZoneCounts[]): void {
    for (const { zone_id, available, capacity } of zones) {
      this.#painter.ground.setCounts(zone_id, { available, capacity });
    }
    this.#minimap?.touch();
    this.#loop.wake();
  }

  setMine(ordinals: Iterable<number>): void {
    replace(this.#painter.overlay.mine, ordinals);
    this.#loop.wake();
  }

  setPending(ordinals: Iterable<number>): void {
    replace(this.#painter.overlay.pending, ordinals);
    this.#loop.wake();
  }

  refuse(ordinals: Iterable<number>): void {
    for (const ordinal of ordinals) {
      this.#painter.overlay.pending.delete(ordinal);
      this.#painter.overlay.play(ordinal, 'refused');
    }
    this.#loop.wake();
  }

  setFilter(filter: Filter): void {
    this.#painter.looks.setFilter(filter);
    this.#repaint();
  }

  setPrices(prices: Prices): void {
    this.#painter.looks.setPrices(prices);
    this.#repaint();
  }

  setBlocked({ reseat, kept }: Parameters<SeatMap['setBlocked']>[0]): void {
    const kinds = new Map([...kept].map((ordinal): [number, number] => [ordinal, BLOCKED.kept]));
    for (const ordinal of reseat) kinds.set(ordinal, BLOCKED.reseat);
    this.#painter.looks.setBlocked(kinds);
    this.#repaint();
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#redress();
  }

  setLabels(labels: Partial<SeatMapLabels>): void {
    this.#labels = { ...this.#labels, ...labels };
    this.#redress();
  }

  #redress(): void {
    dress(this.#furniture, this.#theme, this.#labels);
    this.#painter.set(this.#theme, this.#labels);
    this.#repaint();
  }

  #repaint(): void {
    this.#painter.touchAll();
    this.#minimap?.touch();
    this.#loop.wake();
  }

  setReducedMotion(reduced: boolean): void {
    this.#camera.reducedMotion = reduced;
    this.#painter.overlay.reducedMotion = reduced;
  }

  setInsets(insets: Insets): void {
    this.#camera.insets = insets;
    this.#camera.resize(this.#camera.size);
    this.#loop.wake();
  }

  focusSeats(ordinals: readonly number[]): void {
    const { blocks, blockOf } = this.#scene;
    const known = ordinals.filter((ordinal) => blocks[blockOf[ordinal] ?? blocks.length]);
    const [first] = known;
    if (first === undefined) return;
    const { x, y, spacing } = this.#scene;
    const rects = known.map((ordinal): Rect => {
      const [sx, sy] = [x[ordinal] as number, y[ordinal] as number];
      return { left: sx, right: sx, top: sy, bottom: sy };
    });
    const view = this.#camera.fit(rects.reduce(union), 60);
    const scale = Math.min(view.scale, SHOWN_APART / spacing.seat);
    this.#camera.fly({ ...view, scale: Math.max(scale, this.#camera.fitScale) });
    for (const ordinal of known) this.#painter.overlay.play(ordinal, 'found');
    this.#loop.wake();
  }

  fitZone(zone_id: string): void {
    const zone = this.#scene.zones.find((one) => one.zone_id === zone_id);
    if (zone) this.#camera.fly(this.#camera.fit(zone.bounds, 28));
    this.#loop.wake();
  }

  showAt({ x, y }: Point, scale: number): void {
    this.#camera.fly({ x, y, scale });
    this.#loop.wake();
  }

  fitAll(): void {
    this.#camera.fitAll();
    this.#loop.wake();
  }

  zoomIn(): void {
    this.#camera.zoomBy(ZOOM_STEP);
    this.#loop.wake();
  }

  zoomOut(): void {
    this.#camera.zoomBy(1 / ZOOM_STEP);
    this.#loop.wake();
  }

  setTool(tool: Tool | null): void {
    this.#tools.cancel();
    this.#tools.tool = tool;
    this.#furniture.canvas.dataset.tool = tool ?? '';
  }

  seatAt(x: number, y: number, pointer: PointerKind = 'mouse'): PointedSeat | null {
    return this.#pointed(this.#pointing.seatAt(x, y, pointer), pointer);
  }

  placeOf(ordinal: number): { x: number; y: number; radius: number } | null {
    if (!this.#scene.seats[ordinal]) return null;
    const { view, size } = this.#camera;
    return {
      x: toScreenX(view, size, this.#scene.x[ordinal] as number),
      y: toScreenY(view, size, this.#scene.y[ordinal] as number),
      radius: RADIUS * this.#scene.spacing.seat * view.scale,
    };
  }

  get view(): SeenView {
    const { view, size, fitScale } = this.#camera;
    const apart = this.#scene.spacing.seat * view.scale;
    const level: Level = apart < MIDDLE_FROM ? 'far' : apart < NEAR_FROM ? 'middle' : 'near';
    const isAll = view.scale <= fitScale * 1.01;
    return { level, scale: view.scale, visible: visible(view, size), isAll };
  }

  get isSettled(): boolean {
    return this.#loop.isResting;
  }

  on<Name extends keyof SeatMapEvents>(
    name: Name,
    listener: (event: SeatMapEvents[Name]) => void,
  ): () => void {
    return this.#listeners.on(name, listener);
  }

  destroy(): void {
    this.#ending.abort();
    this.#gestures.end();
    this.#minimap?.end();
    this.#loop.end();
    this.#furniture.root.remove();
  }

  #pointed(ordinal: number, pointer: PointerKind): PointedSeat | null {
    const place = this.placeOf(ordinal);
    if (!place) return null;
    const { mine, pending } = this.#painter.overlay;
    return {
      ordinal,
      seat: this.#scene.seats[ordinal] as DrawingSeat,
      state: this.#states.of(ordinal),
      mine: mine.has(ordinal),
      pending: pending.has(ordinal),
      ...place,
      pointer,
    };
  }

  #tellSeat(ordinal: number): void {
    const pointed = this.#pointed(ordinal, 'keyboard');
    if (pointed) this.#listeners.tell('seat', pointed);
  }

  #hover(x: number, y: number): void {
    const isNear = this.#pointing.choosesSeats('mouse');
    this.#point(isNear ? this.#pointing.seatAt(x, y, 'mouse') : -1, 'mouse');
  }

  #point(ordinal: number, pointer: PointerKind): void {
    const { overlay } = this.#painter;
    if (overlay.hovered === ordinal) return;
    overlay.hovered = ordinal;
    this.#furniture.canvas.dataset.points = ordinal < 0 ? 'nothing' : 'seat';
    this.#listeners.tell('hover', this.#pointed(ordinal, pointer));
    this.#loop.wake();
  }

  #tap(x: number, y: number, kind: PointerKind, isDouble: boolean): void {
    const canChoose = this.#pointing.choosesSeats(kind);
    const seat = canChoose ? this.#pointed(this.#pointing.seatAt(x, y, kind), kind) : null;
    this.#painter.overlay.focused = -1;
    if (seat) {
      // The second half of a double tap would take back what the first has chosen.
      if (isDouble && seat.ordinal === this.#tapped) return;
      this.#tapped = seat.ordinal;
      this.#listeners.tell('seat', seat);
      return;
    }
    const area = this.#pointing.areaAt(x, y);
    const block = area ? -1 : this.#pointing.blockAt(x, y);
    if (area && !isDouble) {
      const { zone_id } = area;
      this.#listeners.tell('zone', { zone_id, section: null, isArea: true, x, y, pointer: kind });
    } else if (block >= 0 && !canChoose) this.#enter(block, x, y, kind);
    else if (isDouble) this.#camera.zoomBy(2, x, y);
    this.#loop.wake();
  }

  /** From afar a tap goes into the block; where that is not near enough, to the place itself. */
  #enter(index: number, x: number, y: number, pointer: PointerKind): void {
    const block = this.#scene.blocks[index] as Block;
    const { zone_id } = this.#scene.zones[block.zone] as { zone_id: string };
    this.#listeners.tell('zone', { zone_id, section: block.name, isArea: false, x, y, pointer });
    const view = this.#camera.fit(block.bounds, 24);
    const near = (NEAR_FROM + 3) / this.#scene.spacing.seat;
    if (view.scale >= near) this.#camera.fly(view);
    else this.#camera.zoomBy(near / this.#camera.view.scale, x, y);
  }
}

function replace(set: Set<number>, values: Iterable<number>): void {
  set.clear();
  for (const value of values) set.add(value);
}
