import {
  distance,
  findAisles,
  type Point,
  physicalOrder,
  stepsBetween,
  usualStep,
} from '#geometry';
import type { PretixPlan, PretixRow, PretixSeat, PretixZone } from './read-plan.ts';
import type { ZoneExtension } from './read-values.ts';

/** A zone of ours with its rows, still in the plan's words. */
export type ImportedZone = {
  name: string;
  /** The zone of the plan, for labels: several of ours may come from one. */
  plan_zone: string;
  category: string;
  color: string | undefined;
  extension: ZoneExtension;
  rows: Map<string, ImportedRow>;
};

/** `pieces` are the rows of the plan that have this name, in physical order. */
export type ImportedRow = { name: string; pieces: PretixSeat[][] };

/**
 * In pretix the category of a seat decides its price, here the zone does: a zone with seats of
 * several categories becomes one zone for each. Accessible seats stay with the category around
 * them, because a companion must be in the zone of its wheelchair space.
 */
export function importedZones(plan: PretixPlan): ImportedZone[] {
  return plan.zones.flatMap((zone) => {
    const parts = new Map<string, ImportedZone>();
    const seats = zone.rows.flatMap((row) => row.seats);
    const usual = mainCategory(plan, seats);
    for (const row of zone.rows) {
      for (const [category, seats] of splitRow(plan, row, usual)) {
        addPiece(partOf(parts, plan, zone, category), row.name, seats);
      }
    }
    if (parts.size > 1) for (const part of parts.values()) part.name = nameOfPart(part);
    for (const part of parts.values()) for (const row of part.rows.values()) sortPieces(row);
    return [...parts.values()];
  });
}

function partOf(
  parts: Map<string, ImportedZone>,
  plan: PretixPlan,
  zone: PretixZone,
  category: string,
): ImportedZone {
  const known = parts.get(category);
  if (known) return known;
  const { name, extension } = zone;
  const color = plan.categories.get(category)?.color;
  const part = { name, plan_zone: name, category, color, extension, rows: new Map() };
  parts.set(category, part);
  return part;
}

function nameOfPart({ plan_zone, category }: ImportedZone): string {
  return `${plan_zone} – ${category || 'without category'}`;
}

/** The seats of a row by the category that prices them. */
function splitRow(
  plan: PretixPlan,
  row: PretixRow,
  usual: string | undefined,
): Map<string, PretixSeat[]> {
  const around = mainCategory(plan, row.seats) ?? usual;
  const split = new Map<string, PretixSeat[]>();
  for (const seat of row.seats) {
    const category = isAccessible(plan, seat) ? (around ?? seat.category) : seat.category;
    const seats = split.get(category);
    if (seats) seats.push(seat);
    else split.set(category, [seat]);
  }
  return split;
}

function isAccessible(plan: PretixPlan, seat: PretixSeat): boolean {
  const category = seat.seat_category ?? plan.categories.get(seat.category)?.seat_category;
  return category === 'wheelchair' || category === 'companion';
}

/** The most frequent category among seats that everybody buys. */
function mainCategory(plan: PretixPlan, seats: readonly PretixSeat[]): string | undefined {
  const counts = new Map<string, number>();
  for (const seat of seats) {
    if (isAccessible(plan, seat)) continue;
    counts.set(seat.category, (counts.get(seat.category) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function addPiece(zone: ImportedZone, name: string, seats: PretixSeat[]): void {
  const known = name === '' ? undefined : zone.rows.get(name);
  if (known) {
    known.pieces.push(seats);
    return;
  }
  // A row without a name gets a number: what it would be, or the next one nobody has.
  let number = zone.rows.size + 1;
  while (name === '' && zone.rows.has(String(number))) number++;
  const own = name || String(number);
  zone.rows.set(own, { name: own, pieces: [seats] });
}

/** Pieces from left to right, and the seats of each piece as they stand. */
function sortPieces(row: ImportedRow): void {
  const sorted = row.pieces.map((piece) => inOrder(piece, piece));
  const centres = sorted.map((piece) => ({
    x: piece.reduce((sum, seat) => sum + seat.x, 0) / piece.length,
    y: piece.reduce((sum, seat) => sum + seat.y, 0) / piece.length,
  }));
  row.pieces = inOrder(sorted, centres);
}

function inOrder<T>(things: readonly T[], points: readonly Point[]): T[] {
  return physicalOrder(points)
    .map((index) => things[index])
    .filter((thing) => thing !== undefined);
}

/** This many usual steps between two pieces are an aisle: somebody drew them apart. */
const APART = 1.25;

/** After which seats of a row of several pieces there is an aisle. */
export function aislesOf(row: ImportedRow): boolean[] {
  const steps = row.pieces.map(stepsBetween);
  const usual = usualStep(steps.flat()) ?? 0;
  return row.pieces.flatMap((piece, index) => {
    const [last, next] = [piece.at(-1), row.pieces[index + 1]?.[0]];
    const apart = last && next ? distance(last, next) > usual * APART : false;
    return [...findAisles(steps[index] ?? [], usual), apart];
  });
}
