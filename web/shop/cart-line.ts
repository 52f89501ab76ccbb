import type { SeatHold } from '@voelgoed/client/client';
import { t } from '#words';
import type { EventShop } from './event.svelte.ts';

/** A hold of the visitor: a seat, or places in a zone without seats. */
export type CartLine = Readonly<{
  hold_id: string;
  seat_id: string | null;
  zone_id: string;
  quantity: number;
  label: string | null;
  held_until: string;
}>;

export function lineOf(hold: SeatHold): CartLine {
  const { hold_id, seat_id, zone_id, quantity, label, held_until } = hold;
  return { hold_id, seat_id, zone_id, quantity, label, held_until };
}

/** What the cart shows as one line: a seat, or all places of a zone from one or more holds. */
export type CartRow = Readonly<{
  key: string;
  seat_id: string | null;
  zone_id: string;
  quantity: number;
  lines: readonly CartLine[];
}>;

export function rowsOf(lines: readonly CartLine[]): CartRow[] {
  const groups = Map.groupBy(lines, ({ seat_id, zone_id }) => seat_id ?? zone_id);
  return [...groups].flatMap(([key, own]) => {
    const [first] = own;
    if (!first) return [];
    const { seat_id, zone_id } = first;
    const quantity = own.reduce((sum, line) => sum + line.quantity, 0);
    return [{ key, seat_id, zone_id, quantity, lines: own }];
  });
}

type Described = Pick<CartLine, 'label' | 'zone_id' | 'quantity' | 'seat_id'>;

/** `A-1, A-2 and Pit × 3`, for sentences. */
export function describedIn(shop: EventShop, lines: readonly Described[]): string {
  const seats = lines.filter(({ seat_id }) => seat_id).length;
  if (seats > 4) return t().seats(seats);
  return lines
    .map(({ seat_id, label, zone_id, quantity }) => {
      if (seat_id) return t().seatNamed(label ?? shop.plan?.seatOf(seat_id)?.label ?? '');
      return `${shop.zoneOf(zone_id)?.name ?? ''} × ${quantity}`;
    })
    .join(', ');
}
