import { expect, it } from 'vitest';
import { seatingCounts, seatingNumbers, type ZoneNumbers } from './seating-numbers.ts';
import { freeSeats } from './test-venues.ts';

const zone = (wanted: Partial<ZoneNumbers>): ZoneNumbers => ({
  vip: false,
  has_seats: true,
  capacity: 10,
  held: 0,
  sold: 0,
  blocked: 0,
  ...wanted,
});

const numbersOf = (...about: Parameters<typeof seatingCounts>) =>
  seatingNumbers([seatingCounts(...about)]);

it('counts orphans, VIP places and wheelchair spaces, and says what is unusual', () => {
  const free = freeSeats([['.x.x....Wx'], ['xxxxx.....']]);
  const zones = [zone({ sold: 2, blocked: 1 }), zone({ vip: true, held: 1, sold: 4 })];
  expect(numbersOf(free, zones, 0)).toEqual({
    orphans: 2,
    orphan_ratio: 0.1,
    vip_utilisation: 0.5,
    accessibility_utilisation: 0,
    alerts: ['accessibility_unused'],
  });
});

it('has no alarm for what an event does not have', () => {
  expect(numbersOf(freeSeats([['....']]), [zone({})], 0)).toEqual({
    orphans: 0,
    orphan_ratio: 0,
    vip_utilisation: 0,
    accessibility_utilisation: 0,
    alerts: [],
  });
});

it('raises the alarms of the specification', () => {
  const free = freeSeats([['.x.x....Wx']]);
  const busy = [zone({ vip: true, sold: 10 })];
  expect(numbersOf(free, busy, 1).alerts).toEqual([
    'orphan_ratio_high',
    'vip_utilisation_high',
    'accessibility_utilisation_high',
  ]);
  expect(numbersOf(free, [zone({ vip: true, sold: 3 })], 0).alerts).toContain(
    'vip_utilisation_low',
  );
});

it('raises none at the very limits', () => {
  const free = freeSeats([['W...................']]);
  const alerts = (sold: number, spaces: number) =>
    numbersOf(free, [zone({ vip: true, capacity: 100, sold })], spaces).alerts;
  expect([alerts(40, 2), alerts(95, 1)]).toEqual([[], []]);
  expect([alerts(39, 1), alerts(96, 1)]).toEqual([
    ['vip_utilisation_low'],
    ['vip_utilisation_high'],
  ]);
  const standing = zone({ vip: true, has_seats: false, capacity: 20, blocked: 10, held: 5 });
  expect(numbersOf(free, [standing], 0)).toMatchObject({
    ...{ vip_utilisation: 0.5, accessibility_utilisation: 0, alerts: [] },
  });
});

it('adds up several boards before it divides', () => {
  const full = seatingCounts(freeSeats([['.x.x']]), [zone({ vip: true, sold: 10 })], 0);
  const empty = seatingCounts(freeSeats([['............']]), [zone({ vip: true })], 0);
  expect(seatingNumbers([full, empty])).toMatchObject({
    orphans: 2,
    orphan_ratio: 2 / 16,
    vip_utilisation: 0.5,
  });
  expect(seatingNumbers([])).toMatchObject({ orphans: 0, orphan_ratio: 0, alerts: [] });
});
