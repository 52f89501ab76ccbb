import { describe, expect, it } from 'vitest';
import { AF } from './af.ts';
import { EN } from './en.ts';

const keysOf = (words: object) => Object.keys(words).sort();

/** A sentence with sample values, whatever it takes. */
function say(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'function') return '';
  return String(value(...Array.from({ length: value.length }, (_, index) => index + 2)));
}

describe('the message files', () => {
  it('have the same keys', () => {
    expect(keysOf(AF)).toEqual(keysOf(EN));
    expect(keysOf(AF.errors)).toEqual(keysOf(EN.errors));
  });

  it('say something for every key, and take the same values', () => {
    for (const [key, value] of Object.entries(EN)) {
      const other = AF[key as keyof typeof AF];
      expect([key, typeof other]).toEqual([key, typeof value]);
      if (key === 'errors') continue;
      expect([key, say(other).length > 0]).toEqual([key, true]);
      if (typeof value === 'function') {
        expect([key, (other as unknown as () => void).length]).toEqual([key, value.length]);
      }
    }
  });

  it('are translated: few sentences are the same in both', () => {
    const same = keysOf(EN).filter(
      (key) => say(EN[key as keyof typeof EN]) === say(AF[key as keyof typeof AF]),
    );
    expect(same.filter((key) => key !== 'errors')).toEqual(['brand', 'demo']);
    const errors = Object.entries(EN.errors) as [keyof typeof AF.errors, string][];
    expect(errors.filter(([code, text]) => AF.errors[code] === text)).toEqual([]);
    expect(Object.values(AF.errors).filter((text) => text.includes(' the '))).toEqual([]);
  });
});
