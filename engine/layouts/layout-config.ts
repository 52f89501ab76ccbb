import type { Point } from '#geometry';
import type { AccessMode, SeatCategory, ZoneType } from '#policies';
import type { Metadata } from '#reading';

/**
 * The layout config: the JSON in which an organiser describes a venue.
 *
 * Canonical form: `zones`, each with a flat list of `seats`, each seat with its own `row`. A zone
 * may instead nest its seats in `rows`; that is a shorter way to write the same list and means
 * nothing else. An optional field may be left out or null, which says the same.
 *
 * Coordinates are centres of seats, y grows downwards, and their unit is free: `seat_size` says how
 * wide a seat is in it, and two centres closer than that overlap. The generator draws one seat 10
 * units wide, so that a unit is 5 cm.
 */
export type LayoutConfig = Readonly<{
  /** Default 1. */
  seat_size?: number | null;
  /** Where the audience looks. Default: the middle of the top edge of the drawing. */
  focal_point?: Point | null;
  zones: readonly ZoneConfig[];
  groups?: readonly GroupConfig[] | null;
}>;

export type ZoneConfig = Readonly<{
  /** Given = kept; absent = the zone of that name in the previous version, else new. */
  zone_id?: string | null;
  /** Unique in the layout: a zone's name is to `zone_id` what a seat's label is to `seat_id`. */
  name: string;
  zone_type: ZoneType;
  /** Required without seats. With seats it may be left out, and must else be their number. */
  capacity?: number | null;
  /** Default public. */
  access_mode?: AccessMode | null;
  membership_tier?: string | null;
  allowed_roles?: readonly string[] | null;
  metadata?: Metadata | null;
  /** Default: that of the layout. A balcony may look elsewhere than the stalls. */
  focal_point?: Point | null;
  /** A polygon to draw, above all for zones without seats. */
  outline?: readonly Point[] | null;
  seats?: readonly SeatConfig[] | null;
  rows?: readonly RowConfig[] | null;
}>;

export type SeatConfig = Readonly<{
  /** Given = kept; absent = the seat of that label in the previous version, else new. */
  seat_id?: string | null;
  /** What people call the seat, unique in the layout. */
  label: string;
  /** The part of the zone, for venues where row A exists in several sections of one zone. */
  section?: string | null;
  row: string;
  number: number;
  /** Default standard. */
  category?: SeatCategory | null;
  coordinates: Point;
  /** Place in the row as people sit, for all seats of a row or none. Default: by geometry. */
  order?: number | null;
  /** Is there an aisle behind this seat? If one seat of a row says so, the row's gaps are exactly
   * those that say true; if none does, wide steps are gaps. */
  gap_after?: boolean | null;
  /** On any seat of a round table: the last seat of its row is beside the first. */
  ring?: boolean | null;
  /** On a companion seat: the label of its wheelchair space. */
  companion_of?: string | null;
}>;

type RowSeatConfig = Omit<SeatConfig, 'row' | 'section'>;

export type RowConfig = Readonly<{
  row: string;
  section?: string | null;
  seats: readonly RowSeatConfig[];
}>;

export const GROUP_TYPES = Object.freeze([
  'wheelchair_pair',
  'family_block',
  'vip_table',
  'reserved_block',
] as const);
export type GroupType = (typeof GROUP_TYPES)[number];

export type GroupConfig = Readonly<{
  /** Given = kept; absent = the group of the same type and seats before, else new. */
  group_id?: string | null;
  group_type: GroupType;
  /** The zone's name; may be left out, since the seats tell it. */
  zone?: string | null;
  seat_labels: readonly string[];
  metadata?: Metadata | null;
}>;

/** Every number that bounds a layout, and where it comes from. */
export const LAYOUT_LIMITS = Object.freeze({
  /** The largest venue the engine is measured with. */
  seats: 100_000,
  /** A stadium with one zone per section has some 300. */
  zones: 1_000,
  /** A table for every other seat of the largest venue. */
  groups: 50_000,
  /** One flush changes at most 1,000 seats, and a group is held as one. */
  seats_in_group: 1_000,
  /** The largest open-air places hold about a million people. */
  capacity: 1_000_000,
  label: 40,
  row: 40,
  section: 40,
  zone_name: 100,
  roles: 32,
  outline_points: 200,
  /** Seat numbers and orders are drawn and sorted, never counted with. */
  number: 999_999,
  /** 100,000 units are 5 km at the generator's scale, and stay exact in a double. */
  coordinate: 100_000,
  smallest_seat: 0.1,
  largest_seat: 1_000,
});

export const DEFAULT_SEAT_SIZE = 1;
