import { eventually } from '@voelgoed/testkit/eventually';
import { aWish, holdOf, releaseOf, type Sale, useSales } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';
import type { Hold } from '#board';
import { systemClock } from '#kit';
import { ExpiredLately } from './expired-lately.ts';
import type { SeatRegistry } from './registry.ts';

const sales = useSales();

async function isOver(registry: SeatRegistry, sale: Sale): Promise<void> {
  await eventually(async () => {
    await registry.sweep(sale, systemClock.monotonic() + 2_000);
    return registry.loadedBoard(sale)?.holdCount === 0;
  });
}

it('a node knows whose holds ended by time, by cart, until that cart is filled again', async () => {
  const sale = await sales.open();
  const { registry } = sales.node({ demoHoldSeconds: 1 });
  const [ann = '', ben = '', cleo = ''] = sale.buyers;
  const [first = '', second = '', third = ''] = sale.seats;
  const inCart = (user: string, seat: string, cart_token: string) =>
    registry.submit(sale, aWish({ ...holdOf(user, [seat]), cart_token }));
  await inCart(ann, first, 'one');
  await inCart(cleo, third, 'of cleo');
  await registry.submit(sale, aWish(releaseOf({ user_id: cleo })));
  await isOver(registry, sale);
  const has = (user: string, cart: string | null) => registry.hasExpiredLately(sale, user, cart);
  expect([has(ann, null), has(ann, 'one'), has(ann, 'two')]).toEqual([true, true, false]);
  expect([has(ben, null), has(ben, 'one')]).toEqual([false, false]);
  // What its buyer gave back did not run out.
  expect([has(cleo, null), has(cleo, 'of cleo')]).toEqual([false, false]);
  await inCart(ann, second, 'one');
  expect(has(ann, null)).toBe(false);
});

it('another node that follows the log knows it, too', async () => {
  const sale = await sales.open();
  const [one, other] = [sales.node({ demoHoldSeconds: 1 }), sales.node()];
  const [ann = ''] = sale.buyers;
  await one.registry.submit(sale, aWish(holdOf(ann, sale.seats.slice(0, 1))));
  await other.registry.board(sale);
  await isOver(one.registry, sale);
  await other.registry.current(sale);
  expect(other.registry.hasExpiredLately(sale, ann, null)).toBe(true);
});

it('a node knows it also while its board is loaded anew', async () => {
  const sale = await sales.open();
  const { registry } = sales.node({ demoHoldSeconds: 1 });
  const [ann = ''] = sale.buyers;
  await registry.submit(sale, aWish(holdOf(ann, sale.seats.slice(0, 1))));
  await isOver(registry, sale);
  await sales.database.asSuperuser(
    `update event_seats set status = 'blocked' where event_id = $1 and seat_id = $2`,
    [sale.eventId, sale.seats[5] ?? ''],
  );
  expect(await registry.memory.renew(sale)).toBe(true);
  expect(registry.loadedBoard(sale)).toBeNull();
  expect(registry.hasExpiredLately(sale, ann, null)).toBe(true);
});

it('what is over for longer than anybody asks about is forgotten', () => {
  const lately = new ExpiredLately();
  const ends = (hold_id: string, at_ms: number) =>
    lately.note(
      { holdOf: () => ({ hold_id, user_id: hold_id, cart_token: 'cart' }) as Hold },
      { changes: [{ kind: 'ended', reason: 'ttl_expired', holds: [hold_id] } as never], at_ms },
    );
  for (let minute = 0; minute < 60; minute++) ends(`user ${minute}`, minute * 60_000);
  expect(lately.size).toBe(16);
  expect(lately.has('user 44', null, 59 * 60_000)).toBe(true);
  expect(lately.has('user 43', null, 59 * 60_000)).toBe(false);
});
