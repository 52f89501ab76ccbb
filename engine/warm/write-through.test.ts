import { describe, expect, it } from 'vitest';
import type { Board, ChangeRow } from '#board';
import { nextTurn, systemClock } from '#kit';
import { DEFAULT_POLICY } from '#policies';
import type { Circuit, RedisLink } from '#redis';
import type { EventRef } from '#registry';
import { WriteThrough } from './write-through.ts';

const EVENT = { scope: { organizationId: 'o' }, eventId: 'e' } as EventRef;
const ROW = { revision: 1, hash: 'abc' } as ChangeRow;

/** As much of a board as a write without seats looks at. */
function aBoard(holdCount = 0): Board {
  const config = { zones: [], layout: { version: 1 }, policy: DEFAULT_POLICY };
  const touched = { seats: [], holds: [] };
  const parts = {
    revision: 1,
    hash: 'abc',
    at_ms: 0,
    plan: { seatCount: 0, seating: { companions: new Map(), companionZones: [] } },
    config,
    touched,
  };
  const none = () => [];
  const packedStates = () => new Uint8Array();
  const rest = { tasks: [], nextDue: () => 1, holds: none, holdCount, packedStates };
  return { ...parts, ...rest } as unknown as Board;
}

type Tools = ConstructorParameters<typeof WriteThrough>[0];

/** Beside a Redis that answers like this. */
function writesTo(run: () => Promise<unknown>, differently: Partial<Tools> = {}): WriteThrough {
  return new WriteThrough({
    clock: systemClock,
    telemetry: { emit: () => {} },
    circuit: { isTold: true, run: (work: () => unknown) => work() } as unknown as Circuit,
    claims: {} as RedisLink,
    cache: { run } as unknown as RedisLink,
    now_ms: () => 0,
    current: async () => null,
    mark: () => {},
    markUnhurried: () => {},
    otherwise: { publish: () => {} },
    turn: nextTurn,
    ...differently,
  });
}

describe('write-through', () => {
  it('gives up on a Redis that never has enough, instead of asking for ever', async () => {
    let calls = 0;
    const marked: string[] = [];
    const run = async () => {
      calls++;
      return ['gap', -1, '', 0];
    };
    const writes = writesTo(run, { mark: (_, why) => marked.push(why) });
    const board = aBoard();
    writes.loaded(EVENT, board);
    writes.row(EVENT, board, ROW);
    writes.publish(EVENT, ROW);
    await writes.idle();
    expect(calls).toBeLessThan(10);
    expect(marked).not.toEqual([]);
  });

  it('remembers nothing of an event whose board has left while it was written', async () => {
    const answer = Promise.withResolvers<unknown>();
    const writes = writesTo(() => answer.promise);
    const board = aBoard();
    writes.loaded(EVENT, board);
    writes.row(EVENT, board, ROW);
    writes.publish(EVENT, ROW);
    writes.left(EVENT, 'evicted');
    expect(writes.known).toBe(1);
    answer.resolve(['ok', 0, 'abc', 0]);
    await writes.idle();
    expect(writes.known).toBe(0);
  });

  it.each([
    ['nobody has held anything yet', 0, 'when there is time'],
    ['somebody held a seat before', 1, 'Redis had forgotten the event'],
  ])('an event that is new to Redis is compared with its board: %s', async (_, holdCount, why) => {
    const marked: string[] = [];
    const writes = writesTo(async () => ['ok', -1, '', 0], {
      mark: (_event, reason) => marked.push(reason),
      markUnhurried: () => marked.push('when there is time'),
    });
    const board = aBoard(holdCount);
    writes.loaded(EVENT, board);
    const write = async () => {
      writes.row(EVENT, board, ROW);
      writes.publish(EVENT, ROW);
      await writes.idle();
    };
    await write();
    expect(marked).toEqual([why]);
    // It was written about: who knows nothing now has forgotten it.
    await write();
    expect(marked).toEqual([why, 'Redis had forgotten the event']);
  });
});
