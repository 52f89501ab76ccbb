import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './kit.ts';

/** How hashes were made from the first version on: the text must never differ from this one. */
function asEver(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

const names = fc.oneof(fc.string(), fc.nat(20).map(String), fc.constantFrom('a', 'b', 'seat_id'));
const values = fc.anything({ key: names, withDate: true, maxDepth: 4 });

describe('canonical JSON', () => {
  it('is the same text as ever', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(canonicalJson(value)).toBe(asEver(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not depend on the order of names, at any depth', () => {
    const one = { b: [{ y: 1, x: 2 }], a: { d: null, c: 'text' }, 10: true, 9: false };
    const other = { 9: false, 10: true, a: { c: 'text', d: null }, b: [{ x: 2, y: 1 }] };
    expect(canonicalJson(one)).toBe(canonicalJson(other));
    expect(canonicalJson(one)).toBe(
      '{"9":false,"10":true,"a":{"c":"text","d":null},"b":[{"x":2,"y":1}]}',
    );
  });

  it('leaves what it was given as it was', () => {
    const given = { b: 1, a: [{ d: 1, c: 2 }] };
    canonicalJson(given);
    expect(JSON.stringify(given)).toBe('{"b":1,"a":[{"d":1,"c":2}]}');
  });
});
