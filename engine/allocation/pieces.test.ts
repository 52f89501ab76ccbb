import { describe, expect, it } from 'vitest';
import { partsOf, piecesOf } from './orphans.ts';
import { freeSeats } from './test-venues.ts';

const nobody = () => false;

describe('pieces of a selection', () => {
  it.each<[string[], number[], number[][]]>([
    [['......'], [3, 1, 0], [[0, 1], [3]]],
    [['..|..'], [1, 2], [[1], [2]]],
    [
      ['..', '..'],
      [1, 2],
      [[1], [2]],
    ],
    [['......'], [], []],
    [['(......)'], [0, 5], [[5, 0]]],
    [['(......)'], [0, 1, 4, 5], [[4, 5, 0, 1]]],
    [['(......)'], [1, 2, 4], [[1, 2], [4]]],
    [['(......)'], [0, 2, 5], [[5, 0], [2]]],
    [
      ['(....)', '(....)'],
      [0, 3, 4, 7],
      [
        [3, 0],
        [7, 4],
      ],
    ],
    [['(....)'], [0, 1, 2, 3], [[0, 1, 2, 3]]],
    [
      ['(....)', '....'],
      [4, 7],
      [[4], [7]],
    ],
  ])('of %j, seats %j, are %j', (rows, seats, pieces) => {
    const found = piecesOf(freeSeats([rows]), seats);
    const sets = (all: readonly (readonly number[])[]) => new Set(all.map((one) => new Set(one)));
    expect(sets(found)).toEqual(sets(pieces));
  });
});

describe('parts of a group that sits side by side', () => {
  /** The companion seat of space 0 is 4, across an aisle from it; 3 is beside it. */
  const free = freeSeats([['W..|.C.']]);

  it.each<[string, number[], number]>([
    ['its companion seat is with the space', [0, 4], 1],
    ['neighbours of that seat are not', [0, 3, 4], 2],
    ['seats beside the space are', [0, 1, 4], 1],
    ['without the space it is a seat like others', [1, 4], 2],
    ['alone, too', [4], 1],
    ['seats that belong to no space are apart', [1, 5], 2],
  ])('%s: %j', (_, seats, parts) => {
    expect(partsOf(free, seats, nobody)).toHaveLength(parts);
  });

  it('counts a space that the buyer has already', () => {
    const has = (space: number) => space === 0;
    expect(partsOf(free, [1, 4], has)).toEqual([[1]]);
    expect(partsOf(free, [4], has)).toEqual([]);
    expect(partsOf(free, [3, 4], has)).toEqual([[3, 4]]);
  });
});
