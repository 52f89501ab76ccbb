import { layoutOf } from '@voelgoed/testkit/halls';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalConfig, LAYOUT_SCHEMA, type Layout, type LayoutConfig } from '#layouts';
import { generateLayout } from './generator.ts';
import { DRAWING, type LayoutSpec, type ShapeSpec } from './layout-spec.ts';
import { PRESET_NAMES, type PresetSpec } from './presets.ts';
import { rowName, seatNumbers } from './seat-naming.ts';

const matchesSchema = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(LAYOUT_SCHEMA);

function generated(spec: LayoutSpec | PresetSpec): LayoutConfig {
  const outcome = generateLayout(spec);
  if (outcome.kind === 'invalid') throw new Error(JSON.stringify(outcome.problems));
  return outcome.config;
}

function codes(spec: unknown): Record<string, string> {
  const outcome = generateLayout(spec);
  if (outcome.kind === 'generated') return {};
  return Object.fromEntries(outcome.problems.map(({ path, code }) => [path, code]));
}

/** The shortest distance between two seats, looked for among the next ones in x. */
function closest({ seats }: Layout): number {
  const sorted = [...seats].sort((one, other) => one.x - other.x);
  let least = Number.POSITIVE_INFINITY;
  sorted.forEach((seat, index) => {
    for (let next = index + 1; next < sorted.length; next++) {
      const other = sorted[next];
      if (!other || other.x - seat.x >= least) break;
      least = Math.min(least, Math.hypot(other.x - seat.x, other.y - seat.y));
    }
  });
  return least;
}

/** The drawing test: the seats keep apart, and neighbours in physical order stand side by side. */
function expectDrawing(config: LayoutConfig, seats: number): Layout {
  const layout = layoutOf(config);
  expect(matchesSchema(config)).toBe(true);
  expect(layout.seats.length).toBe(seats);
  if (seats > 1) expect(closest(layout)).toBeGreaterThanOrEqual(DRAWING.seat_size - 0.02);
  for (const { first, count } of layout.runs) {
    for (let ordinal = first + 1; ordinal < first + count; ordinal++) {
      const [one, two] = [layout.seats[ordinal - 1], layout.seats[ordinal]];
      const step = Math.hypot((two?.x ?? 0) - (one?.x ?? 0), (two?.y ?? 0) - (one?.y ?? 0));
      expect(step).toBeLessThan(DRAWING.seat_pitch + 0.1);
    }
  }
  return layout;
}

const one = (shape: ShapeSpec): LayoutSpec => ({ shapes: [shape] });
const straight = (more: object = {}): LayoutSpec =>
  one({ shape: 'straight_rows', zone: 'Hall', rows: 3, blocks: [4, 6, 4], ...more });
const curved = (more: object = {}): LayoutSpec =>
  one({ shape: 'curved_rows', zone: 'Hall', rows: 3, radius: 100, arc: 120, ...more });

describe('straight rows', () => {
  it('stand in blocks with aisles between them', () => {
    const layout = expectDrawing(generated(straight()), 42);
    expect(layout.rows.map(({ row, count }) => [row, count])).toEqual([
      ['A', 14],
      ['B', 14],
      ['C', 14],
    ]);
    expect(layout.runs.slice(0, 3).map((run) => run.count)).toEqual([4, 6, 4]);
    expect(layout.seats[0]).toMatchObject({ label: 'A-1', number: 1, physical_order: 0 });
    const singles = layoutOf(generated(straight({ blocks: [1, 1, 1] })));
    expect(singles.runs.map((run) => run.count)).toEqual(Array(9).fill(1));
  });

  it('are centred on their origin', () => {
    const { seats } = layoutOf(generated(straight({ origin: { x: 50, y: 70 } })));
    const front = seats.slice(0, 14);
    expect(((front[0]?.x ?? 0) + (front[13]?.x ?? 0)) / 2).toBeCloseTo(50);
    expect(new Set(front.map((seat) => seat.y))).toEqual(new Set([70]));
  });

  it('may widen towards the back without moving the aisles', () => {
    const layout = expectDrawing(generated(straight({ widen: 2 })), 14 + 18 + 22);
    expect(layout.runs.map((run) => run.count)).toEqual([4, 6, 4, 6, 6, 6, 8, 6, 8]);
    const middles = layout.runs.filter((_, index) => index % 3 === 1);
    expect(new Set(middles.map((run) => layout.seats[run.first]?.x)).size).toBe(1);
  });

  it('may be turned', () => {
    const layout = expectDrawing(generated(straight({ rotation: 90 })), 42);
    expect(new Set(layout.seats.slice(0, 14).map((seat) => seat.x))).toEqual(new Set([0]));
  });

  it('are named and numbered in the ways of the trade', () => {
    const row = (more: object) => {
      const spec = straight({ rows: 1, blocks: [5], ...more });
      return layoutOf(generated(spec)).seats.map((seat) => seat.label);
    };
    expect(row({})).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5']);
    expect(row({ numbering: 'right_to_left' })).toEqual(['A-5', 'A-4', 'A-3', 'A-2', 'A-1']);
    expect(row({ numbering: 'odd' })).toEqual(['A-1', 'A-3', 'A-5', 'A-7', 'A-9']);
    expect(row({ numbering: 'odd_even' })).toEqual(['A-5', 'A-3', 'A-1', 'A-2', 'A-4']);
    expect(row({ row_names: 'numbers', first_row: 12 })[0]).toBe('12-1');
    expect(row({ label_prefix: 'X ' })[0]).toBe('X A-1');
  });

  it('may have wheelchair spaces with companions and seats with a poor view', () => {
    const layout = layoutOf(
      generated(
        straight({
          wheelchair_pairs: [{ row: 3, seat: 13 }],
          restricted_view: [{ row: 1, seat: 1 }],
        }),
      ),
    );
    const special = layout.seats.filter((seat) => seat.category !== 'standard');
    expect(special.map((seat) => [seat.label, seat.category])).toEqual([
      ['A-1', 'restricted_view'],
      ['C-13', 'wheelchair'],
      ['C-14', 'companion'],
    ]);
    expect(layout.groups).toMatchObject([{ group_type: 'wheelchair_pair' }]);
  });
});

describe('names and numbers', () => {
  it('go on after Z', () => {
    const names = [1, 26, 27, 52, 53, 702, 703].map((position) => rowName('letters', position));
    expect(names).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']);
  });

  it('never occur twice in a row', () => {
    const numberings = fc.constantFrom('left_to_right', 'right_to_left', 'odd_even', 'odd');
    fc.assert(
      fc.property(numberings, fc.nat(200), (numbering, count) => {
        const numbers = seatNumbers(numbering, count);
        expect(new Set(numbers).size).toBe(count);
        expect(Math.min(1, ...numbers)).toBe(1);
      }),
    );
  });
});

describe('curved rows', () => {
  it('hold more seats the further back they are', () => {
    const layout = expectDrawing(generated(curved({ blocks: 3 })), 12 + 18 + 21);
    const distances = layout.seats.map((seat) => Math.round(Math.hypot(seat.x, seat.y)));
    expect(new Set(distances)).toEqual(new Set([100, 118, 136]));
  });

  it('may bend to a horseshoe and to a whole circle', () => {
    const horseshoe = expectDrawing(generated(curved({ arc: 270 })), 42 + 50 + 58);
    expect(horseshoe.runs).toHaveLength(3);
    expectDrawing(generated(curved({ arc: 360, rows: 1 })), 57);
  });
});

describe('a bowl', () => {
  const bowl = (more: object = {}): LayoutSpec =>
    one({
      shape: 'bowl',
      zone: 'Stands',
      field_length: 400,
      field_width: 240,
      corner_radius: 40,
      clearance: 30,
      rows: 6,
      sections: 8,
      wheelchair_pairs_per_section: 1,
      ...more,
    });

  it('has rows in every section, and aisles between sections', () => {
    // 813 pitches fit into all rows without their aisles; each of 48 section rows rounds down.
    const layout = expectDrawing(generated(bowl()), 784);
    expect(new Set(layout.rows.map((row) => row.section)).size).toBe(8);
    expect(layout.rows).toHaveLength(48);
    expect(layout.groups).toHaveLength(8);
    expect(layout.seats[0]).toMatchObject({ label: '101-A-1', section: '101', row: 'A' });
  });

  it('stops at the wished number of seats', () => {
    expectDrawing(generated(bowl({ seats: 500 })), 500);
  });
});

const TABLES = { shape: 'tables', zone: 'Hall', columns: 3, rows: 2, seats_per_table: 8 } as const;

describe('tables', () => {
  it('are rows around a circle, sold by seat unless the plan says otherwise', () => {
    const layout = expectDrawing(generated(one(TABLES)), 48);
    expect(layout.groups).toEqual([]);
    const whole = layoutOf(generated(one({ ...TABLES, group_type: 'vip_table' })));
    expect(whole.groups.map((group) => [group.group_type, group.seat_ids.length])).toEqual(
      Array(6).fill(['vip_table', 8]),
    );
    expect(layout.rows.map((row) => row.row)).toEqual(['T1', 'T2', 'T3', 'T4', 'T5', 'T6']);
    expect(layout.runs.map(({ count, ring }) => [count, ring])).toEqual(Array(6).fill([8, true]));
    const pairs = generated(one({ ...TABLES, columns: 1, seats_per_table: 2 }));
    expect(layoutOf(pairs).runs[0]).not.toHaveProperty('ring');
  });

  it('keep their seats apart, however few or many', () => {
    for (const seats_per_table of [2, 3, 12, 40]) {
      const spec = one({ shape: 'tables', zone: 'Hall', columns: 2, rows: 2, seats_per_table });
      expect(closest(layoutOf(generated(spec)))).toBeGreaterThanOrEqual(DRAWING.seat_size);
    }
  });
});

describe('an area', () => {
  it('has a capacity and an outline', () => {
    const config = generated(
      one({
        shape: 'area',
        zone: 'Pit',
        zone_type: 'ga_standing',
        capacity: 400,
        width: 100,
        height: 50,
      }),
    );
    const layout = expectDrawing(config, 0);
    expect(layout.total_capacity).toBe(400);
    expect(layout.zones[0]?.outline?.[2]).toEqual({ x: 50, y: 50 });
  });
});

describe('presets', () => {
  it('draw whole venues', () => {
    for (const preset of PRESET_NAMES) {
      const config = generated({ preset } as PresetSpec);
      const seats = config.zones.reduce((sum, zone) => sum + (zone.seats?.length ?? 0), 0);
      const layout = expectDrawing(config, seats);
      expect(layout.seats.length).toBeGreaterThan(200);
      expect(layoutOf(canonicalConfig(layout), null, 2)).toEqual(layout);
    }
  });

  it('draw a theatre with stalls, balcony, box and accessible seats', () => {
    const layout = layoutOf(generated({ preset: 'theatre' }));
    expect(layout.zones.map((zone) => [zone.name, zone.zone_type])).toEqual([
      ['Stalls', 'reserved_seating'],
      ['Balcony', 'reserved_seating'],
      ['Box', 'vip_reserved'],
    ]);
    expect(layout.groups.map((group) => group.group_type)).toEqual(
      Array(3).fill('wheelchair_pair'),
    );
    const plain = layoutOf(generated({ preset: 'theatre', vip: false, balcony_rows: 0 }));
    expect(plain.zones).toHaveLength(1);
  });

  it('draw the festival of 1,050 places', () => {
    const layout = layoutOf(generated({ preset: 'festival' }));
    expect(layout.zones.map((zone) => [zone.name, zone.capacity])).toEqual([
      ['Pit', 300],
      ['Floor', 400],
      ['Orchestra', 300],
      ['VIP Lounge', 50],
    ]);
    expect(layout.total_capacity).toBe(1_050);
  });

  it('draw arenas of exactly the wished size, up to the largest stadium', () => {
    for (const seats of [500, 7_777, 20_000]) {
      expectDrawing(generated({ preset: 'arena', seats }), seats);
    }
    const stadium = layoutOf(generated({ preset: 'arena', seats: 100_000, standing: 5_000 }));
    expect(stadium.seats.length).toBe(100_000);
    expect(stadium.total_capacity).toBe(105_000);
    expect(closest(stadium)).toBeGreaterThanOrEqual(DRAWING.seat_size);
  }, 30_000);

  it('draw as many tables as wished', () => {
    const layout = layoutOf(generated({ preset: 'gala', tables: 7, seats_per_table: 10 }));
    expect(layout.seats.length).toBe(70);
  });
});

describe('a spec', () => {
  it('is refused with all its problems', () => {
    expect(codes({ preset: 'beach' })).toEqual({ preset: 'unknown_value' });
    expect(codes({ preset: 'arena', seats: 100_001, colour: 1 })).toEqual({
      seats: 'out_of_range',
      colour: 'unknown_field',
    });
    expect(codes({ shapes: [] })).toEqual({ shapes: 'list_empty' });
    expect(codes({ shapes: [{ shape: 'cube' }, 7] })).toEqual({
      'shapes[0].shape': 'unknown_value',
      'shapes[1].shape': 'unknown_value',
    });
    expect(codes(straight({ rows: 0, blocks: [4, 0], zone_type: 'ga_seated', radius: 1 }))).toEqual(
      {
        'shapes[0].rows': 'out_of_range',
        'shapes[0].blocks[1]': 'out_of_range',
        'shapes[0].zone_type': 'unknown_value',
        'shapes[0].radius': 'unknown_field',
      },
    );
    expect(codes(curved({ arc: 5, blocks: 4 }))).toEqual({ 'shapes[0].arc': 'out_of_range' });
    const tables = { shape: 'tables', zone: 'T', columns: 1, rows: 1, seats_per_table: 10 };
    expect(codes({ shapes: [{ ...tables, table_pitch: 30 }] })).toEqual({
      'shapes[0].table_pitch': 'out_of_range',
    });
  });

  it('is refused when a wheelchair pair has no place', () => {
    const pairs = [
      { row: 1, seat: 13 },
      { row: 1, seat: 14 },
      { row: 4, seat: 1 },
    ];
    expect(codes(straight({ wheelchair_pairs: pairs }))).toEqual({
      'shapes[0].wheelchair_pairs[1]': 'unknown_seat',
      'shapes[0].wheelchair_pairs[2]': 'unknown_seat',
    });
  });

  it('is refused when it is larger than any layout, without being drawn', () => {
    const blocks = Array(50).fill(2_000);
    expect(codes(straight({ rows: 500, blocks }))).toEqual({ 'shapes[0]': 'too_many_seats' });
  });

  it('with two seated shapes puts the zone before the labels, if it is short', () => {
    const block = { shape: 'straight_rows', rows: 1, blocks: [1] };
    const left = { ...block, zone: 'Left' };
    const outcome = generateLayout({ shapes: [left, { ...block, zone: 'Right' }] });
    const zones = outcome.kind === 'generated' ? outcome.config.zones : [];
    expect(zones.flatMap((zone) => zone.seats?.map((seat) => seat.label))).toEqual([
      'Left A-1',
      'Right A-1',
    ]);
    const long = { ...block, zone: 'The right side of the balcony' };
    expect(codes({ shapes: [left, long] })).toEqual({ 'shapes[1].zone': 'text_too_long' });
    expect(codes({ shapes: [left, { ...long, label_prefix: '' }] })).toEqual({});
  });

  it('may have nothing before the labels, and says once where two shapes would share them', () => {
    const block = { shape: 'straight_rows', blocks: [9], label_prefix: '' };
    const stalls = { ...block, zone: 'Stalls', rows: 2 };
    const balcony = { ...block, zone: 'Balcony', rows: 3 };
    const apart = generateLayout({ shapes: [stalls, { ...balcony, first_row: 3 }] });
    expect(apart.kind).toBe('generated');
    const outcome = generateLayout({ shapes: [stalls, balcony] });
    expect(outcome.kind === 'invalid' && outcome.problems).toEqual([
      {
        path: 'shapes[1].label_prefix',
        code: 'duplicate_label',
        message:
          'Both Stalls and Balcony would have a seat A-1. ' +
          'Let something else stand before the labels of one of them.',
      },
    ]);
  });

  it('is judged without an exception, whatever it is', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        expect(generateLayout(input).kind).toBe('invalid');
      }),
    );
    const value = fc.oneof(fc.jsonValue(), fc.integer(), fc.double());
    const field = fc.constantFrom(
      'rows',
      'blocks',
      'origin',
      'rotation',
      'seat_pitch',
      'numbering',
    );
    fc.assert(
      fc.property(field, value, (name, wrong) => {
        expect(['generated', 'invalid']).toContain(
          generateLayout(straight({ [name]: wrong })).kind,
        );
      }),
    );
  });
});
