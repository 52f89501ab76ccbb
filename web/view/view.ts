/**
 * View: which part of a drawing is seen, how large, and how that moves: transforms, limits, zoom
 * around a point, flights from one view to another, and the glide after a swipe. It knows numbers
 * and nothing of seats, canvases or pointers; time is handed in as milliseconds.
 */
export { type Flight, flightBetween } from './flight.ts';
export { Glide } from './glide.ts';
export {
  clamped,
  fitted,
  type Limits,
  limitsOf,
  moved,
  type Size,
  toScreenX,
  toScreenY,
  toWorldX,
  toWorldY,
  type View,
  visible,
  zoomedAt,
} from './transform.ts';
