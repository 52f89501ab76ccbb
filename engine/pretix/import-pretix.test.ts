import { layoutOf } from '@voelgoed/testkit/halls';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAYOUT_SCHEMA, type LayoutConfig, type SeatConfig } from '#layouts';
import { importPretix } from './pretix.ts';

const matchesSchema = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(LAYOUT_SCHEMA);

type Plan = Record<string, unknown>;

/** A row of seats 25 apart, as the editor of pretix draws them. */
function pretixRow(name: string, x: number, y: number, count: number, more: (n: number) => Plan) {
  return {
    row_number: name,
    position: { x, y },
    seats: Array.from({ length: count }, (_, n) => ({
      seat_guid: `${name}-${x}-${n}`,
      seat_number: String(n + 1),
      category: 'Gold',
      position: { x: n * 25, y: 0 },
      ...more(n),
    })),
  };
}

const nothing = () => ({});

/**
 * A plan with what real plans have: row pieces, categories, repeated names, scenery, other fields.
 */
function plan(change: Plan = {}): Plan {
  return {
    name: 'Town hall',
    size: { width: 900, height: 600 },
    categories: [
      { name: 'Gold', color: '#fc0' },
      { name: 'Silver', color: '#ccc' },
    ],
    zones: [
      {
        name: 'Floor',
        uuid: 'b0b0b0b0-0000-4000-8000-000000000000',
        position: { x: 100, y: 50 },
        rows: [
          pretixRow('A', 300, 0, 3, (n) => ({ seat_number: String(n + 4) })),
          pretixRow('A', 0, 0, 3, () => ({ radius: 9 })),
          { ...pretixRow('B', 0, 40, 4, () => ({ category: 'Silver' })), row_label: 'Row %s' },
        ],
        areas: [
          {
            shape: 'rectangle',
            rectangle: { width: 200, height: 40 },
            position: { x: 50, y: -100 },
            text: { text: 'S T A G E', position: { x: 0, y: 0 } },
          },
        ],
      },
      {
        name: 'Balcony',
        position: { x: 0, y: 300 },
        rows: [pretixRow('A', 0, 0, 2, nothing)],
      },
    ],
    ...change,
  };
}

function imported(input: unknown) {
  const outcome = importPretix(input);
  if (outcome.kind === 'invalid') throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

function codes(input: unknown): Record<string, string> {
  const outcome = importPretix(input);
  if (outcome.kind === 'imported') return {};
  return Object.fromEntries(outcome.problems.map(({ path, code }) => [path, code]));
}

function seat(config: LayoutConfig, label: string): SeatConfig | undefined {
  return config.zones.flatMap((zone) => zone.seats ?? []).find((one) => one.label === label);
}

const notes = (list: readonly { code: string; count: number }[]) =>
  Object.fromEntries(list.map(({ code, count }) => [code, count]));

describe('a plan of pretix', () => {
  it('becomes a valid layout', () => {
    const { name, config, report } = imported(plan());
    const layout = layoutOf(config);
    expect(matchesSchema(config)).toBe(true);
    expect(name).toBe('Town hall');
    expect(layout.total_capacity).toBe(12);
    expect(report).toMatchObject({ zones: 2, rows: 3, seats: 12 });
  });

  it('has one zone for each category of a zone, because zones have prices', () => {
    const { config, report } = imported(plan());
    expect(config.zones.map((zone) => [zone.name, zone.seats?.length, zone.metadata])).toEqual([
      ['Floor – Gold', 6, { category: 'Gold', color: '#fc0' }],
      ['Floor – Silver', 4, { category: 'Silver', color: '#ccc' }],
      ['Balcony', 2, { category: 'Gold', color: '#fc0' }],
    ]);
    expect(notes(report.changed).zones_split).toBe(1);
  });

  it('adds up the positions of zone, row and seat', () => {
    const { config } = imported(plan());
    expect(seat(config, 'Floor A-5')?.coordinates).toEqual({ x: 425, y: 50 });
    expect(seat(config, 'Floor B-2')?.coordinates).toEqual({ x: 125, y: 90 });
    expect(seat(config, 'Balcony A-1')?.coordinates).toEqual({ x: 0, y: 300 });
  });

  it('joins the pieces of a row and keeps the aisle between them', () => {
    const { config, report } = imported(plan());
    const layout = layoutOf(config);
    const row = layout.seats.filter((one) => one.row === 'A' && one.label.startsWith('Floor'));
    expect(row.map((one) => one.number)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(row.map((one) => one.run_index)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(notes(report.changed).rows_joined).toBe(1);
  });

  it('takes seats that go all around for a round table, and no other row', () => {
    const around = (seats: number, of: number) => {
      const row = pretixRow('T', 0, 0, seats, (n) => {
        const angle = (n / of) * 2 * Math.PI;
        return { position: { x: 40 * Math.cos(angle), y: 40 * Math.sin(angle) } };
      });
      const zones = [{ name: 'Hall', position: { x: 0, y: 0 }, rows: [row] }];
      return layoutOf(imported(plan({ zones })).config).runs.map(({ ring }) => ring);
    };
    expect(around(8, 8)).toEqual([true]);
    expect(around(6, 8)).toEqual([undefined]);
    const { config } = imported(plan());
    expect(layoutOf(config).runs.some(({ ring }) => ring)).toBe(false);
  });

  it('takes pieces that are drawn apart as apart, and others as neighbours', () => {
    const runs = (x: number) => {
      const numbers = (n: number) => ({ seat_number: String(n + 9) });
      const rows = [pretixRow('A', 0, 0, 4, nothing), pretixRow('A', x, 0, 4, numbers)];
      return layoutOf(imported(plan({ zones: [{ name: 'Hall', rows }] })).config).runs.length;
    };
    expect([runs(100), runs(115), runs(300)]).toEqual([1, 2, 2]);
  });

  it('labels seats by row and number where that is enough', () => {
    const [floor] = plan().zones as Plan[];
    const { config } = imported(plan({ zones: [floor] }));
    expect(config.zones[0]?.seats?.map((one) => one.label)).toEqual([
      'A-1',
      'A-2',
      'A-3',
      'A-4',
      'A-5',
      'A-6',
    ]);
  });

  it('tells every id of the plan with its label', () => {
    const { seat_guids } = imported(plan()).report;
    expect(seat_guids).toHaveLength(12);
    expect(seat_guids).toContainEqual({ seat_guid: 'A-300-0', label: 'Floor A-4' });
  });

  it('looks to what is called a stage', () => {
    const { config, report } = imported(plan());
    expect(config.focal_point).toEqual({ x: 250, y: -30 });
    expect(notes(report.changed).stage_found).toBe(1);
  });

  it('is reported with everything that was not taken over', () => {
    const { report } = imported(plan());
    expect(notes(report.left_out)).toEqual({
      areas: 1,
      'field:plan.size': 1,
      'field:zone.uuid': 1,
      'field:row.row_label': 1,
    });
    expect(report.left_out[0]?.message).toContain('S T A G E');
  });

  it('may have numbers that are no numbers, and rows and zones without a name', () => {
    const numbers = ['1-1', '12a', '12b', 'x'];
    const rows = [
      { ...pretixRow('1', 0, 0, 4, (n) => ({ seat_number: numbers[n] })), row_number: '1' },
      { ...pretixRow('', 0, 50, 1, nothing), row_number: '' },
    ];
    const { config, report } = imported(plan({ zones: [{ position: { x: 0, y: 0 }, rows }] }));
    const seats = config.zones[0]?.seats ?? [];
    expect(config.zones[0]?.name).toBe('Zone 1');
    expect(seats.map((one) => [one.label, one.row, one.number])).toEqual([
      ['1-1', '1', 1],
      ['1-12a', '1', 12],
      ['1-12b', '1', 13],
      ['1-x', '1', 14],
      ['2-1', '2', 1],
    ]);
    expect(notes(report.changed)).toEqual({ numbers_made: 4, rows_named: 1 });
    layoutOf(config);
  });

  it('may repeat ids, labels and zone names, as real plans do', () => {
    const same = () => ({ seat_guid: 'same', seat_number: '1' });
    const zone = (y: number) => ({
      name: 'Hall',
      position: { x: 0, y },
      rows: [pretixRow('A', 0, 0, 2, same)],
    });
    const { config, report } = imported(plan({ zones: [zone(0), zone(100)] }));
    expect(config.zones.map((one) => one.name)).toEqual(['Hall', 'Hall (2)']);
    expect(config.zones.flatMap((one) => one.seats?.map(({ label }) => label))).toEqual([
      'Hall A-1',
      'Hall A-1 (2)',
      'Hall A-1 (3)',
      'Hall A-1 (4)',
    ]);
    expect(notes(report.changed)).toMatchObject({ labels_marked: 3, guids_repeated: 3 });
    layoutOf(config);
  });

  it('may draw seats narrower than usual, or over each other', () => {
    expect(imported(plan()).config.seat_size).toBe(18);
    const rows = [pretixRow('A', 0, 0, 3, (n) => ({ position: { x: n * 7, y: 0 } }))];
    const { config, report } = imported(plan({ zones: [{ name: 'Hall', rows }] }));
    expect(config.seat_size).toBe(5);
    expect(notes(report.changed).seats_narrowed).toBe(1);
    layoutOf(config);
  });
});

describe('our own fields in a plan', () => {
  it('say what is accessible, and keep it in the zone around it', () => {
    const rows = [
      pretixRow('A', 0, 0, 5, (n) => {
        if (n === 0) return { category: 'Wheelchair' };
        const companion = { category: 'companion', companion_of: 'A-0-0' };
        return n === 1 ? { category: 'Silver', voelgoed: companion } : {};
      }),
    ];
    const categories = [
      { name: 'Gold' },
      { name: 'Wheelchair', voelgoed: { seat_category: 'wheelchair' } },
    ];
    const { config } = imported(plan({ categories, zones: [{ name: 'Hall', rows }] }));
    expect(config.zones).toHaveLength(1);
    const layout = layoutOf(config);
    expect(layout.seats.slice(0, 3).map((one) => one.category)).toEqual([
      'wheelchair',
      'companion',
      'standard',
    ]);
    expect(layout.groups).toMatchObject([{ group_type: 'wheelchair_pair' }]);
  });

  it('sell zones and areas without seats', () => {
    const pit = { zone_type: 'ga_standing', capacity: 250 };
    const lounge = {
      zone_type: 'vip_standing',
      capacity: 30,
      access_mode: 'membership_tier',
      membership_tier: 'gold',
      name: 'Lounge',
    };
    const area = {
      position: { x: 10, y: 10 },
      rotation: 90,
      rectangle: { width: 40, height: 20 },
      voelgoed: lounge,
    };
    const round = { position: { x: 0, y: 0 }, circle: { radius: 10 }, voelgoed: { capacity: 5 } };
    const open = { name: 'Pit', position: { x: 0, y: 0 }, rows: [], areas: [area, round] };
    const [floor] = plan().zones as Plan[];
    const zones = [
      { ...open, voelgoed: pit },
      { ...floor, voelgoed: { zone_type: 'ga_seated' } },
    ];
    const { config } = imported(plan({ zones, voelgoed: { focal_point: { x: 1, y: 2 } } }));
    const layout = layoutOf(config);
    expect(layout.focal_point).toEqual({ x: 1, y: 2 });
    expect(layout.zones.map((zone) => [zone.name, zone.zone_type, zone.capacity])).toEqual([
      ['Floor – Gold', 'ga_seated', 6],
      ['Floor – Silver', 'ga_seated', 4],
      ['Pit', 'ga_standing', 250],
      ['Lounge', 'vip_standing', 30],
      ['Area', 'ga_standing', 5],
    ]);
    expect(layout.zones[3]?.outline?.[1]).toEqual({ x: 10, y: 50 });
    expect(layout.zones[4]?.outline).toHaveLength(24);
  });
});

describe('a file that is no plan', () => {
  it('is refused with everything that is wrong', () => {
    expect(codes(7)).toEqual({ '': 'wrong_type' });
    expect(codes({})).toEqual({ zones: 'missing_field' });
    const rows = [{ row_number: 'A', seats: [{ seat_guid: 'a' }, 5, { position: { x: 'a' } }] }];
    expect(codes({ zones: [{ rows }, { rows: 1, voelgoed: { zone_type: 'beach' } }] })).toEqual({
      'zones[0].rows[0].seats[0].position': 'missing_field',
      'zones[0].rows[0].seats[1]': 'wrong_type',
      'zones[0].rows[0].seats[2].position.x': 'wrong_type',
      'zones[0].rows[0].seats[2].position.y': 'missing_field',
      'zones[1].rows': 'wrong_type',
      'zones[1].voelgoed.zone_type': 'unknown_value',
    });
    const crowd = [{ row_number: 'A', seats: Array(100_001).fill({}) }];
    expect(codes({ zones: [{ rows: crowd }] })).toEqual({
      'zones[0].rows[0].seats': 'too_many_seats',
    });
  });

  it('is judged without an exception, whatever it is', () => {
    const thing = fc.anything({ maxDepth: 1, maxKeys: 3 });
    const odd = fc.oneof(thing, fc.jsonValue(), fc.string());
    const seat_fields = fc.dictionary(
      fc.constantFrom('seat_guid', 'seat_number', 'category', 'position', 'voelgoed', 'radius'),
      odd,
    );
    const zones = fc.array(
      fc.record({
        name: odd,
        rows: fc.oneof(odd, fc.array(fc.record({ row_number: odd, seats: fc.array(seat_fields) }))),
        areas: fc.oneof(odd, fc.array(fc.record({ text: odd, rectangle: odd, voelgoed: odd }))),
      }),
    );
    const input = fc.oneof(odd, fc.record({ name: odd, categories: odd, zones }));
    fc.assert(
      fc.property(input, (plan) => {
        expect(['imported', 'invalid']).toContain(importPretix(plan).kind);
      }),
      { numRuns: 300 },
    );
  }, 30_000);
});
