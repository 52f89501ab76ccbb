import { CallerHoldWish, HoldWish } from '@voelgoed/client/wire';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { checkShape } from './validation.ts';

const ID = '01a1e255-e46d-73b6-aca5-56c11beb0617';
const problemsOf = (...items: unknown[]) =>
  checkShape(HoldWish, { items }).map(({ path, message }) => `${path} ${message}`);

describe('what is wrong with an item that may be a seat or places', () => {
  it('is said of what it was meant to be, and of nothing else', () => {
    expect(problemsOf({ zone_id: ID, quantity: 0 })).toEqual([
      'body/items/0/quantity must be >= 1',
    ]);
    expect(problemsOf({ zone_id: ID, quantity: '2' })).toEqual([
      'body/items/0/quantity must be integer',
    ]);
    expect(problemsOf({ zone_id: ID })).toEqual([
      "body/items/0 must have required property 'quantity'",
    ]);
    expect(problemsOf({ seat_id: 'A-1' })).toEqual([
      'body/items/0/seat_id must match format "uuid"',
    ]);
    expect(problemsOf({ seat_id: ID, quantity: 1 })).toEqual([
      'body/items/0 has an unknown field "quantity"',
    ]);
    expect(problemsOf({})).toEqual(["body/items/0 must have required property 'seat_id'"]);
    expect(problemsOf(null)).toEqual(['body/items/0 must be object']);
  });

  it('is said of each item by itself, in order, beside everything else', () => {
    const items = [{ zone_id: ID, quantity: 0 }, { seat_id: ID }, { seat_id: 'x' }];
    const problems = checkShape(CallerHoldWish, { items, for: '' });
    expect(problems.map(({ path }) => path)).toEqual([
      'body/items/0/quantity',
      'body/items/2/seat_id',
      'body/for',
    ]);
  });

  it('is its first problem when there are too many values to list all', () => {
    const good = Array.from({ length: 300 }, () => ({ seat_id: ID }));
    expect(problemsOf(...good, { zone_id: ID, quantity: 0 })).toEqual([
      'body/items/300/quantity must be >= 1',
    ]);
  });
});

describe('what is wrong with a value that may be null', () => {
  const schema = Type.Object({ note: Type.Union([Type.String({ minLength: 1 }), Type.Null()]) });

  it('names both kinds, or what is wrong with the one it is', () => {
    const messageOf = (note: unknown) => checkShape(schema, { note }).map((one) => one.message);
    expect(messageOf(5)).toEqual(['must be string or null']);
    expect(messageOf('')).toEqual(['must NOT have fewer than 1 characters']);
  });

  it('also inside of another union', () => {
    const deep = Type.Union([schema, Type.Object({ number: Type.Integer({ minimum: 1 }) })]);
    const problems = (value: unknown) => checkShape(deep, value);
    expect(problems({ note: '' })).toEqual([
      { path: 'body/note', message: 'must NOT have fewer than 1 characters' },
    ]);
    expect(problems({ number: 0 })).toEqual([{ path: 'body/number', message: 'must be >= 1' }]);
  });
});
