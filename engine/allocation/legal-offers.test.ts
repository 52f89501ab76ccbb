import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeSelection } from './judge-selection.ts';
import { legalOffers } from './legal-offers.ts';
import { STANDING } from './run-seats.ts';
import { aView, aWish } from './test-venues.ts';

const letters = fc.constantFrom('.', '.', '.', 'x', '|', 'W');
const row = fc.array(letters, { minLength: 2, maxLength: 10 }).map((all) => `.${all.join('')}`);

describe('offers that a buyer may have', () => {
  it('pass the rule that the whole cart is judged by, and are free', () => {
    const held = fc.uniqueArray(fc.nat(11), { maxLength: 3 });
    const size = fc.integer({ min: 1, max: 4 });
    let runs = 0;
    let offered = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 3 }), size, held, (rows, many, own) => {
        runs++;
        const before = aView([rows]);
        const beside = own.filter((seat) => before.free.standingOf(seat) === STANDING.pool);
        const free = before.free.with(beside.map((seat) => [seat, STANDING.gone] as const));
        const view = { ...before, free };
        const found = legalOffers(view, aWish(many, { beside }), { most: 2, allow_orphan: false });
        if ('kind' in found) {
          if (found.code === 'orphan_rule') refused++;
          return;
        }
        offered++;
        for (const offer of found) {
          if (offer.kind !== 'seats') continue;
          const selection = { seats: offer.seats, held: beside, allow_orphan: false };
          expect(judgeSelection(view, selection).kind).toBe('legal');
          expect(offer.seats).toHaveLength(many);
          expect(offer.seats.every((seat) => free.standingOf(seat) === STANDING.pool)).toBe(true);
        }
      }),
      { numRuns: 400 },
    );
    expect(offered).toBeGreaterThan(runs / 8);
    expect(refused).toBeGreaterThan(0);
  });

  it('leave the party where it is and put newcomers where they strand nobody', () => {
    // Beside the party, 6 would leave 5 alone; the next row has room.
    const view = aView([['xxxx..xx', '....xxxx']]);
    const found = legalOffers(view, aWish(1, { beside: [6] }), { most: 1, allow_orphan: false });
    expect(found).toMatchObject([{ seats: [11], orphans: [] }]);
    const insists = { most: 1, allow_orphan: true };
    expect(legalOffers(view, aWish(1, { beside: [6] }), insists)).toMatchObject([{ seats: [5] }]);
  });
});
