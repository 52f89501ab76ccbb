import { aHold } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { useSales } from '@voelgoed/testkit/sales';
import { printedRandom } from '@voelgoed/testkit/seeds';
import { describe, expect, it } from 'vitest';
import type { Command } from '#board';
import { systemClock } from '#kit';
import { replayBoard } from './replay.ts';

const sales = useSales();
/** Enough that a snapshot lies in between. */
const COMMITS = 1_100;

const SYSTEM = { kind: 'system', id: null, role: null } as const;
const LOOK = { name: 'test.replay', mode: 'isolation level repeatable read read only' } as const;

/** Everything that somebody has. */
function releaseOf(user_id: string): Command {
  const actor = { kind: 'user', id: user_id, role: null } as const;
  const reason = 'user_cancelled' as const;
  return { kind: 'release', which: { user_id }, owner: user_id, reason, note: null, actor };
}

describe('a replay', () => {
  it('gives every board that there was, with and without the snapshots in between', async () => {
    const random = printedRandom('a replay');
    const sale = await sales.open({ seats: 60, buyers: 8 });
    const { registry, store } = sales.node();
    const digests = new Map<number, string>();
    const pick = <One>(list: readonly One[]) =>
      list[Math.floor(random.next() * list.length)] as One;
    for (let last = 1; last < COMMITS; ) {
      const user = pick(sale.buyers);
      const command =
        random.next() < 0.6 ? aHold(user, [{ seat_id: pick(sale.seats) }]) : releaseOf(user);
      const deadline_ms = systemClock.monotonic() + 10_000;
      const wish = { command, actor: SYSTEM, context: null, key: null, deadline_ms };
      await registry.submit(sale, wish).catch(() => {});
      const board = registry.loadedBoard(sale);
      last = board?.revision ?? 0;
      digests.set(last, board?.digest ?? '');
    }
    const kept = 'select revision from board_snapshots where event_id = $1 order by revision';
    const snapshots = () => sales.database.asSuperuser(kept, [sale.eventId]);
    await eventually(async () => (await snapshots()).some(({ revision }) => Number(revision) > 1));
    const replay = (revision: number) =>
      sales.database.postgres.transaction(sale.scope, LOOK, (one) =>
        replayBoard(one, sale, revision, (layout, seats) =>
          store.plans.get(sale.scope, layout, seats),
        ),
      );
    const wanted = [2, 999, 1_000, 1_001, ...digests.keys()].filter(
      (revision, index) => digests.has(revision) && (index < 4 || random.next() < 0.02),
    );
    for (const round of ['with', 'without']) {
      for (const revision of [...wanted, Math.max(...digests.keys())]) {
        const past = await replay(revision);
        if (past.kind !== 'board') throw new Error(`${round}: ${revision} is ${past.kind}`);
        expect([round, revision, past.board.digest]).toEqual([
          round,
          revision,
          digests.get(revision),
        ]);
      }
      const drop = 'delete from board_snapshots where event_id = $1 and revision > 1';
      await sales.database.asSuperuser(drop, [sale.eventId]);
    }
  }, 120_000);
});
