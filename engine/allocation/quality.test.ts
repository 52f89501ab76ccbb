import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '#kit';
import { judgeSelection } from './judge-selection.ts';
import { legalOffers } from './legal-offers.ts';
import type { BestWish, Offer } from './offers.ts';
import { piecesOf, strandedBy } from './orphans.ts';
import { STANDING } from './run-seats.ts';
import { scoreOf } from './score.ts';
import { distanceBetween } from './seating-plan.ts';
import type { SeatingView } from './seating-view.ts';
import {
  BUSY,
  between,
  drawn,
  type Hall,
  NEARLY_SOLD,
  partyIn,
  usual,
  WHEELS,
} from './test-halls.ts';
import { aView, aWish } from './test-venues.ts';

/**
 * How well parties sit in halls that are too large to try everything: the sums over the same halls
 * as ever. Who changes a search sees here what it has become worse or better at, and writes down
 * the new sums with the reason; rules that must hold in every hall are in the tests beside this.
 */
type Quality = Readonly<{
  seated: number;
  refused: number;
  alone: number;
  pieces: number;
  rows: number;
  stranded: number;
  /** Score's distance and spread, in units of the drawing. */
  distance: number;
  spread: number;
}>;

function withParty(view: SeatingView, beside: readonly number[]) {
  const companions = beside.flatMap((seat) => view.free.plan.companions.get(seat) ?? []);
  const free = view.free.with([...beside, ...companions].map((seat) => [seat, STANDING.gone]));
  const kept = companions.filter((seat) => view.free.isOpen(seat));
  const own = free.with(kept.map((seat) => [seat, STANDING.pool]));
  return { view: { ...view, free }, own };
}

const NONE = {
  ...{ seated: 0, refused: 0, alone: 0, pieces: 0, rows: 0, stranded: 0 },
  ...{ distance: 0, spread: 0 },
};

function add(sum: Quality, { free }: SeatingView, seats: readonly number[], wish: BestWish) {
  const { beside } = wish;
  const party = [...seats, ...beside];
  const { alone, distance, spread } = scoreOf(free, seats, { beside }).parts;
  return {
    seated: sum.seated + 1,
    refused: sum.refused,
    alone: sum.alone + alone,
    pieces: sum.pieces + piecesOf(free, party).length,
    rows: sum.rows + new Set(party.map((seat) => free.plan.rowOf(seat))).size,
    stranded: sum.stranded + strandedBy(free, party).length,
    distance: sum.distance + distance,
    spread: sum.spread + spread,
  };
}

function rounded(sum: Quality): Quality {
  const tenths = (value: number) => Math.round(value * 10) / 10;
  return { ...sum, distance: tenths(sum.distance), spread: tenths(sum.spread) };
}

type Asked = Readonly<{
  was: Quality;
  halls: number;
  hall: Hall;
  wish: (random: Random, view: SeatingView) => BestWish;
  rows?: readonly [number, number];
  most?: number;
  insists?: boolean;
}>;

function qualityOf({ halls, hall, wish, rows = [2, 2], most = 1, insists }: Asked): Quality {
  const random = seededRandom(halls);
  let sum: Quality = NONE;
  for (let number = 0; number < halls; number++) {
    const policy = { max_wheelchair_seats_per_booking: 4, max_group_split: between(random, rows) };
    const whole = aView([drawn(random, hall), drawn(random, hall)], { policy });
    const asked = wish(random, whole);
    const { view, own } = withParty(whole, asked.beside);
    const found = legalOffers(view, asked, { most, allow_orphan: insists === true, own });
    if ('kind' in found) sum = { ...sum, refused: sum.refused + 1 };
    else {
      for (const offer of found as readonly Offer[]) {
        if (offer.kind === 'seats') sum = add(sum, view, offer.seats, asked);
      }
    }
  }
  return rounded(sum);
}

const CASES: Readonly<Record<string, Asked>> = {
  'parties in halls that are half empty': {
    halls: 50,
    hall: usual,
    wish: (random) => aWish(between(random, [1, 8])),
    was: {
      seated: 50,
      refused: 0,
      alone: 0,
      pieces: 51,
      rows: 51,
      stranded: 1,
      distance: 1449.9,
      spread: 7.9,
    },
  },
  'several offers to a party': {
    halls: 60,
    hall: usual,
    most: 4,
    wish: (random) => aWish(between(random, [1, 5])),
    was: {
      seated: 238,
      refused: 0,
      alone: 0,
      pieces: 239,
      rows: 239,
      stranded: 2,
      distance: 7851.1,
      spread: 7.2,
    },
  },
  'groups that are parted': {
    halls: 70,
    hall: { ...usual, places: NEARLY_SOLD },
    rows: [1, 4],
    wish: (random) => aWish(between(random, [3, 10])),
    was: {
      seated: 70,
      refused: 0,
      alone: 3,
      pieces: 151,
      rows: 109,
      stranded: 4,
      distance: 3982.9,
      spread: 1149.7,
    },
  },
  'groups that are parted in many rows': {
    halls: 12,
    hall: { rows: [40, 320], length: [4, 9], places: NEARLY_SOLD, tables: 0.05 },
    rows: [2, 3],
    wish: (random) => aWish(between(random, [6, 14])),
    was: {
      seated: 12,
      refused: 0,
      alone: 0,
      pieces: 22,
      rows: 21,
      stranded: 1,
      distance: 7846,
      spread: 1439.5,
    },
  },
  'parties with wheelchair users': {
    halls: 70,
    hall: { ...usual, places: WHEELS },
    rows: [1, 3],
    wish: (random) => {
      const quantity = between(random, [1, 6]);
      const accessible = Math.min(quantity, between(random, [1, 3]));
      return aWish(quantity, { accessible, strict: random.next() < 0.3 });
    },
    was: {
      seated: 68,
      refused: 2,
      alone: 3,
      pieces: 74,
      rows: 68,
      stranded: 4,
      distance: 2713.9,
      spread: 89,
    },
  },
  'groups that are parted where seats are left one by one': {
    halls: 10,
    hall: { rows: [40, 300], length: [4, 9], places: ['x', '.x', '.x', '.|'] },
    rows: [2, 3],
    wish: (random) => aWish(between(random, [4, 12])),
    was: {
      seated: 10,
      refused: 0,
      alone: 31,
      pieces: 54,
      rows: 24,
      stranded: 0,
      distance: 534.6,
      spread: 267.4,
    },
  },
  'groups of some categories': {
    halls: 60,
    hall: { ...usual, places: [...NEARLY_SOLD, 'r', 'r.'] },
    rows: [1, 3],
    wish: (random) => aWish(between(random, [2, 6]), { categories: ['standard'] }),
    was: {
      seated: 57,
      refused: 3,
      alone: 0,
      pieces: 78,
      rows: 66,
      stranded: 0,
      distance: 2590.9,
      spread: 332.4,
    },
  },
  'parties that grow in many rows': {
    halls: 12,
    insists: true,
    hall: { rows: [30, 120], length: [4, 9], places: NEARLY_SOLD, tables: 0.05 },
    rows: [2, 4],
    wish: (random, view) => {
      return aWish(between(random, [5, 9]), { beside: partyIn(random, view, 4) });
    },
    was: {
      seated: 12,
      refused: 0,
      alone: 22,
      pieces: 48,
      rows: 34,
      stranded: 9,
      distance: 7429,
      spread: 885,
    },
  },
  'parties that grow': {
    halls: 90,
    insists: true,
    hall: { ...usual, places: [...NEARLY_SOLD, '.', '..'] },
    rows: [1, 3],
    wish: (random, view) => {
      const beside = partyIn(random, view, 4);
      return aWish(between(random, [1, 6]), { beside, strict: random.next() < 0.25 });
    },
    was: {
      seated: 70,
      refused: 20,
      alone: 92,
      pieces: 191,
      rows: 122,
      stranded: 53,
      distance: 4485.3,
      spread: 1105.8,
    },
  },
  'parties that grow and leave no seat alone': {
    halls: 90,
    hall: usual,
    rows: [1, 3],
    wish: (random, view) => {
      return aWish(between(random, [1, 5]), { beside: partyIn(random, view, 4) });
    },
    was: {
      seated: 51,
      refused: 39,
      alone: 20,
      pieces: 86,
      rows: 74,
      stranded: 3,
      distance: 2992.8,
      spread: 291.2,
    },
  },
  'parties with wheelchair users that grow': {
    halls: 90,
    hall: { ...usual, places: [...WHEELS, 'x', 'W'] },
    rows: [1, 3],
    wish: (random, view) => {
      const spaces = view.free.plan.spaces[0] ?? [];
      const own = spaces.filter((seat) => view.free.isOpen(seat)).slice(0, between(random, [1, 2]));
      const beside = [...new Set([...own, ...partyIn(random, view, 2)])];
      const quantity = between(random, [1, 5]);
      const accessible = random.next() < 0.3 ? 1 : 0;
      return aWish(quantity, { beside, accessible, strict: random.next() < 0.3 });
    },
    was: {
      seated: 62,
      refused: 28,
      alone: 99,
      pieces: 187,
      rows: 152,
      stranded: 42,
      distance: 2413.5,
      spread: 1437.4,
    },
  },
};

describe('how well', () => {
  it.each(Object.entries(CASES))('%s sit', (_, asked) => {
    expect(qualityOf(asked)).toEqual(asked.was);
  });

  it('buyers choose, and what they could have instead', () => {
    const random = seededRandom(7);
    const seen = { tidy: 0, refused: 0, no_other_choice: 0, alternatives: 0, distance: 0 };
    type Kind = keyof typeof seen;
    for (let number = 0; number < 200; number++) {
      const places = random.next() < 0.5 ? BUSY : NEARLY_SOLD;
      const view = aView([drawn(random, { ...usual, rows: [1, 5], places })]);
      const seats = partyIn(random, view, 5);
      const held = seats.filter(() => random.next() < 0.3);
      const judged = judgeSelection(view, { seats, held, allow_orphan: false });
      const what = judged.kind === 'refused' ? judged.kind : (judged.reason ?? 'tidy');
      seen[what as Kind]++;
      if (judged.kind !== 'refused') continue;
      const { plan } = view.free;
      for (const other of judged.alternatives) {
        seen.alternatives++;
        seen.distance += distanceBetween(plan.centreOf(seats), plan.centreOf(other)) / 100;
      }
    }
    seen.distance = Math.round(seen.distance);
    expect(seen).toEqual({
      alternatives: 237,
      distance: 5948,
      refused: 100,
      tidy: 97,
      no_other_choice: 3,
    });
  });
});
