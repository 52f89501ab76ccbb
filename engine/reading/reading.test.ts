import { describe, expect, it } from 'vitest';
import {
  FieldReader,
  fieldPath,
  METADATA_LIMITS,
  MOST_PROBLEMS,
  ProblemList,
  placeAt,
  textProblem,
} from './reading.ts';

type Found = readonly (readonly [path: string, code: string])[];

/** What a reader of these fields says about an input. */
function problemsOf(
  input: unknown,
  read: (reader: FieldReader<'too_blue'>) => void,
  fields: ReadonlySet<string> | 'any' = 'any',
): Found {
  const problems = new ProblemList<'too_blue'>();
  read(new FieldReader(input, placeAt('shelf[2]'), { fields, problems }));
  return problems.invalid().problems.map(({ path, code }) => [path, code] as const);
}

describe('a path', () => {
  it('quotes and cuts names that a stranger chose', () => {
    expect(fieldPath('', 'name')).toBe('name');
    expect(fieldPath('shelf[2]', 'name')).toBe('shelf[2].name');
    expect(fieldPath('shelf[2]', 'a\nb')).toBe('shelf[2]["a\\nb"]');
    expect(fieldPath('', 'x'.repeat(99))).toBe(`["${'x'.repeat(64)}"]`);
  });
});

describe('a reader', () => {
  const WHOLE = { least: 1, most: 9 };

  it('gives the values, and undefined for what is absent or null', () => {
    const problems = new ProblemList();
    const input = { title: 'A', count: 3, open: false, colour: 'red', list: [1], note: null };
    const reader = new FieldReader(input, placeAt(''), { fields: 'any', problems });
    expect([
      reader.text('title', 5, 'required'),
      reader.integer('count', WHOLE, 'required'),
      reader.yesNo('open'),
      reader.choice('colour', ['red'], 'required'),
      reader.list('list', WHOLE, 'required'),
      reader.metadata('note'),
      reader.text('absent', 5, 'optional'),
    ]).toEqual(['A', 3, false, 'red', [1], undefined, undefined]);
    expect([reader.names(), problems.empty]).toEqual([Object.keys(input).slice(0, 5), true]);
  });

  it('says where what is wrong, everything at once', () => {
    const input = { title: ' ', count: 10, half: 0.5, id: 'x', colour: 'blue', list: [], extra: 1 };
    const found = problemsOf(
      input,
      (reader) => {
        reader.text('title', 5, 'required');
        reader.integer('count', WHOLE, 'required');
        reader.integer('half', WHOLE, 'required');
        reader.uuid('id');
        reader.choice('colour', ['red'], 'required');
        reader.list('list', WHOLE, 'required');
        reader.yesNo('extra');
        reader.text('absent', 5, 'required');
        reader.refuse('colour', 'too_blue', 'A code of the room that reads.');
      },
      new Set(Object.keys(input).slice(0, 6)),
    );
    expect(found).toEqual([
      ['shelf[2].extra', 'unknown_field'],
      ['shelf[2].title', 'text_blank'],
      ['shelf[2].count', 'out_of_range'],
      ['shelf[2].half', 'not_integer'],
      ['shelf[2].id', 'not_uuid'],
      ['shelf[2].colour', 'unknown_value'],
      ['shelf[2].list', 'list_empty'],
      ['shelf[2].extra', 'wrong_type'],
      ['shelf[2].absent', 'missing_field'],
      ['shelf[2].colour', 'too_blue'],
    ]);
  });

  it.each([null, [], 'text', 7])('complains once about %j, which is no object', (input) => {
    const read = (reader: FieldReader<'too_blue'>) => reader.text('title', 5, 'required');
    expect(problemsOf(input, read)).toEqual([['shelf[2]', 'wrong_type']]);
  });
});

describe('a list of problems', () => {
  it('ends where nobody would read on', () => {
    const problems = new ProblemList();
    for (let count = 0; count < 2 * MOST_PROBLEMS; count++) problems.add('', 'wrong_type', 'No.');
    const list = problems.invalid().problems;
    expect([problems.full, list.length]).toEqual([true, MOST_PROBLEMS + 1]);
    expect(list.at(-1)?.code).toBe('too_many_problems');
  });
});

describe('what is stored', () => {
  it.each([
    ['é', undefined],
    ['', 'text_blank'],
    [' a', 'text_invalid'],
    ['a\u0000', 'text_invalid'],
    ['\ud800', 'text_invalid'],
    ['abcdef', 'text_too_long'],
    [5, 'wrong_type'],
  ])('is a text that people can read: %j', (text, code) => {
    expect(textProblem(text, 5)?.code).toBe(code);
  });

  it.each([
    [{ a: [{ b: 'é' }, null, true, 1.5] }, []],
    [[], ['wrong_type']],
    [{ a: '\u0000' }, ['text_invalid']],
    [{ a: 'x'.repeat(METADATA_LIMITS.text + 1) }, ['metadata_too_large']],
    [{ a: Array(METADATA_LIMITS.values).fill(0) }, ['metadata_too_large']],
    [{ a: Number.NaN }, ['wrong_type']],
  ])('is metadata that stays small, example %#', (note, codes) => {
    const found = problemsOf({ note }, (reader) => reader.metadata('note'));
    expect(found.map(([, code]) => code)).toEqual(codes);
  });
});
