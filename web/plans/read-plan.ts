import type { Drawing, LayoutConfig } from '@voelgoed/client/client';

type Seat = Drawing['seats'][number];
type Zone = Drawing['zones'][number];
type Fields = Readonly<Record<string, unknown>>;

/** Where something of a config is on the map: seats by ordinal, or a zone as a whole. */
export type PlanPlace = Readonly<{ ordinals: readonly number[]; zoneId: string | null }>;

/** A config as it can be drawn, and the way from a path in it to its place. */
export type ReadPlan = Readonly<{
  drawing: Drawing;
  placeOf(path: string): PlanPlace | null;
  ordinalOf(seatId: string): number | undefined;
}>;

const SEAT_PATH = /^zones\[(\d+)\](?:\.seats\[(\d+)\]|\.rows\[(\d+)\](?:\.seats\[(\d+)\])?)?/;
const GROUP_PATH = /^groups\[(\d+)\](?:\.seat_labels\[(\d+)\])?/;
/** A group or a row may be the whole hall; the first seats show where it is. */
const MOST_SHOWN = 500;

/**
 * Draws any JSON that resembles a layout: what has no place is left out, and nothing is refused.
 * Whether it is right is for the server to say; this is for people to see what it speaks of.
 */
export function readPlan(config: unknown, names: { id?: string; version?: number } = {}): ReadPlan {
  const zones: Zone[] = [];
  const seats: Seat[] = [];
  /** Ordinals by path of their row or list: `0` seats of zone 0, `0.2` of its row 2. */
  const places = new Map<string, (number | undefined)[]>();
  const fields = fieldsOf(config);
  listOf(fields.zones).forEach((zone, index) => {
    const { seats: flat, rows, ...own } = fieldsOf(zone);
    const zone_id = textOf(own.zone_id) ?? `zone ${index}`;
    const take = (list: unknown, more: Fields) =>
      listOf(list).map((seat) => {
        const drawn = drawSeat({ ...more, ...fieldsOf(seat) }, zone_id, seats.length);
        if (drawn) seats.push(drawn);
        return drawn?.ordinal;
      });
    const before = seats.length;
    places.set(`${index}`, take(flat, {}));
    listOf(rows).forEach((row, at) => {
      const { seats: own, ...named } = fieldsOf(row);
      places.set(`${index}.${at}`, take(own, named));
    });
    zones.push(drawZone(own, zone_id, seats.length - before));
  });
  const byLabel = new Map(seats.map(({ label, ordinal }) => [label, ordinal]));
  const byId = new Map(seats.map(({ seat_id, ordinal }) => [seat_id, ordinal]));
  return {
    drawing: drawingOf(fields, zones, pairSeats(seats, byLabel), names),
    placeOf: (path) =>
      placeInZones(path, zones, places, seats) ?? placeInGroups(path, fields, byLabel),
    ordinalOf: (seatId) => byId.get(seatId),
  };
}

function drawingOf(
  { seat_size, focal_point }: Fields,
  zones: Zone[],
  seats: Seat[],
  { id, version }: { id?: string; version?: number },
): Drawing {
  const point = pointOf(focal_point);
  return {
    layout_id: id ?? null,
    layout_version: version ?? 0,
    seat_size: typeof seat_size === 'number' && seat_size > 0 ? seat_size : 1,
    ...(point ? { focal_point: point } : {}),
    zones,
    seats,
  };
}

function drawZone(zone: Fields, zone_id: string, seats: number): Zone {
  const outline = listOf(zone.outline).flatMap((point) => pointOf(point) ?? []);
  return {
    zone_id,
    name: textOf(zone.name) ?? zone_id,
    zone_type: (textOf(zone.zone_type) ?? 'reserved_seating') as Zone['zone_type'],
    capacity: seats > 0 ? seats : Number(zone.capacity) || 0,
    ...(outline.length > 2 ? { outline } : {}),
  };
}

function drawSeat(seat: Fields, zone_id: string, ordinal: number): Seat | null {
  const point = pointOf(seat.coordinates);
  if (!point) return null;
  const section = textOf(seat.section);
  const label = textOf(seat.label) ?? `?${ordinal}`;
  return {
    seat_id: textOf(seat.seat_id) ?? `seat ${ordinal}`,
    label,
    ordinal,
    ...(section ? { section } : {}),
    row: textOf(seat.row) ?? '',
    number: Number(seat.number) || 0,
    zone_id,
    category: (textOf(seat.category) ?? 'standard') as Seat['category'],
    ...point,
    ...(typeof seat.companion_of === 'string' ? { companion_of: seat.companion_of } : {}),
  };
}

/** A config names the other seat of a pair by its label, a drawing by its id. */
function pairSeats(seats: Seat[], byLabel: ReadonlyMap<string, number>): Seat[] {
  return seats.map(({ companion_of, ...seat }) => {
    const other = companion_of && seats[byLabel.get(companion_of) ?? -1];
    return other ? { ...seat, companion_of: other.seat_id } : seat;
  });
}

function placeInZones(
  path: string,
  zones: readonly Zone[],
  places: ReadonlyMap<string, readonly (number | undefined)[]>,
  seats: readonly Seat[],
): PlanPlace | null {
  const [whole, zone, flat, row, nested] = SEAT_PATH.exec(path) ?? [];
  if (!whole) return null;
  const zoneId = zones[Number(zone)]?.zone_id ?? null;
  const list = places.get(row === undefined ? `${zone}` : `${zone}.${row}`) ?? [];
  const at = flat ?? nested;
  const known = at === undefined ? list : [list[Number(at)]];
  const ordinals = known.filter((ordinal) => ordinal !== undefined).slice(0, MOST_SHOWN);
  if (at === undefined && row === undefined) {
    const own = seats.filter((seat) => seat.zone_id === zoneId).slice(0, MOST_SHOWN);
    return zoneId ? { ordinals: own.map(({ ordinal }) => ordinal), zoneId } : null;
  }
  return ordinals.length > 0 ? { ordinals, zoneId } : null;
}

function placeInGroups(
  path: string,
  { groups }: Fields,
  byLabel: ReadonlyMap<string, number>,
): PlanPlace | null {
  const [whole, group, member] = GROUP_PATH.exec(path) ?? [];
  if (!whole) return null;
  const labels = listOf(fieldsOf(listOf(groups)[Number(group)]).seat_labels);
  const wanted = member === undefined ? labels : [labels[Number(member)]];
  const known = wanted.flatMap((label) => byLabel.get(String(label)) ?? []);
  // A seat that is not there is looked for among those that are grouped with it.
  const shown = known.length > 0 ? known : labels.flatMap((label) => byLabel.get(`${label}`) ?? []);
  return shown.length > 0 ? { ordinals: shown.slice(0, MOST_SHOWN), zoneId: null } : null;
}

/**
 * As if nobody had given ids: what was drawn anew gets those of the version before, by label and
 * name, so that a seat stays the same seat.
 */
export function withoutIds({ zones, groups, ...rest }: LayoutConfig): LayoutConfig {
  const bare = <Seat extends { seat_id?: unknown }>({ seat_id: _, ...seat }: Seat) => seat;
  return {
    ...rest,
    zones: zones.map(({ zone_id: _, seats, rows, ...zone }) => ({
      ...zone,
      ...(seats ? { seats: seats.map(bare) } : {}),
      ...(rows ? { rows: rows.map((row) => ({ ...row, seats: row.seats.map(bare) })) } : {}),
    })),
    ...(groups ? { groups: groups.map(({ group_id: _, ...group }) => group) } : {}),
  };
}

/** The config's own file, as it is downloaded and uploaded. */
export function fileOf(config: LayoutConfig): string {
  return JSON.stringify(config, null, 1);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function pointOf(value: unknown): { x: number; y: number } | undefined {
  const { x, y } = fieldsOf(value);
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x + y)
    ? { x, y }
    : undefined;
}
