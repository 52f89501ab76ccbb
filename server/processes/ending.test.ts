import { manualClock } from '@voelgoed/engine/kit';
import { expect, it } from 'vitest';
import { Ending } from './ending.ts';

const never = () => new Promise(() => {});
const fails = async () => {
  throw new Error('the queue is broken');
};
const throws = () => {
  throw new Error('the hub is broken');
};

function anEnding(...steps: (() => unknown)[]) {
  const seen: (number | string)[] = [];
  const timers = manualClock();
  const say = (line: string) => void seen.push(line);
  const exit = (code: number) => void seen.push(code);
  const last = () => void seen.push('the last step');
  const ending = new Ending([...steps, last], { timers, say, exit, step_ms: 1_000 });
  return { ending, seen, timers };
}

it('exits when everything has stopped, once', async () => {
  const { ending, seen } = anEnding(async () => {});
  expect(ending.hasBegun).toBe(false);
  await Promise.all([ending.end(0), ending.end(1)]);
  expect(ending.hasBegun).toBe(true);
  expect(seen).toEqual(['the last step', 0]);
});

it.each([
  ['fails', fails, 'stopping failed: the queue is broken'],
  ['throws', throws, 'stopping failed: the hub is broken'],
])('exits after a step that %s, and after those behind it', async (_, step, words) => {
  const { ending, seen } = anEnding(step);
  await ending.end(0);
  expect(seen).toEqual([`It ends all the same: ${words}`, 'the last step', 1]);
});

it('exits when a step hangs, and not before its time is over', async () => {
  const { ending, seen, timers } = anEnding(never);
  const ended = ending.end(3);
  timers.advance(999);
  await Promise.resolve();
  expect(seen).toEqual([]);
  timers.advance(1);
  await ended;
  const words = 'It ends all the same: stopping has taken 1 s';
  expect(seen).toEqual([words, 'the last step', 3]);
});
