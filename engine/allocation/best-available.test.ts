import { describe, expect, it } from 'vitest';
import { bestAvailable, type Offer, rankOffers } from './offers.ts';
import { aView, aWish } from './test-venues.ts';

/** Seats as people count them: from 1. */
function numbersOf(offer: ReturnType<typeof bestAvailable>): number[] {
  return offer.kind === 'seats' ? offer.seats.map((seat) => seat + 1) : [];
}

describe('the worked examples', () => {
  it('gives 3-4 of 1,3,4,6,7,8,10', () => {
    const offer = bestAvailable(aView([['.x..x...x.']]), aWish(2));
    expect(numbersOf(offer)).toEqual([3, 4]);
    expect(offer).toMatchObject({ adjacent: true, orphans: [], message: '2 together in row A' });
  });

  it('seats two in [free, held, free, held, free] apart and says so, or refuses', () => {
    const view = aView([['.x.x.']]);
    const offer = bestAvailable(view, aWish(2));
    expect(offer).toMatchObject({
      adjacent: false,
      orphans: [],
      message: '2 not together in row A',
    });
    expect(bestAvailable(view, aWish(2, { strict: true }))).toEqual({
      kind: 'refused',
      code: 'no_adjacent_seats',
      message: 'No suitable seat pairs available.',
    });
    const strict = aView([['.x.x.']], { policy: { group_adjacency_strict: true } });
    expect(bestAvailable(strict, aWish(2))).toMatchObject({ code: 'no_adjacent_seats' });
    expect(bestAvailable(strict, aWish(1))).toMatchObject({ kind: 'seats' });
  });

  it('seats five as four and one in the row just behind', () => {
    const offer = bestAvailable(aView([['x....x', 'xx.xxx']]), aWish(5));
    expect(numbersOf(offer)).toEqual([2, 3, 4, 5, 9]);
    expect(offer).toMatchObject({ message: '4 together in row A, 1 in row B just behind' });
  });
});

describe('the steps', () => {
  it('prefers the seats nearest to the focal point', () => {
    expect(numbersOf(bestAvailable(aView([['.......', '.......']]), aWish(3)))).toEqual([3, 4, 5]);
  });

  it('strands a seat only when nothing else is left, and says why', () => {
    const tidy = bestAvailable(aView([['...', 'x..']]), aWish(2));
    expect(numbersOf(tidy)).toEqual([5, 6]);
    const forced = bestAvailable(aView([['...', 'xxx']]), aWish(2));
    expect(forced).toMatchObject({ orphan_reason: 'no_other_choice', adjacent: true });
    expect(forced).toMatchObject({ score: { parts: { orphans: 1 } } });
  });

  it('lets nobody sit alone when that can be avoided', () => {
    const offer = bestAvailable(aView([['....x.', '...x..']]), aWish(5));
    expect(offer).toMatchObject({ score: { parts: { alone: 0, breaks: 1 } } });
  });

  it('puts the second part beside the first', () => {
    const offer = bestAvailable(aView([['...xxxxxx', '..xxxxx..']]), aWish(5));
    expect(numbersOf(offer)).toEqual([1, 2, 3, 10, 11]);
  });

  it('splits over so many rows and no more', () => {
    const rows = ['..xx', '..xx', '..xx'];
    expect(bestAvailable(aView([rows]), aWish(6))).toMatchObject({ code: 'no_adjacent_seats' });
    const three = aView([rows], { policy: { max_group_split: 3 } });
    expect(bestAvailable(three, aWish(6))).toMatchObject({ score: { parts: { breaks: 2 } } });
  });

  it('goes to another zone of the same price, after splitting, and never of another price', () => {
    const prices = [{ price_cents: 1_000 }, { price_cents: 1_000 }, { price_cents: 900 }];
    const split = aView([['.x.'], ['...'], ['...']], { zones: prices });
    expect(bestAvailable(split, aWish(2, { zones: [0] }))).toMatchObject({ zone: 0 });
    const full = aView([['xxx'], ['..'], ['...']], { zones: prices });
    const offer = bestAvailable(full, aWish(2, { zones: [0] }));
    expect(offer).toMatchObject({ zone: 1, score: { parts: { other_zone: 1 } } });
    expect(bestAvailable(full, aWish(3, { zones: [0] }))).toMatchObject({
      code: 'no_available_seats',
    });
    const unpriced = prices.map(() => ({ price_cents: null }));
    const none = aView([['xxx'], ['..'], ['...']], { zones: unpriced });
    expect(bestAvailable(none, aWish(2, { zones: [0] }))).toMatchObject({ kind: 'refused' });
  });

  it('gives places only when asked, and when there is room for all', () => {
    const floor = { has_seats: false, room: 3, name: 'Floor' };
    const view = aView([['x']], { zones: [{}, floor] });
    expect(bestAvailable(view, aWish(3))).toMatchObject({ code: 'no_available_seats' });
    expect(bestAvailable(view, aWish(3, { ga: true }))).toMatchObject({
      kind: 'places',
      zone: 1,
      message: '3 places without a seat in Floor',
    });
    expect(bestAvailable(view, aWish(4, { ga: true }))).toMatchObject({ kind: 'refused' });
  });

  it('enters no zone that is closed to the buyer', () => {
    const view = aView([['..'], ['..']], { zones: [{ open: false }, {}] });
    expect(bestAvailable(view, aWish(2))).toMatchObject({ zone: 1 });
    expect(bestAvailable(view, aWish(2, { zones: [0] }))).toMatchObject({ zone: 1 });
  });
});

describe('filters', () => {
  it('keeps to a price', () => {
    const view = aView([['....'], ['....']], { zones: [{}, { price_cents: 700 }] });
    expect(bestAvailable(view, aWish(2, { price_cents: 700 }))).toMatchObject({ zone: 1 });
    expect(bestAvailable(view, aWish(2, { price_cents: 1 }))).toMatchObject({ kind: 'refused' });
  });

  it('keeps to categories', () => {
    const offer = bestAvailable(aView([['...rr..']]), aWish(2, { categories: ['standard'] }));
    expect(numbersOf(offer)).toEqual([1, 2]);
    const all = bestAvailable(aView([['...rr..']]), aWish(2));
    expect(numbersOf(all)).toEqual([3, 4]);
  });

  it('never gives wheelchair spaces and companion seats unasked', () => {
    const view = aView([['WCWC', '....']]);
    expect(numbersOf(bestAvailable(view, aWish(2)))).toEqual([5, 6]);
    expect(bestAvailable(aView([['WC']]), aWish(2))).toMatchObject({ kind: 'refused' });
  });
});

describe('a party with a wheelchair user', () => {
  it('has the space, its companion and seats beside them', () => {
    const offer = bestAvailable(aView([['..WC..', '......']]), aWish(4, { accessible: 1 }));
    expect(offer).toMatchObject({ adjacent: true, score: { parts: { orphans: 0 } } });
    expect(numbersOf(offer)).toEqual([1, 2, 3, 4]);
  });

  it('may be one person alone', () => {
    expect(numbersOf(bestAvailable(aView([['..WC']]), aWish(1, { accessible: 1 })))).toEqual([3]);
  });

  it('has so many spaces as the policy permits', () => {
    const view = aView([['WC..WC']]);
    const two = aWish(4, { accessible: 2 });
    expect(bestAvailable(view, two)).toMatchObject({ code: 'wheelchair_limit' });
    const more = aView([['WC..WC']], { policy: { max_wheelchair_seats_per_booking: 2 } });
    expect(numbersOf(bestAvailable(more, two))).toEqual([1, 2, 5, 6]);
    const off = aView([['WC..WC']], { policy: { enforce_accessibility_rules: false } });
    expect(bestAvailable(off, two)).toMatchObject({ kind: 'seats' });
  });

  it('is told when no space is left', () => {
    expect(bestAvailable(aView([['wC..']]), aWish(2, { accessible: 1 }))).toEqual({
      kind: 'refused',
      code: 'no_available_seats',
      message: 'No wheelchair spaces available.',
    });
  });
});

describe('a party with wheelchair users', () => {
  const policy = { max_wheelchair_seats_per_booking: 3 };

  it('sits together or not at all when it must', () => {
    const apart = { kind: 'refused', code: 'no_adjacent_seats' };
    const pair = aWish(2, { accessible: 1, strict: true });
    expect(bestAvailable(aView([['W|c..']]), pair)).toMatchObject(apart);
    // Its own companion seat is with a space wherever the layout has put it.
    expect(numbersOf(bestAvailable(aView([['W|C..']]), pair))).toEqual([1, 2]);
    expect(numbersOf(bestAvailable(aView([['W|C..', '.WC.']]), pair))).toEqual([6, 7]);
    const two = aWish(2, { accessible: 2, strict: true });
    expect(bestAvailable(aView([['W....W']], { policy }), two)).toMatchObject(apart);
    expect(numbersOf(bestAvailable(aView([['W...WW']], { policy }), two))).toEqual([5, 6]);
  });

  it('is in no more rows than a group may be', () => {
    const three = aWish(3, { accessible: 3 });
    const rows = aView([['W..', 'W..', 'W..']], { policy });
    expect(bestAvailable(rows, three)).toMatchObject({ code: 'no_adjacent_seats' });
    const near = aView([['W..', 'W..', 'W....W']], { policy });
    expect(numbersOf(bestAvailable(near, three))).toEqual([4, 7, 12]);
  });
});

describe('a search that takes long', () => {
  const house = aView([Array.from({ length: 300 }, () => '...x...x...x...x')]);

  it('ends after the same offers everywhere, and has one', () => {
    const offers = rankOffers(house, aWish(16), 10) as readonly Offer[];
    expect(offers.length).toBeGreaterThan(0);
    expect(offers.length).toBeLessThan(10);
    expect(rankOffers(house, aWish(16), 10)).toEqual(offers);
  });

  it('still finds the only rows that have room, wherever they are', () => {
    const few = Array.from({ length: 300 }, () => '.xxx');
    const rows = [...few, '..x..x..x..x', ...few, '..x..x..x..x', ...few];
    expect(numbersOf(bestAvailable(aView([rows]), aWish(16)))).toHaveLength(16);
    expect(bestAvailable(aView([rows]), aWish(17))).toMatchObject({ code: 'no_adjacent_seats' });
  });
});

describe('a party that grows', () => {
  const beside = [2, 3];

  it('sits beside what it has, stranding nobody', () => {
    // Of 1-2 and 5-6 both are beside 3-4, and 2 and 5 together would strand two.
    const offer = bestAvailable(aView([['..xx..']]), aWish(2, { beside }));
    expect(offer).toMatchObject({ adjacent: true, orphans: [] });
    expect(numbersOf(bestAvailable(aView([['..xx.x']]), aWish(1, { beside })))).toEqual([5]);
  });

  it('sits near when there is no seat beside, or not at all', () => {
    const view = aView([['x.xxx....', '.........']]);
    const near = bestAvailable(view, aWish(2, { beside: [2, 3] }));
    expect(near).toMatchObject({ adjacent: false });
    expect(numbersOf(near)).toEqual([12, 13]);
    expect(bestAvailable(view, aWish(2, { beside: [2, 3], strict: true }))).toMatchObject({
      code: 'no_adjacent_seats',
    });
  });

  it('fills the gap between what it has', () => {
    expect(numbersOf(bestAvailable(aView([['..x.x..']]), aWish(1, { beside: [2, 4] })))).toEqual([
      4,
    ]);
  });
});

it('ranks offers: together first, then what needs more', () => {
  const offers = rankOffers(aView([['..x..', '..x.x']]), aWish(2), 10) as Offer[];
  expect(offers.map(numbersOf)).toEqual([[1, 2], [4, 5], [6, 7], [9]].filter((one) => one[1]));
});
