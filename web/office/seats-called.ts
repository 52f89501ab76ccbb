import type { Seat } from '#shop';

/** As many as are worth looking at. */
const MOST = 8;

/**
 * Seats whose label is the text, or else those that are so called in any section, or else whose
 * label or name in the section begins so. Spaces and dashes do not matter, and `H3` is `H-3`.
 */
export function seatsCalled(seats: readonly Seat[], text: string): readonly Seat[] {
  const wanted = plain(text);
  if (wanted.length < 2) return [];
  const named: Seat[] = [];
  const begun: Seat[] = [];
  for (const seat of seats) {
    const label = plain(seat.label);
    if (label === wanted) return [seat];
    if (isCalled(seat, label, wanted)) named.push(seat);
    else if (begun.length < MOST && begins(label, wanted)) begun.push(seat);
  }
  return (named.length > 0 ? named : begun).slice(0, MOST);
}

/** The end of its label, or its row and number. */
function isCalled({ row, number }: Seat, label: string, wanted: string): boolean {
  return label.endsWith(`-${wanted}`) || plain(`${row}-${number}`) === wanted;
}

function begins(label: string, wanted: string): boolean {
  return label.startsWith(wanted) || label.includes(`-${wanted}`);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .replaceAll(/(^|-)(\p{L}{1,3})(\d+)$/gu, '$1$2-$3');
}
