import type { Random } from '#kit';
import type { SeatingView } from './seating-view.ts';

/** Halls that are drawn at random, the same ones for the same seed; letters as in test-venues. */
export type Hall = Readonly<{
  rows: readonly [least: number, most: number];
  length: readonly [least: number, most: number];
  /** What a place may be, each as likely as it is often here. */
  places: readonly string[];
  tables?: number;
}>;

export const between = (random: Random, [least, most]: readonly [number, number]) =>
  least + Math.floor(random.next() * (most - least + 1));
export const oneOf = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random.next() * from.length)] as T;

export function drawn(random: Random, { rows, length, places, tables = 0 }: Hall): string[] {
  return Array.from({ length: between(random, rows) }, () => {
    const text = Array.from({ length: between(random, length) }, () => oneOf(random, places));
    const isTable = random.next() < tables;
    return isTable ? `(.${text.join('').replaceAll('|', '.')})` : `.${text.join('')}`;
  });
}

/** A party that is in the hall already: some free seats beside each other, or anywhere. */
export function partyIn(random: Random, { free }: SeatingView, most: number): number[] {
  const all = Array.from({ length: free.plan.seatCount }, (_, seat) => seat);
  const open = all.filter((seat) => free.isOpen(seat) && free.plan.spaceOf(seat) === undefined);
  const from = Math.floor(random.next() * open.length);
  const step = random.next() < 0.7 ? 1 : 2;
  const size = between(random, [1, most]);
  return open.slice(from).filter((_, nth) => nth % step === 0 && nth / step < size);
}

export const BUSY = ['.', '.', '.', '.', '.', 'x', '|'];
export const NEARLY_SOLD = ['.', '.', '.x', 'x', 'x', 'x', '..x', '|'];
export const WHEELS = ['.', '.', '.', '.', 'x', 'x', '|', 'W', 'WC', 'WCC'];
export const usual: Hall = { rows: [3, 8], length: [5, 14], places: BUSY, tables: 0.15 };
