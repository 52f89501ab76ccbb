import type { Seat } from '#shop';

/** As many as are worth looking at. */
const MOST = 8;

/** Seats whose label is what somebody typed, or else begins so. Spaces and dashes do not matter. */
export function seatsCalled(seats: readonly Seat[], text: string): readonly Seat[] {
  const wanted = plain(text);
  if (wanted.length < 2) return [];
  const found: Seat[] = [];
  for (const seat of seats) {
    const label = plain(seat.label);
    if (label === wanted) return [seat];
    if (found.length < MOST && label.startsWith(wanted)) found.push(seat);
  }
  return found;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
