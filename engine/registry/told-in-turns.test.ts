import { aWish, holdOf, storeWith, useSales } from '@voelgoed/testkit/sales';
import { expect, it } from 'vitest';
import { systemClock } from '#kit';
import { isFlush } from './registry.ts';

const sales = useSales();
const MANY = 200;

it('the next flush is on its way before the last one of this has been told', async () => {
  const sale = await sales.open({ seats: MANY + 1, buyers: MANY + 1 });
  const wish = (place: number) =>
    aWish(holdOf(sale.buyers[place] ?? '', sale.seats.slice(place, place + 1)));
  let told = 0;
  const toldAt: number[] = [];
  const written: number[] = [];
  const later: Promise<unknown>[] = [];
  const node = sales.node({
    // However slow this machine is, a flush has the time for all of them.
    clock: { ...systemClock, monotonic: () => 0 },
    wrap: (store) =>
      storeWith(store, {
        transact: (event, ask, decide) => {
          toldAt.push(told);
          return store.transact(event, ask, (...opened) => {
            const flush = decide(...opened);
            written.push(isFlush(flush) ? flush.newHolds.length : 0);
            // Somebody comes while this one is written.
            if (toldAt.length === 1) later.push(node.registry.submit(sale, wish(MANY)));
            return flush;
          });
        },
      }),
  });
  await node.registry.board(sale);
  const answers = Array.from({ length: MANY }, async (_, place) => {
    const answer = await node.registry.submit(sale, wish(place));
    told++;
    return answer;
  });
  await Promise.all(answers);
  await Promise.all(later);
  expect(written[0]).toBe(MANY);
  expect(toldAt.slice(0, 2)).toEqual([0, 32]);
  const held = { kind: 'done', outcome: { kind: 'held' } };
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject(held);
});

it('a registry stops when everybody has been told', async () => {
  const sale = await sales.open({ seats: MANY, buyers: MANY });
  const { registry } = sales.node();
  let told = 0;
  for (const [place, seat] of sale.seats.entries()) {
    void registry.submit(sale, aWish(holdOf(sale.buyers[place] ?? '', [seat]))).then(() => {
      told++;
    });
  }
  await registry.stop();
  expect(told).toBe(MANY);
});
