import { type Point, round } from '#geometry';
import { type BowlSpec, DRAWING } from './layout-spec.ts';
import { type DrawnRow, nameOfRow } from './seat-naming.ts';

/**
 * Rows around a field with rounded corners. Every row keeps the same distance from the one before
 * it, so rows never meet, and a section lies between two lines at right angles to the rows, so its
 * aisles run straight up.
 */
export function* drawBowl(spec: BowlSpec): Generator<DrawnRow> {
  const sides = fieldSides(spec);
  let left = spec.seats ?? Number.POSITIVE_INFINITY;
  for (let index = 0; index < spec.rows; index++) {
    const offset = spec.clearance + index * (spec.row_pitch ?? DRAWING.row_pitch);
    for (let section = 0; section < spec.sections && left > 0; section++) {
      const seats = sectionRow(spec, sides, section, offset).slice(0, left);
      left -= seats.length;
      if (seats.length === 0) continue;
      const name = String((spec.first_section ?? 101) + section);
      yield { section: name, row: nameOfRow(spec, index), blocks: [seats] };
    }
  }
}

/** One piece of the field's edge: a straight side, or a corner as a quarter of a circle. */
type Side = Readonly<{
  length(offset: number): number;
  /** The point at `part` (0 to 1) of the side, moved outwards by `offset`. */
  point(part: number, offset: number): Point;
}>;

/** Clockwise from the middle of the top side. */
function fieldSides(spec: BowlSpec): Side[] {
  const radius = spec.corner_radius ?? 0;
  const centre = spec.centre ?? { x: 0, y: 0 };
  const right = spec.field_length / 2 - radius;
  const bottom = spec.field_width / 2 - radius;
  const line = (x: number, y: number, to_x: number, to_y: number): Side => {
    const length = Math.hypot(to_x - x, to_y - y);
    const along =
      length === 0 ? { x: 0, y: 0 } : { x: (to_x - x) / length, y: (to_y - y) / length };
    return {
      length: () => length,
      point: (part, offset) => ({
        x: centre.x + x + along.x * length * part + along.y * (radius + offset),
        y: centre.y + y + along.y * length * part - along.x * (radius + offset),
      }),
    };
  };
  const corner = (x: number, y: number, from: number): Side => ({
    length: (offset) => ((radius + offset) * Math.PI) / 2,
    point: (part, offset) => {
      const angle = from + (part * Math.PI) / 2;
      return {
        x: centre.x + x + (radius + offset) * Math.cos(angle),
        y: centre.y + y + (radius + offset) * Math.sin(angle),
      };
    },
  });
  return [
    line(0, -bottom, right, -bottom),
    corner(right, -bottom, -Math.PI / 2),
    line(right, -bottom, right, bottom),
    corner(right, bottom, 0),
    line(right, bottom, -right, bottom),
    corner(-right, bottom, Math.PI / 2),
    line(-right, bottom, -right, -bottom),
    corner(-right, -bottom, Math.PI),
    line(-right, -bottom, 0, -bottom),
  ];
}

/** The part of a side that lies in a section. */
type Part = Readonly<{ side: Side; from: number; to: number }>;

function sectionRow(
  spec: BowlSpec,
  sides: readonly Side[],
  section: number,
  offset: number,
): Point[] {
  const pitch = spec.seat_pitch ?? DRAWING.seat_pitch;
  const aisle = spec.aisle_width ?? DRAWING.aisle_width;
  const parts = sectionParts(spec, sides, section);
  const length = parts.reduce((sum, part) => sum + partLength(part, offset), 0);
  const seats = Math.max(0, Math.floor((length - aisle) / pitch));
  const first = (length - (seats - 1) * pitch) / 2;
  return Array.from({ length: seats }, (_, place) =>
    pointAlong(parts, first + place * pitch, offset),
  );
}

function partLength({ side, from, to }: Part, offset: number): number {
  return (to - from) * side.length(offset);
}

/** In which row the sections are equally long; further out those at the corners grow. */
const EVEN_ROW = 15;

function sectionParts(spec: BowlSpec, sides: readonly Side[], section: number): Part[] {
  const even = spec.clearance + EVEN_ROW * (spec.row_pitch ?? DRAWING.row_pitch);
  const around = sides.reduce((sum, side) => sum + side.length(even), 0);
  const start = (section / spec.sections) * around;
  const end = ((section + 1) / spec.sections) * around;
  const parts: Part[] = [];
  let before = 0;
  for (const side of sides) {
    const length = side.length(even);
    const from = Math.max(0, (start - before) / length);
    const to = Math.min(1, (end - before) / length);
    if (from < to) parts.push({ side, from, to });
    before += length;
  }
  return parts;
}

function pointAlong(parts: readonly Part[], along: number, offset: number): Point {
  let left = along;
  for (const part of parts) {
    const length = partLength(part, offset);
    if (left <= length || part === parts[parts.length - 1]) {
      const { x, y } = part.side.point(part.from + left / part.side.length(offset), offset);
      return { x: round(x), y: round(y) };
    }
    left -= length;
  }
  return { x: 0, y: 0 };
}
