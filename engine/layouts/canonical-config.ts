import type { Point } from '#geometry';
import type { GroupConfig, LayoutConfig, SeatConfig, ZoneConfig } from './layout-config.ts';
import type { Layout, LayoutRow, LayoutSeat, LayoutZone } from './layout-model.ts';

/**
 * The config of a layout in its canonical form, with all ids: what is stored, and what a new
 * version is copied from. Normalising it gives the same layout again.
 */
export function canonicalConfig(layout: Layout): LayoutConfig {
  const rows: LayoutRow[][] = layout.zones.map(() => []);
  for (const row of layout.rows) rows[row.zone_index]?.push(row);
  return {
    seat_size: layout.seat_size,
    focal_point: layout.focal_point,
    zones: layout.zones.map((zone, index) => zoneConfig(layout, zone, rows[index] ?? [])),
    groups: groupConfigs(layout),
  };
}

function zoneConfig(layout: Layout, zone: LayoutZone, rows: readonly LayoutRow[]): ZoneConfig {
  return {
    zone_id: zone.zone_id,
    name: zone.name,
    zone_type: zone.zone_type,
    capacity: zone.capacity,
    access_mode: zone.access_mode,
    ...(zone.membership_tier === null ? {} : { membership_tier: zone.membership_tier }),
    ...(zone.allowed_roles.length === 0 ? {} : { allowed_roles: zone.allowed_roles }),
    ...(Object.keys(zone.metadata).length === 0 ? {} : { metadata: zone.metadata }),
    ...(samePoint(zone.focal_point, layout.focal_point) ? {} : { focal_point: zone.focal_point }),
    ...(zone.outline === null ? {} : { outline: zone.outline }),
    ...(rows.length === 0 ? {} : { seats: rows.flatMap((row) => rowSeats(layout, row)) }),
  };
}

function rowSeats(layout: Layout, row: LayoutRow): SeatConfig[] {
  const seats = layout.seats.slice(row.first, row.first + row.count);
  const split = seats.some((seat) => seat.run_index !== seats[0]?.run_index);
  return seats.map((seat, place) => {
    const next = seats[place + 1];
    const ends = next !== undefined && next.run_index !== seat.run_index;
    // One seat that says so is enough to keep geometry from finding other gaps next time.
    const gap = ends ? { gap_after: true } : !split && place === 0 ? { gap_after: false } : {};
    const ring = place === 0 && layout.runs[seat.run_index]?.ring ? { ring: true } : {};
    return { ...seatConfig(seat), ...gap, ...ring };
  });
}

function seatConfig(seat: LayoutSeat): SeatConfig {
  return {
    seat_id: seat.seat_id,
    label: seat.label,
    ...(seat.section === null ? {} : { section: seat.section }),
    row: seat.row,
    number: seat.number,
    ...(seat.category === 'standard' ? {} : { category: seat.category }),
    coordinates: { x: seat.x, y: seat.y },
    order: seat.physical_order,
  };
}

function groupConfigs(layout: Layout): GroupConfig[] {
  if (layout.groups.length === 0) return [];
  const labels = new Map(layout.seats.map((seat) => [seat.seat_id, seat.label]));
  return layout.groups.map((group) => ({
    group_id: group.group_id,
    group_type: group.group_type,
    seat_labels: group.seat_ids.flatMap((seat_id) => labels.get(seat_id) ?? []),
    ...(Object.keys(group.metadata).length === 0 ? {} : { metadata: group.metadata }),
  }));
}

function samePoint(one: Point, other: Point): boolean {
  return one.x === other.x && one.y === other.y;
}
