import { hall, layoutOf, seatRow, zoneOf } from '@voelgoed/testkit/halls';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalConfig, type Layout, type LayoutConfig, type SeatConfig } from './layouts.ts';

const labels = (layout: Layout) => layout.seats.map((seat) => seat.label);

function runs(layout: Layout): string[][] {
  return layout.runs.map(({ first, count }) => labels(layout).slice(first, first + count));
}

function seatOf(layout: Layout, label: string) {
  const seat = layout.seats.find((candidate) => candidate.label === label);
  if (!seat) throw new Error(`no seat ${label}`);
  return seat;
}

describe('a layout', () => {
  it('has zones, rows, runs and seats as dense stretches of ordinals', () => {
    const layout = layoutOf(hall());
    expect(layout.seats.map((seat) => seat.ordinal)).toEqual(layout.seats.map((_, n) => n));
    for (const stretches of [layout.zones, layout.rows, layout.runs]) {
      let next = 0;
      for (const { first, count } of stretches) {
        expect(first).toBe(next);
        next += count;
      }
      expect(next).toBe(layout.seats.length);
    }
    for (const seat of layout.seats) {
      const row = layout.rows[seat.row_index];
      const zone = layout.zones[row?.zone_index ?? -1];
      expect([row?.row, zone?.zone_id]).toEqual([seat.row, seat.zone_id]);
      expect(seat.ordinal).toBe((row?.first ?? 0) + seat.physical_order);
      expect(layout.runs[seat.run_index]?.row_index).toBe(seat.row_index);
    }
  });

  it('sums its capacity itself', () => {
    const layout = layoutOf(hall());
    expect(layout.zones.map((zone) => zone.capacity)).toEqual([10, 3, 300]);
    expect(layout.total_capacity).toBe(313);
  });

  it('takes over what zones say, and defaults for what they do not', () => {
    const [stalls, lounge, floor] = layoutOf(hall()).zones;
    expect(stalls).toMatchObject({
      access_mode: 'public',
      membership_tier: null,
      allowed_roles: [],
      metadata: { numbering: { from: 'left' }, rows: 2 },
      focal_point: { x: 20, y: -50 },
      outline: null,
    });
    expect(lounge).toMatchObject({
      access_mode: 'membership_tier',
      membership_tier: 'gold',
      focal_point: { x: 120, y: -20 },
    });
    expect(floor).toMatchObject({ allowed_roles: ['staff'], first: 13, count: 0 });
    expect(floor?.outline).toHaveLength(3);
  });

  it('looks to the middle of the top edge when nobody says where the stage is', () => {
    const { focal_point: _, ...config } = hall();
    expect(layoutOf(config).focal_point).toEqual({ x: 65, y: -40 });
  });

  it('cannot be changed, nor through the config it came from', () => {
    const config = { ...zoneOf(seatRow('A', 0, 2)) };
    const metadata = { note: ['old'] };
    const zones = config.zones.map((zone) => ({ ...zone, metadata }));
    const layout = layoutOf({ ...config, zones });
    metadata.note[0] = 'new';
    expect(layout.zones[0]?.metadata).toEqual({ note: ['old'] });
    const parts = [layout, layout.seats, layout.seats[0], layout.zones[0], layout.runs[0]];
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
  });

  it('is the same for seats in a list and nested in rows', () => {
    const nested = hall();
    const flat = {
      ...nested,
      zones: nested.zones.map(({ rows, ...zone }) => ({
        ...zone,
        ...(rows && { seats: rows.flatMap(({ row, seats }) => seats.map((s) => ({ ...s, row }))) }),
      })),
    };
    expect(layoutOf(flat)).toEqual(layoutOf(nested));
  });
});

describe('ids', () => {
  const first = layoutOf(zoneOf(seatRow('A', 0, 3)));
  const withSeats = (change: (place: number) => Partial<SeatConfig>) =>
    zoneOf(seatRow('A', 0, 3, change));

  it('are kept by label and by name when nothing is said', () => {
    const second = layoutOf(zoneOf([...seatRow('B', -20, 1), ...seatRow('A', 0, 3)]), first, 2);
    for (const label of ['A-1', 'A-2', 'A-3']) {
      expect(seatOf(second, label).seat_id).toBe(seatOf(first, label).seat_id);
    }
    expect(second.zones[0]?.zone_id).toBe(first.zones[0]?.zone_id);
    expect(first.seats.map((seat) => seat.seat_id)).not.toContain(seatOf(second, 'B-1').seat_id);
  });

  it('that are given are kept, also when the label changes', () => {
    const { seat_id } = seatOf(first, 'A-1');
    const relabelled = withSeats((place) =>
      place === 0 ? { label: 'A-100', seat_id: seat_id.toUpperCase() } : {},
    );
    expect(seatOf(layoutOf(relabelled, first, 2), 'A-100').seat_id).toBe(seat_id);
  });

  it('that are given to another seat are not inherited by the old label', () => {
    const taken = seatOf(first, 'A-1').seat_id;
    const swapped = withSeats((place) => (place === 2 ? { seat_id: taken } : {}));
    const second = layoutOf(swapped, first, 2);
    expect(seatOf(second, 'A-3').seat_id).toBe(taken);
    expect(seatOf(second, 'A-1').seat_id).not.toBe(taken);
    expect(new Set(second.seats.map((seat) => seat.seat_id)).size).toBe(3);
  });

  it('of groups are kept while type and seats stay, whichever way the row is counted', () => {
    const one = layoutOf(hall());
    const [stalls, ...others] = hall().zones;
    const seats = stalls?.seats?.map((seat) => ({ ...seat, order: 9 - seat.number }));
    const turned = layoutOf({ ...hall(), zones: [{ ...stalls, seats }, ...others] }, one, 2);
    expect(turned.groups[1]?.group_id).toBe(one.groups[1]?.group_id);
    const two = layoutOf(hall(), one, 2);
    expect(two.groups).toEqual(one.groups);
    const groups = hall().groups?.map((group, index) =>
      index === 1 ? { ...group, seat_labels: ['A-3', 'A-4'] } : group,
    );
    const three = layoutOf({ ...hall(), groups }, one, 3);
    const kept = three.groups.map((group) => group.group_id === one.groups[0]?.group_id);
    expect(kept).toEqual([true, false, false]);
    expect(three.groups[2]?.group_id).toBe(one.groups[2]?.group_id);
  });
});

/** A row whose seats stand at these points, listed in this order. */
function rowAt(points: readonly (readonly [x: number, y: number])[]): SeatConfig[] {
  return points.map(([x, y], index) => ({
    label: `S${index}`,
    row: 'A',
    number: index,
    coordinates: { x, y },
  }));
}

describe('physical order', () => {
  const orderOf = (seats: readonly SeatConfig[]) => labels(layoutOf(zoneOf(seats))).join(' ');

  it('follows the coordinates, whichever way the numbers run', () => {
    const odd = seatRow('A', 0, 4, (n) => ({ number: [5, 3, 1, 2][n] ?? 0 }));
    expect(orderOf(odd)).toBe('A-1 A-2 A-3 A-4');
    expect(orderOf([...odd].reverse())).toBe('A-1 A-2 A-3 A-4');
  });

  it('runs from the left, and down in a vertical row', () => {
    expect(
      orderOf(
        rowAt([
          [20, 9],
          [0, 1],
          [10, 5],
        ]),
      ),
    ).toBe('S1 S2 S0');
    expect(
      orderOf(
        rowAt([
          [0, 20],
          [0, 0],
          [0, 10],
        ]),
      ),
    ).toBe('S1 S2 S0');
  });

  it('follows a horseshoe around its bend', () => {
    const bend = Array.from({ length: 12 }, (_, n) => {
      const angle = ((60 + n * 27) / 180) * Math.PI;
      return [100 * Math.cos(angle), 100 * Math.sin(angle)] as const;
    });
    const around = bend.map((_, n) => `S${n}`);
    const mirrored = bend.map(([x, y]) => [-x, y] as const);
    expect(orderOf(rowAt(bend))).toBe(around.join(' '));
    expect(orderOf(rowAt(mirrored))).toBe(around.toReversed().join(' '));
    const upside_down = bend.map(([x, y]) => [x, -y] as const);
    expect(orderOf(rowAt(upside_down))).toBe(around.join(' '));
  });

  it('runs down in a vertical row that is not quite straight', () => {
    const seats = rowAt([
      [0, 20],
      [1e-11, 0],
      [0, 10],
    ]);
    expect(orderOf(seats)).toBe('S1 S2 S0');
  });

  it('is what the config says when it says so', () => {
    const stated = seatRow('A', 0, 3, (n) => ({ order: [30, 10, 20][n] ?? 0 }));
    expect(orderOf(stated)).toBe('A-2 A-3 A-1');
  });

  it('does not depend on the order in which seats of a row are listed', () => {
    const arc = (count: number, bend: number, turn: number) =>
      rowAt(
        Array.from({ length: count }, (_, n) => {
          const angle = turn + ((n - (count - 1) / 2) / count) * bend;
          return [500 * Math.sin(angle), 500 * Math.cos(angle)] as const;
        }),
      );
    const rows = fc
      .tuple(fc.integer({ min: 2, max: 30 }), fc.double({ min: 0.1, max: 5, noNaN: true }))
      .chain(([count, bend]) =>
        fc.double({ min: -3, max: 3, noNaN: true }).chain((turn) => {
          const seats = arc(count, bend, turn);
          return fc.tuple(
            fc.constant(seats),
            fc.shuffledSubarray(seats, { minLength: count, maxLength: count }),
          );
        }),
      );
    fc.assert(
      fc.property(rows, ([seats, shuffled]) => {
        const listed = seats.map((seat) => seat.label);
        const found = orderOf(shuffled).split(' ');
        expect([listed, listed.toReversed()]).toContainEqual(found);
        expect(orderOf(seats).split(' ')).toEqual(found);
      }),
    );
  });
});

describe('runs', () => {
  const gapped = (gaps: readonly number[], change?: (n: number) => Partial<SeatConfig>) => {
    let x = -10;
    const seats = gaps.map((gap) => {
      x += gap;
      return [x, 0] as const;
    });
    return rowAt(seats).map((seat, n) => ({ ...seat, ...change?.(n) }));
  };
  const runsOf = (seats: readonly SeatConfig[]) =>
    runs(layoutOf(zoneOf(seats))).map((run) => run.length);

  it('end at an aisle, not at the wider space of a wheelchair', () => {
    expect(runsOf(gapped([10, 10, 10, 30, 10, 10]))).toEqual([3, 3]);
    expect(runsOf(gapped([10, 10, 10, 16, 10, 10]))).toEqual([6]);
  });

  it('are found in a row with more gaps than neighbours', () => {
    expect(runsOf(gapped([10, 10, 35, 10, 35, 10, 35, 35]))).toEqual([2, 2, 2, 1, 1]);
  });

  it('of a short row are measured by the rest of the zone', () => {
    const pair = gapped([10, 40]).map((seat) => ({
      ...seat,
      label: `B${seat.label}`,
      row: 'B',
      coordinates: { ...seat.coordinates, y: 50 },
    }));
    expect(runsOf([...gapped([10, 10, 10, 10, 10, 10]), ...pair])).toEqual([6, 1, 1]);
    expect(runsOf(pair)).toEqual([2]);
  });

  it('are exactly those of the config when a seat says so', () => {
    const aisle = gapped([10, 10, 10, 30, 10, 10], (n) => ({ gap_after: n === 0 ? true : null }));
    expect(runsOf(aisle)).toEqual([1, 5]);
    const none = gapped([10, 10, 10, 30, 10, 10], (n) => (n === 2 ? { gap_after: false } : {}));
    expect(runsOf(none)).toEqual([6]);
  });

  it('never reach from one row or section into another', () => {
    const left = seatRow('A', 0, 2, (n) => ({ section: 'l', label: `l${n}` }));
    const right = seatRow('A', 0, 2, (n) => ({
      section: 'r',
      label: `r${n}`,
      coordinates: { x: 20 + 10 * n, y: 0 },
    }));
    const layout = layoutOf(zoneOf([...left, ...right]));
    expect(runs(layout)).toEqual([
      ['l0', 'l1'],
      ['r0', 'r1'],
    ]);
  });
});

describe('companions', () => {
  const categories = (...list: SeatConfig['category'][]) =>
    seatRow('A', 0, list.length, (n) => ({ category: list[n] ?? 'standard' }));
  const pairs = (config: LayoutConfig) => {
    const layout = layoutOf(config);
    const label = new Map(layout.seats.map((seat) => [seat.seat_id, seat.label]));
    const groups = layout.groups.filter(({ group_type }) => group_type === 'wheelchair_pair');
    for (const { seat_ids } of groups) {
      const [space, ...companions] = seat_ids.map((id) => seatOf(layout, label.get(id) ?? ''));
      expect(space?.companion_seat_ids).toEqual(companions.map((seat) => seat.seat_id));
      for (const seat of companions) expect(seat.companion_of_seat_id).toBe(space?.seat_id);
    }
    return groups.map(({ seat_ids }) => seat_ids.map((id) => label.get(id)).join('+'));
  };

  it('belong to the wheelchair space beside them', () => {
    expect(pairs(zoneOf(categories('wheelchair', 'companion', 'standard')))).toEqual(['A-1+A-2']);
    expect(pairs(zoneOf(categories('companion', 'wheelchair', 'companion')))).toEqual([
      'A-2+A-1+A-3',
    ]);
  });

  it('prefer the space that has none yet', () => {
    const row = categories('wheelchair', 'companion', 'companion', 'wheelchair');
    expect(pairs(zoneOf(row))).toEqual(['A-1+A-2', 'A-4+A-3']);
    const between = categories('companion', 'wheelchair', 'companion', 'wheelchair');
    expect(pairs(zoneOf(between))).toEqual(['A-2+A-1', 'A-4+A-3']);
  });

  it('stay ordinary seats when no space is beside them', () => {
    const row = categories('wheelchair', 'standard', 'companion');
    expect(pairs(zoneOf(row))).toEqual([]);
    const apart = categories('wheelchair', 'companion').map((seat, n) => ({
      ...seat,
      gap_after: n === 0,
    }));
    expect(pairs(zoneOf(apart))).toEqual([]);
  });

  it('belong to the space they name, or that a group names', () => {
    const row = categories('wheelchair', 'companion', 'standard', 'wheelchair');
    const named = row.map((seat, n) => (n === 1 ? { ...seat, companion_of: 'A-4' } : seat));
    expect(pairs(zoneOf(named))).toEqual(['A-4+A-2']);
    const groups = [{ group_type: 'wheelchair_pair', seat_labels: ['A-2', 'A-4'] }] as const;
    expect(pairs({ ...zoneOf(row), groups })).toEqual(['A-4+A-2']);
  });

  it('keep the id and notes of the group that was written down', () => {
    const group_id = '22222222-2222-4222-8222-222222222222';
    const layout = layoutOf({
      ...zoneOf(categories('wheelchair', 'companion')),
      groups: [
        {
          group_id,
          group_type: 'wheelchair_pair',
          seat_labels: ['A-2', 'A-1'],
          metadata: { n: 1 },
        },
      ],
    });
    expect(layout.groups).toMatchObject([{ group_id, metadata: { n: 1 } }]);
  });
});

describe('the canonical config', () => {
  it('gives the same layout again', () => {
    const layout = layoutOf(hall());
    const config = JSON.parse(JSON.stringify(canonicalConfig(layout)));
    expect(layoutOf(config, null, 99)).toEqual(layout);
    expect(canonicalConfig(layoutOf(config))).toEqual(config);
  });

  it('keeps order and gaps that geometry would see otherwise', () => {
    const stated = seatRow('A', 0, 6, (n) => ({
      order: (n * 5) % 6,
      gap_after: n === 2,
      coordinates: { x: n * n * 10, y: 0 },
    }));
    const one_run = seatRow('B', 50, 6, (n) => ({
      gap_after: false,
      coordinates: { x: n * n * 10, y: 50 },
    }));
    const layout = layoutOf(zoneOf([...stated, ...one_run]));
    expect(runs(layout).map((run) => run.length)).toEqual([5, 1, 6]);
    expect(layoutOf(canonicalConfig(layout))).toEqual(layout);
  });
});
