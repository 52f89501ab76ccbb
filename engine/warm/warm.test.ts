import { eventually } from '@voelgoed/testkit/eventually';
import { useCluster, useRedis } from '@voelgoed/testkit/redises';
import {
  aWish,
  blockOf,
  extendOf,
  holdOf,
  holdsIn,
  releaseOf,
  type Sale,
  useSales,
  useWarmNodes,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { availabilityOf } from '#board';
import { systemClock } from '#kit';
import { eventKeys } from '#redis';
import { bitmapOf } from './event-record.ts';
import { sealed, withoutSeal } from './sealed-text.ts';
import { countOfBoard } from './tier-content.ts';

type Ask = (name: string, ...words: readonly (string | number)[]) => Promise<unknown>;

function keysOf({ scope, eventId }: Sale) {
  return eventKeys(scope.organizationId, eventId);
}

async function jsonAt(ask: Ask, key: string): Promise<Record<string, unknown> | null> {
  const text = await ask('get', key);
  return text === null ? null : JSON.parse(String(text));
}

function useOneServer(): { url(): string; ask: Ask } {
  const server = useRedis();
  return { url: () => server().url, ask: (name, ...words) => server().command(name, ...words) };
}

function useThreeMasters(): { url(): string; ask: Ask } {
  const cluster = useCluster();
  return {
    url: () => cluster().url,
    ask: async (name, ...words) => {
      // As an operator who asks one node after the other until it is the right one.
      for (const one of cluster().nodes) {
        const answer = await one.command(name, ...words).catch((error: Error) => error);
        if (!(answer instanceof Error)) return answer;
        if (!answer.message.startsWith('MOVED')) throw answer;
      }
      throw new Error('no node has this key');
    },
  };
}

/** The same tests on one server and on a cluster. */
describe.each([
  ['one server', useOneServer],
  ['a cluster of three masters', useThreeMasters],
])('the warm tier on %s', (_, use) => {
  const redis = use();
  const sales = useSales();
  const node = useWarmNodes(sales, redis.url);

  it('has every hold in all its forms, from commit to end', async () => {
    const sale = await sales.open();
    const { registry } = await node();
    const [buyer = ''] = sale.buyers;
    const [seat = '', other = ''] = sale.seats;
    const keys = keysOf(sale);
    const wish = holdOf(buyer, [seat, other, [sale.floor, 3]]);
    const answer = await registry.submit(sale, aWish(wish));
    const [first, , places] = holdsIn(answer);
    if (!first || !places) throw new Error('three holds were made');
    await eventually(async () => (await redis.ask('zcard', keys.seatHolds)) === 3);
    expect(await jsonAt(redis.ask, keys.seatHold(seat))).toMatchObject({
      state: 'held',
      hold_id: first.hold_id,
      user_id: buyer,
      cart_token: first.cart_token,
      held_until: first.until_ms / 1_000,
      revision: answer.kind === 'done' && answer.revision,
    });
    const ttl = Number(await redis.ask('pexpiretime', keys.seatHold(seat)));
    expect(ttl).toBe(first.until_ms + 60_000);
    for (const [key, seconds] of [
      [keys.seatHolds, 86_400],
      [keys.bitmap, 1_800],
      [keys.revision, 1_800],
    ] as const) {
      const left = Number(await redis.ask('ttl', key));
      expect(left).toBeGreaterThan(seconds - 60);
      expect(left).toBeLessThanOrEqual(seconds);
    }
    expect(await redis.ask('hgetall', keys.holdMeta(places.hold_id))).toMatchObject({
      zone_id: sale.floor,
      seat_id: '',
      quantity: '3',
      status: 'active',
      source: 'web',
    });
    const fewer = { kind: 'reduce', user_id: buyer, hold_id: places.hold_id, quantity: 2 } as const;
    await registry.submit(sale, aWish(fewer));
    const left = () => redis.ask('hget', keys.holdMeta(places.hold_id), 'quantity');
    await eventually(async () => (await left()) === '2');
    await registry.submit(sale, aWish(extendOf(buyer, first.hold_id)));
    const score = async () => Number(await redis.ask('zscore', keys.seatHolds, first.hold_id));
    await eventually(async () => (await score()) > first.until_ms / 1_000);
    await registry.submit(sale, aWish(releaseOf({ user_id: buyer })));
    await eventually(async () => (await redis.ask('zcard', keys.seatHolds)) === 0);
    expect(await redis.ask('exists', keys.seatHold(seat))).toBe(0);
    expect(await redis.ask('exists', keys.holdMeta(first.hold_id))).toBe(0);
  });

  it('has the seats in the byte layout of the API, with their revision', async () => {
    const sale = await sales.open();
    const { registry, tier } = await node();
    const [buyer = ''] = sale.buyers;
    await registry.submit(sale, aWish(holdOf(buyer, [sale.seats[1] ?? ''])));
    await registry.submit(sale, aWish(blockOf([sale.seats[6] ?? ''])));
    const board = await registry.board(sale);
    if (!board) throw new Error('it is on sale');
    const snapshot = await eventually(async () => {
      const found = await tier.readers.snapshot(sale);
      return found?.revision === board.revision ? found : null;
    });
    const expected = availabilityOf(board, registry.now(board));
    expect([...snapshot.seats]).toEqual([...expected.seats]);
    expect(snapshot.zones.map(({ held, blocked }) => [held, blocked])).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it('keeps an occupancy for ten seconds or a commit, and believes it for one', async () => {
    const sale = await sales.open();
    const { registry, tier } = await node();
    const keys = keysOf(sale);
    await registry.board(sale);
    const kept = { available: 1, timestamp: new Date(registry.time()).toISOString() };
    tier.readers.keepOccupancy(sale, kept);
    const isKept = async () => (await redis.ask('exists', keys.occupancy)) === 1;
    await eventually(isKept);
    const left = Number(await redis.ask('pttl', keys.occupancy));
    expect(left).toBeGreaterThan(1_000);
    expect(left).toBeLessThanOrEqual(10_000);
    const { occupancy } = keys;
    const old = { available: 2, timestamp: new Date(registry.time() - 1_500).toISOString() };
    await redis.ask('set', occupancy, sealed(occupancy, JSON.stringify(old)));
    expect(await tier.readers.occupancy(sale)).toBeNull();
    await eventually(async () => {
      const young = { available: 3, timestamp: new Date(registry.time() + 500).toISOString() };
      await redis.ask('set', occupancy, sealed(occupancy, JSON.stringify(young)));
      return (await tier.readers.occupancy<typeof young>(sale))?.available === 3;
    });
    await registry.submit(sale, aWish(holdOf(sale.buyers[0] ?? '', sale.seats.slice(0, 1))));
    await eventually(async () => !(await isKept()));
  });

  it('shows nothing once a hold is over that the bitmap still has', async () => {
    const sale = await sales.open();
    const [one, other] = [await node(), await node()];
    await one.registry.submit(sale, aWish(holdOf(sale.buyers[0] ?? '', sale.seats.slice(0, 1))));
    const { revision } = keysOf(sale);
    await eventually(async () => (await redis.ask('exists', revision)) === 1);
    const board = one.registry.loadedBoard(sale);
    const bitmap = board && bitmapOf(board);
    const text = withoutSeal(String(await redis.ask('get', revision)));
    expect(text).toContain(`"due_ms":${board?.nextDue()}}`);
    const shownUntil = async (due_ms: number) => {
      const now_ms = systemClock.now();
      const young = text.replace(/ \d{13} /, ` ${now_ms} `).replace(/\d+}$/, `${due_ms}}`);
      await redis.ask('set', revision, sealed(revision, young, bitmap ?? undefined));
      return other.tier.readers.snapshot(sale);
    };
    // A machine that does much else besides takes longer than a command may.
    await eventually(async () => {
      const shown = await shownUntil(systemClock.now() + 60_000);
      return shown?.revision === board?.revision;
    });
    expect(await shownUntil(systemClock.now() - 1)).toBeNull();
  });

  it('makes another node refuse what it has not heard of, without a flush', async () => {
    const sale = await sales.open();
    const [one, other] = [await node(), await node()];
    const [buyer = '', rival = ''] = sale.buyers;
    const [seat = ''] = sale.seats;
    // Its first flush tells a node what time it is for the database.
    await other.registry.sweep(sale, systemClock.monotonic() + 2_000);
    const before = other.count('flush.done');
    await one.registry.submit(sale, aWish(holdOf(buyer, [seat])));
    const keys = keysOf(sale);
    await eventually(async () => (await redis.ask('exists', keys.seatHold(seat))) === 1);
    const answer = await other.registry.submit(sale, aWish(holdOf(rival, [seat])));
    expect(answer).toMatchObject({ outcome: { code: 'seat_held_by_another_user' } });
    expect(other.count('flush.done')).toBe(before);
  });

  it('lets nodes hear of each other within a moment', async () => {
    const sale = await sales.open();
    const [one, other] = [await node(), await node()];
    await other.registry.board(sale);
    const [buyer = ''] = sale.buyers;
    // A subscription takes a moment to be there.
    await eventually(async () => {
      const wish = holdOf(buyer, [sale.seats[0] ?? '']);
      await one.registry.submit(sale, aWish(wish));
      await one.registry.submit(sale, aWish(releaseOf({ user_id: buyer })));
      return (other.registry.loadedBoard(sale)?.revision ?? 0) > 0;
    });
    expect(one.toldOtherwise).toEqual([]);
    const late: number[] = [];
    for (let round = 0; round < 20; round++) {
      const wish = holdOf(buyer, [sale.seats[round % 10] ?? '']);
      const answer = await one.registry.submit(sale, aWish(wish));
      const revision = answer.kind === 'done' ? answer.revision : 0;
      const started = systemClock.monotonic();
      const isThere = () => (other.registry.loadedBoard(sale)?.revision ?? 0) >= revision;
      await eventually(isThere, { every_ms: 1 });
      late.push(systemClock.monotonic() - started);
      await one.registry.submit(sale, aWish(releaseOf({ user_id: buyer })));
    }
    late.sort((a, b) => a - b);
    expect(late[Math.floor(late.length * 0.95) - 1]).toBeLessThan(150);
  });

  it('is put right from nothing, and equal to the board', async () => {
    const sale = await sales.open({ seats: 60 });
    // Without its watchman, which may be faster than the look at what is wrong.
    const { registry, tier } = await node({ watches: false });
    for (const [index, buyer] of sale.buyers.entries()) {
      const seats = sale.seats.slice(index * 5, index * 5 + 5);
      await registry.submit(sale, aWish(holdOf(buyer, [...seats, [sale.floor, 2]])));
    }
    const keys = keysOf(sale);
    await eventually(async () => (await redis.ask('zcard', keys.seatHolds)) === 36);
    await redis.ask('del', keys.seatHolds);
    await redis.ask('set', keys.seatHolds, 'not a zset');
    await redis.ask('set', keys.seatHold(sale.seats[0] ?? ''), 'garbage');
    await redis.ask('del', keys.seatHold(sale.seats[1] ?? ''));
    await redis.ask('del', keys.bitmap);
    await redis.ask('hset', keys.bitmap, 'a', 'b');
    const board = await registry.board(sale);
    if (!board) throw new Error('it is on sale');
    const before = await tier.compare(sale, board);
    expect(before.digest).not.toBe(countOfBoard(board).digest);
    expect(before.differences.map(({ what }) => what).sort()).toEqual(['bitmap', 'holds', 'seats']);
    expect(await tier.reconcile(sale)).toMatchObject({ count: 36 });
    const right = { ...countOfBoard(board), differences: [] };
    expect(await tier.compare(sale, board)).toMatchObject(right);
    const bitmap = availabilityOf(board, 0).seats;
    expect(await redis.ask('strlen', keys.bitmap)).toBe(bitmap.length);
  });
});
