import { ACCESS_MODES, SEAT_CATEGORIES, ZONE_TYPES } from '#policies';
import { placeAt, textProblem } from '#reading';
import { DEFAULT_SEAT_SIZE, GROUP_TYPES, LAYOUT_LIMITS } from './layout-config.ts';
import { type GroupDraft, type LayoutDraft, SeatDraft, type ZoneDraft } from './layout-draft.ts';
import type { LayoutProblems } from './layout-problems.ts';
import { LayoutReader, readPoint } from './layout-reader.ts';

const LAYOUT = new Set(['seat_size', 'focal_point', 'zones', 'groups']);
const ZONE = new Set([
  'zone_id',
  'name',
  'zone_type',
  'capacity',
  'access_mode',
  'membership_tier',
  'allowed_roles',
  'metadata',
  'focal_point',
  'outline',
  'seats',
  'rows',
]);
const ROW = new Set(['row', 'section', 'seats']);
const NESTED_SEAT = new Set([
  'seat_id',
  'label',
  'number',
  'category',
  'coordinates',
  'order',
  'gap_after',
  'ring',
  'companion_of',
]);
const SEAT = new Set([...NESTED_SEAT, 'row', 'section']);
const GROUP = new Set(['group_id', 'group_type', 'zone', 'seat_labels', 'metadata']);

const WHOLE = { least: 0, most: LAYOUT_LIMITS.number };
const SEAT_SIZE = { least: LAYOUT_LIMITS.smallest_seat, most: LAYOUT_LIMITS.largest_seat };

/** Reads a config and reports everything that is wrong with its shape. */
export function readConfig(input: unknown, problems: LayoutProblems): LayoutDraft {
  const reader = new LayoutReader(input, placeAt(''), { fields: LAYOUT, problems });
  const draft: LayoutDraft = {
    seat_size: reader.number('seat_size', SEAT_SIZE, 'optional') ?? DEFAULT_SEAT_SIZE,
    zones: [],
    seats: [],
    groups: [],
    complete: true,
  };
  reader.point('focal_point', 'optional');
  const zones = reader.list('zones', { least: 1, most: LAYOUT_LIMITS.zones }, 'required');
  if (!zones) draft.complete = false;
  zones?.forEach((zone, index) => {
    readZone(zone, index, draft, problems);
  });
  const groups = reader.list('groups', { least: 0, most: LAYOUT_LIMITS.groups }, 'optional') ?? [];
  draft.groups = groups.map((group, index) => readGroup(group, index, problems));
  return draft;
}

function readZone(
  input: unknown,
  index: number,
  draft: LayoutDraft,
  problems: LayoutProblems,
): void {
  const path = `zones[${index}]`;
  const reader = new LayoutReader(input, placeAt(path), { fields: ZONE, problems });
  const zone: ZoneDraft = {
    path,
    zone_id: reader.uuid('zone_id'),
    name: reader.text('name', LAYOUT_LIMITS.zone_name, 'required'),
    zone_type: reader.choice('zone_type', ZONE_TYPES, 'required'),
    capacity: reader.integer('capacity', { least: 1, most: LAYOUT_LIMITS.capacity }, 'optional'),
    // An unreadable mode is reported once and must not look like a public zone.
    access_mode: reader.has('access_mode')
      ? reader.choice('access_mode', ACCESS_MODES, 'required')
      : 'public',
    role_count: reader.roles('allowed_roles').length,
    seat_count: 0,
    says: (field) => reader.has(field),
  };
  reader.tier('membership_tier');
  reader.metadata('metadata');
  reader.point('focal_point', 'optional');
  readOutline(reader);
  draft.zones.push(zone);
  if (!reader.readable) draft.complete = false;
  readZoneSeats(reader, index, draft);
}

function readOutline(reader: LayoutReader): void {
  const range = { least: 3, most: LAYOUT_LIMITS.outline_points };
  const points = reader.list('outline', range, 'optional') ?? [];
  points.forEach((point, index) => {
    readPoint(point, `${reader.path('outline')}[${index}]`, reader.problems);
  });
}

function readZoneSeats(reader: LayoutReader, zone: number, draft: LayoutDraft): void {
  const { problems } = reader;
  if (reader.has('seats') && reader.has('rows')) {
    reader.refuse('rows', 'seats_and_rows', 'A zone lists its seats either flat or in rows.');
  }
  const any = { least: 0, most: Number.POSITIVE_INFINITY };
  readSeats(reader.list('seats', any, 'optional') ?? [], { zone, nested: -1 }, draft, problems);
  const rows = reader.list('rows', { least: 0, most: LAYOUT_LIMITS.seats }, 'optional') ?? [];
  rows.forEach((row, nested) => {
    if (!problems.full) readRow(row, { zone, nested }, draft, problems);
  });
}

type SeatsPlace = { zone: number; nested: number };

function readRow(
  input: unknown,
  at: SeatsPlace,
  draft: LayoutDraft,
  problems: LayoutProblems,
): void {
  const place = placeAt(`zones[${at.zone}].rows[${at.nested}]`);
  const reader = new LayoutReader(input, place, { fields: ROW, problems });
  const row = reader.text('row', LAYOUT_LIMITS.row, 'required');
  const section = reader.text('section', LAYOUT_LIMITS.section, 'optional') ?? '';
  const any = { least: 1, most: Number.POSITIVE_INFINITY };
  const first = draft.seats.length;
  readSeats(reader.list('seats', any, 'required') ?? [], at, draft, problems);
  for (const seat of draft.seats.slice(first)) {
    seat.row = row;
    seat.section = section;
  }
}

function readSeats(
  seats: readonly unknown[],
  at: SeatsPlace,
  draft: LayoutDraft,
  problems: LayoutProblems,
): void {
  const zone = draft.zones[at.zone];
  if (zone) zone.seat_count += seats.length;
  for (let index = 0; index < seats.length && draft.complete; index++) {
    if (draft.seats.length === LAYOUT_LIMITS.seats) {
      const sentence = `A layout has at most ${LAYOUT_LIMITS.seats} seats.`;
      problems.add('zones', 'too_many_seats', sentence);
      draft.complete = false;
    } else if (!problems.full) {
      draft.seats.push(readSeat(seats[index], new SeatDraft(at.zone, at.nested, index), problems));
    } else {
      draft.complete = false;
    }
  }
}

function readSeat(input: unknown, seat: SeatDraft, problems: LayoutProblems): SeatDraft {
  const flat = seat.nested < 0;
  const reader = new LayoutReader(input, seat, { fields: flat ? SEAT : NESTED_SEAT, problems });
  seat.seat_id = reader.uuid('seat_id');
  seat.label = reader.text('label', LAYOUT_LIMITS.label, 'required');
  if (flat) {
    seat.row = reader.text('row', LAYOUT_LIMITS.row, 'required');
    seat.section = reader.text('section', LAYOUT_LIMITS.section, 'optional') ?? '';
  }
  seat.number = reader.integer('number', WHOLE, 'required');
  seat.category = reader.has('category')
    ? reader.choice('category', SEAT_CATEGORIES, 'required')
    : 'standard';
  seat.order = reader.integer('order', WHOLE, 'optional');
  seat.gap_after = reader.yesNo('gap_after') === true;
  seat.ring = reader.yesNo('ring') === true;
  seat.companion_of = reader.text('companion_of', LAYOUT_LIMITS.label, 'optional');
  const point = reader.point('coordinates', 'required');
  if (point) {
    seat.x = point.x;
    seat.y = point.y;
  }
  return seat;
}

function readGroup(input: unknown, index: number, problems: LayoutProblems): GroupDraft {
  const path = `groups[${index}]`;
  const reader = new LayoutReader(input, placeAt(path), { fields: GROUP, problems });
  reader.metadata('metadata');
  const range = { least: 1, most: LAYOUT_LIMITS.seats_in_group };
  const labels = reader.list('seat_labels', range, 'required') ?? [];
  return {
    path,
    group_id: reader.uuid('group_id'),
    group_type: reader.choice('group_type', GROUP_TYPES, 'required'),
    zone: reader.text('zone', LAYOUT_LIMITS.zone_name, 'optional'),
    seat_labels: readLabels(labels, reader),
  };
}

function readLabels(labels: readonly unknown[], reader: LayoutReader): (string | undefined)[] {
  return labels.map((label, index) => {
    const problem = textProblem(label, LAYOUT_LIMITS.label);
    if (!problem) return label as string;
    const path = `${reader.path('seat_labels')}[${index}]`;
    reader.problems.add(path, problem.code, problem.message);
    return undefined;
  });
}
