import {
  BROKEN_MEANINGS,
  BROKEN_SHAPES,
  brokenHall,
  hall,
  policyFor,
  seatRow,
  zoneOf,
} from '@voelgoed/testkit/halls';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_PROBLEMS } from '#reading';
import { LAYOUT_PROBLEM_CODES } from './layout-problems.ts';
import {
  LAYOUT_LIMITS,
  LAYOUT_SCHEMA,
  type LayoutConfig,
  type LayoutProblemCode,
  validateLayout,
} from './layouts.ts';

const matchesSchema = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(LAYOUT_SCHEMA);

type Found = readonly (readonly [path: string, code: string])[];

function problemsOf(config: unknown, policy = policyFor()): Found {
  const check = validateLayout(config, policy);
  if (check.kind === 'valid') return [];
  return check.problems.map(({ path, code }) => [path, code] as const);
}

const BROKEN = [...BROKEN_SHAPES, ...BROKEN_MEANINGS];

describe('a correct layout', () => {
  it('is accepted as it is', () => {
    const config = hall();
    expect(validateLayout(config, policyFor())).toEqual({ kind: 'valid', config });
    expect(matchesSchema(config)).toBe(true);
  });

  it('may have null for everything that may be left out', () => {
    const nothing = (fields: readonly string[]) =>
      Object.fromEntries(fields.map((field) => [field, null]));
    const seats = seatRow('A', 0, 2, () =>
      nothing(['seat_id', 'section', 'category', 'order', 'gap_after', 'companion_of']),
    );
    const zone = ['zone_id', 'capacity', 'access_mode', 'membership_tier', 'allowed_roles'];
    const drawing = ['metadata', 'focal_point', 'outline', 'rows'];
    const config = {
      ...nothing(['seat_size', 'focal_point', 'groups']),
      zones: [
        { ...nothing([...zone, ...drawing]), name: 'Hall', zone_type: 'reserved_seating', seats },
      ],
    };
    expect(problemsOf(config)).toEqual([]);
    expect(matchesSchema(config)).toBe(true);
  });

  it('may use the same row and number in several sections and zones', () => {
    const left = seatRow('A', 0, 3, (place) => ({ section: 'left', label: `L${place}` }));
    const right = seatRow('A', 30, 3, (place) => ({ section: 'right', label: `R${place}` }));
    expect(problemsOf(zoneOf([...left, ...right]))).toEqual([]);
  });
});

describe('validation', () => {
  it.each(BROKEN)('finds %s', (_, edits, found, seen_by_schema) => {
    const config = brokenHall(edits);
    expect(problemsOf(config)).toEqual(Object.entries(found));
    expect(matchesSchema(config)).toBe(!seen_by_schema);
  });

  it('finds everything at once', () => {
    const config = brokenHall({
      colour: 'blue',
      'zones[0].capacity': 3,
      'zones[0].seats[3].label': 'A-1',
      'zones[1].membership_tier': null,
      'groups[1].seat_labels': ['Z-9', 'A-5'],
    });
    expect(problemsOf(config)).toEqual([
      ['colour', 'unknown_field'],
      ['zones[0].capacity', 'capacity_mismatch'],
      ['zones[1].membership_tier', 'membership_tier_missing'],
      ['zones[0].seats[3].label', 'duplicate_label'],
      ['groups[1].seat_labels[0]', 'unknown_seat'],
    ]);
  });

  it('says each problem in a sentence', () => {
    const checks = BROKEN.map(([, edits]) => validateLayout(brokenHall(edits), policyFor()));
    const problems = checks.flatMap((check) => (check.kind === 'invalid' ? check.problems : []));
    expect(problems.length).toBeGreaterThan(BROKEN.length);
    for (const { message } of problems) expect(message).toMatch(/^["A-Z0-9].*\.$/);
  });

  it('has a test for every code', () => {
    const elsewhere: LayoutProblemCode[] = [
      'zone_type_not_allowed',
      'access_mode_not_allowed',
      'category_not_allowed',
      'hybrid_not_allowed',
      'too_many_seats',
      'too_many_problems',
    ];
    const found = BROKEN.flatMap(([, , codes]) => Object.values(codes));
    expect([...new Set([...found, ...elsewhere])].sort()).toEqual([...LAYOUT_PROBLEM_CODES].sort());
  });
});

describe("the organization's policy", () => {
  it('may forbid zone types', () => {
    expect(problemsOf(hall(), policyFor({ allow_vip_zones: false }))).toEqual([
      ['zones[1].zone_type', 'zone_type_not_allowed'],
    ]);
    expect(problemsOf(hall(), policyFor({ allow_reserved_seating: false }))).toEqual([
      ['zones[0].zone_type', 'zone_type_not_allowed'],
      ['zones[1].zone_type', 'zone_type_not_allowed'],
    ]);
  });

  it('may forbid access modes', () => {
    const policy = policyFor({ allowed_access_modes: ['public', 'role_based'] });
    expect(problemsOf(hall(), policy)).toEqual([
      ['zones[1].access_mode', 'access_mode_not_allowed'],
    ]);
  });

  it('may forbid seat categories', () => {
    const policy = policyFor({ allowed_seat_categories: ['standard', 'wheelchair'] });
    expect(problemsOf(hall(), policy)).toEqual([
      ['zones[0].seats[6].category', 'category_not_allowed'],
    ]);
  });

  it('may forbid to mix seats and general admission', () => {
    const policy = policyFor({ allow_hybrid_ga_reserved: false });
    expect(problemsOf(hall(), policy)).toEqual([['zones', 'hybrid_not_allowed']]);
  });
});

describe('limits', () => {
  const crowd = (count: number, at: (place: number) => { x: number; y: number }): LayoutConfig =>
    zoneOf(
      Array.from({ length: count }, (_, place) => ({
        label: `S${place}`,
        row: `R${Math.floor(place / 100)}`,
        number: place % 100,
        coordinates: at(place),
      })),
    );
  const grid = (place: number) => ({ x: place % 100, y: Math.floor(place / 100) });

  it('accept the largest layout and refuse one seat more', () => {
    expect(problemsOf(crowd(LAYOUT_LIMITS.seats, grid))).toEqual([]);
    expect(problemsOf(crowd(LAYOUT_LIMITS.seats + 1, grid))).toEqual([['zones', 'too_many_seats']]);
  }, 30_000);

  it('bound the list of problems, and the time to find them', () => {
    const problems = problemsOf(crowd(LAYOUT_LIMITS.seats, () => ({ x: 0, y: 0 })));
    expect(problems.length).toBe(MOST_PROBLEMS + 1);
    expect(problems.at(-1)).toEqual(['', 'too_many_problems']);
    expect(problems.at(-2)?.[1]).toBe('seats_overlap');
  });

  it('leave room for rounding, not for seats on each other', () => {
    const pair = (x: number) => zoneOf([...seatRow('A', 0, 1), ...seatRow('B', x, 1)], 10);
    expect(problemsOf(pair(9.99))).toEqual([]);
    expect(problemsOf(pair(9.97))).toEqual([['zones[0].seats[1].coordinates', 'seats_overlap']]);
  });
});

describe('any input', () => {
  const holes = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.anything({ maxDepth: 2 }));

  /** The path to one value of the hall, chosen by numbers. */
  function pathInHall(steps: readonly number[]): string {
    let here: unknown = hall();
    const path: string[] = [];
    for (const step of steps) {
      if (typeof here !== 'object' || here === null) break;
      const entries = Object.entries(here);
      const [key, value] = entries[step % entries.length] ?? [];
      if (key === undefined) break;
      path.push(key);
      here = value;
    }
    return path.join('.');
  }

  it('is judged without an exception', () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        expect(validateLayout(input, policyFor()).kind).toBe('invalid');
      }),
    );
  });

  it('that differs from a layout in one place is judged, and the schema agrees', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 }),
        holes,
        (steps, value) => {
          const config = brokenHall({ [pathInHall(steps)]: value });
          const check = validateLayout(config, policyFor());
          if (check.kind === 'invalid') {
            expect(check.problems.length).toBeGreaterThan(0);
          } else {
            expect(matchesSchema(JSON.parse(JSON.stringify(config)))).toBe(true);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
