/** One thing that is wrong with an input: where, which rule, and a sentence for a person. */
export type Problem = Readonly<{ path: string; code: string; message: string }>;

/** The outcome of reading an input that has problems. */
export type Invalid = Readonly<{ kind: 'invalid'; problems: readonly Problem[] }>;

/** What can be wrong with the shape of any JSON, whatever it is about. */
export const READING_CODES = Object.freeze([
  'wrong_type',
  'missing_field',
  'unknown_field',
  'unknown_value',
  'not_integer',
  'out_of_range',
  'not_uuid',
  'text_blank',
  'text_too_long',
  'text_invalid',
  'list_empty',
  'list_too_long',
  'metadata_too_large',
  'too_many_problems',
] as const);

export type ReadingCode = (typeof READING_CODES)[number];

/** A list longer than this helps nobody to repair a file. */
export const MOST_PROBLEMS = 1_000;

/** Gathers all problems of one input; `Code` are those that its room adds. */
export class ProblemList<Code extends string = never> {
  readonly #problems: Problem[] = [];

  get full(): boolean {
    return this.#problems.length > MOST_PROBLEMS;
  }

  get empty(): boolean {
    return this.#problems.length === 0;
  }

  add(path: string, code: Code | ReadingCode, message: string): void {
    if (this.full) return;
    if (this.#problems.length < MOST_PROBLEMS) {
      this.#problems.push(Object.freeze({ path, code, message }));
      return;
    }
    const sentence = `There are more than ${MOST_PROBLEMS} problems.`;
    this.#problems.push(Object.freeze({ path: '', code: 'too_many_problems', message: sentence }));
  }

  invalid(): Invalid {
    return Object.freeze({ kind: 'invalid', problems: Object.freeze([...this.#problems]) });
  }
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * The name of an input's own field as part of a path. Names that a stranger chose are quoted and
 * cut, because a path ends in logs and answers.
 */
export function fieldPath(path: string, name: string): string {
  if (!PLAIN_NAME.test(name)) return `${path}[${JSON.stringify(name.slice(0, 64))}]`;
  return path === '' ? name : `${path}.${name}`;
}
