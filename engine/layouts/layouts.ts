/**
 * Layouts: what a venue looks like. This room knows the config that organisers write, everything
 * that can be wrong with it, the layout that the engine makes of it (zones, rows, runs and seats
 * with ids and ordinals), its canonical form, how two versions differ and where venues and layouts
 * are stored. It must not know events, prices, who holds a seat, or how a config came to be.
 * Identity: a seat is told by `seat_id` and a zone by `zone_id`; a config may state them, else the
 * previous version's are kept by label and by name. Every room after it may call it.
 */
export { canonicalConfig } from './canonical-config.ts';
export { diffLayouts, type LayoutDiff } from './diff-layouts.ts';
export {
  GROUP_TYPES,
  type GroupConfig,
  type GroupType,
  LAYOUT_LIMITS,
  type LayoutConfig,
  type SeatConfig,
  type ZoneConfig,
} from './layout-config.ts';
export type { Layout } from './layout-model.ts';
export { type LayoutProblemCode, LayoutProblems } from './layout-problems.ts';
export { LayoutReader } from './layout-reader.ts';
export { LAYOUT_SCHEMA } from './layout-schema.ts';
export * from './layouts.sql.ts';
export { normaliseLayout } from './normalise-layout.ts';
export { validateLayout } from './validate-layout.ts';
export * from './venues.sql.ts';
