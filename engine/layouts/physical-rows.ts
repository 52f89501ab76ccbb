import { findAisles, physicalOrder, stepsBetween, usualStep } from '#geometry';
import type { LayoutConfig, SeatConfig, ZoneConfig } from './layout-config.ts';

/** A row of a zone with its seats as people sit; `gap_after` tells the aisles between them. */
export type PhysicalRow = {
  zone_index: number;
  section: string | null;
  row: string;
  seats: readonly SeatConfig[];
  gap_after: readonly boolean[];
  /** A round table: the last seat is beside the first. */
  ring: boolean;
};

/** All rows of a valid config: zones and rows as they are listed, seats in physical order. */
export function physicalRows(config: LayoutConfig): PhysicalRow[] {
  return config.zones.flatMap((zone, zone_index) => rowsOfZone(zone, zone_index));
}

function rowsOfZone(zone: ZoneConfig, zone_index: number): PhysicalRow[] {
  const rows = gatherRows(zone).map((seats) => inPhysicalOrder(seats));
  const steps = rows.map((seats) => stepsBetween(seats.map((seat) => seat.coordinates)));
  const zone_step = usualStep(steps.flat());
  return rows.map((seats, index) => {
    const ring = seats.some((seat) => seat.ring === true);
    const found = ring ? seats.map(() => false) : findAisles(steps[index] ?? [], zone_step);
    return {
      zone_index,
      section: seats[0]?.section ?? null,
      row: seats[0]?.row ?? '',
      seats,
      gap_after: statedGaps(seats) ?? found,
      ring,
    };
  });
}

function gatherRows(zone: ZoneConfig): SeatConfig[][] {
  const rows = new Map<string, SeatConfig[]>();
  for (const seat of flatSeats(zone)) {
    const key = `${seat.section ?? ''}\n${seat.row}`;
    const row = rows.get(key);
    if (row) row.push(seat);
    else rows.set(key, [seat]);
  }
  return [...rows.values()];
}

/** The seats of a zone in the canonical flat form, whichever form they were written in. */
function flatSeats(zone: ZoneConfig): readonly SeatConfig[] {
  if (zone.seats) return zone.seats;
  return (zone.rows ?? []).flatMap(({ row, section, seats }) =>
    seats.map((seat) => ({ ...seat, row, section: section ?? null })),
  );
}

function inPhysicalOrder(seats: readonly SeatConfig[]): SeatConfig[] {
  if (seats.every((seat) => typeof seat.order === 'number')) {
    return [...seats].sort((one, other) => (one.order ?? 0) - (other.order ?? 0));
  }
  const order = physicalOrder(seats.map((seat) => seat.coordinates));
  return order.flatMap((index) => seats[index] ?? []);
}

function statedGaps(seats: readonly SeatConfig[]): boolean[] | undefined {
  if (!seats.some((seat) => typeof seat.gap_after === 'boolean')) return undefined;
  return seats.map((seat) => seat.gap_after === true);
}
