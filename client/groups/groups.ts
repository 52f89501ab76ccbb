/**
 * Groups: the routes as methods, sorted as people in the trade speak of them. Each method names its
 * route and passes on what it was given; nothing is decided here. It knows no network.
 */
export { type Buying, buying } from './buying.ts';
export type { Call, Options } from './call.ts';
export { type Organizing, organizing } from './organizing.ts';
export { type Planning, planning } from './planning.ts';
export { type Running, running } from './running.ts';
export { type Selling, selling } from './selling.ts';
