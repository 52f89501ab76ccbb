import { eventually } from '@voelgoed/testkit/eventually';
import {
  aGate,
  aStandby,
  aWish,
  holdOf,
  holdsIn,
  problems,
  releaseOf,
  type Sale,
  storeWith,
  type TestNode,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import type { Store } from './ports.ts';
import { replayBoard } from './replay.ts';

const sales = useSales();
const { database } = sales;

/** For a thousand commits on a machine that has other things to do. */
const PATIENT_MS = 60_000;

async function hold(
  { registry }: TestNode,
  sale: Sale,
  buyer: number,
  seat: number,
  differently?: Parameters<typeof aWish>[1],
) {
  const command = holdOf(sale.buyers[buyer] ?? '', sale.seats.slice(seat, seat + 1));
  return registry.submit(sale, aWish(command, differently));
}

/** For a node whose clock stands still. */
const forever = { deadline_ms: 1_000_000 };

/** Rows that are read, and come when the gate is opened. */
function lateRows() {
  const gate = aGate();
  const late = {
    ...gate,
    /** The last revision that was read. */
    read: 0,
    rowsFrom: (store: Store): Store['rowsFrom'] => {
      return async (...asked) => {
        const rows = await store.rowsFrom(...asked);
        late.read = rows.at(-1)?.revision ?? 0;
        await gate.pass();
        return rows;
      };
    },
  };
  return late;
}

const replayed = (node: TestNode, sale: Sale, revision: number) =>
  database.postgres.transaction(sale.scope, { name: 'test' }, (one) =>
    replayBoard(one, sale, revision, (layout, seats) =>
      node.store.plans.get(sale.scope, layout, seats),
    ),
  );

describe('commits that a failover has lost', () => {
  it('are noticed by the next flush, before anything wrong is written', async () => {
    const sale = await sales.open();
    const node = sales.node();
    await hold(node, sale, 0, 0);
    const failOver = await aStandby(database, sale.eventId);
    await hold(node, sale, 1, 1);
    await hold(node, sale, 2, 2);
    await failOver();
    const again = await hold(node, sale, 1, 1);
    expect(again).toMatchObject({ revision: 3, outcome: { kind: 'held', existing: false } });
    expect(node.count('board.other_lineage')).toBe(1);
    expect(node.count('flush.guard')).toBe(0);
    expect((await node.registry.board(sale))?.holdCount).toBe(2);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('are noticed when others have gone on since, as far or farther', async () => {
    for (const commits of [1, 2, 3]) {
      const sale = await sales.open();
      const node = sales.node();
      await hold(node, sale, 0, 0);
      const failOver = await aStandby(database, sale.eventId);
      await hold(node, sale, 1, 1);
      await hold(node, sale, 1, 2);
      await failOver();
      const other = sales.node();
      for (let seat = 1; seat <= commits; seat++) await hold(other, sale, 2, seat);
      // The first buyer is never refused from memory: the exact board is asked.
      const taken = await hold(node, sale, 0, 1);
      expect(taken).toMatchObject({ outcome: { code: 'seat_held_by_another_user' } });
      expect(node.count('board.other_lineage')).toBe(1);
      expect(await problems(database, sale)).toEqual([]);
    }
  });

  it('are noticed although their rows come late, while a flush is reading', async () => {
    const sale = await sales.open();
    const late = lateRows();
    const node = sales.node({
      wrap: (store) =>
        storeWith(store, {
          rowsFrom: late.rowsFrom(store),
          transact: (event, ask, decide) => {
            const asking = () => {
              const asked = ask();
              late.open();
              return asked;
            };
            return store.transact(event, asking, decide);
          },
        }),
    });
    await hold(node, sale, 0, 0);
    const failOver = await aStandby(database, sale.eventId);
    const other = sales.node();
    await hold(other, sale, 1, 1);
    late.shut();
    node.registry.hear(sale.eventId, 3);
    await eventually(() => late.read === 3);
    await failOver();
    const another = sales.node();
    await hold(another, sale, 1, 2);
    await hold(another, sale, 1, 3);
    expect(await hold(node, sale, 0, 1)).toMatchObject({ revision: 5, outcome: { kind: 'held' } });
    expect(node.count('board.other_lineage')).toBe(1);
    expect(node.count('flush.guard')).toBe(0);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('are not applied to a board that was loaded since, by a flush that is late', async () => {
    const sale = await sales.open();
    let meanwhile: (() => Promise<unknown>) | null = null;
    const revisions: (number | undefined)[] = [];
    const node: TestNode = sales.node({
      wrap: (store) =>
        storeWith(store, {
          transact: async (event, ask, decide) => {
            const happens = meanwhile;
            meanwhile = null;
            if (!happens) return store.transact(event, ask, decide);
            const asked = ask();
            const read: Parameters<typeof decide>[0][] = [];
            await store.transact(
              event,
              () => asked,
              (opened) => {
                read.push(opened);
                return null;
              },
            );
            await happens();
            expect(read.map((opened) => decide(opened, asked))).toEqual([null]);
            revisions.push(node.registry.loadedBoard(sale)?.revision);
            return { kind: 'nothing' };
          },
        }),
    });
    await hold(node, sale, 0, 0);
    const failOver = await aStandby(database, sale.eventId);
    const other = sales.node();
    await hold(other, sale, 1, 1);
    expect((await node.registry.current(sale))?.revision).toBe(3);
    await hold(other, sale, 1, 2);
    meanwhile = async () => {
      await failOver();
      await node.registry.current(sale);
    };
    expect(await hold(node, sale, 0, 1)).toMatchObject({ revision: 3, outcome: { kind: 'held' } });
    expect(revisions).toEqual([2]);
    expect(node.count('board.other_lineage')).toBe(1);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('are not taken for right by a poll that did not see them', async () => {
    const sale = await sales.open();
    const time = { now_ms: 0 };
    const late = lateRows();
    const node: TestNode = sales.node({
      clock: { ...systemClock, monotonic: () => time.now_ms },
      wrap: (store) =>
        storeWith(store, {
          rowsFrom: late.rowsFrom(store),
          heads: async (events) => {
            const heads = await store.heads(events);
            late.open();
            await eventually(() => node.registry.boards[0]?.revision === 4);
            return heads;
          },
        }),
    });
    await hold(node, sale, 0, 0, forever);
    const failOver = await aStandby(database, sale.eventId);
    const other = sales.node();
    await hold(other, sale, 1, 1);
    await hold(other, sale, 1, 2);
    late.shut();
    node.registry.hear(sale.eventId, 4);
    await eventually(() => late.read === 4);
    await failOver();
    await hold(sales.node(), sale, 1, 3);
    const command = holdOf(sale.buyers[2] ?? '', sale.seats.slice(1, 2));
    const refused = () => node.registry.screen(sale, { command, exact: false }) !== null;
    time.now_ms = 2_000;
    await node.registry.poll();
    // They were right when they were read: that is believed for a moment, and no longer.
    time.now_ms = 1_000;
    expect(refused()).toBe(true);
    time.now_ms = 3_000;
    expect(refused()).toBe(false);
    expect(await hold(node, sale, 2, 1, forever)).toMatchObject({ outcome: { kind: 'held' } });
    expect(node.count('hold.refused_fast')).toBe(0);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('are noticed by the poll, also by a node that only reads', async () => {
    for (const commits of [0, 2, 3]) {
      const sale = await sales.open();
      const node = sales.node();
      const failOver = await aStandby(database, sale.eventId);
      await hold(node, sale, 1, 1);
      await hold(node, sale, 1, 2);
      await failOver();
      const other = sales.node();
      for (let seat = 3; seat < 3 + commits; seat++) await hold(other, sale, 2, seat);
      await node.registry.poll();
      const truth = await other.registry.board(sale);
      await eventually(async () => (await node.registry.board(sale))?.digest === truth?.digest);
      expect(truth?.holdCount).toBe(commits);
    }
  });
});

describe('a log that cannot be read', () => {
  const newer = ({ eventId }: Sale) =>
    database.asSuperuser(
      `with made as (insert into seat_changes select organization_id, event_id, revision + 1,
         gen_random_uuid(), now(), 1000, '{"unheard": "of"}', sha256('new')
         from event_boards where event_id = '${eventId}')
       update event_boards set revision = revision + 1, lineage_head = sha256('new')
       where event_id = '${eventId}'`,
    );

  it('because a newer version wrote it: the event stops deciding here', async () => {
    const sale = await sales.open();
    const [follower, writer, late] = [sales.node(), sales.node(), sales.node()];
    for (const node of [follower, writer]) await node.registry.board(sale);
    await newer(sale);
    await follower.registry.poll();
    await expect(hold(follower, sale, 0, 0)).rejects.toMatchObject({ retryable: false });
    await expect(hold(writer, sale, 0, 0)).rejects.toMatchObject({ retryable: false });
    await expect(hold(late, sale, 0, 0)).rejects.toMatchObject({ retryable: false });
    for (const node of [follower, writer, late]) expect(node.registry.unreadable).toBe(1);
    const other = await sales.open();
    expect(await hold(writer, other, 0, 0)).toMatchObject({ outcome: { kind: 'held' } });
  });

  it('because a row was altered: the board is loaded anew instead of half applied', async () => {
    const alter = (sale: Sale) =>
      database.asSuperuser(
        `update seat_changes set changes = $2 where event_id = $1 and revision = 2`,
        [
          sale.eventId,
          JSON.stringify({
            changes: [
              { kind: 'blocked', ordinals: [9], reason: null },
              { kind: 'ended', reason: 'ttl_expired', holds: [sale.eventId] },
            ],
            keyed: [],
          }),
        ],
      );
    for (const way of ['poll', 'flush'] as const) {
      const sale = await sales.open();
      const behind = sales.node();
      await behind.registry.board(sale);
      await hold(sales.node(), sale, 0, 0);
      await alter(sale);
      if (way === 'poll') await behind.registry.poll();
      else await hold(behind, sale, 1, 1).catch(() => {});
      expect(await hold(behind, sale, 1, 9)).toMatchObject({ outcome: { kind: 'held' } });
      const truth = await behind.store.load(sale);
      expect((await behind.registry.board(sale))?.digest).toBe(truth?.digest);
    }
  });
});

describe('the board as it was', () => {
  it(
    'is replayed from the last of the snapshots, one every 1,000 revisions',
    async () => {
      const sale = await sales.open();
      const node = sales.node();
      const [buyer = ''] = sale.buyers;
      const digests = new Map<number, string>();
      const board = await node.registry.board(sale);
      for (let revision = board?.revision ?? 0; revision < 1_010; revision += 2) {
        const wish = aWish(holdOf(buyer, [[sale.floor, 1 + (revision % 7)]]));
        const [made] = holdsIn(await node.registry.submit(sale, wish));
        digests.set(board?.revision ?? 0, board?.digest ?? '');
        const which = { hold_ids: [made?.hold_id ?? ''] };
        await node.registry.submit(sale, aWish(releaseOf(which)));
      }
      const kept = `select revision::int from board_snapshots
        where event_id = $1 order by revision`;
      const revisions = async () =>
        (await database.asSuperuser(kept, [sale.eventId])).map(({ revision }) => revision);
      await eventually(async () => (await revisions()).length === 2);
      expect(await revisions()).toEqual([1, 1_000]);
      for (const [revision, rows] of [
        [2, 1],
        [500, 499],
        [1_000, 0],
        [1_008, 8],
      ] as const) {
        const was = await replayed(node, sale, revision);
        expect(was).toMatchObject({ kind: 'board', rows });
        if (was.kind === 'board' && revision % 2 === 0) {
          expect(was.board.digest).toBe(digests.get(revision));
        }
      }
      expect(await replayed(node, sale, 5_000)).toEqual({ kind: 'not_kept' });
      expect(await problems(database, sale)).toEqual([]);
      await database.asSuperuser(
        `update seat_changes set changes = replace(changes::text, '"quantity"', '"q"')::json,
         at = at + interval '1 second' where event_id = $1 and revision = 700`,
        [sale.eventId],
      );
      expect(await replayed(node, sale, 699)).toMatchObject({ kind: 'board' });
      expect(await replayed(node, sale, 900)).toEqual({ kind: 'broken', revision: 700 });
      expect(await replayed(node, sale, 1_005)).toMatchObject({ kind: 'board' });
    },
    PATIENT_MS,
  );

  it('is found to be altered whichever part of a row was, and when one is missing', async () => {
    const sale = await sales.open();
    const node = sales.node();
    for (let seat = 0; seat < 4; seat++) await hold(node, sale, 0, seat);
    const harms = [
      `update seat_changes set flush_id = gen_random_uuid()`,
      `update seat_changes set at = at + interval '1 millisecond'`,
      `update seat_changes set changes = replace(changes::text, 'held', 'hold')::json`,
      `update seat_changes set hash = sha256('x')`,
      `delete from seat_changes`,
    ];
    const of = `where event_id = '${sale.eventId}' and revision = 3`;
    for (const harm of harms) {
      const heal = await aStandby(database, sale.eventId);
      await database.asSuperuser(`${harm} ${of}`);
      const found = await replayed(node, sale, 5);
      expect(found.kind, harm).toBe('broken');
      await heal();
      expect(await replayed(node, sale, 5)).toMatchObject({ kind: 'board' });
    }
  });
});
