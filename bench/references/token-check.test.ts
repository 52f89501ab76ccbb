import { systemClock } from '@voelgoed/engine/kit';
import { signToken } from '@voelgoed/server/tokens';
import { newId } from '@voelgoed/testkit/builders';
import { expect, it } from 'vitest';
import { tokenCheck } from './token-check.ts';

const SECRET = 'a secret that is long enough for everybody';

function aToken(secret: string, seconds: number): string {
  const expires = Math.floor(systemClock.now() / 1_000) + seconds;
  return signToken(secret, { subject: 'ann', organizationId: newId(), role: 'customer', expires });
}

/** A reference that lets everybody in would be compared with nothing. */
it('verifies the tokens that this product signs, the first time and every time', () => {
  const userOf = tokenCheck(SECRET);
  const good = `Bearer ${aToken(SECRET, 60)}`;
  expect([userOf(good), userOf(good)]).toEqual(['ann', 'ann']);
  const [head, payload] = good.split('.');
  const refused = [
    undefined,
    'Bearer',
    `${head}.${payload}.`,
    `${good}x`,
    `Bearer ${aToken('another secret that nobody should know', 60)}`,
    `Bearer ${aToken(SECRET, -60)}`,
  ];
  expect(refused.map(userOf)).toEqual(refused.map(() => null));
});
