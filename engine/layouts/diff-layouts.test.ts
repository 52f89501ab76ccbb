import { hall, layoutOf } from '@voelgoed/testkit/halls';
import { describe, expect, it } from 'vitest';
import { canonicalConfig, diffLayouts, type LayoutConfig, type SeatConfig } from './layouts.ts';

/** The hall with all its ids, as it is copied for a new version. */
const before = layoutOf(hall());
const copy = canonicalConfig(before);

function after(change: (config: LayoutConfig) => LayoutConfig) {
  return diffLayouts(before, layoutOf(change(copy), before, 2));
}

/** Changes the seats of the stalls; `undefined` takes a seat away. */
function stalls(change: (seat: SeatConfig) => SeatConfig | undefined) {
  return (config: LayoutConfig): LayoutConfig => ({
    ...config,
    zones: config.zones.map((zone, index) => {
      if (index > 0 || !zone.seats) return zone;
      const seats = zone.seats.flatMap((seat) => change(seat) ?? []);
      return { ...zone, seats, capacity: seats.length };
    }),
  });
}

const idOf = (label: string) => before.seats.find((seat) => seat.label === label)?.seat_id;

describe('two versions', () => {
  it('are the same when nothing changed', () => {
    const diff = after((config) => config);
    expect(diff).toMatchObject({ kind: 'layout_diff', same: true, ordinals_kept: true });
    expect(Object.values(diff.seats).flat()).toEqual([]);
  });

  it('differ in seats that came and went', () => {
    const diff = after((config) => ({
      ...stalls((seat) => (seat.label === 'A-1' ? undefined : seat))(config),
    }));
    expect(diff.seats.removed).toEqual([{ seat_id: idOf('A-1'), label: 'A-1' }]);
    expect(diff).toMatchObject({ same: false, ordinals_kept: false });
    expect(diff.seats.reordered).toEqual([]);
    const back = diffLayouts(
      layoutOf(stalls((seat) => (seat.label === 'A-1' ? undefined : seat))(copy)),
      before,
    );
    expect(back.seats.added).toEqual([{ seat_id: idOf('A-1'), label: 'A-1' }]);
  });

  it('differ in where a seat is, what it is called and what it is', () => {
    const diff = after(
      stalls((seat) => {
        if (seat.label === 'A-1') return { ...seat, coordinates: { x: 0, y: 1 } };
        if (seat.label === 'A-2') return { ...seat, label: 'A-200' };
        if (seat.label === 'A-3') return { ...seat, number: 33 };
        if (seat.label === 'A-4') return { ...seat, category: 'restricted_view' };
        return seat;
      }),
    );
    const change = (label: string, from: unknown, to: unknown) => [
      { seat_id: idOf(label), label, from, to },
    ];
    expect(diff.seats.moved).toEqual(change('A-1', { x: 0, y: 0 }, { x: 0, y: 1 }));
    expect(diff.seats.relabelled).toEqual([
      { seat_id: idOf('A-2'), label: 'A-200', from: 'A-2', to: 'A-200' },
    ]);
    expect(diff.seats.renumbered).toEqual(
      change(
        'A-3',
        { section: null, row: 'A', number: 3 },
        { section: null, row: 'A', number: 33 },
      ),
    );
    expect(diff.seats.recategorised).toEqual(change('A-4', 'standard', 'restricted_view'));
    expect(diff.ordinals_kept).toBe(true);
  });

  it('differ in the zone of a seat', () => {
    const moving = copy.zones[0]?.seats?.find((seat) => seat.label === 'A-1');
    const diff = after((config) => {
      const without = stalls((seat) => (seat === moving ? undefined : seat))(config);
      return {
        ...without,
        zones: without.zones.map((zone, index) =>
          index === 1 && moving
            ? { ...zone, seats: [...(zone.seats ?? []), moving], capacity: 4 }
            : zone,
        ),
      };
    });
    expect(diff.seats.rezoned).toEqual([
      {
        seat_id: idOf('A-1'),
        label: 'A-1',
        from: before.zones[0]?.zone_id,
        to: before.zones[1]?.zone_id,
      },
    ]);
    expect(diff.seats.added).toEqual([]);
    expect(diff.seats.removed).toEqual([]);
  });

  it('differ in an aisle between two seats, which no seat shows by itself', () => {
    const diff = after(
      stalls((seat) => (seat.label === 'A-2' ? { ...seat, gap_after: true } : seat)),
    );
    expect(diff.seats.reordered.map((seat) => seat.label)).toEqual(['A-2', 'A-3']);
    expect(diff.same).toBe(false);
  });

  it('do not differ in neighbours when a row is counted from its other end', () => {
    const diff = after(
      stalls((seat) => (seat.row === 'A' ? { ...seat, order: 4 - (seat.order ?? 0) } : seat)),
    );
    expect(diff.seats.reordered).toEqual([]);
    expect(diff.ordinals_kept).toBe(false);
  });

  it('differ in zones', () => {
    const diff = after((config) => ({
      ...config,
      zones: [
        ...config.zones.slice(0, 2),
        { ...config.zones[2], name: 'Pit', zone_type: 'ga_seated', capacity: 250 },
        { name: 'Terrace', zone_type: 'ga_standing', capacity: 20 },
      ] as LayoutConfig['zones'],
    }));
    expect(diff.zones.added).toMatchObject([{ name: 'Terrace' }]);
    expect(diff.zones.changed).toEqual([
      {
        zone_id: before.zones[2]?.zone_id,
        name: 'Pit',
        changes: [
          { field: 'name', from: 'Floor', to: 'Pit' },
          { field: 'zone_type', from: 'ga_standing', to: 'ga_seated' },
          { field: 'capacity', from: 300, to: 250 },
        ],
      },
    ]);
    const shorter = after((config) => ({ ...config, zones: config.zones.slice(0, 2) }));
    expect(shorter.zones.removed).toEqual([{ zone_id: before.zones[2]?.zone_id, name: 'Floor' }]);
  });

  it('differ in groups', () => {
    const diff = after((config) => ({
      ...config,
      groups: (config.groups ?? []).flatMap((group) => {
        if (group.group_type === 'vip_table') return [];
        if (group.group_type !== 'family_block') return [group];
        return [{ ...group, seat_labels: ['A-3', 'A-4', 'A-5'] }];
      }),
    }));
    expect(diff.groups.removed).toEqual([before.groups[0]]);
    expect(diff.groups.changed).toMatchObject([
      { group_id: before.groups[1]?.group_id, to: { seat_ids: ['A-3', 'A-4', 'A-5'].map(idOf) } },
    ]);
    expect(diff.groups.added).toEqual([]);
  });
});
