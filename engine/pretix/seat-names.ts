import { LAYOUT_LIMITS } from '#layouts';
import type { ImportedRow, ImportedZone } from './imported-zones.ts';
import type { PretixSeat } from './read-plan.ts';
import { shortened } from './read-values.ts';

/** Labels by seat, and how many had to be told apart by a mark of ours. */
export type Labels = { of: Map<PretixSeat, string>; marked: number };

/**
 * What people call the seats: row and number, with the zone before it where that alone is not
 * unique. Ids of the plan are not used, because real plans repeat them.
 */
export function labelSeats(zones: readonly ImportedZone[]): Labels {
  const named = [...zones.entries()].flatMap(([index, zone]) =>
    [...zone.rows.values()].flatMap((row) =>
      row.pieces.flat().map((seat, place) => {
        const short = shortLabel(row.name, seat.number || String(place + 1));
        return { seat, short, long: longLabel(zone.plan_zone, index, short) };
      }),
    ),
  );
  const unique = new Set(named.map(({ short }) => short)).size === named.length;
  const taken = new Set<string>();
  const labels: Labels = { of: new Map(), marked: 0 };
  for (const { seat, short, long } of named) {
    const wanted = unique ? short : long;
    const label = freeLabel(wanted, taken);
    if (label !== wanted) labels.marked++;
    taken.add(label);
    labels.of.set(seat, label);
  }
  return labels;
}

/** Some plans write the row into the number already. */
function shortLabel(row: string, number: string): string {
  const label = number.startsWith(`${row}-`) ? number : `${row}-${number}`;
  return shortened(label, LAYOUT_LIMITS.label);
}

function longLabel(zone: string, index: number, short: string): string {
  const label = `${zone} ${short}`;
  return label.length <= LAYOUT_LIMITS.label ? label : cut(`Z${index + 1} ${short}`, '');
}

function freeLabel(wanted: string, taken: ReadonlySet<string>): string {
  let label = wanted;
  for (let copy = 2; taken.has(label); copy++) label = cut(wanted, ` (${copy})`);
  return label;
}

function cut(text: string, end: string): string {
  return shortened(text, LAYOUT_LIMITS.label - end.length) + end;
}

/** Numbers of a row's seats; those that are no plain number, or a repeated one, are `made`. */
export function numberSeats(row: ImportedRow): { numbers: number[]; made: number } {
  const seats = row.pieces.flat();
  const read = seats.map((seat) => plainNumber(seat.number));
  const taken = new Set<number>();
  let free = read.reduce<number>((most, number) => Math.max(most, number ?? 0), 0);
  let made = 0;
  const numbers = read.map((number, place) => {
    if (number !== undefined && !taken.has(number)) {
      taken.add(number);
      if (String(number) !== seats[place]?.number) made++;
      return number;
    }
    made++;
    free++;
    taken.add(free);
    return free;
  });
  return { numbers, made };
}

/** 12, or the last number in a text such as B-12 or 12a. */
function plainNumber(text: string): number | undefined {
  const digits = /(\d{1,6})\D*$/.exec(text)?.[1];
  return digits === undefined ? undefined : Math.min(Number(digits), LAYOUT_LIMITS.number);
}
