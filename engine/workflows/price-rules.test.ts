import { expect, it } from 'vitest';
import { judgePrices, pricedTwice } from './price-rules.ts';

const price = (zone_id: string, price_cents = 1_000) => ({ zone_id, price_cents });
const ZONES = new Set(['balcony', 'pit']);

it('one price for each zone that the event has is fine', () => {
  expect(judgePrices([price('balcony'), price('pit')], ZONES)).toEqual([]);
});

it('a zone with two prices is named, whatever the case of its id', () => {
  const twice = [price('balcony'), price('pit'), price('BALCONY', 2_000)];
  const problem = { path: 'prices[2]', code: 'unknown_id', message: 'A zone has one price.' };
  expect(pricedTwice(twice)).toEqual([problem]);
  expect(judgePrices([price('pit'), price('pit')], ZONES)).toEqual([
    { ...problem, path: 'prices[1]' },
  ]);
});

it('a zone that the event does not have is named', () => {
  expect(judgePrices([price('pit'), price('roof')], ZONES)).toEqual([
    { path: 'prices[1]', code: 'unknown_id', message: 'The event has no such zone.' },
  ]);
});
