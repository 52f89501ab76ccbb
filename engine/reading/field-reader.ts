import { isUuid } from '#kit';
import { type Metadata, metadataProblem } from './metadata.ts';
import { fieldPath, type ProblemList, type ReadingCode } from './problems.ts';
import { textProblem } from './texts.ts';

/** Where an object stands in the input. A path is only put into words when there is a problem. */
export type Place = { path(field?: string): string };

export function placeAt(path: string): Place {
  return { path: (field) => (field === undefined ? path : fieldPath(path, field)) };
}

export type Need = 'required' | 'optional';
type Range = Readonly<{ least: number; most: number }>;

/**
 * Reads the fields of one object of an unknown input. Each method gives the value, or undefined
 * after it has reported what is wrong; an optional field that is absent or null is undefined
 * without report. `Code` are the codes that the caller's room adds.
 */
export class FieldReader<Code extends string = never> {
  readonly problems: ProblemList<Code>;
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #place: Place;

  constructor(
    input: unknown,
    place: Place,
    context: { fields: ReadonlySet<string> | 'any'; problems: ProblemList<Code> },
  ) {
    const { fields, problems } = context;
    const record = recordOf(input);
    this.problems = problems;
    this.#place = place;
    this.#record = record ?? EMPTY;
    if (!record) problems.add(place.path(), 'wrong_type', 'This must be an object.');
    if (!record || fields === 'any') return;
    for (const name of Object.keys(record)) {
      if (!fields.has(name)) this.refuse(name, 'unknown_field', 'There is no such field.');
      if (problems.full) break;
    }
  }

  /** False when the input was no object at all: then there is nothing to say about its fields. */
  get readable(): boolean {
    return this.#record !== EMPTY;
  }

  path(field: string): string {
    return this.#place.path(field);
  }

  refuse(field: string, code: Code | ReadingCode, message: string): undefined {
    this.problems.add(this.#place.path(field), code, message);
    return undefined;
  }

  text(field: string, most: number, need: Need): string | undefined {
    const value = this.value(field, need);
    if (value === undefined) return undefined;
    const problem = textProblem(value, most);
    if (problem) return this.refuse(field, problem.code, problem.message);
    return value as string;
  }

  /** A text that is put before others: it may be empty or end with a blank. */
  prefix(field: string, most: number): string | undefined {
    const value = this.value(field, 'optional');
    if (value === undefined) return undefined;
    const problem = textProblem(typeof value === 'string' ? `${value}A` : value, most + 1);
    if (problem) return this.refuse(field, problem.code, problem.message);
    return value as string;
  }

  uuid(field: string): string | undefined {
    const value = this.value(field, 'optional');
    if (value === undefined) return undefined;
    // Postgres gives ids back in lower case, so they are compared and kept that way.
    if (typeof value === 'string' && isUuid(value)) return value.toLowerCase();
    return this.refuse(field, 'not_uuid', 'This must be a UUID.');
  }

  integer(field: string, range: Range, need: Need): number | undefined {
    const value = this.#number(field, need);
    if (value === undefined) return undefined;
    if (!Number.isInteger(value)) {
      return this.refuse(field, 'not_integer', 'This must be a whole number.');
    }
    return this.#inRange(field, value, range);
  }

  number(field: string, range: Range, need: Need): number | undefined {
    const value = this.#number(field, need);
    return value === undefined ? undefined : this.#inRange(field, value, range);
  }

  /** Any text at all, for files of others, where a blank or odd one is mended and not refused. */
  anyText(field: string): string | undefined {
    const value = this.value(field, 'optional');
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    return this.refuse(field, 'wrong_type', 'This must be a text.');
  }

  /** For rules that combine fields after each was read: what is there, without a second report. */
  numberOr(field: string, fallback: number): number {
    const value = this.#record[field];
    return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
  }

  yesNo(field: string): boolean | undefined {
    const value = this.value(field, 'optional');
    if (value === undefined || typeof value === 'boolean') return value;
    return this.refuse(field, 'wrong_type', 'This must be true or false.');
  }

  choice<T extends string>(field: string, choices: readonly T[], need: Need): T | undefined {
    const value = this.value(field, need);
    if (value === undefined) return undefined;
    if (choices.includes(value as T)) return value as T;
    const sentence = `This must be one of ${choices.join(', ')}.`;
    return this.refuse(field, typeof value === 'string' ? 'unknown_value' : 'wrong_type', sentence);
  }

  /** The list's entries, cut at `most`; whoever reads them reports about each. */
  list(field: string, range: Range, need: Need): readonly unknown[] | undefined {
    const value = this.value(field, need);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return this.refuse(field, 'wrong_type', 'This must be a list.');
    if (value.length < range.least) {
      const entries = range.least === 1 ? 'one entry' : `${range.least} entries`;
      this.refuse(field, 'list_empty', `This must have at least ${entries}.`);
    }
    if (value.length <= range.most) return value;
    this.refuse(field, 'list_too_long', `This must have at most ${range.most} entries.`);
    return value.slice(0, range.most);
  }

  metadata(field: string): Metadata | undefined {
    const value = this.value(field, 'optional');
    if (value === undefined) return undefined;
    const problem = metadataProblem(value);
    if (problem) return this.refuse(field, problem.code, problem.message);
    return value as Metadata;
  }

  /** The names of all fields that say something. */
  names(): string[] {
    return Object.keys(this.#record).filter((name) => this.has(name));
  }

  has(field: string): boolean {
    const value = this.#record[field];
    return value !== undefined && value !== null;
  }

  /** The field as it is, for whoever reads it in a way of their own. */
  value(field: string, need: Need): unknown {
    const value = this.#record[field];
    if (value !== undefined && value !== null) return value;
    if (need === 'required' && this.readable) {
      this.refuse(field, 'missing_field', 'This field is required.');
    }
    return undefined;
  }

  #number(field: string, need: Need): number | undefined {
    const value = this.value(field, need);
    if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return value;
    return this.refuse(field, 'wrong_type', 'This must be a number.');
  }

  #inRange(field: string, value: number, { least, most }: Range): number | undefined {
    if (value >= least && value <= most) return value;
    return this.refuse(field, 'out_of_range', `This must lie between ${least} and ${most}.`);
  }
}

const EMPTY: Readonly<Record<string, unknown>> = Object.freeze({});

/** The input as a record, or undefined when it is no object or a list. */
export function recordOf(input: unknown): Record<string, unknown> | undefined {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  return input as Record<string, unknown>;
}
