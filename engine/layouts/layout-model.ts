import type { Point } from '#geometry';
import type { AccessMode, SeatCategory, ZoneType } from '#policies';
import type { Metadata } from '#reading';
import type { GroupType } from './layout-config.ts';

/**
 * A layout as the engine works with it: every id known, every seat with its ordinal. Ordinals are
 * dense and follow zone, row and physical order, so each zone, row and run is one stretch of them.
 */
export type Layout = Readonly<{
  kind: 'layout';
  seat_size: number;
  focal_point: Point;
  /** The sum of the zones' capacities; computed, never stated. */
  total_capacity: number;
  zones: readonly LayoutZone[];
  /** By ordinal. */
  seats: readonly LayoutSeat[];
  rows: readonly LayoutRow[];
  runs: readonly LayoutRun[];
  groups: readonly LayoutGroup[];
}>;

/** `count` seats from ordinal `first`. */
type Stretch = Readonly<{ first: number; count: number }>;

export type LayoutZone = Stretch &
  Readonly<{
    zone_id: string;
    name: string;
    zone_type: ZoneType;
    capacity: number;
    access_mode: AccessMode;
    membership_tier: string | null;
    allowed_roles: readonly string[];
    metadata: Metadata;
    focal_point: Point;
    outline: readonly Point[] | null;
  }>;

export type LayoutRow = Stretch &
  Readonly<{ zone_index: number; section: string | null; row: string }>;

/** Seats of a row without an aisle between them: neighbours are only judged within a run. */
export type LayoutRun = Stretch &
  Readonly<{
    row_index: number;
    /** A round table: its last seat is beside its first. Absent on all others. */
    ring?: true;
  }>;

export type LayoutSeat = Readonly<{
  seat_id: string;
  label: string;
  ordinal: number;
  zone_id: string;
  section: string | null;
  row: string;
  number: number;
  category: SeatCategory;
  x: number;
  y: number;
  /** Place in the row as people sit, from 0; numbers may run any way. */
  physical_order: number;
  row_index: number;
  run_index: number;
  /** On a companion seat: its wheelchair space. */
  companion_of_seat_id: string | null;
  /** On a wheelchair space: its companions, by ordinal. */
  companion_seat_ids: readonly string[];
}>;

export type LayoutGroup = Readonly<{
  group_id: string;
  group_type: GroupType;
  zone_id: string;
  /** By ordinal; in a wheelchair_pair the wheelchair space comes first. */
  seat_ids: readonly string[];
  metadata: Metadata;
}>;
