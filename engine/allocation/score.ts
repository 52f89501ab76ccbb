import type { FreeSeats } from './free-seats.ts';
import { piecesOf, strandedBy } from './orphans.ts';
import { distanceBetween } from './seating-plan.ts';

/** Lower is better. Distances are in units of the drawing, per person. */
export type Score = Readonly<{
  total: number;
  parts: Readonly<{
    /** To the focal point of the zone, sitting off centre included. */
    distance: number;
    /** How far those who sit apart are from the largest part of the group. */
    spread: number;
    /** Seats that would be stranded. */
    orphans: number;
    /** In how many pieces more than one the group sits. */
    breaks: number;
    /** How many would sit alone. */
    alone: number;
    /** 1: in a zone that was not asked for. */
    other_zone: number;
    /** 1: places instead of seats. */
    without_seat: number;
  }>;
}>;

/**
 * Each weight is more than all before it can add up to for 50 people on the largest drawing, so the
 * total ranks as the rules do: together, nobody alone, nobody stranded, then near.
 */
const WEIGHT = {
  distance: 1,
  /** Sitting together is worth more than a better view. */
  spread: 3,
  orphans: 1e8,
  breaks: 1e11,
  alone: 1e13,
  other_zone: 1e15,
  without_seat: 4e15,
} as const;
const HUNDREDTHS = 100;

type Parts = Score['parts'];

export function scored(parts: Parts): Score {
  let total = 0;
  for (const name of Object.keys(WEIGHT) as (keyof Parts)[]) total += WEIGHT[name] * parts[name];
  return { total, parts };
}

/** `beside`: what the party has already; it sits with the new seats. */
export function scoreOf(
  free: FreeSeats,
  seats: readonly number[],
  { beside = [], otherZone = false }: { beside?: readonly number[]; otherZone?: boolean } = {},
): Score {
  const { plan } = free;
  const party = [...seats, ...beside];
  const pieces = piecesOf(free, party);
  const cost = seats.reduce((sum, seat) => sum + plan.costOf(seat), 0);
  return scored({
    distance: cost / HUNDREDTHS / seats.length,
    spread: spreadOf(free, pieces) / HUNDREDTHS / party.length,
    orphans: strandedBy(free, party).length,
    breaks: pieces.length - 1,
    alone: party.length === 1 ? 0 : pieces.filter(({ length }) => length === 1).length,
    other_zone: otherZone ? 1 : 0,
    without_seat: 0,
  });
}

/** The way of everybody who is not in the largest piece to its middle, summed. */
function spreadOf({ plan }: FreeSeats, pieces: readonly number[][]): number {
  if (pieces.length < 2) return 0;
  const largest = pieces.reduce((main, piece) => (piece.length > main.length ? piece : main));
  const middle = plan.centreOf(largest);
  return pieces.reduce((sum, piece) => {
    if (piece === largest) return sum;
    return sum + piece.length * distanceBetween(plan.centreOf(piece), middle);
  }, 0);
}
