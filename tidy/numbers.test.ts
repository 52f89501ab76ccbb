import { describe, expect, it } from 'vitest';
import { numberIn, numbersRule } from './numbers.ts';
import { RESTATED } from './restated.ts';
import { format, readRepository } from './tidy.ts';

const CODE = `
const HOUR_MS = 60 * 60_000;
const usual = { wait_ms: 250 };
const LIMITS: Limits = { writers: { ...usual, lock_ms: 500 }, reads: usual } as const;
export const FIELDS = Object.freeze({ minutes: number(10, RANGE, 'How long.') });
const LONG_MS = 3 * HOUR_MS + 1;
const value = read('PORT_LIMIT', parseInteger({ from: 1, fallback: 200 }));
const later = \`interval '24 hours'\`;
const NAME = 'no number';
`;
const source = { file: 'a.ts', text: CODE };

describe('a number of the code', () => {
  it.each([
    ['HOUR_MS', 3_600_000],
    ['LONG_MS', 10_800_001],
    ['LIMITS.writers.lock_ms', 500],
    ['LIMITS.writers.wait_ms', 250],
    ['LIMITS.reads.wait_ms', 250],
    ['FIELDS.minutes', 10],
    ['PORT_LIMIT.fallback', 200],
    ["/interval '(\\d+) hours'/", 24],
    ['NAME', undefined],
    ['GONE', undefined],
    ['LIMITS.gone', undefined],
  ])('is read: %s', (name, value) => {
    expect(numberIn(source, name)).toBe(value);
  });
});

describe('a number in a sentence', () => {
  const rule = (says: string, name = 'LIMITS.writers.lock_ms', per = 1) =>
    numbersRule([{ file: 'a.md', says, code: `a.ts ${name}`, per }]);
  const complaints = (text: string, ...args: Parameters<typeof rule>) =>
    rule(...args)
      .check([source, { file: 'a.md', text }])
      .map(format);

  it('is that of the code, as a number or as a word, on one line or on two', () => {
    expect(complaints('It waits 500 ms.', 'waits {} ms')).toEqual([]);
    expect(complaints('It\nwaits 500\nms.', 'waits {} ms')).toEqual([]);
    expect(complaints('Ten minutes.', '{} minutes', 'FIELDS.minutes')).toEqual([]);
    expect(complaints('It is 3,600 s.', 'is {} s', 'HOUR_MS', 1_000)).toEqual([]);
    expect(complaints('It is 3600 s.', 'is {} s', 'HOUR_MS', 1_000)).toEqual([]);
    expect(complaints('It is an hour.', 'is {} hour', 'HOUR_MS', 3_600_000)).toEqual([]);
  });

  it('is a complaint with its line when it is another one', () => {
    expect(complaints('Here.\nIt waits 400 ms.', 'waits {} ms')).toEqual([
      'a.md:2 documented-numbers: "waits 500 ms" is not said, and is so in ' +
        'a.ts LIMITS.writers.lock_ms',
    ]);
    for (const text of ['It waits 1,500 ms.', 'It waits 500.5 ms.', 'It waits.', '']) {
      expect(complaints(text, 'waits {} ms'), text).toHaveLength(1);
    }
  });

  it('is a complaint when the code has no such number any more', () => {
    expect(complaints('It waits 500 ms.', 'waits {} ms', 'GONE')).toHaveLength(1);
    const gone = rule('waits {} ms').check([{ file: 'a.md', text: 'It waits 500 ms.' }]);
    expect(gone).toHaveLength(1);
  });
});

describe('the list of numbers', () => {
  const files = new Map(readRepository().map((one) => [one.file, one]));

  it('is about files that there are', () => {
    const gone = RESTATED.filter(({ file }) => !files.has(file)).map(({ file }) => file);
    expect(gone).toEqual([]);
  });

  it('notices each number that changes, in the code as well as in the page', () => {
    for (const one of RESTATED) {
      const code = files.get(one.code.split(' ')[0] ?? '') ?? source;
      const page = files.get(one.file) ?? source;
      const about = `${one.file}: ${one.says}`;
      expect(numbersRule([one]).check([code, page]).map(format), about).toEqual([]);
      // The same sentence with another number: what was read is not what is said.
      const other = { ...one, per: one.per * 7 };
      expect(numbersRule([other]).check([code, page]), about).toHaveLength(1);
      const empty = { file: one.file, text: '' };
      expect(numbersRule([one]).check([code, empty]), about).toHaveLength(1);
    }
  });
});
