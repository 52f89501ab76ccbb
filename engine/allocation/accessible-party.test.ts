import { describe, expect, it } from 'vitest';
import { seededRandom } from '#kit';
import { type AccessibleWish, seatAccessibleParty } from './accessible-party.ts';
import { comparePlaces, placedOf } from './compare-places.ts';
import { Effort } from './effort.ts';
import { partsOf } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import { between, drawn, type Hall } from './test-halls.ts';
import { partiesOf } from './test-parties.ts';
import { aView } from './test-venues.ts';

function seat(rows: readonly string[], size: number, more: Partial<AccessibleWish> = {}) {
  const { beside = [] } = more;
  const { free } = aView([rows]);
  const taken = free.with(beside.map((one) => [one, STANDING.gone]));
  const wish = { accessible: 1, strict: false, rows: 2, beside, has: () => false };
  return seatAccessibleParty(taken, 0, { size, ...wish, ...more });
}

describe('a party with wheelchair users', () => {
  it('has as many spaces as it needs, of those that are open and may be taken', () => {
    expect(seat(['W..w'], 1)).toEqual([0]);
    expect(seat(['W..w'], 2, { accessible: 2 })).toBeNull();
    expect(seat(['W..W'], 2, { accessible: 2 })).toEqual([0, 3]);
    const may = (one: number) => one > 0;
    expect(seat(['W..W'], 1, { may })).toEqual([3]);
    expect(seat(['W..W'], 2, { accessible: 2, may })).toBeNull();
  });

  it('has its companion seats first, the nearest of them, then seats beside those', () => {
    expect(seat(['.WC..'], 2)).toEqual([1, 2]);
    expect(seat(['..W..C'], 2)).toEqual([2, 5]);
    expect(seat(['C.CWCC', '......'], 3)).toEqual([3, 4, 5]);
    expect(seat(['..WC..'], 4)).toEqual([0, 1, 2, 3]);
    expect(seat(['.WcC..'], 2)).toEqual([1, 3]);
    const may = (one: number) => one !== 2;
    expect(seat(['.WC..'], 2, { may })).toEqual([0, 1]);
  });

  it('has others near it where there is no room beside it', () => {
    expect(seat(['Wx..', '....'], 2)).toEqual([0, 2]);
    expect(seat(['Wx..'], 2, { strict: true })).toBeNull();
    expect(seat(['WCx...'], 4)).toEqual([0, 1, 3, 4]);
    // Four of them in one row, in two places, before three and one in two rows.
    expect(seat(['WCx..', '.....'], 4)).toEqual([0, 1, 3, 4]);
  });

  it('is in no more rows than a group may be, its companion seats not counted', () => {
    expect(seat(['Wxx', 'x..'], 3, { rows: 1 })).toBeNull();
    expect(seat(['Wxx', 'x..'], 3)).toEqual([0, 4, 5]);
    expect(seat(['Wxx', '.xx', '.xx'], 3)).toBeNull();
    expect(seat(['Wxx', '.xx', '.xx'], 3, { rows: 3 })).toEqual([0, 3, 6]);
    expect(seat(['Wxx', '..x', '.xx'], 4)).toBeNull();
    expect(seat(['W..', 'C..'], 3, { rows: 1 })).toEqual([0, 1, 3]);
    // Two beside each other in two other rows are not better than two apart in one.
    expect(seat(['Wxxxx', '..xxx', '..x..'], 5)).toEqual([0, 10, 11, 13, 14]);
  });

  it('has spaces that are near each other, in so many rows', () => {
    const three = { accessible: 3, rows: 1 };
    expect(seat(['W.W', 'W.W', 'WWW'], 3, three)).toEqual([6, 7, 8]);
    expect(seat(['W.W', 'W.W', 'W.W'], 3, three)).toBeNull();
    // More than can all be tried: the three of one row are found wherever they are.
    const many = Array.from({ length: 8 }, () => 'W.W');
    const found = seat([...many, 'WWW', ...many], 3, three);
    expect(found).toEqual([24, 25, 26]);
    expect(seat(many, 3, three)).toBeNull();
    expect(seat(many, 3, { accessible: 3 })).toHaveLength(3);
  });

  it('that sits together already has its spaces beside it', () => {
    const strict = { strict: true, beside: [3] };
    expect(seat(['W...W', 'W....'], 2, strict)).toEqual([2, 4]);
    expect(seat(['W..x.W', 'W....'], 2, { strict: true, beside: [1] })).toEqual([0, 2]);
    expect(seat(['Wx..x.W', 'W....'], 2, { strict: true, beside: [2] })).toBeNull();
    expect(seat(['W...WC'], 2, strict)).toEqual([4, 5]);
    expect(seat(['W..x..', '..W..'], 1, { strict: true, beside: [1] })).toEqual([0]);
    expect(seat(['x.WCC.x'], 2, { strict: true, beside: [1] })).toEqual([2, 3]);
    expect(seat(['x.WCC.x'], 3, { strict: true, beside: [5] })).toEqual([2, 3, 4]);
  });

  it('sits where a companion seat that is by itself is theirs', () => {
    expect(seat(['W|C..'], 2, { strict: true })).toEqual([0, 1]);
    expect(seat(['W|c..'], 2, { strict: true })).toBeNull();
    const has = (space: number) => space === 0;
    const own = { strict: true, beside: [1], has };
    expect(seat(['WC|..', 'W.'], 1, own)).toEqual([0]);
    expect(seat(['wC|..', '.W'], 1, own)).toEqual([5]);
    expect(seat(['wC|..', '.W'], 1, { ...own, has: () => false })).toBeNull();
  });

  it('is seated with what was found by the end of the search', () => {
    const rows = ['xWx', 'xWx', '.W.'];
    const over = new Effort(0);
    expect(seat(rows, 1, { effort: over })).toEqual([1]);
    expect(seat(['.WC', '.WC'], 2, { effort: over })).toEqual([1, 2]);
  });
});

const hall: Hall = {
  rows: [1, 3],
  length: [2, 8],
  places: ['.', '.', '.', 'x', 'x', '|', 'W', 'WC', 'WCC'],
};

/** Halls in which another party sits better; all are compared in small ones. */
function worseHalls(halls: number, strict: boolean): number[] {
  const random = seededRandom(halls);
  return Array.from({ length: halls }, (_, number) => number).filter(() => {
    const view = aView([drawn(random, hall)]);
    const size = between(random, [1, 4]);
    const accessible = Math.min(size, between(random, [1, 2]));
    const rows = between(random, [1, 3]);
    const wish = { size, accessible, strict, rows, beside: [], has: () => false };
    const found = seatAccessibleParty(view.free, 0, wish);
    const [best] = [...partiesOf(view, size, accessible)]
      .filter((seats) => new Set(seats.map((one) => view.free.plan.rowOf(one))).size <= rows)
      .filter((seats) => !strict || partsOf(view.free, seats, () => false).length <= 1)
      .map((seats) => placedOf(view.free, seats))
      .sort(comparePlaces);
    expect(found === null).toBe(best === undefined);
    return best && found && comparePlaces(placedOf(view.free, found), best) > 0;
  });
}

it('sits as well as any other in all halls but these', () => {
  expect(worseHalls(150, false)).toEqual([6, 45, 53, 92]);
  expect(worseHalls(100, true)).toEqual([]);
});
