import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#kit';
import { Effort } from './effort.ts';
import type { FreeSeats } from './free-seats.ts';
import { strandedBy } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import {
  type Block,
  type BlockWish,
  bestBlock,
  blocksInRows,
  blocksNear,
  type CostOf,
  costNear,
  eachBlock,
  focalCost,
  isBetter,
  seatsOf,
} from './seat-blocks.ts';
import { drawn, type Hall } from './test-halls.ts';
import { freeSeats } from './test-venues.ts';

const hall: Hall = {
  rows: [1, 4],
  length: [2, 9],
  places: ['.', '.', '.', '.', 'x', '|', 'W'],
  tables: 0.25,
};
const large: Hall = { ...hall, rows: [45, 60], length: [1, 6] };

/** Every block there is, by looking at each seat as the first of one. */
function blocksOf(free: FreeSeats, rows: readonly number[], wish: BlockWish, costOf: CostOf) {
  const { plan } = free;
  const { size, tidy, may } = wish;
  const takes = (seat: number) => free.standingOf(seat) === STANDING.pool && (!may || may(seat));
  return plan.runs.flatMap(({ first, count, row, ring }): Block[] => {
    if (!rows.includes(row) || size > count) return [];
    // A ring that is taken as a whole is one block, wherever it is said to begin.
    const begins = ring && size < count ? count : count - size + 1;
    return Array.from({ length: begins }, (_, nth) => first + nth).flatMap((start) => {
      const seats = plan.seatsFrom(start, size);
      const orphans = strandedBy(free, seats).length;
      if (!seats.every(takes) || (tidy && orphans > 0)) return [];
      const cost = seats.reduce((sum, seat) => sum + costOf(seat), 0);
      return [{ first: start, size, orphans, cost }];
    });
  });
}

const inOrder = (blocks: readonly Block[]) =>
  [...blocks].sort(
    (one, other) => one.orphans - other.orphans || one.cost - other.cost || one.first - other.first,
  );
const rowsOf = ({ plan }: FreeSeats, zone: number) =>
  [...plan.rows.keys()].filter((row) => plan.row(row).zone === zone);

const asked = fc.record({
  seed: fc.nat(1_000_000),
  size: fc.integer({ min: 1, max: 5 }),
  tidy: fc.boolean(),
  may: fc.constantFrom(undefined, undefined, (seat: number) => seat % 4 !== 2),
  most: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(60, 200)),
  zone: fc.nat(1),
});

describe('blocks of seats side by side', () => {
  it('are all visited once, with what they cost and whom they leave alone', () => {
    fc.assert(
      fc.property(asked, ({ seed, ...wish }) => {
        const free = freeSeats([drawn(seededRandom(seed), hall)]);
        const costOf = focalCost(free.plan);
        const found: Block[] = [];
        const visit = (block: Block) => found.push(block);
        for (const run of free.plan.runs.keys()) eachBlock(free, run, wish, costOf, visit);
        expect(inOrder(found)).toEqual(inOrder(blocksOf(free, rowsOf(free, 0), wish, costOf)));
        for (const block of found) {
          expect(seatsOf(free.plan, block)).toEqual(free.plan.seatsFrom(block.first, block.size));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('of a zone: the best is found', () => {
    fc.assert(
      fc.property(asked, fc.boolean(), ({ seed, zone, ...wish }, isLarge) => {
        const random = seededRandom(seed);
        const drawing = [drawn(random, isLarge ? large : hall), drawn(random, hall)];
        const free = freeSeats(drawing);
        const all = blocksOf(free, rowsOf(free, zone), wish, focalCost(free.plan));
        const [best = null] = inOrder(all);
        // Whether there is a tidy one is asked first.
        if (!wish.tidy && best?.orphans === 0) return;
        expect(bestBlock(free, zone, { ...wish, effort: new Effort() })).toEqual(best);
      }),
      { numRuns: 200 },
    );
  });

  it('of a zone or of some rows: the nearest to a spot are found, in order', () => {
    const spot = fc.record({
      x: fc.integer({ min: -6_000, max: 6_000 }),
      y: fc.integer({ min: -2_000, max: 60_000 }),
    });
    fc.assert(
      fc.property(asked, spot, ({ seed, zone, most, ...wish }, at) => {
        const random = seededRandom(seed);
        const free = freeSeats([drawn(random, hall), drawn(random, large)]);
        const costOf = costNear(free.plan, at);
        const near = { spot: at, most };
        const rows = rowsOf(free, zone);
        const all = inOrder(blocksOf(free, rows, wish, costOf));
        expect(blocksNear(free, zone, wish, near)).toEqual(all.slice(0, most));
        const some = rows.filter((row) => row % 3 === 1);
        const inSome = inOrder(blocksOf(free, some, wish, costOf));
        expect(blocksInRows(free, some, wish, near)).toEqual(inSome.slice(0, most));
      }),
      { numRuns: 150 },
    );
  });

  it('are compared by whom they leave alone, then how near they are, then from the left', () => {
    const block = (orphans: number, cost: number, first: number) => {
      return { first, size: 2, orphans, cost };
    };
    const order = [block(0, 5, 9), block(1, 3, 4), block(1, 4, 1), block(1, 4, 2)];
    order.forEach((one, index) => {
      expect(isBetter(one, null)).toBe(true);
      order.forEach((other, place) => {
        expect(isBetter(one, other)).toBe(index < place);
      });
    });
  });
});
