import type { FreeSeats } from './free-seats.ts';
import { piecesOf } from './orphans.ts';

/** How many of the group sit in one row, and in how many pieces. */
export type RowShare = Readonly<{ row: number; seats: number; pieces: number }>;

/** The rows of a group, the one with most people first. */
export function rowSharesOf(free: FreeSeats, seats: readonly number[]): RowShare[] {
  const shares = new Map<number, { row: number; seats: number; pieces: number }>();
  for (const piece of piecesOf(free, seats)) {
    const row = free.plan.rowOf(piece[0] ?? 0);
    const share = shares.get(row) ?? { row, seats: 0, pieces: 0 };
    share.seats += piece.length;
    share.pieces++;
    shares.set(row, share);
  }
  return [...shares.values()].sort((one, other) => other.seats - one.seats || one.row - other.row);
}

/** "4 together in row F, 1 in row G just behind". */
export function sentenceOf(free: FreeSeats, seats: readonly number[]): string {
  const shares = rowSharesOf(free, seats);
  const [main] = shares;
  if (!main) return '';
  const several = new Set(shares.map(({ row }) => free.plan.row(row).section)).size > 1;
  return shares.map((share) => shareText(free, share, main, several)).join(', ');
}

function shareText(free: FreeSeats, share: RowShare, main: RowShare, several: boolean): string {
  const { label } = free.plan.row(share.row);
  const section = label.section !== null && several ? `section ${label.section} ` : '';
  const together = share.seats === 1 ? '' : share.pieces === 1 ? ' together' : ' not together';
  const where = `${section}row ${label.row}`;
  return `${share.seats}${together} in ${where}${share === main ? '' : wayFrom(free, share, main)}`;
}

/** Only rows of one section have a way that a sentence can tell. */
function wayFrom({ plan }: FreeSeats, share: RowShare, main: RowShare): string {
  const own = plan.row(share.row);
  const other = plan.row(main.row);
  if (own.section !== other.section) return '';
  const apart = Math.abs(own.place - other.place);
  const behind = rowCost(plan.costs, own) > rowCost(plan.costs, other);
  if (apart === 1) return behind ? ' just behind' : ' just in front';
  return ` ${apart} rows ${behind ? 'behind' : 'in front'}`;
}

function rowCost(costs: Uint32Array, { first, count }: { first: number; count: number }): number {
  let sum = 0;
  for (let seat = first; seat < first + count; seat++) sum += costs[seat] ?? 0;
  return sum / count;
}
