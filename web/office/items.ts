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

/** More names are not read. */
const MOST_NAMES = 12;

/** `H-1, H-2, 3 × Pit and 4 more`. */
export function namesOf(items: readonly Item[]): string {
  const names = items.map((item) =>
    'seat' in item ? item.seat.label : `${item.quantity} × ${item.zone.name}`,
  );
  const more = names.length - MOST_NAMES;
  const rest = more > 0 ? [d().office.andMore(more)] : [];
  return [names.slice(0, MOST_NAMES).join(', '), ...rest].join(' ');
}
