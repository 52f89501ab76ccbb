import type { SeatHold } from '@voelgoed/client/client';

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
