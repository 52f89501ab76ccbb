import {
  aWish,
  holdOf,
  holdsIn,
  problems,
  releaseOf,
  type Sale,
  tampered,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import type { Connection, Postgres } from '#postgres';
import { PostgresStore } from './postgres-store.ts';

const sales = useSales();
const { database } = sales;

/** What each guard is in the statement of a flush, and what the statement is without it. */
const SEATS_AS_EXPECTED =
  /and s\.version = .*\n\s+and s\.seat_hold_id is not distinct from\s+\S+\(s\.ordinal, \S+\]/;
/** Its values are still sent, and have to be of some type. */
const SEATS_OF_ANY_KIND = 'and $16::int[] is not null and $17::uuid[] is not null';
const GUARDS = {
  revision: [
    /case when \(select count\(\*\) from board\) <> 1 then refuse_flush\('revision'\) end,/,
  ],
  seats: [
    SEATS_AS_EXPECTED,
    /case when \(select count\(\*\) from seats\)[^,]*\n[^,]*refuse_flush\('seats'\) end,/,
  ],
  ended: [
    /and h\.status \|\| '' = 'active'/,
    /case when \(select count\(\*\) from ended\)[^,]*\n[^,]*refuse_flush\('ended holds'\) end,/,
  ],
} as const;
type Guard = keyof typeof GUARDS;

/** The log's own key would speak too: a control of the guards has to keep it quiet. */
const ONE_ROW_PER_REVISION = /(insert into seat_changes[\s\S]*?\$59, \$8\))/;

function textWithout(text: string, guards: readonly Guard[]): string {
  return guards
    .flatMap((guard) => GUARDS[guard])
    .reduce((before, pattern) => {
      const any = pattern === SEATS_AS_EXPECTED ? SEATS_OF_ANY_KIND : '';
      const after = before.replace(pattern, () => any);
      expect(after, String(pattern)).not.toBe(before);
      return after;
    }, text);
}

/** A store that sends its flushes without some of their guards. */
function storeWithout(guards: readonly (Guard | 'log')[]): PostgresStore {
  const { postgres } = database;
  const plain = guards.filter((guard) => guard !== 'log');
  const disarm = (text: string) => {
    const without = textWithout(text, plain);
    if (!guards.includes('log')) return without;
    return without.replace(ONE_ROW_PER_REVISION, '$1 on conflict do nothing');
  };
  const name = ['flush', ...guards].join('.');
  const lenient = (connection: Connection) =>
    ({
      begin: (...given: Parameters<Connection['begin']>) => connection.begin(...given),
      rollback: () => connection.rollback(),
      finish: (write: Parameters<Connection['finish']>[0], before: never[]) =>
        connection.finish({ ...write, name, text: disarm(write.text) }, before),
    }) as unknown as Connection;
  const writers = {
    use: (work: (connection: Connection) => Promise<unknown>) =>
      postgres.writers.use((connection) => work(lenient(connection))),
  };
  const transaction: Postgres['transaction'] = (...given) => postgres.transaction(...given);
  return new PostgresStore({ writers, transaction } as unknown as Postgres);
}

/** A node that once does not see what others have done since it looked last. */
async function aBlindNode(sale: Sale, guards: readonly (Guard | 'log')[]) {
  let blind = true;
  const store = storeWithout(guards);
  const node = sales.node({
    store: tampered(store, {
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

type Try = Readonly<{ off: readonly (Guard | 'log')[]; speaks: string }>;

describe('two owners of one seat', () => {
  const cases: readonly Try[] = [
    { off: [], speaks: 'revision' },
    { off: ['revision'], speaks: 'seats' },
    { off: ['revision', 'seats'], speaks: 'seat_holds_one_active' },
  ];
  it.each(cases)('without $off are kept out by $speaks', async ({ off, speaks }) => {
    const sale = await sales.open();
    const node = await aBlindNode(sale, off);
    const [one = '', other = ''] = sale.buyers;
    const wanted = sale.seats.slice(0, 1);
    await sales.node().registry.submit(sale, aWish(holdOf(one, wanted)));
    const answer = await node.registry.submit(sale, aWish(holdOf(other, wanted)));
    expect(answer).toMatchObject({ outcome: { kind: 'refused' } });
    const reasons = node.happenings.flatMap((one) =>
      one.kind === 'flush.guard' ? [one.reason] : [],
    );
    expect(reasons).toEqual([expect.stringContaining(speaks)]);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('control: with all guards off there are two, and the checks see it', async () => {
    const sale = await sales.open();
    const node = await aBlindNode(sale, ['revision', 'seats', 'log']);
    await database.asSuperuser('drop index seat_holds_one_active');
    const [one = '', other = ''] = sale.buyers;
    const wanted = sale.seats.slice(0, 1);
    await sales.node().registry.submit(sale, aWish(holdOf(one, wanted)));
    const answer = await node.registry.submit(sale, aWish(holdOf(other, wanted)));
    expect(answer).toMatchObject({ outcome: { kind: 'held' } });
    const found = (await problems(database, sale)).join('\n');
    expect(found).toContain('a seat with two live holds');
    expect(found).toContain('the log gives another board');
  });
});

describe('more places than there are', () => {
  const fill = async (sale: Sale, off: readonly (Guard | 'log')[]) => {
    const node = await aBlindNode(sale, off);
    const [one = '', other = ''] = sale.buyers;
    await sales.node().registry.submit(sale, aWish(holdOf(one, [[sale.floor, 3]])));
    const answer = await node.registry.submit(sale, aWish(holdOf(other, [[sale.floor, 2]])));
    return { node, answer };
  };

  it('are kept out by the revision, and behind it by the check of the counters', async () => {
    const sale = await sales.open({ places: 4 });
    const { answer } = await fill(sale, []);
    expect(answer).toMatchObject({ outcome: { code: 'block_at_capacity' } });
    const another = await sales.open({ places: 4 });
    const { node, answer: second } = await fill(another, ['revision', 'log']);
    expect(second).toMatchObject({ outcome: { code: 'block_at_capacity' } });
    expect(node.happenings).toContainEqual({
      kind: 'flush.guard',
      in_a_row: 1,
      reason: expect.stringContaining('event_zones_check'),
    });
    for (const one of [sale, another]) expect(await problems(database, one)).toEqual([]);
  });

  it('control: with all guards off they are sold, and the checks see it', async () => {
    const sale = await sales.open({ places: 4 });
    await database.asSuperuser('alter table event_zones drop constraint event_zones_check');
    const { answer } = await fill(sale, ['revision', 'log']);
    expect(answer).toMatchObject({ outcome: { kind: 'held' } });
    const found = (await problems(database, sale)).join('\n');
    expect(found).toContain('a zone whose counters are wrong');
  });
});

describe('a hold that ends twice', () => {
  const endTwice = async (off: readonly (Guard | 'log')[]) => {
    const sale = await sales.open();
    const [one = ''] = sale.buyers;
    const { registry } = sales.node();
    const wish = aWish(holdOf(one, [[sale.floor, 1]]));
    const [hold] = holdsIn(await registry.submit(sale, wish));
    await registry.submit(sale, aWish(holdOf(one, [[sale.floor, 1]])));
    const node = await aBlindNode(sale, off);
    const release = aWish(releaseOf({ hold_ids: [hold?.hold_id ?? ''] }));
    await registry.submit(sale, release);
    const answer = await node.registry.submit(sale, release);
    return { sale, node, answer };
  };

  it('is kept out by its status', async () => {
    const { sale, node, answer } = await endTwice(['revision', 'log']);
    expect(answer).toMatchObject({ outcome: { seats: 0 } });
    expect(node.happenings).toContainEqual({
      kind: 'flush.guard',
      in_a_row: 1,
      reason: expect.stringContaining('ended holds'),
    });
    expect(await problems(database, sale)).toEqual([]);
  });

  it('control: with the guard off it does, and the checks see it', async () => {
    const { sale, answer } = await endTwice(['revision', 'log', 'ended']);
    expect(answer).toMatchObject({ outcome: { seats: 1 } });
    const found = (await problems(database, sale)).join('\n');
    expect(found).toContain('at most one end in the trail');
    expect(found).toContain('a zone whose counters are wrong');
  });
});
