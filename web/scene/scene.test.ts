import { drawingOf } from '@voelgoed/testkit/drawings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hullAround, polygonOf, simplified } from './polygons.ts';
import {
  buildScene,
  contains,
  type Drawing,
  type DrawingSeat,
  SeatGrid,
  SeatStates,
  STATE,
} from './scene.ts';

const coordinate = fc.double({ min: -500, max: 500, noNaN: true });
const point = fc.record({ x: coordinate, y: coordinate });
const points = fc.array(point, { minLength: 1, maxLength: 120 });

function gridOf(list: readonly { x: number; y: number }[], size: number) {
  const x = Float32Array.from(list, (one) => one.x);
  const y = Float32Array.from(list, (one) => one.y);
  const bounds = {
    left: Math.min(...x),
    right: Math.max(...x),
    top: Math.min(...y),
    bottom: Math.max(...y),
  };
  return { grid: new SeatGrid(x, y, bounds, size), x, y };
}

const size = fc.double({ min: 0.5, max: 300, noNaN: true });

describe('a grid of seats', () => {
  it('finds the nearest seat as a look at every seat does', () => {
    fc.assert(
      fc.property(points, size, point, fc.double({ min: 0, max: 900, noNaN: true }), (...args) => {
        const [list, side, at, most] = args;
        const { grid, x, y } = gridOf(list, side);
        let expected = -1;
        let least = most * most;
        for (let index = 0; index < x.length; index++) {
          const dx = (x[index] as number) - at.x;
          const dy = (y[index] as number) - at.y;
          const distance = dx * dx + dy * dy;
          if (expected < 0 ? distance > least : distance >= least) continue;
          [expected, least] = [index, distance];
        }
        expect(grid.nearest(at.x, at.y, most)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('finds what is in a rectangle as a look at every seat does', () => {
    fc.assert(
      fc.property(points, size, point, point, (list, side, one, other) => {
        const { grid, x, y } = gridOf(list, side);
        const [left, right] = [Math.min(one.x, other.x), Math.max(one.x, other.x)];
        const [top, bottom] = [Math.min(one.y, other.y), Math.max(one.y, other.y)];
        const found = new Uint32Array(list.length);
        const count = grid.within(left, top, right, bottom, found);
        const inside = (index: number) => {
          const [px, py] = [x[index] as number, y[index] as number];
          return px >= left && px <= right && py >= top && py <= bottom;
        };
        const expected = list.map((_, index) => index).filter(inside);
        expect([...found.slice(0, count)].sort((a, b) => a - b)).toEqual(expected);
      }),
    );
  });

  it('only finds what is wanted', () => {
    const { grid } = gridOf(
      [
        { x: 0, y: 0 },
        { x: 3, y: 0 },
      ],
      10,
    );
    expect(grid.nearest(0, 0, 5)).toBe(0);
    expect(grid.nearest(0, 0, 5, (seat) => seat !== 0)).toBe(1);
    expect(grid.nearest(0, 0, 2, (seat) => seat !== 0)).toBe(-1);
  });
});

describe('states of seats', () => {
  const states = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 90 });
  const pack = (list: readonly number[]) => {
    const bytes = new Uint8Array(Math.ceil(list.length / 4));
    list.forEach((state, ordinal) => {
      bytes[ordinal >> 2] = (bytes[ordinal >> 2] as number) | (state << ((ordinal & 3) * 2));
    });
    return bytes;
  };

  it('are read from the wire, tell what changed, and are counted by block', () => {
    fc.assert(
      fc.property(states, states, fc.array(fc.tuple(fc.nat(99), fc.nat(5))), (...args) => {
        const [first, second, changes] = args;
        const seats = first.length;
        const next = first.map((state, index) => second[index] ?? state);
        const blockOf = first.map((_, index) => index % 3);
        const kept = new SeatStates(blockOf, 3);
        const told: number[] = [];
        kept.setAll(pack(first), () => {});
        kept.setAll(pack(next), (ordinal) => told.push(ordinal));
        expect(told).toEqual(
          next.flatMap((state, ordinal) => (state === first[ordinal] ? [] : [ordinal])),
        );
        for (const [ordinal, state] of changes) {
          const isNew = ordinal < seats && state <= 3 && next[ordinal] !== state;
          expect(kept.set(ordinal, state)).toBe(isNew);
          if (isNew) next[ordinal] = state;
        }
        expect(next.map((_, ordinal) => kept.of(ordinal))).toEqual(next);
        for (const block of [0, 1, 2]) {
          for (const state of Object.values(STATE)) {
            const expected = next.filter((s, o) => s === state && blockOf[o] === block).length;
            expect(kept.inBlock(block, state)).toBe(expected);
          }
        }
      }),
    );
  });
});

describe('polygons', () => {
  it('a hull has all its points inside', () => {
    fc.assert(
      fc.property(points, (list) => {
        const hull = hullAround(list, 2);
        for (const { x, y } of list) expect(contains(hull, x, y)).toBe(true);
      }),
    );
  });

  it('know inside from outside in a bay', () => {
    const bay = polygonOf(
      [
        [0, 0],
        [10, 0],
        [10, 10],
        [8, 10],
        [8, 2],
        [2, 2],
        [2, 10],
        [0, 10],
      ].map(([x, y]) => ({
        x: x as number,
        y: y as number,
      })),
    );
    expect(contains(bay, 1, 5)).toBe(true);
    expect(contains(bay, 5, 5)).toBe(false);
  });

  it('a simpler line stays close to every point that it leaves out', () => {
    fc.assert(
      fc.property(points, (list) => {
        const kept = simplified(list, 5);
        expect(kept[0]).toEqual(list[0]);
        expect(kept.at(-1)).toEqual(list.at(-1));
        expect(simplified(list, 0).length).toBeLessThanOrEqual(list.length);
        expect(kept.every((one) => list.includes(one))).toBe(true);
      }),
    );
  });
});

const zone = (name: string, more = {}) => ({
  zone_id: `zone-${name}`,
  name,
  zone_type: 'reserved_seating',
  capacity: 10,
  ...more,
});

function rowsOfSeats(rows: number, count: number, zone_id: string): DrawingSeat[] {
  return Array.from({ length: rows * count }, (_, ordinal) => ({
    seat_id: `seat-${ordinal}`,
    label: `${ordinal}`,
    ordinal,
    row: String(Math.floor(ordinal / count)),
    number: (ordinal % count) + 1,
    zone_id,
    category: 'standard',
    x: (ordinal % count) * 11,
    y: Math.floor(ordinal / count) * 18,
  }));
}

describe('a scene', () => {
  it('has the seats of a theatre in blocks between aisles, each inside its outline', async () => {
    const scene = buildScene(await drawingOf({ preset: 'theatre', rows: 18, balcony_rows: 6 }));
    expect(scene.zones.map(({ name, blocks }) => [name, blocks.length])).toEqual([
      ['Stalls', 3],
      ['Balcony', 4],
      ['Box', 1],
    ]);
    expect(scene.spacing.seat).toBeCloseTo(11, 0);
    for (let ordinal = 0; ordinal < scene.x.length; ordinal++) {
      const [x, y] = [scene.x[ordinal] as number, scene.y[ordinal] as number];
      const owners = scene.blocks.filter(({ outline }) => contains(outline, x, y));
      expect(owners.map(({ index }) => index)).toContain(scene.blockOf[ordinal]);
    }
    expect(scene.blocks.reduce((sum, { seats }) => sum + seats, 0)).toBe(scene.seats.length);
  });

  it('has one block per section of an arena, and a field that no seat stands on', async () => {
    const drawing = await drawingOf({ preset: 'arena', seats: 20_000 });
    const scene = buildScene(drawing);
    const sections = new Set(drawing.seats.map(({ zone_id, section }) => `${zone_id} ${section}`));
    expect(scene.blocks.length).toBe(sections.size);
    expect(scene.blocks.every(({ name }) => name !== null)).toBe(true);
    const { stage } = scene;
    if (stage?.kind !== 'field') throw new Error('an arena has a field');
    const found = new Uint32Array(drawing.seats.length);
    expect(scene.grid.within(stage.left, stage.top, stage.right, stage.bottom, found)).toBe(0);
    expect(stage.right - stage.left).toBeGreaterThan(stage.bottom - stage.top);
  });

  it('has a stage before the front row of a theatre, and no seat on it', async () => {
    const scene = buildScene(await drawingOf({ preset: 'theatre' }));
    const { stage } = scene;
    if (stage?.kind !== 'stage') throw new Error('a theatre has a stage');
    const found = new Uint32Array(scene.seats.length);
    expect(scene.grid.within(stage.left, stage.top, stage.right, stage.bottom, found)).toBe(0);
    expect(stage.bottom).toBeLessThan(Math.min(...scene.y.slice(0, 20)));
  });

  it('draws tables with their names in the middle', async () => {
    const scene = buildScene(await drawingOf({ preset: 'gala', tables: 9, seats_per_table: 8 }));
    expect(scene.rowMarks.tables).toHaveLength(9);
    expect(scene.rowMarks.text.slice(0, 2)).toEqual(['T1', 'T2']);
    const near = scene.rowMarks.tables.map(({ x, y, radius }) => scene.grid.nearest(x, y, radius));
    expect(near.every((seat) => seat === -1)).toBe(true);
  });

  it('draws no seat of a zone that an event uses without its seats', () => {
    const seats = [...rowsOfSeats(2, 5, 'zone-A'), ...rowsOfSeats(2, 5, 'zone-B')].map(
      (seat, ordinal) => ({ ...seat, ordinal, y: seat.y + (ordinal < 10 ? 0 : 100) }),
    );
    const outline = [
      { x: 0, y: 0 },
      { x: 50, y: 0 },
      { x: 50, y: 20 },
    ];
    const zones = [zone('A', { zone_type: 'ga_standing', outline }), zone('B')];
    const drawing = { layout_id: 'hall', layout_version: 1, drawing_id: 'one', zones, seats };
    const scene = buildScene(drawing);
    expect(scene.zones.map(({ isArea }) => isArea)).toEqual([true, false]);
    expect(scene.blocks.map(({ seats: count, zone: index }) => [count, index])).toEqual([[10, 1]]);
    const [hidden, shown] = [seats[0], seats[10]];
    expect(scene.grid.nearest(hidden?.x ?? 0, hidden?.y ?? 0, 5)).toBe(-1);
    expect(scene.grid.nearest(shown?.x ?? 0, shown?.y ?? 0, 5)).toBe(10);
    expect(scene.bounds.right).toBeLessThan(1_000);
    // Twenty seats that are not for sale, ten of which nobody sees.
    const states = new SeatStates(scene.blockOf, scene.blocks.length);
    states.setAll(new Uint8Array(5).fill(255), () => {});
    expect(states.inBlock(0, STATE.blocked)).toBe(10);
    // A plan that is still drawn shows what it has.
    const { drawing_id: _, ...plan } = drawing;
    expect(buildScene(plan).blocks).toHaveLength(2);
    const only = { ...drawing, zones: zones.slice(0, 1), seats: seats.slice(0, 10) };
    expect(buildScene(only).blocks).toEqual([]);
  });

  it('finds places for areas that have no outline, one beside the other', () => {
    const zones = ['A', 'B', 'C', 'D', 'E'].map((name) => zone(name, { zone_type: 'ga_standing' }));
    const scene = buildScene({ layout_id: null, layout_version: 0, zones, seats: [] });
    expect(scene.zones.every(({ isArea }) => isArea)).toBe(true);
    for (const { bounds, index } of scene.zones) {
      const others = scene.zones.filter((other) => other.index !== index);
      for (const other of others) {
        const isApart =
          bounds.right <= other.bounds.left ||
          bounds.left >= other.bounds.right ||
          bounds.bottom <= other.bounds.top ||
          bounds.top >= other.bounds.bottom;
        expect(isApart).toBe(true);
      }
    }
  });

  it('puts seats into their order, and refuses a drawing with gaps', () => {
    const seats = rowsOfSeats(3, 4, 'zone-A');
    const drawing: Drawing = { layout_id: null, layout_version: 1, zones: [zone('A')], seats };
    const shuffled = buildScene({ ...drawing, seats: seats.toReversed() });
    expect(shuffled.seats.map(({ ordinal }) => ordinal)).toEqual(seats.map((_, index) => index));
    expect(() => buildScene({ ...drawing, seats: seats.slice(1) })).toThrow(/ordinals/);
    const lost = seats.map((seat) => ({ ...seat, zone_id: 'elsewhere' }));
    expect(() => buildScene({ ...drawing, seats: lost })).toThrow(/in no zone/);
  });

  it('takes any drawing: one seat, one row, seats in one place', () => {
    for (const [rows, count] of [
      [1, 1],
      [1, 2],
      [2, 1],
      [1, 9],
      [5, 1],
    ] as const) {
      const seats = rowsOfSeats(rows, count, 'zone-A');
      const scene = buildScene({ layout_id: null, layout_version: 1, zones: [zone('A')], seats });
      for (let ordinal = 0; ordinal < seats.length; ordinal++) {
        const block = scene.blocks[scene.blockOf[ordinal] as number];
        const [x, y] = [scene.x[ordinal] as number, scene.y[ordinal] as number];
        expect(block && contains(block.outline, x, y)).toBe(true);
      }
    }
    const heap = rowsOfSeats(1, 5, 'zone-A').map((seat) => ({ ...seat, x: 0, y: 0 }));
    const drawing = { layout_id: null, layout_version: 1, zones: [zone('A')], seats: heap };
    expect(buildScene(drawing).seats).toHaveLength(5);
  });
});
