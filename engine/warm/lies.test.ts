import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import {
  aWish,
  holdOf,
  problems,
  releaseOf,
  type Sale,
  useSales,
  useWarmNodes,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { systemClock, uuidOf } from '#kit';
import { eventKeys, organizationKeys } from '#redis';
import { countOfBoard } from './tier-content.ts';

const LAYOUT = uuidOf('layout');

/** Redis may say what it likes, and when: the board decides. */
describe('a Redis that lies', () => {
  const redis = useRedis();
  const sales = useSales();
  const node = useWarmNodes(sales, () => redis().url);

  const keyOf = (sale: Sale, seat: string) =>
    eventKeys(sale.scope.organizationId, sale.eventId).seatHold(seat);

  const value = (differently: object) =>
    JSON.stringify({
      state: 'held',
      hold_id: uuidOf('a hold that never was'),
      user_id: uuidOf('nobody'),
      cart_token: null,
      held_until: systemClock.now() / 1_000 + 600,
      lineage: '0123456789abcdef',
      revision: 0,
      ...differently,
    });

  it.each([
    ['a hold that the board does not know', () => value({})],
    ['a hold of a revision that will never be', () => value({ revision: 1_000_000 })],
    ['a hold whose time is over', () => value({ held_until: 1 })],
    ['somebody else who claims', () => value({ state: 'claimed' })],
    ['a claim of a node that died long ago', () => value({ state: 'claimed', held_until: 1 })],
    ['nothing that can be read', () => 'garbage'],
    ['JSON of somebody else', () => '[1, 2]'],
  ])('takes no seat away by saying %s', async (_, lie) => {
    const sale = await sales.open();
    const { registry } = await node();
    const [buyer = ''] = sale.buyers;
    const [seat = ''] = sale.seats;
    await registry.board(sale);
    await redis().command('set', keyOf(sale, seat), lie());
    const answer = await registry.submit(sale, aWish(holdOf(buyer, [seat])));
    expect(answer).toMatchObject({ outcome: { kind: 'held' } });
    const isTrue = async () =>
      String(await redis().command('get', keyOf(sale, seat))).includes(`"user_id":"${buyer}"`);
    await eventually(isTrue);
  });

  it('takes no seat away by keys of the wrong type', async () => {
    const sale = await sales.open();
    const { registry, tier } = await node();
    const [buyer = ''] = sale.buyers;
    await registry.board(sale);
    const keys = eventKeys(sale.scope.organizationId, sale.eventId);
    const [seat = ''] = sale.seats;
    const names = [keys.seatHold(seat), keys.seatHolds, keys.bitmap, keys.revision, keys.occupancy];
    for (const name of names) await redis().command('del', name);
    for (const name of names) await redis().command('rpush', name, 'a list');
    const answer = await registry.submit(sale, aWish(holdOf(buyer, [seat])));
    expect(answer).toMatchObject({ outcome: { kind: 'held' } });
    await eventually(async () => {
      const board = await registry.board(sale);
      return board && (await tier.compare(sale, board)).digest === countOfBoard(board).digest;
    });
    expect(tier.state).toBe('closed');
  });

  it('is not shown to readers with other seats, and is put right', async () => {
    const sale = await sales.open();
    const [one, reader] = [await node({ watches: false }), await node()];
    const keys = eventKeys(sale.scope.organizationId, sale.eventId);
    const [buyer = ''] = sale.buyers;
    await one.registry.submit(sale, aWish(holdOf(buyer, sale.seats.slice(0, 1))));
    await eventually(async () => (await redis().command('exists', keys.revision)) === 1);
    await redis().command('setrange', keys.bitmap, 0, 'U');
    await eventually(async () => {
      expect(await reader.tier.readers.snapshot(sale)).toBeNull();
      return reader.warmed('warm.digest_mismatch') > 0;
    });
    const board = await one.registry.board(sale);
    if (!board) throw new Error('it is on sale');
    await eventually(async () => (await one.tier.compare(sale, board)).differences.length === 0);
  });

  it('is not put right for an occupancy without a digest, as 0.1.0 writes it', async () => {
    const sale = await sales.open();
    const { registry, tier } = await node({ watches: false });
    const { occupancy, revision } = eventKeys(sale.scope.organizationId, sale.eventId);
    const [buyer = ''] = sale.buyers;
    await registry.submit(sale, aWish(holdOf(buyer, sale.seats.slice(0, 1))));
    await eventually(async () => (await redis().command('exists', revision)) === 1);
    const board = await registry.board(sale);
    if (!board) throw new Error('it is on sale');
    const differing = async (text: string) => {
      await redis().command('set', occupancy, text);
      return (await tier.compare(sale, board)).differences.map(({ what }) => what);
    };
    expect(await differing('{"available":1}')).toEqual([]);
    expect(await differing(`{"available":1,"digest":"${'0'.repeat(64)}"}`)).toEqual(['occupancy']);
  });

  it('has its bitmap put right by a glance while others sell all the time', async () => {
    const sale = await sales.open();
    const { registry, tier } = await node();
    const { bitmap } = eventKeys(sale.scope.organizationId, sale.eventId);
    const [buyer = ''] = sale.buyers;
    const sell = async () => {
      await registry.submit(sale, aWish(holdOf(buyer, sale.seats.slice(0, 1))));
      await registry.submit(sale, aWish(releaseOf({ user_id: buyer })));
    };
    await sell();
    await eventually(async () => (await redis().command('exists', bitmap)) === 1);
    // Seats that no commit touches.
    await redis().command('setrange', bitmap, 1, 'U');
    const isRight = async () => {
      await sell();
      const board = await registry.board(sale);
      const { differences = [] } = (board && (await tier.compare(sale, board))) ?? {};
      return !differences.some(({ what }) => what === 'bitmap');
    };
    expect(await isRight()).toBe(false);
    await eventually(isRight, { within_ms: 15_000 });
  });

  it('gives no seat away by having forgotten everything', async () => {
    const sale = await sales.open();
    const [one, other] = [await node(), await node()];
    const [buyer = '', rival = ''] = sale.buyers;
    const [seat = ''] = sale.seats;
    await one.registry.submit(sale, aWish(holdOf(buyer, [seat])));
    await redis().command('flushall');
    const answer = await other.registry.submit(sale, aWish(holdOf(rival, [seat])));
    expect(answer).toMatchObject({ outcome: { code: 'seat_held_by_another_user' } });
    // And it is told again, by whoever notices first.
    await eventually(async () => (await redis().command('exists', keyOf(sale, seat))) === 1);
  });

  it('executes a claim late, which then goes or ends by itself', async () => {
    const sale = await sales.open();
    const { registry, warmed } = await node();
    const [buyer = '', rival = ''] = sale.buyers;
    const [seat = '', taken = ''] = sale.seats;
    await registry.board(sale);
    await redis().kill('SIGSTOP');
    const wish = holdOf(buyer, [seat]);
    const answers = [
      await registry.submit(sale, aWish(wish)),
      await registry.submit(sale, aWish(releaseOf({ user_id: buyer }))),
      await registry.submit(sale, aWish(holdOf(rival, [taken]))),
    ];
    expect(answers.map((one) => one.kind === 'done' && one.outcome.kind)).toEqual([
      'held',
      'released',
      'held',
    ]);
    expect(warmed('hold.redis_fallback')).toBeGreaterThan(0);
    await redis().kill('SIGCONT');
    // Free at once for Postgres, and for Redis as soon as it hears that nobody wants it any more.
    const again = await registry.submit(sale, aWish(holdOf(rival, [seat])));
    expect(again).toMatchObject({ outcome: { kind: 'held' } });
    expect(await problems(sales.database, sale)).toEqual([]);
  });

  it('is asked in one call to forget all claims that nobody waited for', async () => {
    const sale = await sales.open({ seats: 60 });
    const { registry, tier, warmed } = await node();
    const [buyer = ''] = sale.buyers;
    const board = await registry.board(sale);
    if (!board) throw new Error('it is on sale');
    await redis().kill('SIGSTOP');
    const before = warmed('redis.command');
    const wishes = sale.seats.map((seat) => tier.claims.claim(sale, board, holdOf(buyer, [seat])));
    expect(await Promise.all(wishes)).toEqual(wishes.map(() => ({ kind: 'go_on', claim: null })));
    await redis().kill('SIGCONT');
    await eventually(async () => {
      const claimed = await redis().command('exists', ...sale.seats.map((one) => keyOf(sale, one)));
      return claimed === 0 && warmed('redis.command') > before + 1;
    });
    expect(warmed('redis.command') - before).toBeLessThan(20);
  });

  it('is asked no more after five failures, and believed again when it is up to date', async () => {
    const sale = await sales.open();
    const { registry, tier, toldOtherwise, warmed } = await node();
    const [buyer = '', rival = ''] = sale.buyers;
    await registry.board(sale);
    await redis().kill('SIGKILL');
    for (const seat of sale.seats.slice(0, 8)) {
      const answer = await registry.submit(sale, aWish(holdOf(buyer, [seat])));
      expect(answer).toMatchObject({ outcome: { kind: 'held' } });
    }
    await eventually(() => tier.state === 'open');
    expect(toldOtherwise.length).toBeGreaterThan(0);
    const before = warmed('redis.command');
    await registry.submit(sale, aWish(holdOf(rival, [sale.seats[10] ?? ''])));
    expect(warmed('hold.redis_fallback')).toBeGreaterThan(0);
    expect(warmed('redis.command') - before).toBeLessThan(2);
    await redis().restart();
    await eventually(() => tier.state === 'closed');
    const board = await registry.board(sale);
    if (!board) throw new Error('it is on sale');
    const right = { ...countOfBoard(board), differences: [] };
    expect(await tier.compare(sale, board)).toMatchObject(right);
  });

  it('is named when a layout that it kept is not what was written', async () => {
    const { tier, inTier } = await node();
    const { scope } = await sales.open();
    const key = organizationKeys(scope.organizationId).layoutConfig(LAYOUT, 1);
    tier.readers.keepLayoutConfig(scope, LAYOUT, 1, Buffer.from('{"zones":[]}'));
    await eventually(async () => (await tier.readers.layoutConfig(scope, LAYOUT, 1)) !== null);
    await redis().command('append', key, ' ');
    expect(await tier.readers.layoutConfig(scope, LAYOUT, 1)).toBeNull();
    const { organizationId: organization_id } = scope;
    const ids = { organization_id, layout_id: LAYOUT, version: 1, keys_invalidated: [key] };
    const corrupt = { kind: 'cache.corrupt', what: 'layout', ids };
    expect(inTier.filter(({ kind }) => kind === 'cache.corrupt')).toEqual([corrupt]);
  });

  it('agrees with nodes that do not ask it at all', async () => {
    const sale = await sales.open();
    const [asks, asksNot] = [await node(), sales.node()];
    const [buyer = '', rival = ''] = sale.buyers;
    for (const [index, seat] of sale.seats.entries()) {
      const [first, second] = index % 2 === 0 ? [asks, asksNot] : [asksNot, asks];
      const taken = await first.registry.submit(sale, aWish(holdOf(buyer, [seat])));
      const refused = await second.registry.submit(sale, aWish(holdOf(rival, [seat])));
      expect(taken).toMatchObject({ outcome: { kind: 'held' } });
      expect(refused).toMatchObject({ outcome: { code: 'seat_held_by_another_user' } });
    }
    await eventually(async () => {
      const board = await asks.registry.current(sale);
      return board && (await asks.tier.compare(sale, board)).digest === countOfBoard(board).digest;
    });
  });
});
