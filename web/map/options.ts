import type { Filter, Prices, Theme } from '#paint';
import type { Drawing, DrawingSeat, Point, Rect, SeatChange, State } from '#scene';
import type { Insets } from './camera.ts';
import type { PointerKind } from './gestures.ts';
import type { Tool } from './tools.ts';

/** Words of the map, in the buyer's language. */
export type SeatMapLabels = Readonly<{
  /** What the map is, for people who do not see it. */
  map: string;
  stage: string;
  field: string;
  soldOut: string;
  zoomIn: string;
  zoomOut: string;
  showAll: string;
  overview: string;
  left(count: number): string;
  price(cents: number): string;
}>;

export type SeatMapOptions = Readonly<{
  drawing: Drawing;
  theme?: Theme;
  labels?: Partial<SeatMapLabels>;
  /** Cents by zone_id. */
  prices?: Prices;
  /** Default: what the system says. */
  reducedMotion?: boolean;
  /** Default true. */
  minimap?: boolean;
  /** The buttons for zooming. Default true. */
  controls?: boolean;
}>;

/** A seat somebody points at; x and y are its middle, in pixels from the map's corner. */
export type PointedSeat = Readonly<{
  ordinal: number;
  seat: DrawingSeat;
  state: State;
  mine: boolean;
  pending: boolean;
  x: number;
  y: number;
  /** Half of its width on the screen. */
  radius: number;
  pointer: PointerKind;
}>;

/** A zone somebody chose: an area without seats, or a part of a seated zone that is zoomed into. */
export type PointedZone = Readonly<{
  zone_id: string;
  section: string | null;
  isArea: boolean;
  x: number;
  y: number;
  pointer: PointerKind;
}>;

export type Level = 'far' | 'middle' | 'near';
export type SeenView = Readonly<{ level: Level; scale: number; visible: Rect; isAll: boolean }>;

export type SeatMapEvents = {
  seat: PointedSeat;
  /** Null: nothing is pointed at any more. */
  hover: PointedSeat | null;
  zone: PointedZone;
  view: SeenView;
  /** A lasso was drawn around seats; with Shift they are more of them. */
  lasso: Readonly<{ ordinals: readonly number[]; isAdding: boolean }>;
  /** A sold seat was dragged onto another one. */
  drop: Readonly<{ from: PointedSeat; to: PointedSeat }>;
};

export type ZoneCounts = Readonly<{ zone_id: string; available: number; capacity: number }>;

export type SeatMap = Readonly<{
  /** All states, as the wire packs them: two bits per seat. */
  setStates(packed: Uint8Array): void;
  /** What the stream says has changed; `animate: false` leaves out the pulses. */
  applyChanges(changes: readonly SeatChange[], how?: { animate?: boolean }): void;
  stateOf(ordinal: number): State;
  /** How many places of areas are left; zones with seats are counted by the map itself. */
  setZones(zones: readonly ZoneCounts[]): void;
  /** The buyer's own seats: a check mark, whatever their state. */
  setMine(ordinals: Iterable<number>): void;
  /** Asked for and not yet answered. */
  setPending(ordinals: Iterable<number>): void;
  /** The server said no: flash and shake, and no longer pending. */
  refuse(ordinals: Iterable<number>): void;
  setFilter(filter: Filter): void;
  setPrices(prices: Prices): void;
  /** For staff: which blocked seats have a ticket that needs another one, or are kept. */
  setBlocked(kinds: Readonly<{ reseat: Iterable<number>; kept: Iterable<number> }>): void;
  setTheme(theme: Theme): void;
  setLabels(labels: Partial<SeatMapLabels>): void;
  setReducedMotion(reduced: boolean): void;
  /** Pixels that other parts of the page cover: nothing is centred under them. */
  setInsets(insets: Insets): void;
  /** Shows seats near and calls attention to the first; several are shown together. */
  focusSeats(ordinals: readonly number[]): void;
  fitZone(zone_id: string): void;
  /** Shows a point of the drawing in the middle, with so many pixels to its unit. */
  showAt(point: Point, scale: number): void;
  fitAll(): void;
  zoomIn(): void;
  zoomOut(): void;
  /** What dragging does: null moves the map. Two fingers and the wheel always move it. */
  setTool(tool: Tool | null): void;
  /** The seat at a point of the map in pixels, or null. */
  seatAt(x: number, y: number, pointer?: PointerKind): PointedSeat | null;
  /** Where a seat is on the screen now. */
  placeOf(ordinal: number): { x: number; y: number; radius: number } | null;
  readonly view: SeenView;
  /** True when everything that is seen is painted and nothing moves. */
  readonly isSettled: boolean;
  on<Name extends keyof SeatMapEvents>(
    name: Name,
    listener: (event: SeatMapEvents[Name]) => void,
  ): () => void;
  destroy(): void;
}>;

export const ENGLISH: SeatMapLabels = {
  map: 'Seat map. Arrow keys move, plus and minus zoom, Enter chooses a seat.',
  stage: 'Stage',
  field: '',
  soldOut: 'Sold out',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  showAll: 'Show everything',
  overview: 'Overview',
  left: (count) => `${count.toLocaleString('en')} left`,
  price: (cents) => (cents / 100).toLocaleString('en', { minimumFractionDigits: 0 }),
};
