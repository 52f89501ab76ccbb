import type { Point } from '#geometry';
import type { SeatCategory } from '#policies';
import type { Layout, LayoutGroup, LayoutSeat, LayoutZone } from './layout-model.ts';

/** What changed from one version of a layout to another. Seats, zones and groups are told by id. */
export type LayoutDiff = Readonly<{
  kind: 'layout_diff';
  /** True when nothing at all differs that a buyer, a door or the board could notice. */
  same: boolean;
  /** True when every seat that exists in both has the same ordinal. */
  ordinals_kept: boolean;
  seats: Readonly<{
    added: readonly SeatName[];
    removed: readonly SeatName[];
    moved: readonly SeatChange<Point>[];
    relabelled: readonly SeatChange<string>[];
    /** Another section, row or number. */
    renumbered: readonly SeatChange<SeatPlace>[];
    rezoned: readonly SeatChange<string>[];
    recategorised: readonly SeatChange<SeatCategory>[];
    /** Another place among its neighbours: order in the row, or an aisle beside it. */
    reordered: readonly SeatName[];
  }>;
  zones: Readonly<{
    added: readonly ZoneName[];
    removed: readonly ZoneName[];
    changed: readonly (ZoneName & Readonly<{ changes: readonly FieldChange[] }>)[];
  }>;
  groups: Readonly<{
    added: readonly LayoutGroup[];
    removed: readonly LayoutGroup[];
    changed: readonly Readonly<{ group_id: string; from: LayoutGroup; to: LayoutGroup }>[];
  }>;
}>;

type SeatName = Readonly<{ seat_id: string; label: string }>;
type SeatPlace = Readonly<{ section: string | null; row: string; number: number }>;
type SeatChange<T> = SeatName & Readonly<{ from: T; to: T }>;
type ZoneName = Readonly<{ zone_id: string; name: string }>;
type FieldChange = Readonly<{ field: ZoneField; from: unknown; to: unknown }>;

const ZONE_FIELDS = [
  'name',
  'zone_type',
  'capacity',
  'access_mode',
  'membership_tier',
  'allowed_roles',
  'metadata',
  'focal_point',
  'outline',
] as const satisfies readonly (keyof LayoutZone)[];
type ZoneField = (typeof ZONE_FIELDS)[number];

export function diffLayouts(from: Layout, to: Layout): LayoutDiff {
  const paired = pairById(from.seats, to.seats, (seat) => seat.seat_id);
  const seats = { ...diffSeats(paired), reordered: reorderedSeats(from, to, paired.kept) };
  const zones = diffZones(from, to);
  const groups = diffGroups(from, to);
  const lists = [...Object.values(seats), ...Object.values(zones), ...Object.values(groups)];
  return Object.freeze({
    kind: 'layout_diff',
    same: from.seat_size === to.seat_size && lists.every((list) => list.length === 0),
    ordinals_kept: paired.kept.every(([before, after]) => before.ordinal === after.ordinal),
    seats: Object.freeze(seats),
    zones: Object.freeze(zones),
    groups: Object.freeze(groups),
  });
}

type Paired<T> = { added: T[]; removed: T[]; kept: [T, T][] };

function pairById<T>(from: readonly T[], to: readonly T[], id: (thing: T) => string): Paired<T> {
  const before = new Map(from.map((thing) => [id(thing), thing]));
  const after = new Set(to.map(id));
  const paired: Paired<T> = { added: [], removed: [], kept: [] };
  for (const thing of to) {
    const old = before.get(id(thing));
    if (old === undefined) paired.added.push(thing);
    else paired.kept.push([old, thing]);
  }
  paired.removed = from.filter((thing) => !after.has(id(thing)));
  return paired;
}

function diffSeats({ added, removed, kept }: Paired<LayoutSeat>) {
  return {
    added: added.map(seatName),
    removed: removed.map(seatName),
    moved: changesOf(kept, ['x', 'y'], ({ x, y }) => ({ x, y })),
    relabelled: changesOf(kept, ['label'], (seat) => seat.label),
    renumbered: changesOf(kept, ['section', 'row', 'number'], ({ section, row, number }) => ({
      section,
      row,
      number,
    })),
    rezoned: changesOf(kept, ['zone_id'], (seat) => seat.zone_id),
    recategorised: changesOf(kept, ['category'], (seat) => seat.category),
  };
}

function seatName({ seat_id, label }: LayoutSeat): SeatName {
  return { seat_id, label };
}

function changesOf<T>(
  kept: readonly [LayoutSeat, LayoutSeat][],
  fields: readonly (keyof LayoutSeat)[],
  read: (seat: LayoutSeat) => T,
): SeatChange<T>[] {
  return kept
    .filter(([before, after]) => fields.some((field) => before[field] !== after[field]))
    .map(([before, after]) => ({ ...seatName(after), from: read(before), to: read(after) }));
}

/** Seats with other neighbours than before, apart from neighbours that came or went. */
function reorderedSeats(
  from: Layout,
  to: Layout,
  kept: readonly [LayoutSeat, LayoutSeat][],
): SeatName[] {
  const in_both = new Set(kept.map(([seat]) => seat.seat_id));
  const next = ({ seats, runs }: Layout, { ordinal, run_index }: LayoutSeat, step: 1 | -1) => {
    const { first = 0, count = 0, ring = false } = runs[run_index] ?? {};
    const beside = ordinal + step;
    const isEnd = beside < first || beside >= first + count;
    const other = seats[ring && isEnd ? beside - step * count : beside];
    return other?.run_index === run_index && in_both.has(other.seat_id) ? other.seat_id : '';
  };
  return kept
    .filter(([before, after]) => {
      const [one, two] = [next(from, before, -1), next(from, before, 1)];
      const [left, right] = [next(to, after, -1), next(to, after, 1)];
      // A row that is only counted from its other end has the same neighbours.
      return !(one === left && two === right) && !(one === right && two === left);
    })
    .map(([, after]) => seatName(after));
}

function diffZones(from: Layout, to: Layout): LayoutDiff['zones'] {
  const { added, removed, kept } = pairById(from.zones, to.zones, (zone) => zone.zone_id);
  const changed = kept.map(([before, after]) => ({
    ...zoneName(after),
    changes: ZONE_FIELDS.filter((field) => !sameValue(before[field], after[field])).map(
      (field) => ({
        field,
        from: before[field],
        to: after[field],
      }),
    ),
  }));
  return {
    added: added.map(zoneName),
    removed: removed.map(zoneName),
    changed: changed.filter(({ changes }) => changes.length > 0),
  };
}

function zoneName({ zone_id, name }: LayoutZone): ZoneName {
  return { zone_id, name };
}

function diffGroups(from: Layout, to: Layout): LayoutDiff['groups'] {
  const { added, removed, kept } = pairById(from.groups, to.groups, (group) => group.group_id);
  return {
    added,
    removed,
    changed: kept
      .filter(([before, after]) => !sameValue(before, after))
      .map(([before, after]) => ({ group_id: after.group_id, from: before, to: after })),
  };
}

/** Both sides are JSON that one piece of code has laid out, so their texts agree when they do. */
function sameValue(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  return JSON.stringify(one) === JSON.stringify(other);
}
