/**
 * Map: the seat map that people touch. It knows how pointers, wheels and keys move it, what is
 * under a finger, when to paint, and what to tell its page. It knows neither a framework nor a
 * network: states come in by calls, choices go out as events, and what is chosen is up to others.
 */
import type { SeatMap, SeatMapOptions } from './options.ts';

export type { Tool } from './tools.ts';

import { CanvasSeatMap } from './seat-map.ts';

export { DARK, type Filter, LIGHT, type Prices, type Theme } from '#paint';
export type { Drawing, DrawingSeat, DrawingZone, SeatChange, State } from '#scene';
export { STATE } from '#scene';
export type { Insets } from './camera.ts';
export type { PointerKind } from './gestures.ts';
export type {
  Level,
  PointedSeat,
  PointedZone,
  SeatMap,
  SeatMapEvents,
  SeatMapLabels,
  SeatMapOptions,
  SeenView,
  ZoneCounts,
} from './options.ts';

/** A map that fills its host, which must have a size, until it is destroyed. */
export function createSeatMap(host: HTMLElement, options: SeatMapOptions): SeatMap {
  return new CanvasSeatMap(host, options);
}
