import type { FreeSeats } from './free-seats.ts';
import { isNearlyFull, piecesOf, sitsAsOne, strandedBy, withoutHolds } from './orphans.ts';
import { MOST_SEATS } from './run-seats.ts';
import { blocksNear, seatsOf } from './seat-blocks.ts';
import type { SeatingView } from './seating-view.ts';
import { splitGroup } from './split-group.ts';
import { canSeatTidily, type TidyWish, tidySeats } from './tidy-choices.ts';

export type Selection = Readonly<{
  /** What the command names. */
  seats: readonly number[];
  /** What the same user holds in that cart already. */
  held: readonly number[];
  /** The buyer says: it may strand seats. */
  allow_orphan: boolean;
}>;

/** Why seats may be stranded, for the log. */
export type OrphanReason =
  | 'policy'
  | 'asked'
  | 'accessible_party'
  | 'row_nearly_full'
  | 'no_other_choice';

export type Judgement =
  | Readonly<{ kind: 'legal'; orphans: readonly number[]; reason: OrphanReason | null }>
  | Readonly<{
      kind: 'refused';
      code: 'orphan_rule';
      orphans: readonly number[];
      /** Whole selections of the same size, the nearest first; what is kept is in them. */
      alternatives: readonly (readonly number[])[];
    }>;

const MOST_ALTERNATIVES = 3;

/**
 * May a buyer choose these seats? What they strand is judged zone by zone on the whole selection; a
 * choice may be refused only when one of the same size that is in no more pieces, and lets nobody
 * sit alone who did not, strands nobody. A refusal names such a choice. A party with a wheelchair
 * or companion seat sits together whatever it strands.
 */
export function judgeSelection(view: SeatingView, selection: Selection): Judgement {
  const { policy } = view;
  const free = withoutHolds(view.free, selection.held);
  const all = [...new Set([...selection.held, ...selection.seats])];
  const orphans = strandedBy(free, all);
  if (orphans.length === 0) return { kind: 'legal', orphans, reason: null };
  const legal = (reason: OrphanReason): Judgement => ({ kind: 'legal', orphans, reason });
  if (!policy.orphan_avoidance_strict) return legal('policy');
  if (selection.allow_orphan && policy.allow_orphan_on_request) return legal('asked');
  if (sitsAsOne(free, all)) return legal('accessible_party');
  const counted = orphans.filter((seat) => !isNearlyFull(free, seat));
  if (counted.length === 0) return legal('row_nearly_full');
  const zones = new Set(counted.map((seat) => free.plan.zoneOf(seat)));
  const avoidable = [...zones].filter((zone) => isAvoidable(free, zone, all));
  const [zone] = avoidable;
  if (zone === undefined) return legal('no_other_choice');
  const named = counted.filter((seat) => avoidable.includes(free.plan.zoneOf(seat)));
  const most = Math.max(policy.max_group_split, rowsOf(free, all));
  const alternatives = alternativesTo(free, zone, all, selection.held).filter(
    (seats) => rowsOf(free, seats) <= most,
  );
  if (alternatives.length === 0) return legal('no_other_choice');
  return {
    kind: 'refused',
    code: 'orphan_rule',
    orphans: named,
    alternatives: alternatives.slice(0, MOST_ALTERNATIVES),
  };
}

function rowsOf({ plan }: FreeSeats, seats: readonly number[]): number {
  return new Set(seats.map((seat) => plan.rowOf(seat))).size;
}

/** What of the choice another one in that zone could replace. */
function replaceable(free: FreeSeats, zone: number, all: readonly number[]): number[] {
  return all.filter((seat) => free.plan.zoneOf(seat) === zone);
}

function isAvoidable(free: FreeSeats, zone: number, all: readonly number[]): boolean {
  const own = replaceable(free, zone, all);
  if (own.length === 0 || own.length > MOST_SEATS) return false;
  return canSeatTidily(free, zone, asTidyAs(free, own));
}

function asTidyAs(free: FreeSeats, own: readonly number[]): TidyWish {
  const pieces = piecesOf(free, own);
  const alone = pieces.some(({ length }) => length === 1);
  return { size: own.length, pieces: pieces.length, alone };
}

/** Those that keep what is held come first, as nobody has to give a seat back. */
function alternativesTo(
  free: FreeSeats,
  zone: number,
  all: readonly number[],
  held: readonly number[],
): number[][] {
  const own = replaceable(free, zone, all);
  const rest = all.filter((seat) => !own.includes(seat));
  const spot = free.plan.centreOf(own);
  const wish = { size: own.length, tidy: true };
  const near = blocksNear(free, zone, wish, { spot, most: 12 }).map((block) =>
    seatsOf(free.plan, block),
  );
  const kept = held.filter((seat) => own.includes(seat));
  const keeps = (seats: readonly number[]) => kept.every((seat) => seats.includes(seat));
  const chosen = [
    ...grownFrom(free, zone, own.length, kept),
    ...near.filter(keeps),
    ...near.filter((seats) => !keeps(seats)),
  ];
  if (chosen.length === 0) {
    const tidy = asTidyAs(free, own);
    // The nearest one may strand somebody too; then any that does not is better than none.
    const split = splitGroup(free, zone, { size: own.length, rows: Math.min(2, tidy.pieces) });
    chosen.push(...[split, tidySeats(free, zone, tidy)].filter((seats) => seats !== null));
  }
  return distinct(
    chosen.map((seats) => [...rest, ...seats].sort((one, other) => one - other)),
  ).filter((seats) => strandedBy(free, seats).length === 0);
}

/** What is held stays, the others sit in a block near it: not in one piece, but nobody moves. */
function grownFrom(
  free: FreeSeats,
  zone: number,
  size: number,
  kept: readonly number[],
): number[][] {
  if (kept.length === 0 || kept.length >= size) return [];
  const spot = free.plan.centreOf(kept);
  const may = (seat: number) => !kept.includes(seat);
  const wish = { size: size - kept.length, tidy: false, may };
  const blocks = blocksNear(free, zone, wish, { spot, most: 12 });
  const grown = blocks.map((block) => [...kept, ...seatsOf(free.plan, block)]);
  return grown.filter((seats) => strandedBy(free, seats).length === 0).slice(0, 2);
}

function distinct(selections: readonly number[][]): number[][] {
  const known = new Set<string>();
  return selections.filter((seats) => {
    const name = seats.join(' ');
    if (known.has(name)) return false;
    known.add(name);
    return true;
  });
}
