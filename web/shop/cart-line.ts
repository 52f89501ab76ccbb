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
