import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { legalOffers } from './legal-offers.ts';
import type { Offer } from './offers.ts';
import { partsOf } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import type { SeatingView } from './seating-view.ts';
import { choose, partiesOf } from './test-parties.ts';
import { aView, aWish } from './test-venues.ts';

/** Seats of one booking are side by side, and single seats are nobody's concern. */
const POLICY = {
  group_adjacency_strict: true,
  orphan_avoidance_strict: false,
  max_wheelchair_seats_per_booking: 4,
};
const TERMS = { most: 1, allow_orphan: false };
const nobody = () => false;

/** A hall, and a party that has some seats of it. */
function aParty(rows: readonly string[], beside: readonly number[]) {
  const view = aView([rows], { policy: POLICY });
  const { plan } = view.free;
  const companions = beside.flatMap((seat) => plan.companions.get(seat) ?? []);
  const gone = [...beside, ...companions].map((seat) => [seat, STANDING.gone] as const);
  const kept = companions.filter((seat) => !beside.includes(seat) && view.free.isOpen(seat));
  const free = view.free.with(gone);
  return {
    view: { ...view, free },
    own: free.with(kept.map((seat) => [seat, STANDING.pool] as const)),
    beside,
  };
}

type Party = ReturnType<typeof aParty>;

const partsWith = ({ view, beside }: Party, seats: readonly number[]) =>
  partsOf(view.free, [...beside, ...seats], nobody).length;

function ask({ view, own, beside }: Party, quantity: number, accessible: number) {
  const found = legalOffers(view, aWish(quantity, { accessible, beside }), { ...TERMS, own });
  if ('kind' in found) return found.code;
  const [offer] = found as readonly Offer[];
  return offer?.kind === 'seats' ? offer.seats : 'no seats';
}

describe('more seats for a party that sits side by side', () => {
  it('has wheelchair spaces beside it or none, however good others are', () => {
    // The best space is in the middle of the first row; the party sits at the end of the second.
    const rows = ['...WC...', 'xxxxx.WC'];
    expect(ask(aParty(rows, []), 2, 1)).toEqual([3, 4]);
    expect(ask(aParty(rows, [13]), 2, 1)).toEqual([14, 15]);
    expect(ask(aParty(rows, [13]), 1, 1)).toEqual([14]);
    expect(ask(aParty(['...WC...', 'xxxxx..x'], [13]), 1, 1)).toBe('no_adjacent_seats');
    expect(ask(aParty(rows, [13]), 2, 2)).toBe('no_adjacent_seats');
  });

  it('fills the gap between the party and a space', () => {
    expect(ask(aParty(['x...W..'], [1]), 3, 1)).toEqual([2, 3, 4]);
    expect(ask(aParty(['x...W..'], [1]), 4, 1)).toEqual([2, 3, 4, 5]);
    expect(ask(aParty(['x...W..'], [1]), 2, 1)).toBe('no_adjacent_seats');
  });

  it('says so when what the party has cannot become one piece', () => {
    const message = 'No seat together with yours available.';
    const { view, own, beside } = aParty(['.x...'], [0, 3]);
    expect(legalOffers(view, aWish(1, { beside }), { ...TERMS, own })).toMatchObject({ message });
    expect(ask(aParty(['....'], [0, 3]), 2, 0)).toEqual([1, 2]);
  });

  it('has a companion seat of its own wherever that is, and nobody beside that one alone', () => {
    const parted = aParty(['xW|C..'], [1]);
    expect(ask(parted, 1, 0)).toEqual([2]);
    expect(ask(aParty(['.W|C..'], [1, 2]), 1, 0)).toEqual([0]);
    expect(ask(aParty(['xW|C..'], [1, 2]), 1, 0)).toBe('no_adjacent_seats');
  });
});

const letters = fc.constantFrom('.', '.', '.', '.', 'x', '|', 'W', 'WC', 'W|C');
const row = fc.array(letters, { minLength: 2, maxLength: 6 }).map((all) => `.${all.join('')}`);
const smallHall = fc.array(row, { minLength: 1, maxLength: 2 });

function seatsOf({ free }: SeatingView): number[] {
  return Array.from({ length: free.plan.seatCount }, (_, seat) => seat);
}

/** Everything that could be added: spaces with their companions, or seats for anybody. */
function choicesFor(party: Party, quantity: number, accessible: number): number[][] {
  const { view, own } = party;
  if (accessible > 0) return [...partiesOf({ ...view, free: own }, quantity, accessible)];
  return [...choose(poolOf(party), quantity)];
}

const poolOf = ({ view, own }: Party) =>
  seatsOf(view).filter((seat) => own.standingOf(seat) === STANDING.pool);

describe('every party that could be, beside every cart', () => {
  it('is in one place with it, and is found when there is one', () => {
    const sizes = { quantity: fc.integer({ min: 1, max: 3 }), accessible: fc.nat({ max: 2 }) };
    const cart = fc.array(fc.nat(), { maxLength: 3 });
    const seen = { found: 0, apart: 0, wheels: 0 };
    let runs = 0;
    fc.assert(
      fc.property(smallHall, cart, fc.record(sizes), (rows, picks, wanted) => {
        runs++;
        const whole = aView([rows]);
        const open = seatsOf(whole).filter((seat) => whole.free.isOpen(seat));
        const beside = [...new Set(picks.map((pick) => open[pick % open.length] ?? 0))];
        const alone = beside.some((seat) => {
          const space = whole.free.plan.spaceOf(seat);
          return space !== undefined && !beside.includes(space);
        });
        if (alone) return;
        const party = aParty(rows, beside);
        const { quantity } = wanted;
        const accessible = Math.min(wanted.accessible, quantity);
        const all = choicesFor(party, quantity, accessible);
        const possible = all.filter((seats) => partsWith(party, seats) <= 1);
        const offered = ask(party, quantity, accessible);
        if (typeof offered === 'string') {
          expect([offered, possible]).toEqual([offered, []]);
          if (all.length > 0 && beside.length > 0) seen.apart++;
          return;
        }
        expect(offered).toHaveLength(quantity);
        expect(partsWith(party, offered)).toBeLessThanOrEqual(1);
        if (beside.length === 0) return;
        seen.found++;
        if (accessible > 0) seen.wheels++;
      }),
      { numRuns: 1_500 },
    );
    const least = Math.min(seen.found, seen.apart, seen.wheels);
    expect(least, JSON.stringify(seen)).toBeGreaterThanOrEqual(Math.floor(runs / 40));
  });
});
