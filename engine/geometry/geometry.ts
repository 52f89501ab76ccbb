/**
 * Geometry: points in a plane and what can be told from them alone: in which order the seats of a
 * row stand, where its aisles are, which points come too close to each other. It must not know
 * what a seat is called, sold as or drawn like. Layouts and whatever makes them call it.
 */
export { findAisles, stepsBetween, usualStep } from './aisles.ts';
export { isRing, physicalOrder } from './physical-order.ts';
export { distance, type Point, placed, round } from './points.ts';
export { SpatialGrid } from './spatial-grid.ts';
