import { expect, it } from 'vitest';
import { finish, inTurns, nextTurn, type Steps } from './kit.ts';

function* counting(to: number): Steps<number> {
  let sum = 0;
  for (let number = 1; number <= to; number++) {
    sum += number;
    yield;
  }
  return sum;
}

it('work in steps comes to the same at once and in turns, and others have theirs', async () => {
  expect(finish(counting(4))).toBe(10);
  let turns = 0;
  const others = (async () => {
    for (; turns < 3; turns++) await nextTurn();
  })();
  expect(await inTurns(counting(8))).toBe(36);
  expect(turns).toBe(3);
  await others;
});
