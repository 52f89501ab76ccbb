import { control, guardsNotFound, type Off, weakPostgres } from '@voelgoed/testkit/controls';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  aGate,
  aWish,
  holdOf,
  holdsIn,
  problems,
  releaseOf,
  type Sale,
  tampered,
  useSales,
} from '@voelgoed/testkit/sales';
import { beforeAll, describe, expect, it } from 'vitest';
import { lockEvent } from './flush.sql.ts';
import { FLUSH_PARTS } from './flush-write.sql.ts';
import { PostgresStore } from './postgres-store.ts';
import { writeFlush } from './write-flush.ts';

type Sales = ReturnType<typeof useSales>;

/** The database as it is, and two without what stands behind the statement. */
const whole = useSales();
const withoutIndex = useSales();
const withoutCheck = useSales();
beforeAll(async () => {
  await withoutIndex.database.asSuperuser('drop index seat_holds_one_active');
  const drop = 'alter table event_zones drop constraint event_zones_check';
  await withoutCheck.database.asSuperuser(drop);
});

function salesWithout(off: Off): Sales {
  if (off.has('unique index')) return withoutIndex;
  return off.has('zone CHECK') ? withoutCheck : whole;
}

function storeWithout(sales: Sales, off: Off): PostgresStore {
  return new PostgresStore(weakPostgres(sales.database.postgres, { off }));
}

it('every guard that can be taken out of a statement is in it', () => {
  const { text: write } = writeFlush(FLUSH_PARTS, {});
  expect(guardsNotFound(lockEvent('', '').text, write)).toEqual([]);
});

/** A node that once does not see what others have done since it looked last. */
async function aBlindNode(sales: Sales, sale: Sale, off: Off) {
  let blind = true;
  const node = sales.node({
    store: tampered(storeWithout(sales, off), {
      read: (opened, { revision }) => {
        if (!blind || !opened.head) return opened;
        blind = false;
        const rows = opened.rows.filter((row) => row.revision === revision);
        const hash = rows[0]?.hash ?? '';
        return { ...opened, rows, head: { ...opened.head, revision, hash } };
      },
    }),
  });
  await node.registry.board(sale);
  return node;
}

/** Two nodes decide about one seat before either of them has written. */
async function twoAtOnce(off: Off): Promise<string[]> {
  const sales = salesWithout(off);
  const sale = await sales.open();
  const gate = aGate();
  gate.shut();
  const { postgres } = sales.database;
  let [decided, waits] = [0, false];
  const slow = new PostgresStore(
    weakPostgres(postgres, {
      off,
      beforeWrite: () => {
        decided++;
        return gate.pass();
      },
    }),
  );
  const nodes = [sales.node({ store: slow }), sales.node({ store: slow })];
  for (const { registry } of nodes) await registry.board(sale);
  const wanted = sale.seats.slice(0, 1);
  const answers = nodes.map(({ registry }, index) =>
    registry.submit(sale, aWish(holdOf(sale.buyers[index] ?? '', wanted))),
  );
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => {
    waits = (await sales.database.asSuperuser(waiting)).length > 0;
    return waits || decided === 2;
  });
  expect(waits).toBe(!off.has('event lock'));
  gate.open();
  await Promise.all(answers);
  return problems(sales.database, sale);
}

/** A node that has not heard of a hold on places makes another one. */
async function placesUnheardOf(off: Off, places: number): Promise<string[]> {
  const sales = salesWithout(off);
  const sale = await sales.open({ places });
  const node = await aBlindNode(sales, sale, off);
  const [one = '', other = ''] = sale.buyers;
  await sales.node().registry.submit(sale, aWish(holdOf(one, [[sale.floor, 3]])));
  await node.registry.submit(sale, aWish(holdOf(other, [[sale.floor, 2]])));
  return problems(sales.database, sale);
}

/** A seat's row is changed behind the board, by somebody who does not write the log. */
async function behindTheBoard(off: Off, harm: (sales: Sales, sale: Sale) => Promise<unknown>) {
  const sales = salesWithout(off);
  const sale = await sales.open();
  const node = sales.node({ store: storeWithout(sales, off) });
  await node.registry.board(sale);
  await harm(sales, sale);
  const [, other = ''] = sale.buyers;
  const wish = aWish(holdOf(other, sale.seats.slice(0, 1)));
  const answer = await node.registry.submit(sale, wish);
  return { sales, sale, answer };
}

async function blockedBehind(off: Off): Promise<string[]> {
  const { answer } = await behindTheBoard(off, ({ database }, { eventId }) =>
    database.asSuperuser(
      `update event_seats set status = 'blocked', version = version + 1
       where event_id = $1 and ordinal = 0`,
      [eventId],
    ),
  );
  const isHeld = answer.kind === 'done' && answer.outcome.kind === 'held';
  return isHeld ? ['a blocked seat was given away'] : [];
}

/** Somebody else's hold is on the seat, and the version is as before. */
async function heldBehind(off: Off): Promise<string[]> {
  const { sales, sale } = await behindTheBoard(off, async ({ database }, { eventId, buyers }) => {
    await database.asSuperuser(
      `with seat as (
         update event_seats set status = 'held', seat_hold_id = gen_random_uuid(),
           held_until = now() + interval '5 minutes', locked_at = now()
         where event_id = $1 and ordinal = 0 returning *)
       insert into seat_holds (organization_id, event_id, hold_id, seat_id, quantity, user_id,
         cart_token, status, source, created_at, held_until)
       select organization_id, event_id, seat_hold_id, seat_id, 1, $2, 'cart', 'active', 'web',
         locked_at, held_until from seat`,
      [eventId, buyers[0]],
    );
  });
  const found = await problems(sales.database, sale);
  // What was done behind the log is not in the log: that much is wrong in any case.
  return found.filter((one) => one.startsWith('a seat with two live holds'));
}

/** Two nodes end the same hold, and one of them has not heard of the other. */
async function endedTwice(off: Off): Promise<string[]> {
  const sales = salesWithout(off);
  const sale = await sales.open();
  const [one = ''] = sale.buyers;
  const { registry } = sales.node();
  const [hold] = holdsIn(await registry.submit(sale, aWish(holdOf(one, [[sale.floor, 1]]))));
  await registry.submit(sale, aWish(holdOf(one, [[sale.floor, 1]])));
  const node = await aBlindNode(sales, sale, off);
  const release = aWish(releaseOf({ hold_ids: [hold?.hold_id ?? ''] }));
  await registry.submit(sale, release);
  await node.registry.submit(sale, release);
  return problems(sales.database, sale);
}

describe('two owners of one seat', () => {
  control('event lock', twoAtOnce);
  control('seat_hold_id check', heldBehind);
  control('unique index', heldBehind);
});

describe('a row that was written over', () => {
  control('version check', blockedBehind);
});

describe('a flush on another revision than its own', () => {
  control('revision guard', (off) => placesUnheardOf(off, 100));
  control('log keys', (off) => placesUnheardOf(off, 100));
});

describe('more places than there are', () => {
  control('zone CHECK', (off) => placesUnheardOf(off, 4));
});

describe('a hold that ends twice', () => {
  control('hold status check', endedTwice);
});

describe('the guard that speaks first', () => {
  const cases: readonly { off: Off; speaks: string }[] = [
    { off: new Set(), speaks: 'revision' },
    { off: new Set(['revision guard'] as const), speaks: 'seats' },
    {
      off: new Set(['revision guard', 'version check', 'seat_hold_id check'] as const),
      speaks: 'seat_holds_one_active',
    },
  ];
  it.each(cases)('is $speaks, and the event goes on', async ({ off, speaks }) => {
    const sale = await whole.open();
    const node = await aBlindNode(whole, sale, off);
    const [one = '', other = ''] = sale.buyers;
    const wanted = sale.seats.slice(0, 1);
    await whole.node().registry.submit(sale, aWish(holdOf(one, wanted)));
    const answer = await node.registry.submit(sale, aWish(holdOf(other, wanted)));
    expect(answer).toMatchObject({ outcome: { kind: 'refused' } });
    const reasons = node.happenings.flatMap((one) =>
      one.kind === 'flush.guard' ? [one.reason] : [],
    );
    expect(reasons).toEqual([expect.stringContaining(speaks)]);
    expect(await problems(whole.database, sale)).toEqual([]);
  });
});
