import { describe, expect, it } from 'vitest';
import { judgeSelection } from './judge-selection.ts';
import { strandedBy } from './orphans.ts';
import { aView, freeSeats } from './test-venues.ts';

const pick = (seats: readonly number[], held: readonly number[] = []) => ({
  seats,
  held,
  allow_orphan: false,
});

describe('what a selection strands', () => {
  it('is 1, 3 and 5 when 2 and 4 of five are taken', () => {
    expect(strandedBy(freeSeats([['.....']]), [1, 3])).toEqual([0, 2, 4]);
  });

  it('ends at an aisle and does not count what was single before', () => {
    expect(strandedBy(freeSeats([['..|..']]), [1])).toEqual([0]);
    expect(strandedBy(freeSeats([['.x..x...x.']]), [2, 3])).toEqual([]);
    expect(strandedBy(freeSeats([['.x..x...x.']]), [5, 6])).toEqual([7]);
    expect(strandedBy(freeSeats([['.x..x...x.']]), [6, 7])).toEqual([5]);
  });

  it('is never a wheelchair space, and one beside it has company', () => {
    expect(strandedBy(freeSeats([['.Wx']]), [0])).toEqual([]);
    expect(strandedBy(freeSeats([['..W']]), [0])).toEqual([]);
  });
});

describe('a selection', () => {
  it('that strands a seat is refused with choices that do not', () => {
    const judged = judgeSelection(aView([['.x..x...x.']]), pick([5, 6]));
    expect(judged).toEqual({
      kind: 'refused',
      code: 'orphan_rule',
      orphans: [7],
      alternatives: [[2, 3]],
    });
  });

  it('counts what is in the cart', () => {
    const alone = aView([['.x...']]);
    expect(judgeSelection(alone, pick([2], [1]))).toMatchObject({ kind: 'refused', orphans: [0] });
    expect(judgeSelection(alone, pick([0], [1]))).toEqual({
      kind: 'legal',
      orphans: [],
      reason: null,
    });
  });

  it('offers first what keeps the seats in the cart', () => {
    const judged = judgeSelection(aView([['.x......']]), pick([3], [1]));
    const alternatives = [
      [0, 1],
      [2, 3],
      [3, 4],
    ];
    expect(judged).toMatchObject({ kind: 'refused', alternatives });
  });

  it.each([
    // Those that keep what is in the cart, then the nearest.
    [
      ['......', '......'],
      [4],
      [1],
      [
        [0, 1],
        [2, 3],
        [8, 9],
      ],
    ],
    [
      ['x..xx..x', '..x..x..'],
      [1],
      [5],
      [
        [5, 6],
        [1, 2],
        [11, 12],
      ],
    ],
    [
      ['....x.......'],
      [9],
      [1, 6],
      [
        [5, 6, 7],
        [7, 8, 9],
        [9, 10, 11],
      ],
    ],
    [
      ['....', 'xx..'],
      [1, 2],
      [],
      [
        [0, 1],
        [2, 3],
        [6, 7],
      ],
    ],
    [['.x.x.x', '....'], [7], [], [[6], [2], [9]]],
    // Where no block will do, seats that are apart, as the choice was.
    [['x...x...x'], [2, 6], [], [[1, 5]]],
  ])('in %j, of %j beside %j, could be %j instead', (rows, seats, held, alternatives) => {
    const judged = judgeSelection(aView([rows]), pick(seats, held));
    expect(judged).toMatchObject({ kind: 'refused', alternatives });
  });

  it('may strand a seat where the policy or the buyer says so', () => {
    const loose = aView([['....']], { policy: { orphan_avoidance_strict: false } });
    expect(judgeSelection(loose, pick([1]))).toEqual({
      kind: 'legal',
      orphans: [0],
      reason: 'policy',
    });
    const asked = { ...pick([1]), allow_orphan: true };
    expect(judgeSelection(aView([['....']]), asked)).toMatchObject({ reason: 'asked' });
    const never = aView([['....']], { policy: { allow_orphan_on_request: false } });
    expect(judgeSelection(never, asked)).toMatchObject({ kind: 'refused' });
  });

  it('may strand a seat in a row that is more than nine tenths full', () => {
    const row = (taken: number) => `${'x'.repeat(taken)}..`;
    const full = aView([[row(19), '....']]);
    expect(judgeSelection(full, pick([19]))).toMatchObject({
      kind: 'legal',
      reason: 'row_nearly_full',
    });
    const nearly = aView([[row(18), '....']]);
    expect(judgeSelection(nearly, pick([18]))).toMatchObject({ kind: 'refused' });
  });

  it('may strand a seat when nothing of its size strands none in that zone', () => {
    const view = aView([['...x.x.'], ['.....']]);
    expect(judgeSelection(view, pick([0, 1]))).toEqual({
      kind: 'legal',
      orphans: [2],
      reason: 'no_other_choice',
    });
  });

  it('is not refused for a choice that would make somebody sit alone or far apart', () => {
    const threes = judgeSelection(aView([['...x', '...x']]), pick([0, 1, 4, 5]));
    expect(threes).toMatchObject({ kind: 'legal', orphans: [2, 6], reason: 'no_other_choice' });
    // Three pieces that strand nobody would be in three rows.
    const rows = aView([['..x...x', '..x', '..x', '..x']]);
    const split = judgeSelection(rows, pick([0, 1, 3, 4, 7, 8]));
    expect(split).toMatchObject({ kind: 'legal', orphans: [5], reason: 'no_other_choice' });
  });

  it('over two zones is judged in each of them', () => {
    const view = aView([['....'], ['..']]);
    const judged = judgeSelection(view, pick([1, 4, 5]));
    expect(judged).toMatchObject({ kind: 'refused', orphans: [0] });
    expect(judged).toMatchObject({
      alternatives: [
        [0, 4, 5],
        [3, 4, 5],
      ],
    });
  });

  it('over two zones is legal where one of them leaves no other choice', () => {
    const view = aView([['...x.x.'], ['....']]);
    const orphans = [2, 7];
    const legal = { kind: 'legal', orphans, reason: 'no_other_choice' };
    expect(judgeSelection(view, pick([0, 1, 8]))).toEqual(legal);
  });
});
