/**
 * Scene: a drawing, made ready to be painted and asked. It knows where seats are, which of them
 * people see as one block, how far apart they stand, what lies before them, and the state of each.
 * It knows neither a screen nor a network; everything is plain data in typed arrays.
 */
export type { Block } from './blocks.ts';
export { buildScene, CATEGORY, type Scene, type SceneZone } from './build-scene.ts';
export type { Drawing, DrawingSeat, DrawingZone, Point, Rect } from './drawing.ts';
export { contains, type Polygon, union } from './polygons.ts';
export { SeatGrid } from './seat-grid.ts';
export { type SeatChange, SeatStates, STATE, type State } from './seat-states.ts';
export { seatsInside } from './seats-inside.ts';
export type { Stage } from './stage.ts';
