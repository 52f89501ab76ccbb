import type { Drawing, LayoutConfig } from '@voelgoed/client/client';
import type { Mark, MarkKind } from './marks.ts';
import { readPlan } from './read-plan.ts';

type SeatName = Readonly<{ seat_id: string; label: string }>;
type SeatChange<Value> = SeatName & Readonly<{ from: Value; to: Value }>;
type ZoneName = Readonly<{ zone_id: string; name: string }>;
type Point = Readonly<{ x: number; y: number }>;

/** What the server says has changed between two versions. */
export type LayoutDiff = Readonly<{
  same: boolean;
  seats: Readonly<{
    added: readonly SeatName[];
    removed: readonly SeatName[];
    moved: readonly SeatChange<Point>[];
    relabelled: readonly SeatChange<string>[];
    renumbered: readonly SeatChange<{ section: string | null; row: string; number: number }>[];
    rezoned: readonly SeatChange<string>[];
    recategorised: readonly SeatChange<string>[];
    reordered: readonly SeatName[];
  }>;
  zones: Readonly<{
    added: readonly ZoneName[];
    removed: readonly ZoneName[];
    changed: readonly (ZoneName & { changes: readonly { field: string }[] })[];
  }>;
  groups: Readonly<Record<'added' | 'removed' | 'changed', readonly unknown[]>>;
}>;

/** In what way a seat is another one than before. */
export type SeatChangeKind =
  | 'added'
  | 'removed'
  | 'moved'
  | 'relabelled'
  | 'renumbered'
  | 'rezoned'
  | 'recategorised'
  | 'reordered';

export type DiffEntry = Readonly<{
  kind: MarkKind;
  change: SeatChangeKind;
  label: string;
  ordinal: number;
  /** What it was before, in a word. */
  before: string;
}>;

export type DiffPlan = Readonly<{
  drawing: Drawing;
  /** Seats of the old version that the new one has not. */
  gone: readonly number[];
  marks: readonly Mark[];
  entries: readonly DiffEntry[];
}>;

/** Both versions in one drawing: the new one, and what it has lost, where that was. */
export function diffPlan(from: LayoutConfig, to: LayoutConfig, diff: LayoutDiff): DiffPlan {
  const before = readPlan(from);
  const after = readPlan(to);
  const seats = [...after.drawing.seats];
  const ordinals = new Map(seats.map(({ seat_id, ordinal }) => [seat_id, ordinal]));
  const gone = diff.seats.removed.flatMap(({ seat_id }) => {
    const old = before.drawing.seats[before.ordinalOf(seat_id) ?? -1];
    if (!old) return [];
    const ordinal = seats.length;
    seats.push({ ...old, ordinal });
    ordinals.set(seat_id, ordinal);
    return [ordinal];
  });
  const known = new Set(after.drawing.zones.map(({ zone_id }) => zone_id));
  const lost = before.drawing.zones.filter(({ zone_id }) => !known.has(zone_id));
  const entries = entriesOf(diff, ordinals, before.drawing);
  return {
    drawing: { ...after.drawing, zones: [...after.drawing.zones, ...lost], seats },
    gone,
    marks: marksOf(entries, diff),
    entries,
  };
}

const CHANGES: readonly SeatChangeKind[] = [
  'added',
  'removed',
  'moved',
  'relabelled',
  'renumbered',
  'rezoned',
  'recategorised',
  'reordered',
];
const OF_ITS_OWN: readonly string[] = ['added', 'removed', 'moved'];

function entriesOf(
  { seats }: LayoutDiff,
  ordinals: ReadonlyMap<string, number>,
  old: Drawing,
): DiffEntry[] {
  const zones = new Map(old.zones.map(({ zone_id, name }) => [zone_id, name]));
  return CHANGES.flatMap((change) =>
    seats[change].map((seat) => ({
      kind: (OF_ITS_OWN.includes(change) ? change : 'changed') as MarkKind,
      change,
      label: seat.label,
      ordinal: ordinals.get(seat.seat_id) ?? -1,
      before: 'from' in seat ? wordFor(seat.from, zones) : '',
    })),
  );
}

function wordFor(value: unknown, zones: ReadonlyMap<string, string>): string {
  if (typeof value === 'string') return zones.get(value) ?? value;
  const { section, row, number } = value as { section?: string; row?: string; number?: number };
  return row === undefined ? '' : [section, row, number].filter(Boolean).join(' ');
}

/** One mark per seat: what came, went or moved says more than that its number is another. */
function marksOf(entries: readonly DiffEntry[], diff: LayoutDiff): Mark[] {
  const moves = new Map(diff.seats.moved.map(({ label, from, to }) => [label, [from, to]]));
  const marks = new Map<number, Mark>();
  for (const { ordinal, kind, label } of entries) {
    if (marks.has(ordinal)) continue;
    const [from, to] = (kind === 'moved' && moves.get(label)) || [];
    const way = from && to && { x: from.x - to.x, y: from.y - to.y };
    marks.set(ordinal, { ordinal, kind, ...(way ? { from: way } : {}) });
  }
  return [...marks.values()];
}
