import { printedRandom } from '@voelgoed/testkit/seeds';
import { describe, expect, it } from 'vitest';
import { planMigration } from './migration-rules.ts';

const seat = (n: number, status: 'held' | 'sold' = 'sold') => ({
  seat_id: `seat ${n}`,
  label: `A-${n}`,
  status,
});
const hall = {
  name: 'Hall',
  capacity: 20,
  disabled: false,
  has_seats: true,
  closes: false,
};
const NOBODY = { seats: [], zones: [], blocked: new Set<string>(), broken: [] };
const STAY = { seats: {}, zones: {} };

/** A hall of so many seats, without some of them. */
const seatsBut = (...gone: string[]) => {
  const ids = Array.from({ length: 20 }, (_, n) => `seat ${n}`);
  const there = ids.filter((id) => !gone.includes(id));
  return {
    seats: new Map(there.map((id) => [id, { zone_id: 'hall', blocked: false }])),
    zones: new Map([['hall', hall]]),
  };
};

describe('a migration', () => {
  it('tells who keeps, who moves and who would lose a place', () => {
    const taken = { ...NOBODY, seats: [seat(1), seat(2, 'held'), seat(3), seat(4)] };
    const seats = { 'seat 3': 'seat 9', 'seat 4': 'seat 9' };
    const report = planMigration(taken, seatsBut('seat 2', 'seat 3'), { seats, zones: {} });
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
      seats: new Map(),
      zones: new Map([['pit', { name: 'Pit', capacity, disabled, has_seats, closes: false }]]),
    });
    const judge = (wanted: ReturnType<typeof plan>) =>
      planMigration({ ...NOBODY, zones: [zone] }, wanted, STAY).possible;
    const plans = [plan(7), plan(6), plan(7, true), plan(7, false, true)];
    expect(plans.map(judge)).toEqual([true, false, false, false]);
    const report = planMigration({ ...NOBODY, seats: [seat(1)], zones: [zone] }, plan(7), STAY);
    expect(report).toMatchObject({ held: 2, sold: 6, zones_moved: [], zones_lost: [] });
  });

  it('leaves sold places where not everybody may enter any more, and moves no held ones', () => {
    const closes = { ...hall, has_seats: false, closes: true };
    const plan = { seats: new Map(), zones: new Map([['pit', closes]]) };
    const judge = (held: number) => {
      const zones = [{ zone_id: 'pit', name: 'Pit', held, sold: 5 }];
      return planMigration({ ...NOBODY, zones }, plan, STAY).zones_lost;
    };
    const why = 'somebody holds it, and not everybody may enter the zone any more';
    expect(judge(0)).toEqual([]);
    expect(judge(1)).toEqual([{ zone_id: 'pit', name: 'Pit', why }]);
  });

  it('keeps no seat in a zone that has none any more, or is not there', () => {
    const judge = (zone_id: string) => {
      const standing = { ...hall, has_seats: false };
      const seats = new Map([['seat 1', { zone_id, blocked: false }]]);
      const plan = { seats, zones: new Map([['pit', standing]]) };
      return planMigration({ ...NOBODY, seats: [seat(1)] }, plan, STAY).lost.length;
    };
    expect([judge('pit'), judge('nowhere')]).toEqual([1, 1]);
  });

  it('lists no more than a thousand of them', () => {
    const many = Array.from({ length: 1_001 }, (_, n) => seat(n));
    const none = { seats: new Map(), zones: new Map() };
    const lost = planMigration({ ...NOBODY, seats: many }, none, STAY);
    expect(lost.lost).toHaveLength(1_000);
    const ids = many.map(({ seat_id }) => [seat_id, `new ${seat_id}`]);
    const plan = {
      seats: new Map(ids.map(([, id = '']) => [id, { zone_id: 'hall', blocked: false }])),
      zones: new Map([['hall', hall]]),
    };
    const moves = { seats: Object.fromEntries(ids), zones: {} };
    const report = planMigration({ ...NOBODY, seats: many }, plan, moves);
    expect([report.possible, report.sold, report.moved.length]).toEqual([true, 1_001, 1_000]);
  });

  it('gives places to the zone that the mapping says, as far as it has room', () => {
    const zones = ['pit', 'ring'].map((zone_id) => ({ zone_id, name: zone_id, held: 1, sold: 3 }));
    const field = (capacity: number) => ({
      seats: new Map(),
      zones: new Map([['field', { ...hall, has_seats: false, capacity }]]),
    });
    const moves = { seats: {}, zones: { pit: 'field', ring: 'field' } };
    const judge = (capacity: number) => planMigration({ ...NOBODY, zones }, field(capacity), moves);
    expect(judge(8)).toMatchObject({
      possible: true,
      zones_moved: [
        { from: 'pit', to: 'field', name: 'pit' },
        { from: 'ring', to: 'field', name: 'ring' },
      ],
    });
    expect(judge(7).zones_lost.map(({ zone_id }) => zone_id)).toEqual(['pit', 'ring']);
  });

  it('leaves a seat sold that was sold in spite of a block, and sells no blocked one', () => {
    const plan = seatsBut();
    const seats = new Map([...plan.seats, ['seat 1', { zone_id: 'hall', blocked: true }]]);
    const judge = (before: ReadonlySet<string>, who: number, moves: typeof STAY = STAY) =>
      planMigration({ ...NOBODY, seats: [seat(who)], blocked: before }, { ...plan, seats }, moves)
        .possible;
    const both = new Set(['seat 1', 'seat 2']);
    expect(judge(both, 1)).toBe(true);
    expect(judge(new Set(), 1)).toBe(false);
    expect(judge(both, 2, { seats: { 'seat 2': 'seat 1' }, zones: {} })).toBe(false);
  });

  it('takes nobody onto a seat that staff have blocked, unless the block moves away', () => {
    const taken = { ...NOBODY, seats: [seat(1), seat(2)], broken: ['seat 5'] };
    const judge = (seats: Record<string, string>) => {
      const { possible, lost } = planMigration(taken, seatsBut(), { seats, zones: {} });
      return possible || lost.map(({ seat_id, why }) => [seat_id, why]);
    };
    const why = 'staff have blocked that seat: unblock it first, or choose another';
    expect(judge({})).toBe(true);
    expect(judge({ 'seat 1': 'seat 5' })).toEqual([['seat 1', why]]);
    expect(judge({ 'seat 1': 'seat 5', 'seat 5': 'seat 9' })).toBe(true);
    // Nor does a block come to somebody who stays.
    expect(judge({ 'seat 5': 'seat 2' })).toEqual([['seat 2', why]]);
  });

  it('takes no held place into a zone that is closed to some, and leaves sold ones', () => {
    const plan = { ...seatsBut(), zones: new Map([['hall', { ...hall, closes: true }]]) };
    const judge = (status: 'held' | 'sold') =>
      planMigration({ ...NOBODY, seats: [seat(1, status)] }, plan, STAY).possible;
    expect([judge('sold'), judge('held')]).toEqual([true, false]);
  });

  it('never gives one seat to two, whatever the mapping', () => {
    const random = printedRandom('migration mappings');
    const pick = () => `seat ${Math.floor(random.next() * 12)}`;
    for (let round = 0; round < 500; round++) {
      const taken = { ...NOBODY, seats: Array.from({ length: 8 }, (_, n) => seat(n)) };
      const mapping = Object.fromEntries(taken.seats.map(({ seat_id }) => [seat_id, pick()]));
      const report = planMigration(taken, seatsBut(), { seats: mapping, zones: {} });
      const kept = taken.seats.filter(({ seat_id }) => mapping[seat_id] === seat_id);
      const given = [...report.moved.map(({ to }) => to), ...kept.map(({ seat_id }) => seat_id)];
      expect(report.kept + report.moved.length + report.lost.length).toBe(8);
      expect(report.possible).toBe(new Set(Object.values(mapping)).size === 8);
      if (report.possible) expect(new Set(given).size).toBe(8);
    }
  });
});
