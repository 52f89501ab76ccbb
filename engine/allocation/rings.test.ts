import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeSelection } from './judge-selection.ts';
import { legalOffers } from './legal-offers.ts';
import { piecesOf, strandedBy } from './orphans.ts';
import { hasBlock, RunSeats, STANDING } from './run-seats.ts';
import { aView, aWish, freeSeats } from './test-venues.ts';

const pick = (...seats: number[]) => ({ seats, held: [], allow_orphan: false });

describe('a round table', () => {
  it('has no end: four of six side by side leave two side by side', () => {
    for (let first = 0; first < 6; first++) {
      const seats = [0, 1, 2, 3].map((place) => (first + place) % 6);
      const view = aView([['(......)']]);
      expect(judgeSelection(view, pick(...seats))).toEqual({
        kind: 'legal',
        orphans: [],
        reason: null,
      });
      expect(piecesOf(view.free, seats)).toHaveLength(1);
    }
    expect(judgeSelection(aView([['......', '....']]), pick(1, 2, 3, 4))).toMatchObject({
      kind: 'refused',
      orphans: [0, 5],
    });
  });

  it('leaves a seat alone where both of its neighbours are taken, on whichever side', () => {
    const free = freeSeats([['(x.x..)']]);
    expect(strandedBy(free, [3])).toEqual([4]);
    expect(strandedBy(freeSeats([['(......)']]), [5, 1])).toEqual([0]);
    expect(strandedBy(freeSeats([['(.....)']]), [1, 2, 3, 4])).toEqual([0]);
    expect(strandedBy(freeSeats([['(....)']]), [0, 1, 2, 3])).toEqual([]);
  });

  it('seats a party across the place where its numbers begin', () => {
    const view = aView([['(..xx..)', 'x..x']]);
    const found = legalOffers(view, aWish(4), { most: 1, allow_orphan: false });
    expect(found).toMatchObject([{ seats: [0, 1, 4, 5], adjacent: true }]);
    const free = view.free.with([[0, STANDING.gone]]);
    const grown = legalOffers({ ...view, free }, aWish(3, { beside: [0] }), {
      most: 1,
      allow_orphan: false,
    });
    expect(grown).toMatchObject([{ seats: [1, 4, 5], adjacent: true }]);
  });

  it('of two seats is a row', () => {
    expect(strandedBy(freeSeats([['(..)']]), [0])).toEqual([1]);
    expect(piecesOf(freeSeats([['(..)']]), [0, 1])).toEqual([[0, 1]]);
  });
});

/** What it means, without the product: seats beside each other modulo their number. */
const table = fc.array(fc.constantFrom('.', '.', 'x', 'W'), { minLength: 3, maxLength: 9 });
const chosen = fc.uniqueArray(fc.nat(8), { maxLength: 9 });

it('is as its seats sit: pieces, single seats and the blocks that can be had', () => {
  fc.assert(
    fc.property(table, chosen, fc.integer({ min: 1, max: 9 }), (letters, picked, size) => {
      const count = letters.length;
      const free = freeSeats([[`(${letters.join('')})`]]);
      const seats = picked.filter((seat) => letters[seat] === '.');
      const beside = (seat: number) => [(seat + 1) % count, (seat + count - 1) % count];
      const isLeft = (seat: number, taken: readonly number[]) =>
        letters[seat] !== 'x' && !taken.includes(seat);
      const alone = (taken: readonly number[]) =>
        letters.flatMap((letter, seat) => {
          if (letter !== '.' || !isLeft(seat, taken)) return [];
          const before = beside(seat).some((one) => isLeft(one, []));
          return before && !beside(seat).some((one) => isLeft(one, taken)) ? [seat] : [];
        });
      expect(strandedBy(free, seats)).toEqual(alone(seats));
      const ends = seats.filter((seat) => !seats.includes((seat + 1) % count));
      const pieces = seats.length === 0 ? 0 : Math.max(1, ends.length);
      expect(piecesOf(free, seats)).toHaveLength(pieces);
      const blocks = letters.flatMap((_, first) => {
        const block = Array.from({ length: size }, (_, place) => (first + place) % count);
        return size <= count && block.every((seat) => letters[seat] === '.') ? [block] : [];
      });
      const run = new RunSeats(free.run(0).standings, true);
      expect(hasBlock(run, size, false)).toBe(blocks.length > 0);
      expect(hasBlock(run, size, true)).toBe(blocks.some((block) => alone(block).length === 0));
      for (const block of blocks) {
        expect(run.strandedBy(block[0] ?? 0, size)).toBe(alone(block).length);
      }
      const single = letters.filter(
        (letter, seat) => letter === '.' && beside(seat).every((one) => letters[one] === 'x'),
      );
      expect(run.orphans).toBe(single.length);
    }),
    { numRuns: 500 },
  );
});
