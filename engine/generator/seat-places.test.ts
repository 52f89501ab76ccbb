import { describe, expect, it } from 'vitest';
import { generateLayout } from './generator.ts';

const ROWS = {
  shape: 'straight_rows',
  zone: 'Stalls',
  rows: 3,
  blocks: [6],
  numbering: 'odd_even',
} as const;

function seatsOf(shape: object, zone = 0) {
  const made = generateLayout({ shapes: [shape] });
  if (made.kind === 'invalid') return made.problems;
  return (made.config.zones[zone]?.seats ?? [])
    .filter(({ category }) => category !== undefined)
    .map(({ label, category }) => `${label} ${category}`);
}

describe('special seats', () => {
  it('are named by their printed label; the one to the right is the companion', () => {
    // From left to right a row is 5 3 1 2 4 6.
    const wheelchair_pairs = [{ label: 'B-3' }];
    expect(seatsOf({ ...ROWS, wheelchair_pairs })).toEqual(['B-3 wheelchair', 'B-1 companion']);
    expect(seatsOf({ ...ROWS, restricted_view: [{ label: 'c-6' }] })).toEqual([
      'C-6 restricted_view',
    ]);
  });

  it('are named with the prefix or without it', () => {
    const prefixed = { ...ROWS, label_prefix: 'Left ' };
    for (const label of ['A-5', 'Left A-5', 'left a-5']) {
      expect(seatsOf({ ...prefixed, wheelchair_pairs: [{ label }] })[0]).toBe(
        'Left A-5 wheelchair',
      );
    }
  });

  it('are refused where there is no such seat, or none for the companion', () => {
    for (const label of ['A-7', 'D-1', 'A-6', 'A']) {
      const wheelchair_pairs = [{ label }];
      expect(seatsOf({ ...ROWS, wheelchair_pairs })).toMatchObject([
        { path: 'shapes[0].wheelchair_pairs[0]', code: 'unknown_seat' },
      ]);
    }
    expect(seatsOf({ ...ROWS, restricted_view: [{ label: 'A-6' }] })).toHaveLength(1);
    expect(seatsOf({ ...ROWS, wheelchair_pairs: [{ label: 'A-1', row: 1 }] })).toMatchObject([
      { code: 'unknown_field' },
    ]);
  });

  it('come back by their labels, so that a form can show them', () => {
    const wheelchair_pairs = [{ row: 2, seat: 2 }];
    const made = generateLayout({ shapes: [{ ...ROWS, first_row: 4, wheelchair_pairs }] });
    expect(made).toMatchObject({
      spec: { shapes: [{ label_prefix: '', wheelchair_pairs: [{ label: 'E-3' }] }] },
    });
  });
});
