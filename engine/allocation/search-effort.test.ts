import { expect, it } from 'vitest';
import { type Random, seededRandom } from '#kit';
import { seatAccessibleParty } from './accessible-party.ts';
import { Effort } from './effort.ts';
import { growParty } from './grow-party.ts';
import { STANDING } from './run-seats.ts';
import { bestBlock } from './seat-blocks.ts';
import type { SeatingView } from './seating-view.ts';
import { splitGroup } from './split-group.ts';
import { between, drawn, type Hall, NEARLY_SOLD, partyIn, usual, WHEELS } from './test-halls.ts';
import { aView } from './test-venues.ts';

/**
 * How long searches take, in looks, which are the same on every machine. A change that needs more
 * of them keeps others waiting for longer: who makes one writes down the new numbers and why.
 */
class Counted extends Effort {
  looks = 0;

  override spend(looks: number): void {
    this.looks += looks;
    super.spend(looks);
  }
}

type Search = (random: Random, view: SeatingView, effort: Effort) => unknown;

function looksOf(halls: number, hall: Hall, search: Search): number {
  const random = seededRandom(halls);
  let looks = 0;
  for (let number = 0; number < halls; number++) {
    const effort = new Counted();
    search(random, aView([drawn(random, hall), drawn(random, hall)]), effort);
    looks += effort.looks;
  }
  return Math.round(looks);
}

const cramped: Hall = { ...usual, places: NEARLY_SOLD };
const large: Hall = { rows: [40, 320], length: [4, 9], places: NEARLY_SOLD, tables: 0.05 };
const evens = (seat: number) => seat % 3 !== 0;

function withGone({ free }: SeatingView, seats: readonly number[]) {
  return free.with(seats.map((seat) => [seat, STANDING.gone]));
}

it.each<[string, number, Hall, Search, number]>([
  [
    'for a block',
    60,
    usual,
    ({ next }, { free }, effort) => {
      const size = 1 + Math.floor(next() * 6);
      const may = size % 2 === 0 ? evens : undefined;
      return bestBlock(free, size % 2, { size, tidy: next() < 0.5, may, effort });
    },
    253,
  ],
  [
    'for a group that is parted',
    60,
    cramped,
    (random, { free }, effort) =>
      splitGroup(free, 1, { size: between(random, [3, 9]), rows: between(random, [1, 4]), effort }),
    25_927,
  ],
  [
    'for a group of some categories',
    60,
    cramped,
    (random, { free }, effort) => {
      const [size, rows] = [between(random, [3, 9]), between(random, [1, 4])];
      return splitGroup(free, 0, { size, rows, may: evens, effort });
    },
    28_273,
  ],
  [
    'for a group that is parted in many rows',
    8,
    large,
    (random, { free }, effort) =>
      splitGroup(free, 1, {
        size: between(random, [8, 16]),
        rows: between(random, [2, 3]),
        effort,
      }),
    144_627,
  ],
  [
    'for a party that grows',
    60,
    cramped,
    (random, view, effort) => {
      const beside = partyIn(random, view, 3);
      const free = withGone(view, beside);
      const [size, rows] = [between(random, [2, 6]), between(random, [1, 3])];
      return growParty(free, { size, rows, beside, strict: false, effort });
    },
    7_502,
  ],
  [
    'for a party with wheelchair users',
    60,
    { ...usual, places: WHEELS },
    (random, view, effort) => {
      const size = between(random, [1, 6]);
      const wish = { size, accessible: Math.min(size, 2), strict: false, rows: 2, beside: [] };
      return seatAccessibleParty(view.free, 1, { ...wish, has: () => false, effort });
    },
    844,
  ],
])('a search %s takes so many looks', (_, halls, hall, search, looks) => {
  expect(looksOf(halls, hall, search)).toBe(looks);
});
