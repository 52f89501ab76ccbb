import { describe, expect, it } from 'vitest';
import { DESK_AF } from './desk-af.ts';
import { DESK_EN } from './desk-en.ts';

/** Every text by its path; a function is called with sample values. */
function textsOf(words: unknown, path = ''): [path: string, text: string, takes: number][] {
  if (typeof words === 'string') return [[path, words, 0]];
  if (typeof words === 'function') {
    const values = Array.from({ length: words.length }, (_, index) => index + 2);
    return [[path, String(words(...values)), words.length]];
  }
  return Object.entries(words ?? {}).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`));
}

describe('the words of the desks', () => {
  const english = textsOf(DESK_EN);
  const afrikaans = textsOf(DESK_AF);

  it('have the same keys, and take the same values', () => {
    const shapes = (texts: typeof english) => texts.map(([path, , takes]) => [path, takes]).sort();
    expect(shapes(afrikaans)).toEqual(shapes(english));
    expect(english.length).toBeGreaterThan(40);
  });

  it('say something for every key', () => {
    expect([...english, ...afrikaans].filter(([, text]) => text.trim() === '')).toEqual([]);
  });

  it('are translated: few are the same in both', () => {
    const known = new Map(english.map(([path, text]) => [path, text]));
    const same = afrikaans.filter(([path, text]) => known.get(path) === text);
    expect(same.length / english.length).toBeLessThan(0.12);
    expect(afrikaans.filter(([, text]) => / the | and /.test(text))).toEqual([]);
  });
});
