import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#kit';
import { comparePlaces, placedOf } from './compare-places.ts';
import type { FreeSeats } from './free-seats.ts';
import { type GrowthWish, growParty, growTouching, looseSeats, subsetsOf } from './grow-party.ts';
import { piecesOf, strandedBy } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import { drawn, type Hall, partyIn } from './test-halls.ts';
import { choose } from './test-parties.ts';
import { aView, freeSeats } from './test-venues.ts';

const small: Hall = {
  rows: [1, 3],
  length: [3, 8],
  places: ['.', '.', '.', '.', 'x', '|', 'WC'],
  tables: 0.25,
};

/** The seats of a party are gone, as they are for everybody. */
function without(free: FreeSeats, beside: readonly number[]): FreeSeats {
  return free.with(beside.map((seat) => [seat, STANDING.gone]));
}

const growth = (size: number, beside: readonly number[], more: Partial<GrowthWish> = {}) => {
  return { size, beside, strict: false, rows: 2, ...more };
};

function poolOf(free: FreeSeats, may?: (seat: number) => boolean): number[] {
  const seats = Array.from({ length: free.plan.seatCount }, (_, seat) => seat);
  return seats.filter((seat) => free.standingOf(seat) === STANDING.pool && (!may || may(seat)));
}

/** All who come are in one piece with a seat that the party has. */
function isTouching(free: FreeSeats, beside: readonly number[], seats: readonly number[]) {
  return piecesOf(free, [...beside, ...seats]).some(
    (piece) =>
      seats.every((seat) => piece.includes(seat)) && beside.some((seat) => piece.includes(seat)),
  );
}

describe('those who join a party', () => {
  const asked = fc.record({
    seed: fc.nat(1_000_000),
    size: fc.integer({ min: 1, max: 4 }),
    some: fc.boolean(),
  });

  it('sit beside it as well as they can, on one side or on both', () => {
    let found = 0;
    let runs = 0;
    fc.assert(
      fc.property(asked, ({ seed, size, some }) => {
        runs++;
        const random = seededRandom(seed);
        const view = aView([drawn(random, small)]);
        const beside = partyIn(random, view, 3);
        const free = without(view.free, beside);
        const may = some ? (seat: number) => seat % 5 !== 3 : undefined;
        const ways = [...choose(poolOf(free, may), size)]
          .filter((seats) => isTouching(free, beside, seats))
          .map((seats) => placedOf(free, seats, beside))
          .sort(comparePlaces);
        const seats = growTouching(free, growth(size, beside, { may }));
        expect(seats === null).toBe(ways.length === 0);
        const [best] = ways;
        if (!seats || !best) return;
        found++;
        expect(seats).toEqual([...seats].sort((one, other) => one - other));
        expect(isTouching(free, beside, seats)).toBe(true);
        expect(comparePlaces(placedOf(free, seats, beside), best)).toBe(0);
        expect(growParty(free, growth(size, beside, { may }))).toEqual(seats);
      }),
      { numRuns: 200 },
    );
    expect(found).toBeGreaterThanOrEqual(Math.floor(runs / 3));
  });

  it('sit in one block near it where they cannot touch it, and leave no seat alone', () => {
    let found = 0;
    let runs = 0;
    const ordinary = { ...small, places: ['.', '.', '.', 'x', 'x', '|'] };
    fc.assert(
      fc.property(asked, ({ seed, size }) => {
        runs++;
        const random = seededRandom(seed);
        const view = aView([drawn(random, ordinary)]);
        const beside = partyIn(random, view, 2);
        const free = without(view.free, beside);
        if (growTouching(free, growth(size, beside))) return;
        const blocks = [...choose(poolOf(free), size)].filter(
          (seats) => piecesOf(free, seats).length === 1,
        );
        const seats = growParty(free, growth(size, beside));
        if (blocks.length === 0 || !seats) return;
        found++;
        expect(piecesOf(free, seats)).toHaveLength(1);
        const tidy = blocks.filter((block) => strandedBy(free, block).length === 0);
        expect(strandedBy(free, seats).length === 0).toBe(tidy.length > 0);
      }),
      { numRuns: 200 },
    );
    expect(found).toBeGreaterThanOrEqual(Math.floor(runs / 10));
  });

  it('go on beyond seats of the party, and around a table to its other side', () => {
    const beside = (text: string, own: number[], size: number) =>
      growTouching(without(freeSeats([[text]]), own), growth(size, own));
    expect(beside('xx....xx', [2, 4], 2)).toEqual([3, 5]);
    expect(beside('..x..', [1], 2)).toBeNull();
    expect(beside('(.....)', [0], 4)).toEqual([1, 2, 3, 4]);
    expect(beside('(.....)', [0], 5)).toBeNull();
    expect(beside('(..x..)', [0], 3)).toEqual([1, 3, 4]);
  });

  it('are split over the rows that the party has left', () => {
    const free = freeSeats([['.x..x', '..x..', '..x..', '..x..']]);
    const rowsOf = (rows: number) => {
      const seats = growParty(without(free, [0]), growth(6, [0], { rows }));
      return seats && new Set(seats.map((seat) => free.plan.rowOf(seat))).size;
    };
    expect([rowsOf(1), rowsOf(2), rowsOf(3)]).toEqual([null, 2, 2]);
    expect(growParty(without(free, [0]), growth(6, [0], { strict: true }))).toBeNull();
  });
});

describe('companion seats of a party', () => {
  const free = freeSeats([['WC|C.', 'WCx..']]).with([
    [0, STANDING.gone],
    [1, STANDING.pool],
    [2, STANDING.pool],
  ]);

  it('are those of its own spaces that it may still have', () => {
    expect(looseSeats(free, [0])).toEqual([1, 2]);
    expect(looseSeats(free, [0], (seat) => seat !== 1)).toEqual([2]);
    expect(looseSeats(free, [4])).toEqual([]);
    expect(looseSeats(free, [4, 5])).toEqual([]);
  });

  it('are for those who find no seat beside it, as many as there are', () => {
    const party = growth(1, [0], { strict: true, loose: [2] });
    const taken = free.with([[1, STANDING.gone]]);
    expect(growParty(taken, party)).toEqual([2]);
    expect(growParty(taken, { ...party, loose: [] })).toBeNull();
    expect(growParty(free, { ...party, size: 2 })).toEqual([1, 2]);
    expect(growParty(free, { ...party, size: 3 })).toBeNull();
    const isOne = (seats: readonly number[]) => !seats.includes(2);
    expect(growParty(taken, { ...party, isOne })).toBeNull();
  });
});

it('there are so many ways to choose some of a few, and of many they are not tried', () => {
  expect(subsetsOf([5, 3, 8], 2)).toEqual([
    [5, 3],
    [5, 8],
    [3, 8],
  ]);
  expect([subsetsOf([5, 3], 0), subsetsOf([5, 3], 2), subsetsOf([5, 3], 3)]).toEqual([
    [[]],
    [[5, 3]],
    [],
  ]);
  const several = (count: number) => Array.from({ length: count }, (_, nth) => nth);
  expect(subsetsOf(several(32), 1)).toHaveLength(32);
  expect([subsetsOf(several(33), 1), subsetsOf(several(9), 2)]).toEqual([null, null]);
  expect(subsetsOf(several(8), 2)).toHaveLength(28);
});
