import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeSelection } from './judge-selection.ts';
import { bestAvailable, rankOffers } from './offers.ts';
import { piecesOf, strandedBy } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import { scoreOf } from './score.ts';
import type { SeatingView } from './seating-view.ts';
import { choose } from './test-parties.ts';
import { aView, aWish } from './test-venues.ts';
import { canSeatTidily } from './tidy-choices.ts';

/** Every answer is compared with all that could have been answered. */
const letters = fc.constantFrom('.', '.', '.', 'x', 'x', '|', 'W');
const open = fc.array(letters, { minLength: 1, maxLength: 8 }).map((all) => `.${all.join('')}`);
const table = open.map((all) => `(${all.replaceAll('|', '.')})`);
const row = fc.oneof({ weight: 3, arbitrary: open }, { weight: 1, arbitrary: table });
const smallZone = fc.array(row, { minLength: 1, maxLength: 3 });

function poolOf({ free }: SeatingView): number[] {
  const seats = Array.from({ length: free.plan.seatCount }, (_, seat) => seat);
  return seats.filter((seat) => free.standingOf(seat) === STANDING.pool);
}

function rowCount({ free }: SeatingView, seats: readonly number[]): number {
  return new Set(seats.map((seat) => free.plan.rowOf(seat))).size;
}

const quantity = fc.integer({ min: 1, max: 4 });

describe('best available', () => {
  it('finds the best block, and never splits or strands when a block does not', () => {
    fc.assert(
      fc.property(smallZone, quantity, (rows, size) => {
        const view = aView([rows]);
        const blocks = [...choose(poolOf(view), size)].filter(
          (seats) => piecesOf(view.free, seats).length === 1,
        );
        const totals = blocks.map((seats) => scoreOf(view.free, seats).total);
        const offer = bestAvailable(view, aWish(size));
        if (blocks.length === 0) {
          expect(offer).not.toMatchObject({ adjacent: true });
          return;
        }
        expect(offer).toMatchObject({ kind: 'seats', adjacent: true });
        if (offer.kind !== 'seats') return;
        expect(offer.score.total).toBe(Math.min(...totals));
        expect(offer.score).toEqual(scoreOf(view.free, offer.seats));
        const tidy = blocks.some((seats) => strandedBy(view.free, seats).length === 0);
        expect(offer.orphans.length > 0).toBe(!tidy);
      }),
      { numRuns: 300 },
    );
  });

  it('splits so that as few as possible are alone, in few pieces, stranding few', () => {
    const gaps = fc
      .array(fc.constantFrom('.', 'x', 'x', '|', '.x', '..x'), { minLength: 1, maxLength: 5 })
      .map((all) => `.${all.join('')}`);
    const round = gaps.map((all) => `(${all.replaceAll('|', '')})`);
    const cramped = fc.array(fc.oneof(gaps, gaps, round), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(cramped, fc.integer({ min: 2, max: 5 }), (rows, size) => {
        const view = aView([rows]);
        const pool = poolOf(view);
        if (pool.length > 12) return;
        const groups = [...choose(pool, size)].filter((seats) => rowCount(view, seats) <= 2);
        const offer = bestAvailable(view, aWish(size));
        expect(offer.kind).toBe(groups.length === 0 ? 'refused' : 'seats');
        if (offer.kind !== 'seats') return;
        expect(rowCount(view, offer.seats)).toBeLessThanOrEqual(2);
        expect(new Set(offer.seats).size).toBe(size);
        const ranks = groups.map((seats) => rankOf(view, seats));
        expect(rankOf(view, offer.seats)).toEqual(ranks.sort().at(0));
      }),
      { numRuns: 300 },
    );
  });

  it('gives the same offers again, without a seat in common, from best to worst', () => {
    fc.assert(
      fc.property(smallZone, quantity, (rows, size) => {
        const offers = rankOffers(aView([rows]), aWish(size), 5);
        expect(rankOffers(aView([rows]), aWish(size), 5)).toEqual(offers);
        if (!('length' in offers)) return;
        const seats = offers.flatMap((offer) => (offer.kind === 'seats' ? offer.seats : []));
        expect(new Set(seats).size).toBe(offers.length * size);
        const totals = offers.map(({ score }) => score.total);
        const contiguous = offers.filter((offer) => offer.kind === 'seats' && offer.adjacent);
        const best = totals.slice(0, contiguous.length);
        expect(best).toEqual([...best].sort((one, other) => one - other));
      }),
      { numRuns: 150 },
    );
  });
});

/** As text, so that lists of numbers sort. */
function rankOf({ free }: SeatingView, seats: readonly number[]): string {
  const { parts } = scoreOf(free, seats);
  return [parts.alone, parts.breaks, parts.orphans].join(' ');
}

function isSomebodyAlone({ free }: SeatingView, seats: readonly number[]): boolean {
  return piecesOf(free, seats).some(({ length }) => length === 1);
}

describe('a selection', () => {
  it('is refused exactly when no more split a choice of its size strands nobody', () => {
    const oneRow = fc.array(row, { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(oneRow, quantity, fc.nat(), (rows, size, pick) => {
        const view = aView([rows]);
        const all = [...choose(poolOf(view), size)];
        const seats = all[pick % Math.max(all.length, 1)];
        if (!seats) return;
        const judged = judgeSelection(view, { seats, held: [], allow_orphan: false });
        const stranded = strandedBy(view.free, seats);
        expect(judged.orphans).toEqual(stranded);
        const pieces = piecesOf(view.free, seats).length;
        const alone = isSomebodyAlone(view, seats);
        const better = all.some(
          (other) =>
            piecesOf(view.free, other).length <= pieces &&
            (alone || !isSomebodyAlone(view, other)) &&
            strandedBy(view.free, other).length === 0,
        );
        expect(canSeatTidily(view.free, 0, { size, pieces, alone })).toBe(better);
        expect(judged.kind === 'refused').toBe(stranded.length > 0 && better);
        if (judged.kind !== 'refused') return;
        expect(judged.alternatives.length).toBeLessThanOrEqual(3);
        expect(judged.alternatives.length).toBeGreaterThan(0);
        for (const other of judged.alternatives) {
          expect(new Set(other).size).toBe(size);
          const again = { seats: other, held: [], allow_orphan: false };
          expect(judgeSelection(view, again)).toMatchObject({ kind: 'legal', orphans: [] });
        }
      }),
      { numRuns: 400 },
    );
  });

  it('is judged as a whole: holding seats one by one changes nothing', () => {
    fc.assert(
      fc.property(row, fc.nat(), fc.nat(), (text, pick, held) => {
        const view = aView([[text]]);
        const all = [...choose(poolOf(view), 3)];
        const seats = all[pick % Math.max(all.length, 1)];
        if (!seats) return;
        const first = seats.filter((_, index) => (held >> index) & 1);
        const free = view.free.with(first.map((seat) => [seat, STANDING.gone] as const));
        const rest = seats.filter((seat) => !first.includes(seat));
        const whole = judgeSelection(view, { seats, held: [], allow_orphan: false });
        const step = { seats: rest, held: first, allow_orphan: false };
        const parts = judgeSelection({ ...view, free }, step);
        expect(parts.kind).toBe(whole.kind);
        expect(parts.orphans).toEqual(whole.orphans);
      }),
      { numRuns: 200 },
    );
  });
});
