import { describe, expect, it } from 'vitest';
import { POLICY_FIELD_NAMES, POLICY_FIELDS } from './policy-fields.ts';
import { paymentTimes } from './policy-limits.ts';
import { changePolicy, DEFAULT_POLICY } from './policy-rules.ts';
import { sameValue } from './policy-values.ts';
import { isTier } from './seating-words.ts';

const codes = (changes: unknown) => {
  const outcome = changePolicy(DEFAULT_POLICY, changes, 'platform');
  return outcome.kind === 'policy' ? [] : outcome.problems.map(({ code }) => code);
};

describe('times of paying', () => {
  const policy = { ...DEFAULT_POLICY, payment_minutes: 10, payment_grace_minutes: 4 };

  it('are kept in seconds, with half an hour for all attempts', () => {
    expect(paymentTimes(policy)).toEqual({
      ...{ payment_seconds: 600, grace_seconds: 240, most_seconds: 1_800 },
    });
  });

  it('of a demo follow its holds, and are never longer than real ones', () => {
    expect(paymentTimes(policy, 20)).toEqual({
      ...{ payment_seconds: 60, grace_seconds: 20, most_seconds: 120 },
    });
    expect(paymentTimes(policy, 1_000)).toEqual({
      ...{ payment_seconds: 900, grace_seconds: 1_000, most_seconds: 1_800 },
    });
  });

  it('leave no time for another card where the policy gives none', () => {
    const none = { ...policy, payment_grace_minutes: 0 };
    expect([paymentTimes(none), paymentTimes(none, 20)]).toMatchObject([
      { grace_seconds: 0 },
      { grace_seconds: 0 },
    ]);
  });
});

describe('a number of a policy', () => {
  const numbers = POLICY_FIELD_NAMES.flatMap((name) => {
    const field = POLICY_FIELDS[name];
    return field.kind === 'number' && field.outside !== 'clamp' ? [{ name, ...field }] : [];
  });

  it.each(numbers)('$name may be its least and its most, and nothing beyond', (field) => {
    const { name, least, most } = field;
    const found = [least - 1, least, most, most + 1].map((value) => codes({ [name]: value }));
    expect(found).toEqual([['out_of_range'], [], [], ['out_of_range']]);
  });
});

it('a policy of another kind is refused', () => {
  expect([codes({ kind: 'seating_policy' }), codes({ kind: 'pricing_policy' })]).toEqual([
    [],
    ['unknown_field'],
  ]);
});

it('lists are the same when they have the same entries in the same order', () => {
  expect(sameValue(['a', 'b'], ['a', 'b'])).toBe(true);
  for (const [one, other] of [
    [
      ['a', 'b'],
      ['a', 'c'],
    ],
    [['a', 'b'], ['a']],
    [['a'], ['a', 'b']],
    [['a'], 'a'],
    ['a', ['a']],
  ]) {
    expect(sameValue(one, other)).toBe(false);
  }
});

it('a tier is one word of small letters, digits and underscores', () => {
  const words = ['gold', 'voelgoed_vriendinne', '2', 'x'.repeat(64)];
  expect(words.filter(isTier)).toEqual(words);
  expect(['', 'Gold', 'a b', 'é', 'x'.repeat(65), 7, null].filter(isTier)).toEqual([]);
});
