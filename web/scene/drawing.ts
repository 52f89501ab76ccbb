/** The drawing of an event's layout, as `GET /api/events/{event_id}/seatmap` gives it. */
export type Drawing = Readonly<{
  layout_id: string | null;
  layout_version: number;
  /** Of an event: which drawing of that version. */
  drawing_id?: string;
  /** How wide a seat is, in the drawing's own unit. */
  seat_size?: number;
  /** Where the audience looks. */
  focal_point?: Point;
  zones: readonly DrawingZone[];
  seats: readonly DrawingSeat[];
}>;

export type Point = Readonly<{ x: number; y: number }>;

export type DrawingZone = Readonly<{
  zone_id: string;
  name: string;
  zone_type: string;
  capacity: number;
  outline?: readonly Point[] | null;
}>;

export type DrawingSeat = Readonly<{
  seat_id: string;
  label: string;
  ordinal: number;
  section?: string;
  row: string;
  number: number;
  zone_id: string;
  category: string;
  x: number;
  y: number;
}>;

export type Rect = Readonly<{ left: number; top: number; right: number; bottom: number }>;
