import { describe, expect, it } from 'vitest';
import type { Board } from '#board';
import type { EventRef } from '#registry';
import { silentTelemetry } from '#telemetry';
import { Watchman } from './watchman.ts';

type Tools = ConstructorParameters<typeof Watchman>[0];

const EVENT = { scope: { organizationId: 'o' }, eventId: 'e' } as EventRef;
const MINUTE_MS = 60_000;

/** A watchman at work for some minutes of its own clock: when it compared an event in full. */
async function comparedAt(minutes: number, differently: Partial<Tools> = {}): Promise<number[]> {
  let now_ms = 0;
  const compared: number[] = [];
  const done = Promise.withResolvers<void>();
  const clock = {
    now: () => now_ms,
    monotonic: () => now_ms,
    sleep: async (ms: number, signal?: AbortSignal) => {
      now_ms += ms;
      if (now_ms >= minutes * MINUTE_MS) done.resolve();
      if (now_ms >= minutes * MINUTE_MS)
        await new Promise((resolve) => {
          signal?.addEventListener('abort', resolve);
        });
    },
  };
  const quietly = async () => compared.push(now_ms / MINUTE_MS) > 0;
  const tools = {
    clock,
    telemetry: silentTelemetry,
    random: { next: () => 0.5 },
    circuit: { isClosed: true, isTold: true, run: (work: () => unknown) => work() },
    now_ms: () => now_ms,
    reconciler: { quietly },
    boardOf: () => null,
    loadedEvents: () => [EVENT],
    ...differently,
  } as unknown as Tools;
  const watchman = new Watchman(tools);
  watchman.start();
  await done.promise;
  await watchman.stop();
  return compared;
}

/** As much of a board as a glance looks at, when the event is calm and nothing is held. */
const BOARD = { revision: 7, hash: 'a'.repeat(32), at_ms: 0, holdCount: 0, holds: () => [] };

describe('the watchman', () => {
  it('compares all events in full every five minutes', async () => {
    const compared = await comparedAt(21);
    expect(compared.map((minute) => Math.round(minute))).toEqual([5, 10, 15, 20]);
  });

  it('glances at events in between, and has those compared that stay wrong', async () => {
    const cache = {
      callForBytes: async () => [Buffer.from('6 aaaaaaaaaaaaaaaa 1 {}'), null, null],
      call: async () => [],
    };
    const boardOf = () => BOARD as unknown as Board;
    const compared = await comparedAt(1, { boardOf, cache } as unknown as Partial<Tools>);
    // Every third round of half a second is a glance, and the second one is sure.
    expect(compared.length).toBeGreaterThan(15);
    expect(compared[0]).toBeLessThan(0.1);
  });
});
