import { eventually } from '@voelgoed/testkit/eventually';
import {
  aClock,
  aWish,
  holdOf,
  holdsIn,
  keyOf,
  releaseOf,
  type Sale,
  type TestNode,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import type { Command } from '#board';
import { systemClock } from '#kit';
import type { SeatRegistryOptions } from './registry.ts';

const sales = useSales();

const refusal = (code: string) => ({ kind: 'done', outcome: { kind: 'refused', code } });

/** A sale in which the first buyer has the first seat, on a node that knows it. */
async function aSaleWithOneHold(settings: Partial<SeatRegistryOptions> = {}, hold_seconds = 600) {
  const sale = await sales.open({ places: 4 });
  const node = sales.node(settings);
  const [one = '', other = ''] = sale.buyers;
  const [seat = ''] = sale.seats;
  const wish = aWish(holdOf(one, [seat], { hold_seconds }));
  const [hold] = holdsIn(await node.registry.submit(sale, wish));
  return { sale, node, one, other, seat, hold };
}

/** Whether a command was answered by memory alone. */
async function asks(node: TestNode, sale: Sale, command: Command) {
  const before = node.count('flush.done');
  const answer = await node.registry.submit(sale, aWish(command));
  return { answer, flushes: node.count('flush.done') - before };
}

describe('a refusal from memory', () => {
  it('is for a seat that somebody else has', async () => {
    const { sale, node, other, seat } = await aSaleWithOneHold();
    const { answer, flushes } = await asks(node, sale, holdOf(other, [seat]));
    expect(answer).toMatchObject(refusal('seat_held_by_another_user'));
    expect(flushes).toBe(0);
    expect(node.count('hold.refused_fast')).toBe(1);
  });

  it('is for a zone that is full, and for a seat that does not exist', async () => {
    const { sale, node, one, other } = await aSaleWithOneHold();
    await node.registry.submit(sale, aWish(holdOf(one, [[sale.floor, 3]])));
    const full = await asks(node, sale, holdOf(other, [[sale.floor, 2]]));
    expect(full).toMatchObject({ answer: refusal('block_at_capacity'), flushes: 0 });
    const fits = await asks(node, sale, holdOf(other, [[sale.floor, 1]]));
    expect(fits).toMatchObject({ answer: { outcome: { kind: 'held' } }, flushes: 1 });
    const [, , third = ''] = sale.buyers;
    const nowhere = await asks(node, sale, holdOf(third, [third]));
    expect(nowhere).toMatchObject({ answer: refusal('seat_not_found'), flushes: 0 });
  });

  it('is for a sale that is closed', async () => {
    const { sale, node, other, seat } = await aSaleWithOneHold();
    const board = await node.registry.board(sale);
    const event = { ...(board?.config.event ?? assertNever()), sale_closes_ms: 1 };
    const entry = { action: 'event_changed', changes: {} } as const;
    const close = { kind: 'change_config', expected: null, changes: { event }, entry } as const;
    await node.registry.submit(sale, aWish(close));
    const closed = await asks(node, sale, holdOf(other, [seat]));
    expect(closed).toMatchObject({ answer: refusal('event_sales_closed'), flushes: 0 });
  });

  it('is not for whoever holds something there: it may be a repeat', async () => {
    const { sale, node, other, seat } = await aSaleWithOneHold();
    await node.registry.submit(sale, aWish(holdOf(other, sale.seats.slice(5, 6))));
    const { answer, flushes } = await asks(node, sale, holdOf(other, [seat]));
    expect(answer).toMatchObject(refusal('seat_held_by_another_user'));
    expect(flushes).toBe(1);
  });

  it('is not for whoever was accepted with a key', async () => {
    const { sale, node, other, seat } = await aSaleWithOneHold();
    const key = keyOf(other, 'k');
    await node.registry.submit(sale, aWish(holdOf(other, [[sale.floor, 1]]), { key }));
    await node.registry.submit(sale, aWish(releaseOf({ user_id: other })));
    const { flushes } = await asks(node, sale, holdOf(other, [seat]));
    expect(flushes).toBe(1);
  });

  it('is not from a board that nobody has confirmed for 1.5 s', async () => {
    const clock = aClock();
    const { sale, node, one, other, seat, hold } = await aSaleWithOneHold({ clock });
    const elsewhere = sales.node();
    const which = { hold_ids: [hold?.hold_id ?? ''] };
    await elsewhere.registry.submit(sale, aWish(releaseOf(which, { owner: one })));
    const stale = await asks(node, sale, holdOf(other, [seat]));
    expect(stale).toMatchObject({ answer: refusal('seat_held_by_another_user'), flushes: 0 });
    clock.ahead_ms = 1_600;
    const exact = await asks(node, sale, holdOf(other, [seat]));
    expect(exact).toMatchObject({ answer: { outcome: { kind: 'held' } }, flushes: 1 });
  });

  it('is confirmed by a poll, without a flush', async () => {
    const clock = aClock();
    const { sale, node, other, seat } = await aSaleWithOneHold({ clock });
    clock.ahead_ms = 1_600;
    await node.registry.poll();
    const { flushes } = await asks(node, sale, holdOf(other, [seat]));
    expect(flushes).toBe(0);
  });

  it('is not because of a hold that is over: seat and places are taken at once', async () => {
    const { sale, node, one, other, seat } = await aSaleWithOneHold({}, 0.2);
    const filling = holdOf(one, [[sale.floor, 4]], { hold_seconds: 0.2 });
    const [places] = holdsIn(await node.registry.submit(sale, aWish(filling)));
    await eventually(() => systemClock.now() > (places?.until_ms ?? 0));
    const { answer } = await asks(node, sale, holdOf(other, [seat, [sale.floor, 4]]));
    expect(answer).toMatchObject({ outcome: { kind: 'held', existing: false } });
    expect(node.count('hold.refused_fast')).toBe(0);
  });

  it('is not for anything but a hold', async () => {
    const { sale, node, other, hold } = await aSaleWithOneHold();
    const extend = { kind: 'extend', user_id: other, hold_id: hold?.hold_id ?? '' } as const;
    const { answer, flushes } = await asks(node, sale, extend);
    expect(answer).toMatchObject(refusal('hold_not_found'));
    expect(flushes).toBe(1);
  });
});

function assertNever(): never {
  throw new Error('the board is there');
}
