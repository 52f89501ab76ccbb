import { gzipSync } from 'node:zlib';
import { generateLayout } from '#generator';
import { systemClock, systemRandom, uuidv7 } from '#kit';
import {
  canonicalConfig,
  diffLayouts,
  type Layout,
  type LayoutConfig,
  normaliseLayout,
  validateLayout,
} from '#layouts';
import { type SeatingPolicy, type ZoneType, zoneHasSeats } from '#policies';
import { type ImportReport, importPretix } from '#pretix';
import {
  fieldPath,
  type Invalid,
  isGoodText,
  isTooDeep,
  JSON_DEPTH,
  type Problem,
  recordOf,
  repeatedKey,
  textProblem,
} from '#reading';

/**
 * Work on whole layouts, from text to text. For 100,000 seats each takes tenths of a second, so it
 * is done in a thread of its own and texts, which cross threads cheaply, go in and out.
 */
export type LayoutTask =
  /** Takes a wish (JSON) apart: its config as text, and everything else. */
  | { kind: 'open'; text: string }
  /**
   * Judges a config (JSON) and makes it canonical; ids are kept from the canonical configs in
   * `previous`, the first before the next.
   */
  | ({ kind: 'read' } & Judged)
  /** The rows of a canonical config, for the tables. */
  | { kind: 'rows'; text: string; policy: SeatingPolicy }
  | { kind: 'diff'; from: string; to: string }
  /** The drawing that buyers see, compressed once. */
  | ({ kind: 'draw'; text: string } & Drawn)
  | ({ kind: 'generate' } & Judged)
  | ({ kind: 'import' } & Judged);

type Judged = { text: string; policy: SeatingPolicy; previous?: readonly string[] };

/** Which drawing it is, and the zones as an event has them; absent: as the layout has them. */
type Drawn = {
  layout_id: string;
  layout_version: number;
  drawing_id?: string;
  zones?: readonly { zone_id: string; name: string; zone_type: string; capacity: number }[];
};

export type ReadLayout = Readonly<{
  kind: 'layout';
  /** Canonical JSON with all ids. */
  config: string;
  seat_count: number;
  total_capacity: number;
  /** Only of an import. */
  name: string | null;
  report: ImportReport | null;
  /** Only of what the generator drew: its shapes, also those of a preset. */
  spec?: string | null;
}>;

export type LayoutRows = Readonly<{
  kind: 'rows';
  zones: string;
  seats: string;
  groups: string;
}>;

/** What a wish says besides its config, which is null when it has none. */
export type OpenedWish = Readonly<{
  kind: 'opened';
  fields: Readonly<Partial<Record<WishField, unknown>>>;
  config: string | null;
  /** For the generator, instead of a config. */
  spec: string | null;
}>;

type Answers = {
  open: OpenedWish;
  read: ReadLayout;
  rows: LayoutRows;
  /** As JSON: it can name every seat. */
  diff: { kind: 'diff'; diff: string };
  draw: { kind: 'drawing'; gzip: Uint8Array };
  generate: ReadLayout;
  import: ReadLayout;
};

export type LayoutAnswer<Kind extends LayoutTask['kind'] = LayoutTask['kind']> =
  | Answers[Kind]
  | Invalid;

export function work(task: LayoutTask): LayoutAnswer {
  switch (task.kind) {
    case 'open':
      return open(parse(task.text));
    case 'read':
      return read(parse(task.text), task.policy, task.previous ?? []);
    case 'rows':
      return rows(task.text, task.policy);
    case 'diff':
      return {
        kind: 'diff',
        diff: JSON.stringify(diffLayouts(layoutOf(task.from), layoutOf(task.to))),
      };
    case 'draw':
      return { kind: 'drawing', gzip: draw(layoutOf(task.text), task) };
    case 'generate': {
      const spec = parse(task.text);
      if (spec instanceof Unreadable) return spec.why;
      const made = generateLayout(spec);
      if (made.kind === 'invalid') return made;
      const drawn = read(made.config, task.policy, task.previous ?? []);
      return drawn.kind === 'invalid' ? drawn : { ...drawn, spec: JSON.stringify(made.spec) };
    }
    case 'import': {
      const plan = parse(task.text);
      if (plan instanceof Unreadable) return plan.why;
      const imported = importPretix(plan);
      if (imported.kind === 'invalid') return imported;
      const answer = read(imported.config, task.policy, task.previous ?? []);
      if (answer.kind === 'invalid') return answer;
      return { ...answer, name: imported.name.slice(0, NAME_CHARACTERS), report: imported.report };
    }
  }
}

/** What a wish may say besides its config; nothing else crosses to the other thread. */
const TEXT_FIELDS = ['venue_id', 'layout_id', 'name', 'description'] as const;
const WISH_FIELDS = [...TEXT_FIELDS, 'if_version', 'if_revision', 'keep_draft'] as const;
type WishField = (typeof WISH_FIELDS)[number];
const NAME_CHARACTERS = 200;
/** Strangers choose names, and a list of them ends in an answer. */
const UNKNOWN_FIELDS = 20;

function open(wish: unknown): OpenedWish | Invalid {
  if (wish instanceof Unreadable) return wish.why;
  const record = recordOf(wish);
  if (!record) return wrongType('The request must be an object.');
  const { config, spec, ...rest } = record;
  const problems = [...unknownFields(rest), ...badFields(rest)];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const textOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const texts = { config: textOf(config), spec: textOf(spec) };
  return { kind: 'opened', fields: rest as OpenedWish['fields'], ...texts };
}

function unknownFields(fields: Readonly<Record<string, unknown>>): Problem[] {
  const known: readonly string[] = WISH_FIELDS;
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  return unknown.slice(0, UNKNOWN_FIELDS).map((name) => ({
    path: fieldPath('', name),
    code: 'unknown_field',
    message: 'There is no such field.',
  }));
}

function badFields(fields: Readonly<Record<string, unknown>>): Problem[] {
  const bad = TEXT_FIELDS.filter((name) => {
    const value = fields[name];
    return !(value === undefined || value === null) && !(isText(value) && isGoodText(value));
  });
  const problems = bad.map((path) => {
    return { path, code: 'text_invalid', message: 'This must be a good text.' };
  });
  const { name } = fields;
  const misnamed = isText(name) && isGoodText(name) && textProblem(name, NAME_CHARACTERS);
  return misnamed ? [...problems, { path: 'name', ...misnamed }] : problems;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function wrongType(message: string): Invalid {
  return { kind: 'invalid', problems: [{ path: '', code: 'wrong_type', message }] };
}

/** A text that says nothing that could be judged. */
class Unreadable {
  readonly why: Invalid;

  constructor(why: Invalid) {
    this.why = why;
  }
}

function parse(text: string): unknown {
  if (isTooDeep(text)) {
    return new Unreadable(wrongType(`The text is nested deeper than ${JSON_DEPTH} levels.`));
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return new Unreadable(wrongType('The text is not valid JSON.'));
  }
  const path = repeatedKey(text);
  return path === null ? value : new Unreadable({ kind: 'invalid', problems: [twice(path)] });
}

function twice(path: string): Problem {
  return { path, code: 'duplicate_key', message: 'The text says this name twice.' };
}

function read(
  input: unknown,
  policy: SeatingPolicy,
  previous: readonly string[],
): ReadLayout | Invalid {
  if (input instanceof Unreadable) return input.why;
  const check = validateLayout(input, policy);
  if (check.kind === 'invalid') return check;
  const layout = normaliseLayout(check.config, {
    previous: previous.map(layoutOf),
    newId,
  });
  return {
    kind: 'layout',
    config: JSON.stringify(canonicalConfig(layout)),
    seat_count: layout.seats.length,
    total_capacity: layout.total_capacity,
    name: null,
    report: null,
  };
}

/** A stored config is canonical, so it has every id and no new one is made. */
function layoutOf(canonical: string): Layout {
  return normaliseLayout(JSON.parse(canonical) as LayoutConfig, { previous: [], newId });
}

function newId(): string {
  return uuidv7({ clock: systemClock, random: systemRandom });
}

/** Judged again: the policy may have changed since the draft was written. */
function rows(text: string, policy: SeatingPolicy): LayoutRows | Invalid {
  const check = validateLayout(JSON.parse(text), policy);
  if (check.kind === 'invalid') return check;
  const layout = normaliseLayout(check.config, { previous: [], newId });
  return {
    kind: 'rows',
    zones: JSON.stringify(layout.zones.map((zone, place) => ({ ...zone, place }))),
    seats: JSON.stringify(seatColumns(layout)),
    groups: JSON.stringify(layout.groups),
  };
}

/**
 * Only what a map needs: where each seat is and what it is called, by ordinal. Seats of a zone that
 * the event uses without them are there as well: nobody can have them, and ordinals stay.
 */
function draw(layout: Layout, { layout_id, layout_version, drawing_id, ...drawn }: Drawn) {
  const { seat_size, focal_point } = layout;
  const own = new Map(drawn.zones?.map((zone) => [zone.zone_id, zone]));
  const zones = layout.zones.map(({ zone_id, name, zone_type, capacity, outline }) => {
    const zone = { zone_id, name, zone_type, capacity, ...own.get(zone_id) };
    const isArea = !zoneHasSeats(zone.zone_type as ZoneType) && zoneHasSeats(zone_type);
    return { ...zone, outline: outline ?? (isArea ? aroundSeats(layout, zone_id) : null) };
  });
  const seats = layout.seats.map(
    ({ seat_id, label, ordinal, section, row, number, zone_id, category, x, y, ...seat }) => ({
      seat_id,
      label,
      ordinal,
      ...(section === null ? {} : { section }),
      row,
      number,
      zone_id,
      category,
      x,
      y,
      ...(seat.companion_of_seat_id === null ? {} : { companion_of: seat.companion_of_seat_id }),
    }),
  );
  const named = drawing_id === undefined ? {} : { drawing_id };
  const data = { layout_id, layout_version, ...named, seat_size, focal_point, zones, seats };
  return gzipSync(JSON.stringify({ data }));
}

/** Where the seats of a zone are, with half a seat around them. */
function aroundSeats({ seats, seat_size }: Layout, zoneId: string): { x: number; y: number }[] {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { zone_id, x, y } of seats) {
    if (zone_id !== zoneId) continue;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  const edge = seat_size / 2;
  const corners = [
    [left - edge, top - edge],
    [right + edge, top - edge],
    [right + edge, bottom + edge],
    [left - edge, bottom + edge],
  ] as const;
  return corners.map(([x, y]) => ({ x, y }));
}

function seatColumns({ seats, runs }: Layout): Record<string, readonly unknown[]> {
  return {
    seat_id: seats.map((seat) => seat.seat_id),
    label: seats.map((seat) => seat.label),
    zone_id: seats.map((seat) => seat.zone_id),
    section: seats.map((seat) => seat.section),
    row: seats.map((seat) => seat.row),
    number: seats.map((seat) => seat.number),
    physical_order: seats.map((seat) => seat.physical_order),
    run: seats.map((seat) => seat.run_index),
    ring: seats.map((seat) => runs[seat.run_index]?.ring === true),
    category: seats.map((seat) => seat.category),
    x: seats.map((seat) => seat.x),
    y: seats.map((seat) => seat.y),
    companion_of: seats.map((seat) => seat.companion_of_seat_id),
  };
}
