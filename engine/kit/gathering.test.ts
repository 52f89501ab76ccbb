import { describe, expect, it } from 'vitest';
import { Gathering } from './gathering.ts';

describe('gathering', () => {
  it('sends what arrives while a call is under way together, in order', async () => {
    const calls: number[][] = [];
    const first = Promise.withResolvers<void>();
    const gathering = new Gathering<number, number>(async (items) => {
      calls.push([...items]);
      if (calls.length === 1) await first.promise;
      return items.map((item) => item * 10);
    }, 3);
    const early = gathering.ask(1);
    await Promise.resolve();
    await Promise.resolve();
    const late = [2, 3, 4, 5].map((item) => gathering.ask(item));
    first.resolve();
    expect(await Promise.all([early, ...late])).toEqual([10, 20, 30, 40, 50]);
    expect(calls).toEqual([[1], [2, 3, 4], [5]]);
    expect(gathering.isIdle).toBe(true);
  });

  it('tells everybody of a call that failed, and goes on with the next', async () => {
    let fails = true;
    const gathering = new Gathering<number, number>(async (items) => {
      if (fails) throw new Error('not now');
      return items;
    }, 10);
    const answers = await Promise.allSettled([gathering.ask(1), gathering.ask(2)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fails = false;
    expect(await gathering.ask(3)).toBe(3);
  });

  it('lets nobody wait behind a call that failed for the next one to fail', async () => {
    const first = Promise.withResolvers<number[]>();
    let calls = 0;
    const gathering = new Gathering<number, number>(() => {
      calls++;
      return first.promise;
    }, 2);
    const early = gathering.ask(1);
    await Promise.resolve();
    await Promise.resolve();
    const asked = [early, ...[2, 3, 4, 5].map((item) => gathering.ask(item))];
    first.reject(new Error('too late'));
    const answers = await Promise.allSettled(asked);
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(calls).toBe(1);
    expect(gathering.isIdle).toBe(true);
  });
});
