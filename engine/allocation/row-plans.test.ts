import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piecesOf } from './orphans.ts';
import { rowPlans, sharedRowPlans } from './row-plans.ts';
import { STANDING } from './run-seats.ts';
import { focalCost } from './seat-blocks.ts';
import { rankOf } from './split-rank.ts';
import { choose } from './test-parties.ts';
import { freeSeats } from './test-venues.ts';

type Free = ReturnType<typeof freeSeats>;

/** Who sits alone, pieces and what each of them strands; then how far away it is. */
function numbersOf(free: Free, seats: readonly number[]): [rank: number, cost: number] {
  const { plan } = free;
  const ranks = piecesOf(free, seats).map((piece) => {
    // Around a table a piece begins where none of it sits to the left.
    const begins = piece.find((seat) => !piece.includes(plan.besideOf(seat, -1))) ?? piece[0] ?? 0;
    const run = plan.runOf[begins] ?? 0;
    const stranded = free.run(run).strandedBy(begins - plan.run(run).first, piece.length);
    return rankOf(piece.length === 1 ? 1 : 0, 1, stranded);
  });
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  return [sum(ranks), sum(seats.map((seat) => plan.costOf(seat)))];
}

const letters = fc.constantFrom('.', '.', '.', 'x', 'x', '|', 'W');
const row = fc.array(letters, { minLength: 1, maxLength: 9 }).map((all) => `.${all.join('')}`);
const table = row.map((all) => `(${all.replaceAll('|', '.')})`);

describe('so many people in one row', () => {
  it('sit as well as in every other way, alone, in pieces, and near', () => {
    const size = fc.integer({ min: 1, max: 6 });
    fc.assert(
      fc.property(fc.oneof(row, row, table), size, fc.boolean(), (text, most, some) => {
        const free = freeSeats([[text, '...'], ['..']]);
        const may = some ? (seat: number) => seat % 3 !== 1 : undefined;
        const { count } = free.plan.row(0);
        const pool = Array.from({ length: count }, (_, seat) => seat).filter(
          (seat) => free.standingOf(seat) === STANDING.pool && (!may || may(seat)),
        );
        const plans = rowPlans(free, 0, { size: most, may }, focalCost(free.plan));
        expect(plans.map(({ seats }) => seats)).toEqual(
          Array.from({ length: Math.min(most, pool.length) }, (_, nth) => nth + 1),
        );
        for (const plan of plans) {
          const ways = [...choose(pool, plan.seats)].map((seats) => numbersOf(free, seats));
          ways.sort(([rank, cost], [other, more]) => rank - other || cost - more);
          expect([plan.rank, plan.cost]).toEqual(ways[0]);
          expect(numbersOf(free, plan.ordinals)).toEqual(ways[0]);
          expect(plan.ordinals).toEqual([...plan.ordinals].sort((one, other) => one - other));
          expect(plan.centre).toEqual(free.plan.centreOf(plan.ordinals));
        }
      }),
      { numRuns: 300 },
    );
  });
});

it('of a table that is free as a whole a piece may begin at any seat', () => {
  const seatsOf = (text: string, costs: readonly number[], size: number) => {
    const plans = rowPlans(freeSeats([[text]]), 0, { size }, (seat) => costs[seat] ?? 0);
    return plans.map(({ ordinals }) => ordinals);
  };
  const costs = [1, 7, 8, 9, 2, 1];
  expect(seatsOf('(......)', costs, 6)).toEqual([
    [0],
    [0, 5],
    [0, 4, 5],
    [0, 1, 4, 5],
    // What is left of one seat would be alone, wherever that is.
    [0, 1, 2, 4, 5],
    [0, 1, 2, 3, 4, 5],
  ]);
  expect(seatsOf('......', costs, 2)).toEqual([[0], [4, 5]]);
});

describe('plans of a row that anybody may use', () => {
  const free = freeSeats([['..x', '..|x..|.'], ['...']]);
  const numbers = (plans: ReturnType<typeof rowPlans>) =>
    plans.map(({ seats, rank, cost, ordinals }) => [seats, rank, cost, ordinals]);
  const anew = (seats: Free, size: number) =>
    numbers(rowPlans(seats, 1, { size }, focalCost(seats.plan)));

  it('are made once, also for fewer people', () => {
    const plans = sharedRowPlans(free, 1, 4);
    expect(numbers(plans)).toEqual(anew(free, 4));
    expect(sharedRowPlans(free, 1, 4)).toBe(plans);
    const fewer = sharedRowPlans(free, 1, 2);
    expect(fewer).toEqual(plans.slice(0, 2));
    expect(fewer[0]).toBe(plans[0]);
    expect(numbers(sharedRowPlans(free, 1, 5))).toEqual(anew(free, 5));
    expect(sharedRowPlans(free, 1, 5)).toHaveLength(5);
  });

  it('are others as soon as any run of the row is', () => {
    const plans = sharedRowPlans(free, 1, 4);
    const { first, count } = free.plan.row(1);
    const open = Array.from({ length: count }, (_, nth) => first + nth).filter((seat) =>
      free.isOpen(seat),
    );
    for (const seat of open) {
      const changed = free.with([[seat, STANDING.gone]]);
      expect(numbers(sharedRowPlans(changed, 1, 4))).toEqual(anew(changed, 4));
    }
    const elsewhere = free.with([[0, STANDING.gone]]);
    const known = sharedRowPlans(free, 1, 4);
    expect(numbers(known)).toEqual(numbers(plans));
    expect(sharedRowPlans(elsewhere, 1, 4)).toBe(known);
  });
});
