import { newId } from '@voelgoed/testkit/builders';
import {
  aClock,
  aWish,
  extendOf,
  holdOf,
  holdsIn,
  problems,
  releaseOf,
  type Sale,
  type TestNode,
  tampered,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import { LAST_GUARDS } from './postgres-store.ts';

const sales = useSales();
const { database } = sales;

const refusal = (code: string) => ({ kind: 'done', outcome: { kind: 'refused', code } });

async function revisionOf({ eventId }: Sale): Promise<number> {
  const text = 'select revision::int as revision from event_boards where event_id = $1';
  return Number((await database.asSuperuser(text, [eventId]))[0]?.revision);
}

/** A sale with one hold on a seat and one on places, and a node that knows both. */
async function aSale(node: TestNode = sales.node()) {
  const sale = await sales.open();
  const [one = '', other = ''] = sale.buyers;
  const [seat = ''] = sale.seats;
  const wish = aWish(holdOf(one, [seat, [sale.floor, 2]]));
  const [hold, places] = holdsIn(await node.registry.submit(sale, wish));
  return { sale, node, one, other, seat, hold_id: hold?.hold_id ?? '', places: places?.hold_id };
}

function guards(node: TestNode): number[] {
  return node.happenings.flatMap((one) => (one.kind === 'flush.guard' ? [one.in_a_row] : []));
}

describe('a flush that contradicts the database', () => {
  it('a hold for somebody who is not known fails alone', async () => {
    const sale = await sales.open();
    const node = sales.node();
    const [buyer = ''] = sale.buyers;
    const [seat = '', other = ''] = sale.seats;
    const wishes = [holdOf(newId(), [seat]), holdOf(buyer, [other])].map((command) =>
      node.registry.submit(sale, aWish(command)),
    );
    const [unknown, known] = await Promise.allSettled(wishes);
    expect(unknown).toMatchObject({ status: 'rejected', reason: { code: '23503' } });
    expect(known).toMatchObject({ value: { outcome: { kind: 'held' } } });
    expect(guards(node)).toEqual([]);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('commits nothing when a seat has another version; right after loading anew', async () => {
    const { sale, node, one, hold_id } = await aSale();
    await database.asSuperuser(
      'update event_seats set version = version + 1 where event_id = $1 and ordinal = 0',
      [sale.eventId],
    );
    const answer = await node.registry.submit(sale, aWish(extendOf(one, hold_id)));
    expect(answer).toMatchObject({ outcome: { kind: 'extended' }, revision: 3 });
    expect(guards(node)).toEqual([1]);
    expect(node.count('board.loaded')).toBe(2);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('commits nothing when a hold has ended behind the board', async () => {
    const { sale, node, one, hold_id } = await aSale();
    await database.asSuperuser(
      `update seat_holds set status = 'cancelled', ended_at = now(), end_reason = 'admin_override'
       where hold_id = $1`,
      [hold_id],
    );
    for (const command of [extendOf(one, hold_id), releaseOf({ hold_ids: [hold_id] })]) {
      await node.registry.submit(sale, aWish(command));
    }
    expect(guards(node)).toEqual([1]);
    expect(await revisionOf(sale)).toBe(2);
  });

  it('commits nothing when the revision is another one', async () => {
    let wrong = 0;
    const node = sales.node({
      wrap: (store) =>
        tampered(store, {
          write: (flush) =>
            wrong-- > 0
              ? { ...flush, row: { ...flush.row, revision: flush.row.revision + 7 } }
              : flush,
        }),
    });
    const { sale, one, hold_id } = await aSale(node);
    wrong = 2;
    const answer = await node.registry.submit(sale, aWish(extendOf(one, hold_id)));
    expect(answer).toMatchObject({ outcome: { kind: 'extended' }, revision: 3 });
    expect(guards(node)).toEqual([1, 2]);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('loads anew when the trail has a row where the next one should be', async () => {
    let wrong = 0;
    const node = sales.node({
      wrap: (store) =>
        tampered(store, {
          write: (flush) => {
            if (wrong-- <= 0) return flush;
            const { count, hash } = flush.auditHead;
            return { ...flush, auditHead: { count: count - 1, hash } };
          },
        }),
    });
    const { sale, one, hold_id } = await aSale(node);
    wrong = 1;
    const answer = await node.registry.submit(sale, aWish(extendOf(one, hold_id)));
    expect(answer).toMatchObject({ outcome: { kind: 'extended' }, revision: 3 });
    expect(guards(node)).toEqual([1]);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('is told by every unique key that is not a new id, and by what counts places', async () => {
    const keys = await database.asSuperuser(
      `select i.relname::text as name from pg_index x join pg_class i on i.oid = x.indexrelid
       join pg_class t on t.oid = x.indrelid
       where x.indisunique and t.relname = any ($1)
         and not exists (select from pg_attribute a where a.attrelid = t.oid
           and a.attnum = any (x.indkey) and a.attname = any ($2) and x.indisprimary)`,
      [
        ['seat_holds', 'seat_changes', 'audit_log', 'checkouts', 'payment_attempts'].concat([
          ...['payment_messages', 'refunds_due', 'tickets'],
        ]),
        ['hold_id', 'checkout_id', 'attempt_id', 'refund_id', 'ticket_id'],
      ],
    );
    // Codes of tickets are drawn anew with the next try.
    const names = keys.map(({ name }) => String(name)).filter((name) => !name.includes('_code_'));
    expect(names.concat('event_zones_check').sort()).toEqual([...LAST_GUARDS].sort());
  });

  it.each([
    [
      'seats belong to another hold',
      `update event_seats set seat_hold_id = gen_random_uuid() where event_id = $1 and ordinal = 0`,
      `update event_seats s set seat_hold_id = h.hold_id from seat_holds h
       where s.event_id = $1 and h.event_id = $1 and h.seat_id = s.seat_id`,
    ],
    [
      'zone counters would go below zero',
      `update event_zones set held = 0 where event_id = $1`,
      `update event_zones set held = case name when 'Floor' then 2 else 1 end where event_id = $1`,
    ],
  ])('stops the writer for 5 s after three in a row: %s', async (_, harm, repair) => {
    const clock = aClock();
    const { sale, node, one } = await aSale(sales.node({ clock }));
    await database.asSuperuser(harm, [sale.eventId]);
    const release = () => aWish(releaseOf({ user_id: one }));
    const waiting = aWish(holdOf(sale.buyers[2] ?? '', sale.seats.slice(7, 8)));
    const [answer, other] = await Promise.allSettled([
      node.registry.submit(sale, release()),
      node.registry.submit(sale, waiting),
    ]);
    const busy = { status: 'rejected', reason: { code: 'event_busy', retryable: true } };
    expect([answer, other]).toMatchObject([busy, busy]);
    expect(guards(node)).toEqual([1, 2, 3]);
    expect(node.count('writer.stopped')).toBe(1);
    expect(await revisionOf(sale)).toBe(2);
    await database.asSuperuser(repair, [sale.eventId]);
    clock.ahead_ms = 4_500;
    await expect(node.registry.submit(sale, release())).rejects.toMatchObject(busy.reason);
    clock.ahead_ms = 5_500;
    const later = aWish(releaseOf({ user_id: one }), { deadline_ms: clock.monotonic() + 3_000 });
    expect(await node.registry.submit(sale, later)).toMatchObject({ outcome: { seats: 3 } });
    expect(await problems(database, sale)).toEqual([]);
  });

  it('stops when the board’s head names a revision that the log does not have', async () => {
    const { sale, node, one, hold_id } = await aSale();
    const shift = (by: number) =>
      database.asSuperuser('update event_boards set revision = revision + $2 where event_id = $1', [
        sale.eventId,
        by,
      ]);
    await shift(1);
    const wish = node.registry.submit(sale, aWish(extendOf(one, hold_id)));
    await expect(wish).rejects.toMatchObject({ code: 'event_busy' });
    expect(node.count('writer.stopped')).toBe(1);
    await shift(-1);
    expect(await problems(database, sale)).toEqual([]);
  });
});

describe('one bad wish among good ones', () => {
  const good = (sale: Sale, count: number) =>
    Array.from({ length: count }, (_, index) =>
      aWish(holdOf(sale.buyers[index] ?? '', sale.seats.slice(index, index + 1))),
    );

  it.each([
    [
      'a text that is too long',
      (sale: Sale) =>
        holdOf(sale.buyers[8] ?? '', [[sale.floor, 1]], { cart_token: 'x'.repeat(300) }),
    ],
    ['a user whom nobody knows', (sale: Sale) => holdOf(newId(), [[sale.floor, 1]])],
    [
      'a text that Postgres cannot store',
      (sale: Sale) => holdOf(sale.buyers[8] ?? '', [[sale.floor, 1]], { notes: '\u0000' }),
    ],
  ] as const)('%s fails alone', async (_, bad) => {
    const sale = await sales.open({ buyers: 9 });
    const node = sales.node();
    const wishes = [...good(sale, 4), aWish(bad(sale)), ...good(sale, 8).slice(4)];
    const answers = await Promise.allSettled(
      wishes.map((wish) => node.registry.submit(sale, wish)),
    );
    const failed = answers.flatMap((one, index) => (one.status === 'rejected' ? [index] : []));
    expect(failed).toEqual([4]);
    expect((await node.registry.board(sale))?.holdCount).toBe(8);
    expect(node.count('flush.guard')).toBe(0);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('fails alone before a long queue, too', async () => {
    const sale = await sales.open({ buyers: 9 });
    const node = sales.node();
    const patient = { deadline_ms: systemClock.monotonic() + 20_000, exact: true };
    const notes = '\u0000';
    const bad = aWish(holdOf(sale.buyers[8] ?? '', [[sale.floor, 1]], { notes }), patient);
    const many = Array.from({ length: 2_500 }, () =>
      aWish(holdOf(sale.buyers[0] ?? '', ['no']), patient),
    );
    const wishes = [...many.slice(0, 3), bad, ...many.slice(3)];
    const answers = await Promise.allSettled(
      wishes.map((wish) => node.registry.submit(sale, wish)),
    );
    const failed = answers.flatMap((one, index) => (one.status === 'rejected' ? [index] : []));
    expect(failed).toEqual([3]);
    // 1,024, 512 … 1, and what is found on the way back.
    expect(node.count('flush.trouble')).toBeLessThan(25);
  });

  it.each([
    ['cannot be decided', { items: null as never }, {}],
    [
      'cannot say what else it writes',
      {},
      {
        also: () => {
          throw new Error('no words');
        },
      },
    ],
  ] as const)('one that %s fails alone and leaves nothing', async (_, command, wish) => {
    const sale = await sales.open({ buyers: 9 });
    const node = sales.node();
    const floor = [[sale.floor, 1]] as const;
    const bad = aWish({ ...holdOf(sale.buyers[8] ?? '', floor), ...command }, wish);
    const answers = await Promise.allSettled(
      [...good(sale, 2), bad, ...good(sale, 4).slice(2)].map((one) =>
        node.registry.submit(sale, one),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    ]);
    expect(node.count('command.broken')).toBe(1);
    expect((await node.registry.board(sale))?.holdCount).toBe(4);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('writes nothing when what belongs to the same commit fails', async () => {
    const sale = await sales.open();
    const node = sales.node();
    const also = () => [
      { name: 'test.fails', text: 'select 1 / 0', values: [], long: false } as const,
    ];
    const command = holdOf(sale.buyers[0] ?? '', [[sale.floor, 1]]);
    await expect(node.registry.submit(sale, aWish(command, { also }))).rejects.toThrow('zero');
    expect((await node.registry.board(sale))?.holdCount).toBe(0);
    expect(await revisionOf(sale)).toBe(1);
    const taken = await node.registry.submit(sale, aWish(holdOf(sale.buyers[1] ?? '', ['no'])));
    expect(taken).toMatchObject(refusal('seat_not_found'));
  });
});
