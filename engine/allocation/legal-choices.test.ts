import { describe, expect, it } from 'vitest';
import { comparePlaces, placedOf } from './compare-places.ts';
import { legalChoices, legalOffers } from './legal-offers.ts';
import type { Offer } from './offers.ts';
import { STANDING } from './run-seats.ts';
import { aView, aWish } from './test-venues.ts';

const TERMS = { most: 9, allow_orphan: false };
const seatsOf = (offers: readonly { seats: readonly number[] }[]) =>
  offers.map(({ seats }) => seats);

describe('choices that were put together elsewhere', () => {
  const rows = aView([['....', '....']]);
  const whole = [
    [4, 5, 6, 7],
    [0, 1, 2, 3],
  ];

  it('are offered from the best to the worst, so many as were asked for', () => {
    expect(seatsOf(legalChoices(rows, aWish(4), whole, TERMS))).toEqual([whole[1], whole[0]]);
    const one = legalChoices(rows, aWish(4), whole, { ...TERMS, most: 1 });
    expect(seatsOf(one)).toEqual([[0, 1, 2, 3]]);
    expect(one).toMatchObject([{ kind: 'seats', zone: 0, adjacent: true, orphans: [] }]);
  });

  it('have no seat in common', () => {
    const choices = [
      [0, 1],
      [1, 0],
      [2, 3],
    ];
    const found = seatsOf(legalChoices(rows, aWish(2), choices, TERMS));
    expect(found.map((seats) => [...seats].sort())).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('leave no seat alone, unless the buyer insists', () => {
    const middle = [[1, 2]];
    expect(legalChoices(rows, aWish(2), middle, TERMS)).toEqual([]);
    const insists = legalChoices(rows, aWish(2), middle, { ...TERMS, allow_orphan: true });
    expect(insists).toMatchObject([{ seats: [1, 2], orphans: [0, 3] }]);
  });

  it('are judged with what the party has', () => {
    const beside = [0];
    const view = { ...rows, free: rows.free.with([[0, STANDING.gone]]) };
    const found = legalChoices(view, aWish(1, { beside }), [[2], [1]], TERMS);
    expect(seatsOf(found)).toEqual([[1]]);
  });

  it('have the size, the zone and the seats that were asked for', () => {
    const zones = aView([['....'], ['....']]);
    const choices = [
      [0, 1],
      [4, 5],
      [3, 4],
      [4, 5, 6],
    ];
    const found = (wanted: object, view = zones) =>
      seatsOf(legalChoices(view, aWish(2, wanted), choices, TERMS));
    // Another zone of the same price comes after the one that was asked for.
    expect(found({ zones: [1] })).toEqual([
      [4, 5],
      [0, 1],
    ]);
    for (const other of [[3, 4], [4, 5, 6], [4]]) {
      expect(legalChoices(zones, aWish(2), [other], TERMS)).toEqual([]);
    }
    const dearer = aView([['....'], ['....']], { zones: [{ price_cents: 2_000 }] });
    expect(found({ zones: [1] }, dearer)).toEqual([[4, 5]]);
    expect(found({})).toEqual([
      [0, 1],
      [4, 5],
    ]);
  });

  it('have exactly so many wheelchair spaces, and seats of the categories', () => {
    const wheels = aView([['WC..']]);
    const pairs = [
      [0, 1],
      [2, 3],
    ];
    const one = legalChoices(wheels, aWish(2, { accessible: 1 }), pairs, TERMS);
    expect(seatsOf(one)).toEqual([[0, 1]]);
    expect(seatsOf(legalChoices(wheels, aWish(2), pairs, TERMS))).toEqual([[2, 3]]);
    const view = aView([['rr..']]);
    const asked = (categories: ('standard' | 'restricted_view')[]) =>
      seatsOf(legalChoices(view, aWish(2, { categories }), pairs, TERMS));
    expect(asked(['restricted_view'])).toEqual([[0, 1]]);
    expect(asked(['standard'])).toEqual([[2, 3]]);
    const mixed = legalChoices(view, aWish(2, { categories: ['standard'] }), [[1, 2]], {
      ...TERMS,
      allow_orphan: true,
    });
    expect(mixed).toEqual([]);
  });

  it('are in one piece where the buyer or the policy wants it, with what the party has', () => {
    const long = aView([['......']]);
    const apart = [
      [0, 1, 4, 5],
      [0, 1, 2, 3],
    ];
    const strict = aView([['......']], { policy: { group_adjacency_strict: true } });
    const four = [[0, 1, 2, 3]];
    expect(seatsOf(legalChoices(long, aWish(4, { strict: true }), apart, TERMS))).toEqual(four);
    expect(seatsOf(legalChoices(strict, aWish(4), apart, TERMS))).toEqual(four);
    expect(legalChoices(long, aWish(4), apart, TERMS)).toHaveLength(1);
    expect(legalChoices(long, aWish(4), [[0, 1, 4, 5]], TERMS)).toHaveLength(1);
    const beside = aWish(2, { beside: [0, 1], strict: true });
    const taken = { ...long, free: long.free.with([0, 1].map((one) => [one, STANDING.gone])) };
    const added = legalChoices(
      taken,
      beside,
      [
        [4, 5],
        [2, 3],
      ],
      TERMS,
    );
    expect(seatsOf(added)).toEqual([[2, 3]]);
  });

  it('are described by the seats that are kept for this buyer', () => {
    const view = aView([['..x..']]);
    const own = view.free.with([[2, STANDING.pool]]);
    const choice = [[0, 1]];
    expect(legalChoices(view, aWish(2), choice, TERMS)[0]?.orphans).toEqual([]);
    expect(legalChoices(view, aWish(2), [[3, 4]], { ...TERMS, own })[0]?.orphans).toEqual([]);
    const all = legalChoices(view, aWish(2), choice, { ...TERMS, own, allow_orphan: true });
    expect(all[0]).toMatchObject({ seats: [0, 1], adjacent: true });
  });
});

it('places without seats are offered as they are', () => {
  const view = aView([['xx']], { zones: [{}, { has_seats: false, room: 5 }] });
  const found = legalOffers(view, aWish(2, { ga: true }), { most: 2, allow_orphan: false });
  expect(found).toMatchObject([{ kind: 'places', zone: 1, quantity: 2 }]);
});

it('what leaves a seat alone is refused, not mended, where a party sits side by side', () => {
  const rows = ['xxxx..xx', '....xxxx'];
  const terms = { most: 1, allow_orphan: false };
  const refused = { kind: 'refused', code: 'orphan_rule' };
  const strict = aView([rows], { policy: { group_adjacency_strict: true } });
  expect(legalOffers(strict, aWish(1, { beside: [6] }), terms)).toMatchObject(refused);
  const asked = aWish(1, { beside: [6], strict: true });
  expect(legalOffers(aView([rows]), asked, terms)).toMatchObject(refused);
});

it('a wheelchair user is offered no space twice, and none that is closed', () => {
  const view = aView([['WC..', 'WC..', 'WC..']]);
  const terms = { most: 3, allow_orphan: false };
  const found = legalOffers(view, aWish(2, { accessible: 1 }), terms);
  expect(seatsOf(found as readonly { seats: readonly number[] }[])).toEqual([
    [0, 1],
    [4, 5],
    [8, 9],
  ]);
  const closed = new Set([0, 1]);
  const others = legalOffers(view, aWish(2, { accessible: 1, closed }), terms);
  expect(seatsOf(others as readonly { seats: readonly number[] }[])).toEqual([
    [4, 5],
    [8, 9],
  ]);
});

/** Every two of these. */
function pairsOf(seats: readonly number[]): number[][] {
  return seats.flatMap((one, index) => seats.slice(index + 1).map((other) => [one, other]));
}

describe('two wheelchair spaces among more than can be compared', () => {
  it.each([
    [['W..W..W', '.......', 'WW....W', 'W..W..W']],
    [['W.....W', 'W.....W', 'W.....W', 'W.....W', 'W.....W']],
    [['W|W|W|W', 'W|W|W|W', 'W|W|W|W']],
    [['..W...W', '.W...W.', 'W...W..', '...W..W', '.W....W']],
  ])('%j are the best two of all', (rows) => {
    const view = aView([rows], { policy: { max_wheelchair_seats_per_booking: 2 } });
    const found = legalOffers(view, aWish(2, { accessible: 2 }), { most: 1, allow_orphan: false });
    const [offer] = Array.isArray(found) ? (found as readonly Offer[]) : [];
    const spaces = view.free.plan.spaces[0] ?? [];
    expect(pairsOf(spaces).length).toBeGreaterThan(32);
    const [best] = pairsOf(spaces)
      .map((seats) => placedOf(view.free, seats))
      .sort(comparePlaces);
    if (!best || offer?.kind !== 'seats') throw new Error('two spaces are offered');
    expect(comparePlaces(placedOf(view.free, offer.seats), best)).toBe(0);
  });
});
