/**
 * Paint: how a scene looks on a canvas at every distance: blocks far away, dots in between, seats
 * with marks and numbers near, all of them as tiles that are painted once; what is the buyer's own
 * and what moves on top. It knows colours and pixels, and neither pointers nor a network.
 */
export type { Captions } from './captions.ts';
export type { AreaCounts } from './ground.ts';
export { BLOCKED, type Filter, type Prices } from './looks.ts';
export type { Effect } from './overlay.ts';
export { Painter } from './painter.ts';
export { DARK, LIGHT, type Theme } from './theme.ts';
export type { Frame } from './tile-map.ts';
export type { Trace } from './trace.ts';
