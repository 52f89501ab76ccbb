/** A point of a drawing; y grows downwards. */
export type Point = { x: number; y: number };

export type ZoneType =
  | 'reserved_seating'
  | 'ga_seated'
  | 'ga_standing'
  | 'vip_reserved'
  | 'vip_standing';
export type AccessMode = 'public' | 'membership_tier' | 'role_based' | 'whitelist';
export type SeatCategory = 'standard' | 'wheelchair' | 'companion' | 'restricted_view' | 'aisle';

/**
 * Where every seat of an event is. Seats of a zone that this event uses without its seats are in it
 * as well, so that ordinals stay: the `zone_type` of the zone says that it has places only.
 */
export type Drawing = {
  layout_id: string | null;
  layout_version: number;
  /** Which drawing of that version: events may name their zones and use them differently. */
  drawing_id?: string;
  /** How wide a seat is, in the units of the drawing; absent where there are no seats. */
  seat_size?: number;
  /** Where the audience looks. */
  focal_point?: Point;
  zones: {
    zone_id: string;
    name: string;
    zone_type: ZoneType;
    capacity: number;
    outline?: Point[] | null;
  }[];
  /** In the order of their ordinals: `seats[ordinal]` is the seat of the bits of that place. */
  seats: {
    seat_id: string;
    label: string;
    ordinal: number;
    section?: string;
    row: string;
    number: number;
    zone_id: string;
    category: SeatCategory;
    x: number;
    y: number;
    /** On a companion seat: the seat_id of its wheelchair space. */
    companion_of?: string;
  }[];
};

/** A venue's plan as an organiser writes it. See `/schemas/layout.json` for every rule. */
export type LayoutConfig = {
  seat_size?: number | null;
  focal_point?: Point | null;
  zones: ZoneConfig[];
  groups?: GroupConfig[] | null;
};

export type ZoneConfig = {
  /** Given: kept. Absent: the zone of that name in the version before, else new. */
  zone_id?: string | null;
  name: string;
  zone_type: ZoneType;
  /** Required without seats. */
  capacity?: number | null;
  access_mode?: AccessMode | null;
  membership_tier?: string | null;
  allowed_roles?: string[] | null;
  metadata?: Record<string, unknown> | null;
  focal_point?: Point | null;
  outline?: Point[] | null;
  seats?: SeatConfig[] | null;
  rows?: { row: string; section?: string | null; seats: RowSeatConfig[] }[] | null;
};

export type SeatConfig = RowSeatConfig & { row: string; section?: string | null };

export type RowSeatConfig = {
  /** Given: kept. Absent: the seat of that label in the version before, else new. */
  seat_id?: string | null;
  label: string;
  number: number;
  category?: SeatCategory | null;
  coordinates: Point;
  order?: number | null;
  gap_after?: boolean | null;
  /** On any seat of a round table: the last seat of its row is beside the first. */
  ring?: boolean | null;
  /** On a companion seat: the label of its wheelchair space. */
  companion_of?: string | null;
};

export type GroupConfig = {
  group_id?: string | null;
  group_type: 'wheelchair_pair' | 'family_block' | 'vip_table' | 'reserved_block';
  zone?: string | null;
  seat_labels: string[];
  metadata?: Record<string, unknown> | null;
};
