import { isRing, round, SpatialGrid } from '#geometry';
import {
  LAYOUT_LIMITS,
  type LayoutConfig,
  LayoutProblems,
  type SeatConfig,
  type ZoneConfig,
} from '#layouts';
import { type SeatCategory, zoneHasSeats } from '#policies';
import type { Invalid } from '#reading';
import { type ImportReport, type ImportWork, reportOf } from './import-report.ts';
import { aislesOf, type ImportedRow, type ImportedZone, importedZones } from './imported-zones.ts';
import type { PretixArea } from './read-area.ts';
import { type PretixPlan, type PretixSeat, type PretixZone, readPlan } from './read-plan.ts';
import { shortened, type ZoneExtension } from './read-values.ts';
import { labelSeats, numberSeats } from './seat-names.ts';

type PretixImport =
  | Readonly<{ kind: 'imported'; name: string; config: LayoutConfig; report: ImportReport }>
  | Invalid;

/** Turns a seating plan of pretix into a layout config; `validateLayout` then judges that. */
export function importPretix(input: unknown): PretixImport {
  const problems = new LayoutProblems();
  const plan = readPlan(input, problems);
  if (!problems.empty) return problems.invalid();
  const work = workOn(plan);
  const seated = work.zones.map((zone) => zoneConfig(zone, work));
  const open = plan.zones.flatMap((zone) => [...openZone(zone), ...zone.areas.flatMap(areaZone)]);
  const config: LayoutConfig = {
    seat_size: work.seat_size,
    ...(work.stage ? { focal_point: work.stage } : {}),
    zones: uniqueNames([...seated, ...open]),
  };
  const name = plan.name || 'Imported plan';
  return Object.freeze({ kind: 'imported', name, config, report: reportOf(work) });
}

function workOn(plan: PretixPlan): ImportWork {
  const zones = importedZones(plan);
  const labels = labelSeats(zones);
  const by_guid = new Map([...labels.of].map(([seat, label]) => [seat.guid, label]));
  const drawn = plan.zones.flatMap((zone) => zone.areas).find(isStage);
  const stage = plan.focal_point ?? drawn?.centre;
  const seat_size = seatSize(plan, zones);
  return { plan, zones, labels, by_guid, stage, seat_size, numbers_made: 0 };
}

/** People write on the stage what it is, also with blanks between the letters. */
function isStage({ extension, text }: PretixArea): boolean {
  const squeezed = text.replace(/\s+/g, '');
  return extension === undefined && /^(main)?(stage|bühne|podium|verhoog)$/i.test(squeezed);
}

/** As wide as the plan draws a seat, or less where it draws seats over each other. */
function seatSize(plan: PretixPlan, zones: readonly ImportedZone[]): number {
  const seats = zones.flatMap((zone) =>
    [...zone.rows.values()].flatMap((row) => row.pieces.flat()),
  );
  let size = Math.min(plan.seat_width, LAYOUT_LIMITS.largest_seat);
  while (size > 1 && overlaps(seats, size)) size /= 2;
  return Math.max(round(size), LAYOUT_LIMITS.smallest_seat);
}

function overlaps(seats: readonly PretixSeat[], size: number): boolean {
  const grid = new SpatialGrid<PretixSeat>(size);
  return seats.some((seat) => {
    if (grid.findCloser(seat.x, seat.y)) return true;
    grid.put(seat);
    return false;
  });
}

/** A zone of seats, or of places when the plan's zone says that its seats are not reserved. */
function zoneConfig(zone: ImportedZone, work: ImportWork): ZoneConfig {
  const seats = [...zone.rows.values()].flatMap((row) => rowSeats(row, work));
  const sale = saleFields(zone.extension, 'reserved_seating');
  const notes = {
    ...(zone.category ? { category: zone.category } : {}),
    ...(zone.color ? { color: zone.color } : {}),
  };
  return {
    name: zone.name,
    ...sale,
    ...(Object.keys(notes).length > 0 ? { metadata: notes } : {}),
    ...(zoneHasSeats(sale.zone_type)
      ? { seats }
      : { capacity: zone.extension.capacity ?? seats.length }),
  };
}

function saleFields(extension: ZoneExtension, usual: ZoneConfig['zone_type']) {
  const { zone_type, access_mode, membership_tier, allowed_roles } = extension;
  return {
    zone_type: zone_type ?? usual,
    ...(access_mode ? { access_mode } : {}),
    ...(membership_tier ? { membership_tier } : {}),
    ...(allowed_roles ? { allowed_roles } : {}),
  };
}

/** A zone of the plan without seats is sold by capacity, if it says so. */
function openZone(zone: PretixZone): ZoneConfig[] {
  const { capacity } = zone.extension;
  if (capacity === undefined || zone.rows.some((row) => row.seats.length > 0)) return [];
  return [{ name: zone.name, ...saleFields(zone.extension, 'ga_standing'), capacity }];
}

function areaZone({ extension, outline }: PretixArea): ZoneConfig[] {
  if (extension?.capacity === undefined) return [];
  const { name, capacity } = extension;
  const drawn = outline.length >= 3 ? { outline } : {};
  return [{ name: name || 'Area', ...saleFields(extension, 'ga_standing'), capacity, ...drawn }];
}

/** Two zones of one name become "Name" and "Name (2)". */
function uniqueNames(zones: readonly ZoneConfig[]): ZoneConfig[] {
  const taken = new Set<string>();
  return zones.map((zone) => {
    let name = shortened(zone.name, LAYOUT_LIMITS.zone_name);
    const stem = shortened(zone.name, LAYOUT_LIMITS.zone_name - 8);
    for (let copy = 2; taken.has(name); copy++) name = `${stem} (${copy})`;
    taken.add(name);
    return { ...zone, name };
  });
}

function rowSeats(row: ImportedRow, work: ImportWork): SeatConfig[] {
  const { numbers, made } = numberSeats(row);
  work.numbers_made += made;
  const joined = row.pieces.length > 1;
  const aisles = joined ? aislesOf(row) : [];
  // The format says nothing about tables, so what goes all around is one.
  const ring = !joined && isRing(row.pieces.flat());
  return row.pieces.flat().map((seat, place) => ({
    label: work.labels.of.get(seat) ?? '',
    row: shortened(row.name, LAYOUT_LIMITS.row),
    number: numbers[place] ?? 0,
    ...accessFields(seat, work),
    coordinates: { x: round(seat.x), y: round(seat.y) },
    ...(joined ? { order: place } : {}),
    ...(aisles[place] ? { gap_after: true } : {}),
    ...(ring && place === 0 ? { ring: true } : {}),
  }));
}

function accessFields(seat: PretixSeat, { plan, by_guid }: ImportWork) {
  const category: SeatCategory | undefined =
    seat.seat_category ?? plan.categories.get(seat.category)?.seat_category;
  if (category === undefined) return {};
  if (category !== 'companion' || seat.companion_of === undefined) return { category };
  return { category, companion_of: by_guid.get(seat.companion_of) ?? seat.companion_of };
}
