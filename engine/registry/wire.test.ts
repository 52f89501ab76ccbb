import { type Direction, startProxy, type Verdict } from '@voelgoed/faults/proxy';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  aWish,
  holdOf,
  holdsIn,
  keyOf,
  problems,
  type Sale,
  type TestNode,
  useSales,
} from '@voelgoed/testkit/sales';
import { testServices } from '@voelgoed/testkit/services';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import { withClient } from '#postgres';
import { eventIds } from './registry.ts';

const sales = useSales();
const { database } = sales;

/** The tag of a successful COMMIT on the wire: message type C, length 11, "COMMIT". */
const COMMIT_TAG = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');
const HEALED_MS = 3_000;

const settled = (sale: Sale, committed: boolean) => {
  return { kind: 'flush.settled', committed, ids: eventIds(sale) };
};

type Hook = (direction: Direction, chunk: Buffer, connection: number) => Verdict;

/** A node whose way to Postgres is a proxy that does what the hook of the moment says. */
async function aWire() {
  const wire: { hook: Hook } = { hook: () => 'pass' };
  const path = `${new URL(testServices().ownerUrl).searchParams.get('host')}/.s.PGSQL.5432`;
  const onChunk: Hook = (...given) => wire.hook(...given);
  const proxy = await startProxy({ upstream: { path }, onChunk });
  const url = new URL(proxy.through(database.appUrl));
  url.searchParams.delete('host');
  const postgres = database.open({ appUrl: url.href });
  const sale = await sales.open({ seats: 100, buyers: 100 });
  const node = sales.node({ postgres });
  // The board is loaded and a connection is open: from here on the wire carries only flushes.
  await node.registry.sweep(sale, systemClock.monotonic() + 3_000);
  const close = async () => {
    proxy.setToxic(null);
    await node.registry.stop();
    await postgres.close();
    await proxy.close();
  };
  return { wire, proxy, node, sale, close };
}

function hold({ registry }: TestNode, sale: Sale, place: number) {
  const buyer = sale.buyers[place] ?? '';
  const command = holdOf(buyer, sale.seats.slice(place, place + 1));
  return registry.submit(sale, aWish(command, { key: keyOf(buyer, 'k') }));
}

/** Whatever the first answer was, asking again with the key shows one effect. */
async function oneEffect(node: TestNode, sale: Sale, place: number): Promise<void> {
  const again = await eventually(() => hold(node, sale, place), { within_ms: HEALED_MS });
  const rows = await database.asSuperuser(
    'select hold_id, status from seat_holds where event_id = $1 and user_id = $2',
    [sale.eventId, sale.buyers[place]],
  );
  expect(rows).toEqual([{ hold_id: holdsIn(again)[0]?.hold_id, status: 'active' }]);
}

/** Chunks of one flush in a direction, on a wire that is well. */
async function chunksOfAFlush(direction: Direction): Promise<number> {
  const { wire, node, sale, close } = await aWire();
  let chunks = 0;
  wire.hook = (way) => {
    if (way === direction) chunks++;
    return 'pass';
  };
  await hold(node, sale, 99);
  await close();
  return chunks;
}

describe('a connection that is cut', () => {
  it.each(['up', 'down'] as const)('at any chunk %s loses nothing', async (direction) => {
    const chunks = await chunksOfAFlush(direction);
    expect(chunks).toBeGreaterThan(1);
    const { wire, node, sale, close } = await aWire();
    for (let cut = 0; cut <= chunks; cut++) {
      let passed = 0;
      wire.hook = (way) => {
        if (way !== direction) return 'pass';
        return passed++ === cut ? 'cut' : 'pass';
      };
      const answer = await hold(node, sale, cut).catch((error) => error);
      if (answer.kind === 'done') expect(answer).toMatchObject({ outcome: { kind: 'held' } });
      else expect(answer).toMatchObject({ retryable: true });
      wire.hook = () => 'pass';
      await oneEffect(node, sale, cut);
    }
    expect(node.count('flush.guard')).toBe(0);
    await close();
    expect(await problems(database, sale)).toEqual([]);
  });

  it('for everybody, and with nobody to connect to: told so at once, and well again', async () => {
    const { proxy, node, sale, close } = await aWire();
    proxy.refuse();
    proxy.cutAll();
    const started = systemClock.monotonic();
    await expect(hold(node, sale, 0)).rejects.toMatchObject({ code: 'unavailable' });
    expect(systemClock.monotonic() - started).toBeLessThan(1_500);
    await proxy.accept();
    await oneEffect(node, sale, 0);
    await close();
    expect(await problems(database, sale)).toEqual([]);
  });
});

describe('an answer to COMMIT', () => {
  it('that is swallowed: the log is asked, and everybody is told in time', async () => {
    const { wire, node, sale, close } = await aWire();
    let armed = true;
    wire.hook = (way, chunk) => {
      if (!armed || way !== 'down' || !chunk.includes(COMMIT_TAG)) return 'pass';
      armed = false;
      return 'swallow';
    };
    const answers = await Promise.all([hold(node, sale, 0), hold(node, sale, 1)]);
    for (const answer of answers) expect(answer).toMatchObject({ outcome: { kind: 'held' } });
    expect(node.happenings).toContainEqual(settled(sale, true));
    for (const place of [0, 1, 2]) await oneEffect(node, sale, place);
    await close();
    expect(await problems(database, sale)).toEqual([]);
  });

  it('that never comes, nor any other: unknown at the deadline, and one effect later', async () => {
    const { wire, proxy, node, sale, close } = await aWire();
    wire.hook = (way, chunk) => {
      if (way === 'down' && chunk.includes(COMMIT_TAG)) proxy.setToxic({ kind: 'blackhole' });
      return 'pass';
    };
    const deadline_ms = systemClock.monotonic() + 1_000;
    const [buyer = ''] = sale.buyers;
    const command = holdOf(buyer, sale.seats.slice(0, 1));
    const wish = aWish(command, { key: keyOf(buyer, 'k'), deadline_ms });
    const unknown = { code: 'outcome_unknown', retryable: true };
    await expect(node.registry.submit(sale, wish)).rejects.toMatchObject(unknown);
    wire.hook = () => 'pass';
    proxy.setToxic(null);
    await oneEffect(node, sale, 0);
    await close();
    expect(await problems(database, sale)).toEqual([]);
  });

  it('that comes too late: the next connection asks, the old answer is nobody’s', async () => {
    const { wire, proxy, node, sale, close } = await aWire();
    let late: number | null = null;
    wire.hook = (way, chunk, connection) => {
      if (late === null && way === 'down' && chunk.includes(COMMIT_TAG)) {
        late = connection;
        proxy.setToxic({ kind: 'latency', latency_ms: 2_500, direction: 'down' });
      } else if (late !== null && connection !== late) proxy.setToxic(null);
      return 'pass';
    };
    expect(await hold(node, sale, 0)).toMatchObject({ outcome: { kind: 'held' } });
    wire.hook = () => 'pass';
    for (const place of [0, 1]) await oneEffect(node, sale, place);
    await close();
    expect(await problems(database, sale)).toEqual([]);
  });
});

describe('a write that does not arrive', () => {
  it('is known not to have happened once the lock is there, and is done then', async () => {
    const { wire, node, sale, close } = await aWire();
    let armed = true;
    wire.hook = (way, chunk) => {
      if (!armed || way !== 'up' || !chunk.includes('commit')) return 'pass';
      armed = false;
      return 'swallow';
    };
    const first = await hold(node, sale, 0).catch((error) => error);
    if (first.kind === 'done') expect(first).toMatchObject({ outcome: { kind: 'held' } });
    else expect(first).toMatchObject({ code: 'outcome_unknown' });
    await oneEffect(node, sale, 0);
    expect(node.happenings).toContainEqual(settled(sale, false));
    await close();
    expect(await problems(database, sale)).toEqual([]);
  });
});

describe('a lock that somebody else holds', () => {
  const holding = ({ eventId }: Sale, work: () => Promise<unknown>) =>
    withClient(database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('select from event_boards where event_id = $1 for update', [eventId]);
      await work();
      await client.query('rollback');
    });

  it('for a moment is waited for; for long it means busy, never that a seat is taken', async () => {
    const sale = await sales.open();
    const node = sales.node();
    await node.registry.board(sale);
    let first: Promise<unknown> = Promise.resolve();
    await holding(sale, async () => {
      first = hold(node, sale, 0);
      await eventually(() => node.count('flush.trouble') > 0);
    });
    expect(await first).toMatchObject({ outcome: { kind: 'held' } });
    await holding(sale, async () => {
      await expect(hold(node, sale, 1)).rejects.toMatchObject({
        code: 'event_busy',
        retryable: true,
      });
    });
    await oneEffect(node, sale, 1);
    expect(await problems(database, sale)).toEqual([]);
  });
});
