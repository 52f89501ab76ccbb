import { isRole, ROLES } from '#accounts';
import type { Point } from '#geometry';
import { isTier, TIER_SENTENCE } from '#policies';
import { FieldReader, type Need, placeAt, recordOf } from '#reading';
import { LAYOUT_LIMITS } from './layout-config.ts';
import type { LayoutProblemCode, LayoutProblems } from './layout-problems.ts';

/** Reads what configs, specs and plans have in common: points of a drawing, and roles. */
export class LayoutReader extends FieldReader<LayoutProblemCode> {
  point(field: string, need: Need): Point | undefined {
    const value = this.value(field, need);
    return value === undefined ? undefined : readPoint(value, this.path(field), this.problems);
  }

  /** A tier that no member can have would close the zone to everybody. */
  tier(field: string): string | undefined {
    const value = this.value(field, 'optional');
    if (value === undefined || isTier(value)) return value;
    if (typeof value !== 'string') return this.refuse(field, 'wrong_type', TIER_SENTENCE);
    return this.refuse(field, 'tier_invalid', TIER_SENTENCE);
  }

  /** A role that nobody can have would close the zone to everybody, without a word. */
  roles(field: string): readonly unknown[] {
    const roles = this.list(field, { least: 0, most: LAYOUT_LIMITS.roles }, 'optional') ?? [];
    roles.forEach((role, index) => {
      const path = `${this.path(field)}[${index}]`;
      if (typeof role !== 'string') {
        this.problems.add(path, 'wrong_type', 'A role must be a text.');
      } else if (!isRole(role)) {
        this.problems.add(path, 'unknown_value', `A role must be one of ${ROLES.join(', ')}.`);
      }
    });
    return roles;
  }
}

const POINT_FIELDS: ReadonlySet<string> = new Set(['x', 'y']);

/** A point of a drawing, or undefined after a report. */
export function readPoint(
  input: unknown,
  path: string,
  problems: LayoutProblems,
): Point | undefined {
  if (isPlainPoint(input)) return input;
  const reader = new LayoutReader(input, placeAt(path), { fields: POINT_FIELDS, problems });
  const x = reader.number('x', EVERYTHING, 'required');
  const y = reader.number('y', EVERYTHING, 'required');
  if (x === undefined || y === undefined) return undefined;
  for (const [name, value] of [['x', x] as const, ['y', y] as const]) {
    if (Math.abs(value) <= LAYOUT_LIMITS.coordinate) continue;
    const most = LAYOUT_LIMITS.coordinate;
    reader.refuse(name, 'coordinates_out_of_range', `This must lie between -${most} and ${most}.`);
  }
  return undefined;
}

const EVERYTHING = { least: -Number.MAX_VALUE, most: Number.MAX_VALUE };

/** The usual case, seen without a reader: most of a layout's bytes are points. */
function isPlainPoint(input: unknown): input is Point {
  const record = recordOf(input);
  return !!record && legal(record.x) && legal(record.y) && Object.keys(record).length === 2;
}

function legal(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) <= LAYOUT_LIMITS.coordinate;
}
