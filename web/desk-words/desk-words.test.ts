import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DESK_AF } from './desk-af.ts';
import { DESK_EN } from './desk-en.ts';

/** Names of programs, words of both languages, and texts that are only what they are given. */
const SAME = [
  '.audit.unnamed',
  '.common.demoAs',
  '.common.filter',
  '.common.stop',
  '.organiser.policyMeaning',
  '.organiser.policyName',
  '.problems.field',
  '.problems.fieldOf',
  '.problems.isKind',
  '.records.agent',
  '.records.differs',
  '.records.postgres',
  '.records.redis',
];

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

  it('are translated: what is the same in both is named here', () => {
    const known = new Map(english.map(([path, text]) => [path, text]));
    const same = afrikaans.filter(([path, text]) => known.get(path) === text);
    expect(same.map(([path]) => path).sort()).toEqual([...SAME].sort());
    const left = afrikaans.filter(([, text]) => / (?:the|and|with|were) |^The /.test(text));
    expect(left).toEqual([]);
  });

  it('call every rule of the policy by a name and a sentence in both', async () => {
    const file = new URL('../../engine/policies/policy-fields.ts', import.meta.url);
    const fields = (await readFile(file, 'utf8')).matchAll(/^ {2}([a-z]+(?:_[a-z]+)+): \w+\(/gm);
    const names = [...fields].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) {
      const [en, af] = [DESK_EN.organiser.policyName(name), DESK_AF.organiser.policyName(name)];
      expect([name, en !== name, af !== name && af !== en]).toEqual([name, true, true]);
      expect([name, DESK_AF.organiser.policyMeaning(name, '')]).not.toEqual([name, '']);
    }
  });
});
