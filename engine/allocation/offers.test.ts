import { describe, expect, it } from 'vitest';
import { legalChoices } from './legal-offers.ts';
import { bestAvailable, type NoOffer, type Offer, rankOffers } from './offers.ts';
import { STANDING } from './run-seats.ts';
import { aView, aWish } from './test-venues.ts';

const TERMS = { most: 1, allow_orphan: false };
const WHEELS = { policy: { max_wheelchair_seats_per_booking: 1 } };

/** The seats of a party that has some already, which the index counts as gone. */
function offerTo(
  view: ReturnType<typeof aView>,
  beside: readonly number[],
  wanted: Parameters<typeof aWish>[1] & { quantity: number },
): Offer | NoOffer {
  const free = view.free.with(beside.map((seat) => [seat, STANDING.gone]));
  return bestAvailable({ ...view, free }, aWish(wanted.quantity, { ...wanted, beside }));
}

describe('wheelchair spaces of a booking', () => {
  it('are counted with those that the party has', () => {
    const view = aView([['W..W..']], WHEELS);
    const refused = { code: 'wheelchair_limit', message: 'A booking may have 1 wheelchair space.' };
    expect(offerTo(view, [0], { quantity: 1, accessible: 1 })).toMatchObject(refused);
    expect(offerTo(view, [1], { quantity: 1, accessible: 1 })).toMatchObject({ kind: 'seats' });
    const none = aView([['W..W..']], { policy: { max_wheelchair_seats_per_booking: 0 } });
    expect(offerTo(none, [], { quantity: 1, accessible: 1 })).toMatchObject({
      message: 'A booking may have 0 wheelchair spaces.',
    });
  });

  it('are no limit for others who join, also where the limit was higher before', () => {
    const view = aView([['W..W..']], WHEELS);
    expect(offerTo(view, [0, 3], { quantity: 1 })).toMatchObject({ kind: 'seats' });
  });

  it('are not replaced by places without seats', () => {
    const view = aView([['x.']], { zones: [{}, { has_seats: false, room: 9 }] });
    const wheels = aWish(1, { accessible: 1, ga: true });
    expect(bestAvailable(view, wheels)).toMatchObject({ code: 'no_available_seats' });
    expect(bestAvailable(view, aWish(2, { ga: true }))).toMatchObject({ kind: 'places' });
  });
});

describe('zones', () => {
  it('are compared, and the first of equals is taken', () => {
    // The second zone has seats that are nearer to its best place.
    const view = aView([['xxx', '...'], ['...']]);
    expect(bestAvailable(view, aWish(3))).toMatchObject({ zone: 1, seats: [6, 7, 8] });
    const equal = aView([['....'], ['....']]);
    expect(bestAvailable(equal, aWish(2))).toMatchObject({ zone: 0 });
    const offers = rankOffers(equal, aWish(4), 2) as readonly Offer[];
    expect(offers.map(({ zone }) => zone)).toEqual([0, 1]);
  });

  it('of a party that grows is the one it sits in', () => {
    const view = aView([['....'], ['....'], ['....']]);
    const found = offerTo(view, [5], { quantity: 1, strict: true });
    expect(found).toMatchObject({ zone: 1, adjacent: true });
    // Where its zone has no seat left, newcomers are a group of their own in another one.
    const full = aView([['....'], ['xx.x']]);
    expect(offerTo(full, [6], { quantity: 2 })).toMatchObject({ zone: 0, adjacent: false });
    expect(offerTo(full, [6], { quantity: 2, strict: true })).toMatchObject({ kind: 'refused' });
  });

  it('of a choice from elsewhere cost nothing unless others were asked for', () => {
    const view = aView([['....'], ['....']]);
    const scoreOf = (zones: readonly number[]) =>
      legalChoices(view, aWish(2, { zones }), [[4, 5]], TERMS)[0]?.score.parts.other_zone;
    expect([scoreOf([]), scoreOf([1]), scoreOf([0])]).toEqual([0, 0, 1]);
  });
});

describe('seats that are left alone', () => {
  it('are named with why they may be', () => {
    const reasonOf = (rows: string[], wanted = {}) =>
      bestAvailable(aView([rows]), aWish(2, wanted)) as Partial<Offer & { kind: 'seats' }>;
    const full = reasonOf([`${'x'.repeat(37)}...`]);
    expect(full).toMatchObject({ orphans: [39], orphan_reason: 'row_nearly_full' });
    expect(reasonOf(['...x'])).toMatchObject({ orphan_reason: 'no_other_choice' });
    expect(reasonOf(['..x'])).toMatchObject({ orphans: [], orphan_reason: null });
    expect(reasonOf(['...xW..'], { accessible: 1 })).toMatchObject({
      orphan_reason: 'accessible_party',
    });
    // One row of two is nearly full: the other one is not, so the rule leaves no other choice.
    const two = aView([[`${'x'.repeat(37)}...`, '...x']]);
    expect(bestAvailable(two, aWish(4))).toMatchObject({
      orphans: [expect.any(Number), expect.any(Number)],
      orphan_reason: 'no_other_choice',
    });
  });

  it('are no reason to refuse a party that sits side by side', () => {
    const found = bestAvailable(aView([['...', 'xxx']]), aWish(2, { strict: true }));
    expect(found).toMatchObject({ adjacent: true, orphan_reason: 'no_other_choice' });
  });
});

describe('places without seats', () => {
  const view = (room: number) => aView([['xx']], { zones: [{}, { has_seats: false, room }] });

  it('are offered with their number and zone, as what is worse than any seat', () => {
    const parts = { distance: 0, spread: 0, orphans: 0, breaks: 0, alone: 0 };
    expect(bestAvailable(view(1), aWish(1, { ga: true }))).toEqual({
      kind: 'places',
      zone: 1,
      quantity: 1,
      score: { total: 4e15, parts: { ...parts, other_zone: 0, without_seat: 1 } },
      message: '1 place without a seat in Zone 1',
    });
    const other = bestAvailable(view(2), aWish(2, { ga: true, zones: [0] }));
    expect(other).toMatchObject({
      score: { total: 5e15, parts: { other_zone: 1 } },
      message: '2 places without a seat in Zone 1',
    });
    expect(bestAvailable(view(1), aWish(2, { ga: true }))).toMatchObject({ kind: 'refused' });
  });
});

describe('a refusal', () => {
  const messageOf = (rows: string[], quantity: number, wanted: object) => {
    const found = bestAvailable(aView([rows]), aWish(quantity, wanted));
    return found.kind === 'refused' ? found.message : found.kind;
  };

  it('names pairs, or how many could not sit together', () => {
    const strict = { strict: true };
    expect(messageOf(['.x.'], 2, strict)).toBe('No suitable seat pairs available.');
    expect(messageOf(['.x.x.'], 3, strict)).toBe('No 3 seats together available.');
    const wheels = { ...strict, accessible: 1 };
    expect(messageOf(['Wx.'], 2, wheels)).toBe('No 2 seats together available.');
  });

  it('says so when there are not that many', () => {
    expect(messageOf(['x'], 1, {})).toBe('No seats available.');
    expect(messageOf(['.x'], 2, {})).toBe('No seats for so many available.');
    expect(messageOf(['wx.'], 1, { accessible: 1 })).toBe('No wheelchair spaces available.');
    const closed = new Set([0]);
    expect(messageOf(['W.'], 1, { accessible: 1, closed })).toBe('No wheelchair spaces available.');
  });
});

it('a companion seat keeps newcomers beside it unless the buyer has its space', () => {
  const view = aView([['..', 'WC..']]);
  const ask = { quantity: 2, strict: true };
  expect(offerTo(view, [3], ask)).toMatchObject({ seats: [4, 5], adjacent: true });
  expect(offerTo(view, [3], { ...ask, has: () => true })).toMatchObject({ seats: [0, 1] });
});
