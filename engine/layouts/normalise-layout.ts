import type { Point } from '#geometry';
import type { Metadata } from '#reading';
import { deepFreeze } from './deep-freeze.ts';
import { type IdKeeper, keepIds, type LayoutIds } from './keep-ids.ts';
import {
  DEFAULT_SEAT_SIZE,
  type GroupConfig,
  type LayoutConfig,
  type ZoneConfig,
} from './layout-config.ts';
import type {
  Layout,
  LayoutGroup,
  LayoutRow,
  LayoutRun,
  LayoutSeat,
  LayoutZone,
} from './layout-model.ts';
import { type PairingSeat, type Pairs, pairCompanions } from './pair-companions.ts';
import { type PhysicalRow, physicalRows } from './physical-rows.ts';

/** Turns a valid config into the layout that the engine works with. */
export function normaliseLayout(config: LayoutConfig, source: LayoutIds): Layout {
  const rows = physicalRows(config);
  const all = rows.flatMap((row) => row.seats);
  const ids = keepIds(config, all, source);
  const focal_point = pointOf(config.focal_point) ?? middleOfTopEdge(config.zones, all);
  const zones = layZones(config, rows, ids, focal_point);
  const { placed, runs } = placeSeats(rows, ids);
  const pairs = pairCompanions(placed, config.groups ?? []);
  const seats = laySeats(placed, rows, zones, pairs);
  return Object.freeze({
    kind: 'layout',
    seat_size: config.seat_size ?? DEFAULT_SEAT_SIZE,
    focal_point,
    total_capacity: zones.reduce((sum, zone) => sum + zone.capacity, 0),
    zones: Object.freeze(zones),
    seats: Object.freeze(seats),
    rows: Object.freeze(layRows(rows)),
    runs: Object.freeze(runs),
    groups: Object.freeze(layGroups(config.groups ?? [], seats, pairs, ids)),
  });
}

function layZones(
  config: LayoutConfig,
  rows: readonly PhysicalRow[],
  ids: IdKeeper,
  focal_point: Point,
): LayoutZone[] {
  const counts = new Array<number>(config.zones.length).fill(0);
  for (const row of rows) counts[row.zone_index] = (counts[row.zone_index] ?? 0) + row.seats.length;
  let first = 0;
  return config.zones.map((zone, index) => {
    const count = counts[index] ?? 0;
    const laid = layZone(zone, { first, count }, ids.zone(zone.zone_id, zone.name), focal_point);
    first += count;
    return laid;
  });
}

function layZone(
  zone: ZoneConfig,
  stretch: { first: number; count: number },
  zone_id: string,
  focal_point: Point,
): LayoutZone {
  return Object.freeze({
    zone_id,
    name: zone.name,
    zone_type: zone.zone_type,
    capacity: zone.capacity ?? stretch.count,
    access_mode: zone.access_mode ?? 'public',
    membership_tier: zone.membership_tier ?? null,
    allowed_roles: Object.freeze([...(zone.allowed_roles ?? [])]),
    metadata: frozenCopy(zone.metadata),
    focal_point: pointOf(zone.focal_point) ?? focal_point,
    outline: zone.outline
      ? Object.freeze(zone.outline.map(({ x, y }) => Object.freeze({ x, y })))
      : null,
    ...stretch,
  });
}

function layRows(rows: readonly PhysicalRow[]): LayoutRow[] {
  let first = 0;
  return rows.map(({ zone_index, section, row, seats }) => {
    const laid = Object.freeze({ zone_index, section, row, first, count: seats.length });
    first += seats.length;
    return laid;
  });
}

type PlacedSeat = PairingSeat & { row_index: number; physical_order: number };

/** Numbers the seats and cuts the rows into runs. */
function placeSeats(rows: readonly PhysicalRow[], ids: IdKeeper) {
  const placed: PlacedSeat[] = [];
  const runs: LayoutRun[] = [];
  rows.forEach((row, row_index) => {
    let first = placed.length;
    row.seats.forEach((config, physical_order) => {
      const seat_id = ids.seat(config.seat_id, config.label);
      placed.push({ config, seat_id, row_index, physical_order, run_index: runs.length });
      const ends = row.gap_after[physical_order] || physical_order + 1 === row.seats.length;
      if (!ends) return;
      const run = { row_index, first, count: placed.length - first };
      runs.push(Object.freeze(row.ring ? { ...run, ring: true as const } : run));
      first = placed.length;
    });
  });
  return { placed, runs };
}

function laySeats(
  placed: readonly PlacedSeat[],
  rows: readonly PhysicalRow[],
  zones: readonly LayoutZone[],
  pairs: Pairs,
): LayoutSeat[] {
  const space_of = new Map([...pairs].flatMap(([s, list]) => list.map((c) => [c, s] as const)));
  const idOf = (ordinal: number | undefined) =>
    ordinal === undefined ? null : (placed[ordinal]?.seat_id ?? null);
  return placed.map((seat, ordinal) => {
    const { config, seat_id, row_index, run_index, physical_order } = seat;
    const companions = pairs.get(ordinal);
    return Object.freeze({
      seat_id,
      label: config.label,
      ordinal,
      zone_id: zones[rows[row_index]?.zone_index ?? -1]?.zone_id ?? '',
      section: config.section ?? null,
      row: config.row,
      number: config.number,
      category: config.category ?? 'standard',
      x: config.coordinates.x,
      y: config.coordinates.y,
      physical_order,
      row_index,
      run_index,
      companion_of_seat_id: idOf(space_of.get(ordinal)),
      companion_seat_ids: companions
        ? Object.freeze(companions.flatMap((companion) => idOf(companion) ?? []))
        : NONE,
    });
  });
}

const NONE: readonly string[] = Object.freeze([]);

/** The groups of the config, and one pair for every wheelchair space that has companions. */
function layGroups(
  groups: readonly GroupConfig[],
  seats: readonly LayoutSeat[],
  pairs: Pairs,
  ids: IdKeeper,
): LayoutGroup[] {
  const by_label = new Map(groups.length > 0 ? seats.map((seat) => [seat.label, seat]) : []);
  const stated = new Map<LayoutSeat, GroupConfig>();
  const laid: LayoutGroup[] = [];
  for (const group of groups) {
    const members = group.seat_labels.flatMap((label) => by_label.get(label) ?? []);
    const space = members.find((seat) => seat.category === 'wheelchair');
    if (group.group_type === 'wheelchair_pair' && space) stated.set(space, group);
    else laid.push(layGroup(group, members, ids));
  }
  for (const ordinal of [...pairs.keys()].sort((one, other) => one - other)) {
    const companions = pairs.get(ordinal) ?? [];
    const members = [ordinal, ...companions].flatMap((member) => seats[member] ?? []);
    const group = members[0] && stated.get(members[0]);
    laid.push(layGroup(group ?? IMPLIED_PAIR, members, ids));
  }
  return laid;
}

const IMPLIED_PAIR: GroupConfig = { group_type: 'wheelchair_pair', seat_labels: [] };

function layGroup(group: GroupConfig, members: readonly LayoutSeat[], ids: IdKeeper): LayoutGroup {
  const in_order =
    group.group_type === 'wheelchair_pair'
      ? members
      : [...members].sort((one, other) => one.ordinal - other.ordinal);
  const seat_ids = Object.freeze(in_order.map((seat) => seat.seat_id));
  return Object.freeze({
    group_id: ids.group(group.group_id, group.group_type, seat_ids),
    group_type: group.group_type,
    zone_id: members[0]?.zone_id ?? '',
    seat_ids,
    metadata: frozenCopy(group.metadata),
  });
}

function pointOf(point: Point | null | undefined): Point | undefined {
  return point ? Object.freeze({ x: point.x, y: point.y }) : undefined;
}

/** Drawings have the stage at the top, so this is the best guess when nobody says where it is. */
function middleOfTopEdge(
  zones: readonly ZoneConfig[],
  seats: readonly { coordinates: Point }[],
): Point {
  let left = Number.POSITIVE_INFINITY;
  let right = Number.NEGATIVE_INFINITY;
  let top = Number.POSITIVE_INFINITY;
  const see = ({ x, y }: Point) => {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
  };
  for (const seat of seats) see(seat.coordinates);
  for (const zone of zones) zone.outline?.forEach(see);
  return Object.freeze(left > right ? { x: 0, y: 0 } : { x: (left + right) / 2, y: top });
}

/** The model must not change when somebody later changes the config it came from. */
function frozenCopy(metadata: Metadata | null | undefined): Metadata {
  return deepFreeze(structuredClone(metadata ?? {}));
}
