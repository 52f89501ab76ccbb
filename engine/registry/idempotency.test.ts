import {
  aWish,
  extendOf,
  holdOf,
  holdsIn,
  keyOf,
  problems,
  releaseOf,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';

const sales = useSales();
const { database } = sales;

async function keysOf(eventId: string): Promise<unknown[]> {
  const text = 'select key from idempotency_keys where event_id = $1 order by key';
  return (await database.asSuperuser(text, [eventId])).map(({ key }) => key);
}

describe('a wish with a key', () => {
  it('is done once and answered alike, also by another node', async () => {
    const sale = await sales.open();
    const [buyer = ''] = sale.buyers;
    const wish = () => aWish(holdOf(buyer, [[sale.floor, 2]]), { key: keyOf(buyer, 'k') });
    const { registry } = sales.node();
    const first = await registry.submit(sale, wish());
    expect(first).toMatchObject({ replayed: false, outcome: { kind: 'held' } });
    for (const node of [registry, sales.node().registry]) {
      expect(await node.submit(sale, wish())).toEqual({ ...first, replayed: true });
    }
    const without = await registry.submit(sale, aWish(holdOf(buyer, [[sale.floor, 2]])));
    expect(without).toMatchObject({ replayed: false, outcome: { existing: false } });
    expect(await problems(database, sale)).toEqual([]);
  });

  it('a second copy in one batch gets the first one’s outcome', async () => {
    const sale = await sales.open();
    const [buyer = ''] = sale.buyers;
    const { registry, happenings } = sales.node();
    const key = keyOf(buyer, 'k');
    const wish = () => registry.submit(sale, aWish(holdOf(buyer, [[sale.floor, 2]]), { key }));
    const [first, second] = await Promise.all([wish(), wish()]);
    expect(first).toMatchObject({ replayed: false });
    expect(second).toEqual({ ...first, replayed: true });
    const flushes = happenings.filter(({ kind }) => kind === 'flush.done');
    expect(flushes).toMatchObject([{ outcome: 'committed', wishes: 2 }]);
    expect((await registry.board(sale))?.holdCount).toBe(1);
  });

  it('with another body is refused, in one batch and later', async () => {
    const sale = await sales.open();
    const [buyer = ''] = sale.buyers;
    const { registry } = sales.node();
    const wish = (quantity: number) => {
      const key = keyOf(buyer, 'k', quantity);
      return registry.submit(sale, aWish(holdOf(buyer, [[sale.floor, quantity]]), { key }));
    };
    const [first, second] = await Promise.all([wish(1), wish(2)]);
    expect(first).toMatchObject({ kind: 'done' });
    expect(second).toEqual({ kind: 'key_reused' });
    expect(await wish(3)).toEqual({ kind: 'key_reused' });
    expect((await registry.board(sale))?.holdCount).toBe(1);
  });

  it('is another wish for another user, another route and another event', async () => {
    const sale = await sales.open();
    const [one = '', other = ''] = sale.buyers;
    const { registry } = sales.node();
    const floor = [[sale.floor, 1]] as const;
    const keys = [
      keyOf(one, 'k'),
      keyOf(other, 'k'),
      { ...keyOf(one, 'k'), route: 'somewhere else' },
    ];
    for (const key of keys) {
      const answer = await registry.submit(sale, aWish(holdOf(key.userId, floor), { key }));
      expect(answer).toMatchObject({ replayed: false });
    }
    expect((await registry.board(sale))?.holdCount).toBe(3);
  });

  it('is kept only when it was accepted: a refusal may be asked again', async () => {
    const sale = await sales.open();
    const [one = '', other = ''] = sale.buyers;
    const [seat = ''] = sale.seats;
    const { registry } = sales.node();
    const [hold] = holdsIn(await registry.submit(sale, aWish(holdOf(one, [seat]))));
    const wish = () => aWish(holdOf(other, [seat]), { key: keyOf(other, 'k') });
    // The second is decided in the same batch as a copy of it.
    const { registry: cold } = sales.node();
    const refused = await Promise.all([cold.submit(sale, wish()), cold.submit(sale, wish())]);
    for (const answer of refused) expect(answer).toMatchObject({ outcome: { kind: 'refused' } });
    expect(await keysOf(sale.eventId)).toEqual([]);
    await registry.submit(sale, aWish(releaseOf({ hold_ids: [hold?.hold_id ?? ''] })));
    expect(await registry.submit(sale, wish())).toMatchObject({ outcome: { kind: 'held' } });
    expect(await keysOf(sale.eventId)).toEqual(['k']);
  });

  it('is kept when it changed nothing: with another body it is refused everywhere', async () => {
    const sale = await sales.open();
    const [buyer = ''] = sale.buyers;
    const [seat = '', other = ''] = sale.seats;
    const { registry, happenings } = sales.node();
    await registry.submit(sale, aWish(holdOf(buyer, [seat])));
    const { revision } = (await registry.board(sale)) ?? {};
    const wish = (wanted: string, body: number) =>
      aWish(holdOf(buyer, [wanted]), { key: keyOf(buyer, 'k', body) });
    const first = await registry.submit(sale, wish(seat, 1));
    expect(first).toMatchObject({ replayed: false, revision, outcome: { existing: true } });
    // Nothing but the key is written.
    expect((await registry.board(sale))?.revision).toBe(revision);
    expect(happenings.filter(({ kind }) => kind === 'flush.done').at(-1)).toMatchObject({
      outcome: 'committed',
    });
    for (const node of [registry, sales.node().registry]) {
      expect(await node.submit(sale, wish(other, 2))).toEqual({ kind: 'key_reused' });
      expect(await node.submit(sale, wish(seat, 1))).toEqual({ ...first, replayed: true });
    }
    expect(await problems(database, sale)).toEqual([]);
  });

  it('is kept beside what others change in the same batch', async () => {
    const sale = await sales.open();
    const [one = '', other = ''] = sale.buyers;
    const [seat = '', second = '', third = ''] = sale.seats;
    const { registry } = sales.node();
    await registry.submit(sale, aWish(holdOf(one, [seat])));
    const again = (wanted: string, body: number) =>
      aWish(holdOf(one, [wanted]), { key: keyOf(one, 'k', body) });
    const [existing] = await Promise.all([
      registry.submit(sale, again(seat, 1)),
      registry.submit(sale, aWish(holdOf(other, [second]))),
    ]);
    expect(existing).toMatchObject({ outcome: { existing: true } });
    expect(await registry.submit(sale, again(third, 2))).toEqual({ kind: 'key_reused' });
    expect(await registry.submit(sale, again(seat, 1))).toEqual({ ...existing, replayed: true });
  });

  it('that changed nothing is kept a thousand times for a user, and then no more', async () => {
    const sale = await sales.open();
    const [buyer = '', other = ''] = sale.buyers;
    const { registry } = sales.node();
    await database.asSuperuser(
      `insert into idempotency_keys (organization_id, event_id, user_id, route, key, body_hash,
         answer, created_at)
       select $1, $2, $3, 'r', 'old ' || n, '', '{}', now() from generate_series(1, 999) n`,
      [sale.scope.organizationId, sale.eventId, buyer],
    );
    const nothing = (user: string, key: string) => {
      const command = releaseOf({ user_id: user }, { owner: user });
      return registry.submit(sale, aWish(command, { key: keyOf(user, key) }));
    };
    for (const key of ['last', 'one too many']) {
      expect(await nothing(buyer, key)).toMatchObject({ outcome: { seats: 0 } });
      expect(await nothing(other, key)).toMatchObject({ outcome: { seats: 0 } });
    }
    const text = `select user_id, key from idempotency_keys
      where event_id = $1 and key not like 'old %' order by key, user_id = $2`;
    expect(await database.asSuperuser(text, [sale.eventId, buyer])).toEqual([
      { user_id: other, key: 'last' },
      { user_id: buyer, key: 'last' },
      { user_id: other, key: 'one too many' },
    ]);
  });

  it('is answered after the hold has ended and somebody else has the seat', async () => {
    const sale = await sales.open();
    const [one = '', other = ''] = sale.buyers;
    const [seat = ''] = sale.seats;
    const { registry, count } = sales.node();
    const wish = () => aWish(holdOf(one, [seat]), { key: keyOf(one, 'k') });
    const first = await registry.submit(sale, wish());
    await registry.submit(sale, aWish(releaseOf({ user_id: one })));
    await registry.submit(sale, aWish(holdOf(other, [seat])));
    expect(await registry.submit(sale, wish())).toEqual({ ...first, replayed: true });
    // Also by a node that has to learn from the table who was ever accepted with a key.
    const late = sales.node();
    await late.registry.board(sale);
    expect(await late.registry.submit(sale, wish())).toEqual({ ...first, replayed: true });
    expect(count('hold.refused_fast') + late.count('hold.refused_fast')).toBe(0);
  });

  it('extends and releases once', async () => {
    const sale = await sales.open();
    const [buyer = ''] = sale.buyers;
    const { registry } = sales.node();
    const [hold] = holdsIn(
      await registry.submit(sale, aWish(holdOf(buyer, sale.seats.slice(0, 1)))),
    );
    const { hold_id = '' } = hold ?? {};
    const extend = () => aWish(extendOf(buyer, hold_id), { key: keyOf(buyer, 'extend') });
    const extended = await registry.submit(sale, extend());
    expect(await registry.submit(sale, extend())).toEqual({ ...extended, replayed: true });
    const which = { hold_ids: [hold_id] };
    const release = () => aWish(releaseOf(which), { key: keyOf(buyer, 'release') });
    const released = await registry.submit(sale, release());
    expect(released).toMatchObject({ outcome: { seats: 1 } });
    expect(await registry.submit(sale, release())).toEqual({ ...released, replayed: true });
    expect(await registry.submit(sale, extend())).toEqual({ ...extended, replayed: true });
    expect(await problems(database, sale)).toEqual([]);
  });

  it('is forgotten after a day', async () => {
    const sale = await sales.open();
    const [buyer = ''] = sale.buyers;
    const { registry } = sales.node();
    const wish = () => aWish(holdOf(buyer, [[sale.floor, 1]]), { key: keyOf(buyer, 'k') });
    await registry.submit(sale, wish());
    await database.asSuperuser(
      `update idempotency_keys set created_at = now() - interval '25 hours' where event_id = $1`,
      [sale.eventId],
    );
    const again = await registry.submit(sale, wish());
    expect(again).toMatchObject({ replayed: false });
    expect(await registry.submit(sale, wish())).toEqual({ ...again, replayed: true });
    expect((await registry.board(sale))?.holdCount).toBe(2);
  });
});
