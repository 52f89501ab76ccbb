import type { Point } from '#geometry';
import type { GroupType } from '#layouts';
import type { AccessMode, ZoneType } from '#policies';
import type { Metadata } from '#reading';

/**
 * What the generator draws, as plain JSON for a command line and a form. One unit is 5 cm, one seat
 * 10 units. The stage is at the top and rows follow downwards, left and right are those of the
 * drawing.
 */
export type LayoutSpec = Readonly<{
  /** Default 0, 0. */
  focal_point?: Point | null;
  shapes: readonly ShapeSpec[];
}>;

export type ShapeSpec = StraightRowsSpec | CurvedRowsSpec | BowlSpec | TablesSpec | AreaSpec;

/** One shape becomes one zone. */
type ZoneSpec = Readonly<{
  zone: string;
  zone_type?: ZoneType | null;
  access_mode?: AccessMode | null;
  membership_tier?: string | null;
  allowed_roles?: readonly string[] | null;
  metadata?: Metadata | null;
}>;

type SeatsSpec = ZoneSpec &
  Readonly<{
    /** Before every label. Default: nothing in a layout with one seated shape, else the zone. */
    label_prefix?: string | null;
    seat_pitch?: number | null;
  }>;

export const NUMBERINGS = Object.freeze([
  'left_to_right',
  'right_to_left',
  /** Odd numbers to the left of the middle, even ones to the right, both growing outwards. */
  'odd_even',
  /** 1, 3, 5 … from left to right. */
  'odd',
] as const);
export type Numbering = (typeof NUMBERINGS)[number];

export const ROW_NAMES = Object.freeze(['letters', 'numbers'] as const);
export type RowNames = (typeof ROW_NAMES)[number];

type RowsSpec = SeatsSpec &
  Readonly<{
    rows: number;
    row_pitch?: number | null;
    aisle_width?: number | null;
    row_names?: RowNames | null;
    /** 3 begins with row C or 3. */
    first_row?: number | null;
    numbering?: Numbering | null;
  }>;

/**
 * By the printed row and number (`R-35`, with or without the prefix), or by `row` from the front
 * and `seat` from the left, both from 1; the seat right of it is the companion.
 */
export type SeatPosition = Readonly<{ label: string }> | Readonly<{ row: number; seat: number }>;

type PlacesSpec = Readonly<{
  wheelchair_pairs?: readonly SeatPosition[] | null;
  restricted_view?: readonly SeatPosition[] | null;
}>;

export type StraightRowsSpec = RowsSpec &
  PlacesSpec &
  Readonly<{
    shape: 'straight_rows';
    /** Seats in each block of the front row; between blocks there is an aisle. */
    blocks: readonly number[];
    /** Seats that every further row has more at each end. */
    widen?: number | null;
    /** The middle of the front row, around which the shape is turned. */
    origin?: Point | null;
    /** Clockwise, in degrees. */
    rotation?: number | null;
  }>;

export type CurvedRowsSpec = RowsSpec &
  PlacesSpec &
  Readonly<{
    shape: 'curved_rows';
    /** From the centre to the front row. */
    radius: number;
    /** How far the rows bend around the centre, in degrees. */
    arc: number;
    /** Into how many blocks aisles divide every row. */
    blocks?: number | null;
    centre?: Point | null;
    rotation?: number | null;
  }>;

/** Rows all around a field, in sections, as in a stadium; a tier of a stadium is one bowl. */
export type BowlSpec = RowsSpec &
  Readonly<{
    shape: 'bowl';
    field_length: number;
    field_width: number;
    /** From the field to the front row. */
    clearance: number;
    corner_radius?: number | null;
    sections: number;
    first_section?: number | null;
    /** Pairs in the front row of every section. */
    wheelchair_pairs_per_section?: number | null;
    /** Stop after this many seats. */
    seats?: number | null;
    centre?: Point | null;
  }>;

export type TablesSpec = SeatsSpec &
  Readonly<{
    shape: 'tables';
    columns: number;
    rows: number;
    seats_per_table: number;
    /** Stop after this many tables. */
    tables?: number | null;
    /** Between the centres of two tables. */
    table_pitch?: number | null;
    group_type?: GroupType | null;
    /** The middle of the front row of tables. */
    origin?: Point | null;
  }>;

/** A floor or pit without seats. */
export type AreaSpec = ZoneSpec &
  Readonly<{
    shape: 'area';
    capacity: number;
    width: number;
    height: number;
    /** The middle of its front edge. */
    origin?: Point | null;
  }>;

/** Lengths in units of 5 cm. */
export const DRAWING = Object.freeze({
  seat_size: 10,
  /** 55 cm from seat to seat leaves room for the bend of a row. */
  seat_pitch: 11,
  /** 90 cm from row to row. */
  row_pitch: 18,
  /** 1.2 m, what building rules ask for. */
  aisle_width: 24,
  /** Between two tables, for two chairs and somebody who passes. */
  table_gap: 50,
});
