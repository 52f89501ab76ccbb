import { printedRandom } from '@voelgoed/testkit/seeds';
import { describe, expect, it } from 'vitest';
import { planMigration } from './migration-rules.ts';

const seat = (n: number, status: 'held' | 'sold' = 'sold') => ({
  seat_id: `seat ${n}`,
  label: `A-${n}`,
  status,
});
const nothing = new Map<string, { capacity: number; disabled: boolean; has_seats: boolean }>();

describe('a migration', () => {
  it('tells who keeps, who moves and who would lose a place', () => {
    const taken = { seats: [seat(1), seat(2, 'held'), seat(3), seat(4)], zones: [] };
    const plan = { offers: (id: string) => id !== 'seat 2' && id !== 'seat 3', zones: nothing };
    const report = planMigration(taken, plan, { 'seat 3': 'seat 9', 'seat 4': 'seat 9' });
    expect(report).toMatchObject({ possible: false, held: 1, sold: 3, kept: 1 });
    expect(report.moved).toEqual([{ from: 'seat 3', to: 'seat 9', label: 'A-3', status: 'sold' }]);
    expect(report.lost.map(({ seat_id, why }) => [seat_id, why])).toEqual([
      ['seat 2', 'the new plan has no such seat for sale'],
      ['seat 4', 'somebody else was given that seat'],
    ]);
  });

  it('counts places without seats against the new capacity', () => {
    const zone = { zone_id: 'pit', name: 'Pit', held: 2, sold: 5 };
    const plan = (capacity: number, disabled = false, has_seats = false) => ({
      offers: () => true,
      zones: new Map([['pit', { capacity, disabled, has_seats }]]),
    });
    const judge = (wanted: ReturnType<typeof plan>) =>
      planMigration({ seats: [], zones: [zone] }, wanted, {}).possible;
    const plans = [plan(7), plan(6), plan(7, true), plan(7, false, true)];
    expect(plans.map(judge)).toEqual([true, false, false, false]);
  });

  it('never gives one seat to two, whatever the mapping', () => {
    const random = printedRandom('migration mappings');
    const pick = () => `seat ${Math.floor(random.next() * 12)}`;
    for (let round = 0; round < 500; round++) {
      const taken = { seats: Array.from({ length: 8 }, (_, n) => seat(n)), zones: [] };
      const mapping = Object.fromEntries(taken.seats.map(({ seat_id }) => [seat_id, pick()]));
      const report = planMigration(taken, { offers: () => true, zones: nothing }, mapping);
      const kept = taken.seats.filter(({ seat_id }) => mapping[seat_id] === seat_id);
      const given = [...report.moved.map(({ to }) => to), ...kept.map(({ seat_id }) => seat_id)];
      expect(report.kept + report.moved.length + report.lost.length).toBe(8);
      expect(report.possible).toBe(new Set(Object.values(mapping)).size === 8);
      if (report.possible) expect(new Set(given).size).toBe(8);
    }
  });
});
