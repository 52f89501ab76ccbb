import { type Point, round } from '#geometry';
import type { GroupConfig, SeatConfig } from '#layouts';
import { DRAWING, type TablesSpec } from './layout-spec.ts';

/** From the centre of a table to its seats: they must not touch each other. */
export function tableRadius(seats_per_table: number, seat_pitch: number): number {
  return Math.max(DRAWING.seat_size, seat_pitch / (2 * Math.sin(Math.PI / seats_per_table)));
}

type DrawnTable = Readonly<{ seats: readonly SeatConfig[]; group: GroupConfig | null }>;

/**
 * Round tables in columns and rows, each with its seats as a row of its own. They are sold seat by
 * seat, unless the plan names a kind of group for them.
 */
export function* drawTables(spec: TablesSpec, prefix: string): Generator<DrawnTable> {
  const radius = tableRadius(spec.seats_per_table, spec.seat_pitch ?? DRAWING.seat_pitch);
  const pitch = spec.table_pitch ?? 2 * radius + DRAWING.table_gap;
  const origin = spec.origin ?? { x: 0, y: 0 };
  const tables = Math.min(spec.tables ?? Number.POSITIVE_INFINITY, spec.rows * spec.columns);
  for (let index = 0; index < tables; index++) {
    const column = index % spec.columns;
    const centre = {
      x: origin.x + (column - (spec.columns - 1) / 2) * pitch,
      y: origin.y + Math.floor(index / spec.columns) * pitch,
    };
    const seats = tableSeats(spec, centre, radius, `T${index + 1}`, prefix);
    const seat_labels = seats.map((seat) => seat.label);
    const { group_type = null } = spec;
    yield { seats, group: group_type === null ? null : { group_type, seat_labels } };
  }
}

function tableSeats(
  spec: TablesSpec,
  centre: Point,
  radius: number,
  row: string,
  prefix: string,
): SeatConfig[] {
  return Array.from({ length: spec.seats_per_table }, (_, place) => {
    const angle = (place / spec.seats_per_table) * 2 * Math.PI - Math.PI / 2;
    const x = round(centre.x + radius * Math.cos(angle));
    const y = round(centre.y + radius * Math.sin(angle));
    // Clockwise from the top: the circle has no end that geometry could tell.
    const number = place + 1;
    const label = `${prefix}${row}-${number}`;
    const ring = place === 0 && spec.seats_per_table > 2 ? { ring: true } : {};
    return { label, row, number, coordinates: { x, y }, order: place, ...ring };
  });
}
