import { describe, expect, it } from 'vitest';
import { distanceBetween, SeatingPlan } from './seating-plan.ts';
import { sentenceOf } from './sentence.ts';
import { aPlan, freeSeats } from './test-venues.ts';

/** Two zones: a row with an aisle before a shorter one, and a row of another zone. */
const HALL = [['....|..', 'WC..'], ['...']];

describe('a plan', () => {
  const plan = aPlan(HALL);

  it('has the runs and rows of its seats, aisles between runs', () => {
    const runs = plan.runs.map(({ first, count, row, zone }) => [first, count, row, zone]);
    expect(runs).toEqual([
      [0, 4, 0, 0],
      [4, 2, 0, 0],
      [6, 4, 1, 0],
      [10, 3, 2, 1],
    ]);
    expect([...plan.runOf]).toEqual([0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3]);
    expect(plan.rows).toMatchObject([
      { first: 0, count: 6, zone: 0, firstRun: 0, runCount: 2, section: 0, place: 0 },
      { first: 6, count: 4, zone: 0, firstRun: 2, runCount: 1, section: 0, place: 1 },
      { first: 10, count: 3, zone: 1, firstRun: 3, runCount: 1, section: 1, place: 0 },
    ]);
    expect([[...plan.zoneStarts], [...plan.rowStarts]]).toEqual([
      [0, 3, 4],
      [0, 2, 3],
    ]);
  });

  it('knows how far each seat is from the best place, off centre a little more', () => {
    // The last row stands 1,500 behind the focal point, its ends 1,000 to the side.
    const side = Math.round(Math.sqrt(1_500 ** 2 + 1_000 ** 2)) + 10;
    expect([10, 11, 12].map((seat) => plan.costOf(seat))).toEqual([side, 1_500, side]);
    expect(plan.costOf(99)).toBe(0);
  });

  it('ranks the runs of each zone by their best seat', () => {
    expect([...plan.ranked]).toEqual([0, 1, 2, 3]);
    const back = aPlan([['....', '..|..', '......']]);
    const behind = aPlan([['x|......', '......']]);
    expect([...back.ranked]).toEqual([0, 1, 2, 3]);
    expect([...behind.ranked]).toEqual([1, 2, 0]);
    expect([...behind.rankOf]).toEqual([2, 0, 1]);
    const best = (run: number) => {
      const { first, count } = behind.run(run);
      const seats = Array.from({ length: count }, (_, nth) => behind.costOf(first + nth));
      return Math.min(...seats);
    };
    expect([...behind.bounds]).toEqual([best(1), best(2), best(0)]);
  });

  it('knows how far the ends of a run are from its middle seat, along the seats', () => {
    expect([...plan.reaches]).toEqual([2_000, 1_000, 2_000, 1_000]);
    const single = aPlan([['.|.....']]);
    expect([...single.reaches]).toEqual([0, 2_000]);
  });

  it('has wheelchair spaces by zone, the best first, and their companions', () => {
    const spaces = aPlan([
      ['W.......', '...W....'],
      ['WCC', 'C..'],
    ]);
    expect(spaces.spaces).toEqual([[11, 0], [16]]);
    expect([...spaces.companions]).toEqual([[16, [17, 18, 19]]]);
    expect(spaces.companionSeats).toEqual([[], [17, 18, 19]]);
    expect(spaces.companionZones).toEqual([1]);
    expect([spaces.spaceOf(17), spaces.spaceOf(16)]).toEqual([16, undefined]);
    expect([spaces.isSpace(16), spaces.isSpace(17)]).toEqual([true, false]);
    expect(spaces.categoryOf(16)).toBe('wheelchair');
  });

  it('knows who sits beside whom, also around a table', () => {
    const beside = ([one, other]: readonly number[]) => plan.areNeighbours(one ?? -1, other ?? -1);
    const pairs = [
      [0, 1],
      [3, 4],
      [5, 6],
      [4, 5],
      [0, 3],
    ];
    expect(pairs.map(beside)).toEqual([true, false, false, true, false]);
    expect([plan.besideOf(0, -1), plan.besideOf(0, 1), plan.besideOf(3, 1)]).toEqual([-1, 1, -1]);
    const table = aPlan([['(....)'], ['(..)']]);
    expect([table.besideOf(0, -1), table.besideOf(3, 1)]).toEqual([3, 0]);
    expect([table.hasRings, table.besideOf(4, -1), table.besideOf(5, 1)]).toEqual([true, -1, -1]);
    expect([table.runs.map(({ ring }) => ring), plan.hasRings]).toEqual([[true, false], false]);
  });

  it('measures in a straight line, from the middle of seats', () => {
    expect(distanceBetween({ x: 0, y: 0 }, { x: 300, y: -400 })).toBe(500);
    expect(plan.centreOf([10, 11, 12])).toEqual({ x: 0, y: 0 });
    expect(plan.centreOf([10, 11])).toEqual({ x: -500, y: 0 });
  });

  it('says how much memory it takes', () => {
    // Two bytes for the zone, one for the category, seven numbers of four bytes; runs and rows.
    expect(plan.bytes).toBe(13 * (2 + 1 + 7 * 4) + 4 * 80 + 3 * 120);
  });
});

describe('a sentence about seats', () => {
  it.each([
    [['....', '....'], [0, 1, 2], '3 together in row A'],
    [['....', '....'], [0, 2], '2 not together in row A'],
    [['....', '....'], [0, 1, 4], '2 together in row A, 1 in row B just behind'],
    [['....', '....'], [0, 4, 5], '2 together in row B, 1 in row A just in front'],
    [['..', '..', '..'], [0, 1, 4], '2 together in row A, 1 in row C 2 rows behind'],
    [['..', '..', '..'], [0, 4, 5], '2 together in row C, 1 in row A 2 rows in front'],
    [['..', '..'], [0, 2], '1 in row A, 1 in row B just behind'],
    [['....'], [], ''],
  ])('%j, seats %j: %s', (rows, seats, sentence) => {
    expect(sentenceOf(freeSeats([rows]), seats)).toBe(sentence);
  });

  it('names sections where there are several, and tells no way between them', () => {
    const { columns } = aPlan([['..', '..', '..']]);
    const named = (sections: readonly (string | null)[]) => {
      const rowNames = columns.rowNames.map(({ row }, index) => {
        return { section: sections[index] ?? null, row };
      });
      return { plan: new SeatingPlan({ ...columns, rowNames }) };
    };
    const said = (sections: readonly (string | null)[], seats: readonly number[]) =>
      sentenceOf(named(sections) as never, seats);
    expect(said(['Left', 'Right', 'Right'], [0, 1, 2])).toBe(
      '2 together in section Left row A, 1 in section Right row B',
    );
    expect(said(['Left', 'Left', 'Right'], [0, 1, 2])).toBe(
      '2 together in row A, 1 in row B just behind',
    );
    expect(said(['Left', null, 'Right'], [0, 1, 2])).toBe(
      '2 together in section Left row A, 1 in row B',
    );
  });
});
