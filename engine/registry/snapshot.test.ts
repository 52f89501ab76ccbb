import { expect, it } from 'vitest';
import type { BoardContent } from '#board';
import { packContent, unpackContent } from './snapshot.ts';

const many = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name} "${index}" \\ é`);

/** As far as packing looks at it: lists of nothing, of a portion, and of more than two. */
it.each([0, 1, 499, 500, 501, 1_201])(
  'a board with lists of %i is the same again',
  async (count) => {
    const content = {
      revision: 1_000,
      hash: 'abc',
      at_ms: 1,
      config: { zones: [] },
      codes: Uint8Array.from([0, 1, 2, 3, 255]),
      versions: Uint32Array.from([0, 1, 70_000, 4_000_000_000, 5]),
      counts: [{ held: 1, sold: 2, blocked: 3 }],
      holds: many(count, 'hold').map((hold_id) => ({ hold_id, until_ms: 5 })),
      checkouts: many(count % 7, 'checkout').map((checkout_id) => ({ checkout_id })),
      tasks: [],
      keyed: many(count, 'user'),
      released: [2, 4],
    } as unknown as BoardContent;
    expect(await unpackContent(await packContent(content))).toEqual(content);
  },
);

it('everybody else has their turn while a large board is packed', async () => {
  const holds = many(5_000, 'hold').map((hold_id) => ({ hold_id }));
  const content = {
    ...{ codes: new Uint8Array(4), versions: new Uint32Array(4) },
    ...{ holds, checkouts: [], keyed: [] },
  } as unknown as BoardContent;
  let turns = 0;
  let isPacked = false;
  const count = () => {
    turns++;
    if (!isPacked) setImmediate(count);
  };
  setImmediate(count);
  await packContent(content);
  isPacked = true;
  // One for each portion of 500, at the least.
  expect(turns).toBeGreaterThan(10);
});
