import { BROKEN_MEANINGS, BROKEN_SHAPES, brokenHall, hall } from '@voelgoed/testkit/halls';
import { describe, expect, it } from 'vitest';
import { readPlan, withoutIds } from './read-plan.ts';

const labelsAt = (config: unknown, path: string) => {
  const plan = readPlan(config);
  return plan.placeOf(path)?.ordinals.map((ordinal) => plan.drawing.seats[ordinal]?.label);
};

describe('a config that is drawn', () => {
  it('has every seat and zone, each at its place', () => {
    const { drawing } = readPlan(hall());
    expect(drawing.seats.map(({ ordinal }) => ordinal)).toEqual(drawing.seats.map((_, at) => at));
    expect(drawing.seats).toHaveLength(13);
    expect(drawing.zones.map(({ name, capacity }) => [name, capacity])).toEqual([
      ['Stalls', 10],
      ['Lounge', 3],
      ['Floor', 300],
    ]);
    const companion = drawing.seats.find(({ label }) => label === 'B-2');
    expect(drawing.seats.find(({ seat_id }) => seat_id === companion?.companion_of)?.label).toBe(
      'B-1',
    );
  });

  it('is drawn however broken it is', () => {
    for (const [, edits] of [...BROKEN_SHAPES, ...BROKEN_MEANINGS]) {
      expect(readPlan(brokenHall(edits)).drawing.zones.length).toBeLessThan(4);
    }
    for (const nonsense of [null, 7, 'x', [], {}, { zones: 'x' }, { zones: [null, [], 7] }]) {
      expect(readPlan(nonsense).drawing.seats).toEqual([]);
    }
  });

  it('leads from a path to what it speaks of', () => {
    expect(labelsAt(hall(), 'zones[0].seats[6].companion_of')).toEqual(['B-2']);
    expect(labelsAt(hall(), 'zones[1].rows[0].seats[1].label')).toEqual(['T1-2']);
    expect(labelsAt(hall(), 'zones[1].rows[0]')).toEqual(['T1-1', 'T1-2', 'T1-3']);
    expect(labelsAt(hall(), 'groups[1].seat_labels[0]')).toEqual(['A-4']);
    expect(labelsAt(hall(), 'groups[1]')).toEqual(['A-4', 'A-5']);
    expect(labelsAt(hall(), 'zones[0].capacity')).toHaveLength(10);
    expect(readPlan(hall()).placeOf('zones[2].capacity')).toMatchObject({ ordinals: [] });
    for (const path of ['seat_size', 'zones', 'zones[9]', 'zones[0].seats[99]', 'groups[7]']) {
      expect(readPlan(hall()).placeOf(path)).toBeNull();
    }
  });

  it('forgets ids where they were only made up, and nothing else', () => {
    const id = 'abcdefab-1111-4111-8111-111111111111';
    const withIds = brokenHall({
      'zones[0].zone_id': id,
      'zones[0].seats[0].seat_id': id,
      'zones[1].rows[0].seats[0].seat_id': id,
      'groups[0].group_id': id,
    });
    expect(withoutIds(withIds as never)).toEqual(hall());
  });

  it('counts on when a seat before has no place', () => {
    const broken = brokenHall({ 'zones[0].seats[2].coordinates': null });
    expect(labelsAt(broken, 'zones[0].seats[2]')).toBeUndefined();
    expect(labelsAt(broken, 'zones[0].seats[3]')).toEqual(['A-4']);
  });
});
