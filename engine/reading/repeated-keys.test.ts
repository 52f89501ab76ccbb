import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repeatedKey } from './repeated-keys.ts';

describe('a name that is said twice', () => {
  it.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":1,"b":{"c":[0,{"d":1,"e":2,"d":3}]}}', 'b.c[1].d'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['[{"x":1},{"x":1, "y":"x", "x" : 3}]', '[1].x'],
    ['{"a b":{},"a b":{}}', '["a b"]'],
    [`{${Array.from({ length: 20 }, (_, n) => `"k${n}":0`).join()},"k3":1}`, 'k3'],
  ])('is found in %s', (json, path) => {
    expect(repeatedKey(json)).toBe(path);
  });

  it.each([
    '{"a":"a","b":"a,\\"a\\":1","c":["a","a"]}',
    '[["a"],["a"],{"a":{"a":{"a":1}}}]',
    '"a"',
    '[]',
    '{}',
    'true',
  ])('is not seen in %s', (json) => {
    expect(repeatedKey(json)).toBeNull();
  });

  it('is in no text that JSON.stringify made, and in each where one was added', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, name) => {
        const text = JSON.stringify(value, null, 1);
        expect(repeatedKey(text)).toBeNull();
        const key = JSON.stringify(name);
        expect(
          repeatedKey(`[${text},{${key}:${text},"-${key.slice(1)}:1,${key}:0}]`),
        ).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });
});
