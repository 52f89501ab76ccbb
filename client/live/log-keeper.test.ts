import { describe, expect, it } from 'vitest';
import { manualHost } from '#host';
import type { ToldRow } from '#shapes';
import { LogKeeper } from './log-keeper.ts';

const rowsOf = (...revisions: number[]): ToldRow[] =>
  revisions.map((revision) => ({ revision, at: 'x', changes: [] }));

function aKeeper(changes: (after: number) => readonly ToldRow[]) {
  const host = manualHost({ fetch: () => Promise.reject(new TypeError('nobody')) });
  const told: number[] = [];
  const keeper = new LogKeeper({
    host,
    signal: new AbortController().signal,
    tell: (event) => {
      if (event.kind === 'log') told.push(...event.rows.map(({ revision }) => revision));
    },
    changes: async (after) => changes(after),
  });
  return { host, told, keeper };
}

describe('rows of the log', () => {
  it('are told of the history that is so, also when the database was restored', async () => {
    // The log has forgotten what it was asked for.
    const { host, told, keeper } = aKeeper(() => []);
    keeper.connected();
    keeper.seen(100);
    keeper.take({ from: 104, revision: 105, rows: rowsOf(105) });
    await host.advance(1_500);
    expect(told).toEqual([]);
    keeper.connected();
    keeper.begin(50);
    keeper.seen(50);
    keeper.take({ from: 50, revision: 51, rows: rowsOf(51) });
    await host.advance(1_500);
    expect(told).toEqual([51]);
  });

  it('are not asked for without pause when only old ones come', async () => {
    let asked = 0;
    const { host, keeper } = aKeeper(() => {
      // A loop without pause would never end.
      if (++asked > 50) throw new Error('asked too often');
      return rowsOf(90);
    });
    keeper.seen(100);
    keeper.take({ from: 104, revision: 105, rows: rowsOf(105) });
    await host.advance(3_000);
    expect(asked).toBe(3);
  });
});
