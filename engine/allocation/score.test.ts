import { describe, expect, it } from 'vitest';
import { comparePlaces, placedOf } from './compare-places.ts';
import { Effort } from './effort.ts';
import { type Score, scored, scoreOf } from './score.ts';
import { freeSeats } from './test-venues.ts';

const NONE: Score['parts'] = {
  distance: 0,
  spread: 0,
  orphans: 0,
  breaks: 0,
  alone: 0,
  other_zone: 0,
  without_seat: 0,
};

describe('a score', () => {
  /** Two rows of four, nothing taken; the best place is in front of the middle of the first. */
  const free = freeSeats([['....', '....']]);
  const cost = (seat: number) => free.plan.costOf(seat);

  it('of seats side by side is their mean distance', () => {
    const { total, parts } = scoreOf(free, [1, 2]);
    expect(parts).toEqual({ ...NONE, distance: (cost(1) + cost(2)) / 100 / 2, orphans: 2 });
    expect(total).toBe(parts.distance + 2e8);
    expect(scoreOf(free, [0, 1, 2, 3]).parts.orphans).toBe(0);
  });

  it('of a group that is parted counts pieces, who is alone, and the way to the others', () => {
    const { parts } = scoreOf(free, [0, 1, 3]);
    // The one is 2,500 from the middle of the two, shared by three.
    expect(parts).toMatchObject({ breaks: 1, alone: 1, spread: 25 / 3, orphans: 1 });
    const { parts: pairs } = scoreOf(free, [0, 1, 4, 5]);
    expect(pairs).toMatchObject({ breaks: 1, alone: 0, spread: (2 * 15) / 4 });
    // The one who sits before the two has the way to them, not the two to the one.
    expect(scoreOf(free, [0, 4, 5]).parts.spread).toBeCloseTo(Math.sqrt(5 ** 2 + 15 ** 2) / 3);
  });

  it('counts those whom the party has already, but not their distance', () => {
    const { parts } = scoreOf(free, [1], { beside: [0] });
    expect(parts).toMatchObject({ distance: cost(1) / 100, breaks: 0, alone: 0, spread: 0 });
    expect(scoreOf(free, [3], { beside: [0] }).parts).toMatchObject({ breaks: 1, alone: 2 });
    expect(scoreOf(free, [3]).parts).toMatchObject({ breaks: 0, alone: 0, other_zone: 0 });
    expect(scoreOf(free, [3], { otherZone: true }).parts.other_zone).toBe(1);
  });

  it('ranks as the rules do: each weighs more than all before it', () => {
    const most = { distance: 1e5, spread: 1e5, orphans: 100, breaks: 49, alone: 50, other_zone: 1 };
    const names = ['distance', 'spread', 'orphans', 'breaks', 'alone', 'other_zone'] as const;
    const order = [...names, 'without_seat'] as const;
    order.forEach((name, index) => {
      const before = Object.fromEntries(names.slice(0, index).map((one) => [one, most[one]]));
      const worst = scored({ ...NONE, ...before }).total;
      if (index > 1) expect(scored({ ...NONE, [name]: 1 }).total, name).toBeGreaterThan(worst);
    });
    const one = { ...NONE, distance: 1, spread: 1, orphans: 1, breaks: 1, alone: 1 };
    expect(scored(one).total).toBe(4 + 1e8 + 1e11 + 1e13);
    expect(scored({ ...NONE, other_zone: 1, without_seat: 1 }).total).toBe(5e15);
  });
});

describe('places for a party', () => {
  const place = (wanted: object) => {
    return { seats: [], alone: 0, breaks: 0, rows: 0, total: 0, ...wanted };
  };

  it('are compared by who is alone, then pieces, rows and the score', () => {
    const order = ['alone', 'breaks', 'rows', 'total'] as const;
    order.forEach((name, index) => {
      const later = Object.fromEntries(order.slice(index + 1).map((one) => [one, 9]));
      const [better, worse] = [place(later), place({ [name]: 1 })];
      expect(comparePlaces(better, worse), name).toBeLessThan(0);
      expect(comparePlaces(worse, better), name).toBeGreaterThan(0);
    });
    expect(comparePlaces(place({}), place({}))).toBe(0);
  });

  it('have their rows counted where a wheelchair user is among them, or joins', () => {
    const free = freeSeats([['WC..', '....']]);
    expect(placedOf(free, [2, 4])).toMatchObject({ rows: 0, breaks: 1, alone: 2 });
    expect(placedOf(free, [0, 1, 4]).rows).toBe(2);
    expect(placedOf(free, [4, 5], [0]).rows).toBe(2);
    expect(placedOf(free, [1, 2], [0])).toMatchObject({ rows: 1, breaks: 0, seats: [1, 2] });
  });
});

it('an effort is over when so many looks were taken', () => {
  const effort = new Effort(3);
  const seen = [1, 1, 1].map((looks) => {
    effort.spend(looks);
    return effort.isOver;
  });
  expect(seen).toEqual([false, false, true]);
  const usual = new Effort();
  usual.spend(29_999);
  expect(usual.isOver).toBe(false);
});
