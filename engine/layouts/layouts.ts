/**
 * Layouts: what a venue looks like. This room knows the config that organisers write, everything
 * that can be wrong with it, the layout that the engine makes of it (zones, rows, runs and seats
 * with ids and ordinals), how two versions differ, how common shapes are generated and how plans of
 * others are imported. It must not know events, prices, who holds a seat, or the network. Identity:
 * a seat is told by `seat_id` and a zone by `zone_id`; a config may state them, else the previous
 * version's are kept by label and by name. Events, boards, workflows and tools call it.
 */

export { canonicalConfig } from './canonical-config.ts';
export {
  diffLayouts,
  type FieldChange,
  type LayoutDiff,
  type SeatChange,
  type SeatName,
  type SeatPlace,
  type ZoneName,
} from './diff-layouts.ts';
export { type GeneratedLayout, generateLayout } from './generate-layout.ts';
export { importPretix, type PretixImport } from './import-pretix.ts';
export { LayoutCache } from './layout-cache.ts';
export {
  DEFAULT_SEAT_SIZE,
  GROUP_TYPES,
  type GroupConfig,
  type GroupType,
  LAYOUT_LIMITS,
  type LayoutConfig,
  type Metadata,
  type Point,
  type RowConfig,
  type RowSeatConfig,
  type SeatConfig,
  type ZoneConfig,
} from './layout-config.ts';
export type {
  Layout,
  LayoutGroup,
  LayoutRow,
  LayoutRun,
  LayoutSeat,
  LayoutZone,
} from './layout-model.ts';
export { PRESET_NAMES, type PresetSpec } from './layout-presets.ts';
export { LAYOUT_SCHEMA } from './layout-schema.ts';
export {
  type AreaSpec,
  type BowlSpec,
  type CurvedRowsSpec,
  DRAWING,
  type LayoutSpec,
  NUMBERINGS,
  type Numbering,
  ROW_NAMES,
  type RowNames,
  type SeatPosition,
  type ShapeSpec,
  type StraightRowsSpec,
  type TablesSpec,
} from './layout-spec.ts';
export type { Invalid, LayoutRows, ReadLayout } from './layout-tasks.ts';
export * from './layouts.sql.ts';
export { type LayoutIds, normaliseLayout } from './normalise-layout.ts';
export type { ImportNote, ImportReport } from './pretix-report.ts';
export { LAYOUT_PROBLEM_CODES, type LayoutProblemCode } from './problem-list.ts';
export { type LayoutCheck, validateLayout } from './validate-layout.ts';
export * from './venues.sql.ts';
export { Workshop } from './workshop.ts';
