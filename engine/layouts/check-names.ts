import type { LayoutDraft, SeatDraft } from './layout-draft.ts';
import type { LayoutProblemCode, LayoutProblems } from './layout-problems.ts';

/** Seats by label; where a label is used twice, the first one. */
export type SeatsByLabel = ReadonlyMap<string, SeatDraft>;

/** Names and ids must be unique in the layout. */
export function checkNames(draft: LayoutDraft, problems: LayoutProblems): SeatsByLabel {
  const { zones, groups, seats } = draft;
  const at = (field: string) => (owner: { path: string }) => `${owner.path}.${field}`;
  const seatAt = (field: string) => (seat: SeatDraft) => seat.path(field);
  const repeats = <T>(items: readonly T[], rule: Rule<T>) => reportRepeats(items, rule, problems);
  repeats(zones, { key: (z) => z.name, path: at('name'), code: 'duplicate_zone_name' });
  repeats(zones, { key: (z) => z.zone_id, path: at('zone_id'), code: 'duplicate_zone_id' });
  repeats(groups, { key: (g) => g.group_id, path: at('group_id'), code: 'duplicate_group_id' });
  repeats(seats, { key: (s) => s.seat_id, path: seatAt('seat_id'), code: 'duplicate_seat_id' });
  return repeats(seats, { key: (s) => s.label, path: seatAt('label'), code: 'duplicate_label' });
}

type Rule<T> = {
  key: (item: T) => string | undefined;
  path: (item: T) => string;
  code: LayoutProblemCode;
};

function reportRepeats<T>(
  items: readonly T[],
  { key, path, code }: Rule<T>,
  problems: LayoutProblems,
): Map<string, T> {
  const first = new Map<string, T>();
  for (const item of items) {
    const name = key(item);
    if (name === undefined) continue;
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, item);
    else problems.add(path(item), code, `"${name}" is already used at ${path(earlier)}.`);
  }
  return first;
}

/** One row is all seats of a zone with the same section and row. */
type RowNumbers = {
  numbers: Map<number, SeatDraft>;
  orders: Map<number, SeatDraft>;
  without: number;
  seats: number;
  gap: SeatDraft | undefined;
  ring: SeatDraft | undefined;
};

/** Of two seats each would be beside the other twice. */
const SEATS_OF_RING = 3;

/** In a row no number and no place occurs twice, and places are given for all seats or none. */
export function checkRows(draft: LayoutDraft, problems: LayoutProblems): void {
  const rows = new Map<string, RowNumbers>();
  for (const seat of draft.seats) {
    if (seat.row === undefined) continue;
    const row = rowOf(rows, `${seat.zone}\n${seat.section}\n${seat.row}`);
    reportTaken(row.numbers, seat, { field: 'number', code: 'duplicate_seat_number' }, problems);
    reportTaken(row.orders, seat, { field: 'order', code: 'duplicate_order' }, problems);
    if (seat.order === undefined) row.without++;
    row.seats++;
    if (seat.gap_after) row.gap ??= seat;
    if (seat.ring) row.ring ??= seat;
  }
  for (const { orders, without, ring, gap, seats } of rows.values()) {
    if (ring && (gap || seats < SEATS_OF_RING)) {
      const sentence = 'A round table has at least three seats and no aisle.';
      problems.add(ring.path('ring'), 'ring_impossible', sentence);
    }
    const [first] = orders.values();
    if (first === undefined || without === 0) continue;
    const sentence = `Seats of this row without an order: ${without}. Give it to all or none.`;
    problems.add(first.path('order'), 'order_incomplete', sentence);
  }
}

function rowOf(rows: Map<string, RowNumbers>, key: string): RowNumbers {
  let row = rows.get(key);
  if (!row) {
    const none = { gap: undefined, ring: undefined };
    row = { numbers: new Map(), orders: new Map(), without: 0, seats: 0, ...none };
    rows.set(key, row);
  }
  return row;
}

function reportTaken(
  taken: Map<number, SeatDraft>,
  seat: SeatDraft,
  rule: { field: 'number' | 'order'; code: LayoutProblemCode },
  problems: LayoutProblems,
): void {
  const value = seat[rule.field];
  if (value === undefined) return;
  const earlier = taken.get(value);
  if (earlier === undefined) {
    taken.set(value, seat);
    return;
  }
  const sentence = `${value} is already used in this row at ${earlier.path(rule.field)}.`;
  problems.add(seat.path(rule.field), rule.code, sentence);
}
