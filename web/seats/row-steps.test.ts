import { describe, expect, it } from 'vitest';
import { stepFrom } from './row-steps.ts';

/** Row A has seats over 0 to 3, row B is shifted and shorter. */
const seat = (label: string, x: number) => ({ label, x }) as never;
const rows = [
  { name: 'A', seats: [seat('A-1', 0), seat('A-2', 1), seat('A-3', 2), seat('A-4', 3)] },
  { name: 'B', seats: [seat('B-1', 1.2), seat('B-2', 2.2)] },
];
const from = (row: number, place: number) => {
  const { seats } = rows[row] as (typeof rows)[number];
  return { seat: seats[place] as never, row, place };
};
const to = (key: string, row: number, place: number) => stepFrom(key, rows, from(row, place))?.to;

describe('a key in a list of rows', () => {
  it('goes along the row and stops at its ends', () => {
    expect(to('ArrowRight', 0, 0)).toMatchObject({ label: 'A-2' });
    expect(to('ArrowLeft', 0, 1)).toMatchObject({ label: 'A-1' });
    expect(to('ArrowLeft', 0, 0)).toBeUndefined();
    expect(to('ArrowRight', 0, 3)).toBeUndefined();
    expect(to('Home', 0, 2)).toMatchObject({ label: 'A-1' });
    expect(to('End', 1, 0)).toMatchObject({ label: 'B-2' });
  });

  it('goes to the nearest seat of another row, not to the one of the same place', () => {
    expect(to('ArrowDown', 0, 3)).toMatchObject({ label: 'B-2' });
    expect(to('ArrowDown', 0, 1)).toMatchObject({ label: 'B-1' });
    expect(to('ArrowUp', 1, 1)).toMatchObject({ label: 'A-3' });
    expect(to('ArrowUp', 0, 0)).toBeUndefined();
    expect(to('PageDown', 0, 0)).toMatchObject({ label: 'B-1' });
    expect(to('PageUp', 1, 0)).toMatchObject({ label: 'A-2' });
  });

  it('leaves other keys alone', () => {
    expect(stepFrom('a', rows, from(0, 0))).toBeNull();
    expect(stepFrom('Enter', rows, from(0, 0))).toBeNull();
  });
});
