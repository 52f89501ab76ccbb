import type { Row, Seat } from '#shop';

/** So many rows a page key goes. */
const PAGE = 5;

/** Straight up or down: the seat of the other row that is nearest, as on the map. */
function beside(seat: Seat, row: Row | undefined): Seat | undefined {
  const away = (one: Seat) => Math.abs(one.x - seat.x);
  return row?.seats.toSorted((one, other) => away(one) - away(other))[0];
}

/** Where a key leads from a seat in a list of rows; null: it is not one of the keys that lead. */
export function stepFrom(
  key: string,
  rows: readonly Row[],
  { seat, row, place }: Readonly<{ seat: Seat; row: number; place: number }>,
): { to: Seat | undefined } | null {
  const seats = rows[row]?.seats ?? [];
  switch (key) {
    case 'ArrowLeft':
      return { to: seats[place - 1] };
    case 'ArrowRight':
      return { to: seats[place + 1] };
    case 'ArrowUp':
      return { to: beside(seat, rows[row - 1]) };
    case 'ArrowDown':
      return { to: beside(seat, rows[row + 1]) };
    case 'Home':
      return { to: seats[0] };
    case 'End':
      return { to: seats.at(-1) };
    case 'PageUp':
      return { to: beside(seat, rows[Math.max(0, row - PAGE)]) };
    case 'PageDown':
      return { to: beside(seat, rows[Math.min(rows.length - 1, row + PAGE)]) };
    default:
      return null;
  }
}
