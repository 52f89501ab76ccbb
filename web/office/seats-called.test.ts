import { expect, it } from 'vitest';
import type { Seat } from '#shop';
import { seatsCalled } from './seats-called.ts';

const seats = ['Stalls H-3', 'Stalls H-30', 'Stalls H-31', 'Balcony H-3', 'Stalls A-1', 'K-7'].map(
  (label) => {
    const [, row = '', number = ''] = /(\w)-(\d+)$/.exec(label) ?? [];
    return { label, row, number: Number(number) } as unknown as Seat;
  },
);
const found = (text: string) => seatsCalled(seats, text).map(({ label }) => label);

it('finds a seat by its label, however it is written', () => {
  for (const text of ['K-7', 'k7', 'k 7', ' K - 7 ']) expect(found(text)).toEqual(['K-7']);
  expect(found('stalls h3')).toEqual(['Stalls H-3']);
});

it('finds a seat without the name of its section, in each section that has it', () => {
  for (const text of ['H-3', 'h3', 'H 3']) {
    expect(found(text), text).toEqual(['Stalls H-3', 'Balcony H-3']);
  }
  expect(found('H-31')).toEqual(['Stalls H-31']);
});

it('finds what begins so, when nothing is so called', () => {
  expect(found('stalls h')).toEqual(['Stalls H-3', 'Stalls H-30', 'Stalls H-31']);
  expect(found('z-1')).toEqual([]);
  expect(found('h')).toEqual([]);
});
