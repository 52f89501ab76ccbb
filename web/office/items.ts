import { d } from '#desk-words';
import type { Item } from './office.svelte.ts';

/** How many seats and places. */
export function quantityOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + ('seat' in item ? 1 : item.quantity), 0);
}

/** Those that can be chosen on the map. */
export function ordinalsOf(items: readonly Item[]): number[] {
  return items.flatMap((item) => ('seat' in item ? [item.seat.ordinal] : []));
}

/** `3 seats`, or `2 places in the pit`. */
export function titleOf(items: readonly Item[]): string {
  const [first] = items;
  if (first && 'zone' in first) return d().office.placesTitle(first.quantity, first.zone.name);
  return d().office.holdTitle(items.length);
}
