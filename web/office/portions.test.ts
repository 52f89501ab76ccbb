import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inPortions } from './portions.ts';

function tools(stopAfter = Number.POSITIVE_INFINITY) {
  const seen: [number, number][] = [];
  const stop = new AbortController();
  return {
    seen,
    key: (part = 0) => `k.${part}`,
    progress: (done: number, total: number) => {
      seen.push([done, total]);
      if (done >= stopAfter) stop.abort();
    },
    signal: stop.signal,
  };
}

describe('work in portions', () => {
  it('does everything once and in order, whatever the size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 200 }), fc.integer({ min: 1, max: 50 }), async (...args) => {
        const [count, size] = args;
        const items = Array.from({ length: count }, (_, index) => index);
        const done: number[] = [];
        const keys: string[] = [];
        const take = async (portion: readonly number[], key: string) => {
          done.push(...portion);
          keys.push(key);
        };
        const result = await inPortions(items, tools(), take, size);
        expect(result).toEqual({ done: count, total: count, isStopped: false });
        expect(done).toEqual(items);
        expect(new Set(keys).size).toBe(Math.ceil(count / size));
      }),
    );
  });

  it('asks with the same keys when it is repeated, and stops between portions', async () => {
    const items = [1, 2, 3, 4, 5];
    const asked: string[] = [];
    const failing = async (portion: readonly number[], key: string) => {
      asked.push(`${key}:${portion.join()}`);
      if (portion.includes(3) && asked.length < 3) throw new Error('lost');
    };
    await expect(inPortions(items, tools(), failing, 2)).rejects.toThrow('lost');
    await inPortions(items, tools(), failing, 2);
    expect(asked).toEqual(['k.1:1,2', 'k.2:3,4', 'k.1:1,2', 'k.2:3,4', 'k.3:5']);
    const stopped = await inPortions(items, tools(2), async () => undefined, 2);
    expect(stopped).toEqual({ done: 2, total: 5, isStopped: true });
  });
});
