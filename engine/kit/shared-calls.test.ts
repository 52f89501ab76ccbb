import { describe, expect, it } from 'vitest';
import { SharedCalls } from './shared-calls.ts';

describe('shared calls', () => {
  it('tells nobody what was read before they asked, and reads once for all who wait', async () => {
    const shared = new SharedCalls<number>();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let stored = 1;
    let calls = 0;
    const read = async () => {
      const seen = stored;
      await gates[calls++]?.promise;
      return seen;
    };
    const early = shared.ask('a', read);
    await Promise.resolve();
    await Promise.resolve();
    stored = 2;
    const late = [shared.ask('a', read), shared.ask('a', read)];
    for (const gate of gates) gate.resolve();
    expect(await early).toBe(1);
    expect(await Promise.all(late)).toEqual([2, 2]);
    expect(calls).toBe(2);
  });

  it('reads again after a failure, and keeps names apart', async () => {
    const shared = new SharedCalls<string>();
    const failing = [1, 2].map(() => shared.ask('a', () => Promise.reject(new Error('not now'))));
    const other = shared.ask('b', async () => 'b');
    const answers = await Promise.allSettled(failing);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await other).toBe('b');
    expect(await shared.ask('a', async () => 'a')).toBe('a');
  });
});
