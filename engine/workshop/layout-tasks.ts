import { generateLayout } from '#generator';
import { systemClock, systemRandom, uuidv7 } from '#kit';
import {
  canonicalConfig,
  diffLayouts,
  type Layout,
  type LayoutConfig,
  type LayoutDiff,
  normaliseLayout,
  validateLayout,
} from '#layouts';
import type { SeatingPolicy } from '#policies';
import { type ImportReport, importPretix } from '#pretix';
import { type Invalid, recordOf } from '#reading';

/**
 * Work on whole layouts, from text to text. For 100,000 seats each takes tenths of a second, so it
 * is done in a thread of its own and texts, which cross threads cheaply, go in and out.
 */
export type LayoutTask =
  /** Takes a wish (JSON) apart: its config as text, and everything else. */
  | { kind: 'open'; text: string }
  /**
   * Judges a config (JSON) and makes it canonical; ids are kept from `previous`, if there is one.
   */
  | { kind: 'read'; text: string; policy: SeatingPolicy; previous: string | null }
  /** The rows of a canonical config, for the tables. */
  | { kind: 'rows'; text: string; policy: SeatingPolicy }
  | { kind: 'diff'; from: string; to: string }
  | { kind: 'generate'; text: string; policy: SeatingPolicy }
  | { kind: 'import'; text: string; policy: SeatingPolicy };

export type ReadLayout = Readonly<{
  kind: 'layout';
  /** Canonical JSON with all ids. */
  config: string;
  seat_count: number;
  total_capacity: number;
  /** Only of an import. */
  name: string | null;
  report: ImportReport | null;
}>;

export type LayoutRows = Readonly<{
  kind: 'rows';
  zones: string;
  seats: string;
  groups: string;
}>;

/** What a wish says besides its config, unchecked; no config when it has none. */
type OpenedWish = Readonly<{
  kind: 'opened';
  fields: Readonly<Record<string, unknown>>;
  config: string | null;
}>;

type Answers = {
  open: OpenedWish;
  read: ReadLayout;
  rows: LayoutRows;
  diff: { kind: 'diff'; diff: LayoutDiff };
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
      return read(parse(task.text), task.policy, task.previous);
    case 'rows':
      return rows(task.text, task.policy);
    case 'diff':
      return { kind: 'diff', diff: diffLayouts(layoutOf(task.from), layoutOf(task.to)) };
    case 'generate': {
      const made = generateLayout(parse(task.text));
      return made.kind === 'invalid' ? made : read(made.config, task.policy, null);
    }
    case 'import': {
      const imported = importPretix(parse(task.text));
      if (imported.kind === 'invalid') return imported;
      const answer = read(imported.config, task.policy, null);
      if (answer.kind === 'invalid') return answer;
      return { ...answer, name: imported.name, report: imported.report };
    }
  }
}

function open(wish: unknown): OpenedWish | Invalid {
  if (wish === NOT_JSON) return wrongType('The text is not valid JSON.');
  const record = recordOf(wish);
  if (!record) return wrongType('The request must be an object.');
  const { config, ...fields } = record;
  return {
    kind: 'opened',
    fields,
    config: config === undefined ? null : JSON.stringify(config),
  };
}

function wrongType(message: string): Invalid {
  return { kind: 'invalid', problems: [{ path: '', code: 'wrong_type', message }] };
}

const NOT_JSON = Symbol('not JSON');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

function read(
  input: unknown,
  policy: SeatingPolicy,
  previous: string | null,
): ReadLayout | Invalid {
  if (input === NOT_JSON) return wrongType('The text is not valid JSON.');
  const check = validateLayout(input, policy);
  if (check.kind === 'invalid') return check;
  const layout = normaliseLayout(check.config, {
    previous: previous === null ? null : layoutOf(previous),
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
  return normaliseLayout(JSON.parse(canonical) as LayoutConfig, { previous: null, newId });
}

function newId(): string {
  return uuidv7({ clock: systemClock, random: systemRandom });
}

/** Judged again: the policy may have changed since the draft was written. */
function rows(text: string, policy: SeatingPolicy): LayoutRows | Invalid {
  const check = validateLayout(JSON.parse(text), policy);
  if (check.kind === 'invalid') return check;
  const layout = normaliseLayout(check.config, { previous: null, newId });
  return {
    kind: 'rows',
    zones: JSON.stringify(layout.zones.map((zone, place) => ({ ...zone, place }))),
    seats: JSON.stringify(seatColumns(layout)),
    groups: JSON.stringify(layout.groups),
  };
}

function seatColumns({ seats }: Layout): Record<string, readonly unknown[]> {
  return {
    seat_id: seats.map((seat) => seat.seat_id),
    label: seats.map((seat) => seat.label),
    zone_id: seats.map((seat) => seat.zone_id),
    section: seats.map((seat) => seat.section),
    row: seats.map((seat) => seat.row),
    number: seats.map((seat) => seat.number),
    physical_order: seats.map((seat) => seat.physical_order),
    run: seats.map((seat) => seat.run_index),
    category: seats.map((seat) => seat.category),
    x: seats.map((seat) => seat.x),
    y: seats.map((seat) => seat.y),
    companion_of: seats.map((seat) => seat.companion_of_seat_id),
  };
}
