import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { aWish, holdOf, releaseOf, useSales, useWarmNodes } from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import { eventKeys } from '#redis';

describe('a node and what Redis has meanwhile', () => {
  const redis = useRedis();
  const sales = useSales();
  const node = useWarmNodes(sales, () => redis().url);

  it('believes Redis again although one event cannot be compared', async () => {
    const [well, ill] = [await sales.open(), await sales.open()];
    let isIll = false;
    const { registry, tier, warmed } = await node({
      wrap: (store) => ({
        load: (event) => store.load(event),
        heads: (events) => store.heads(events),
        transact: (...words) => store.transact(...words),
        saveSnapshot: (...words) => store.saveSnapshot(...words),
        clock: () => store.clock(),
        setDrift: (wanted) => store.setDrift(wanted),
        rowsFrom: (event, ...words) => {
          if (isIll && event.eventId === ill.eventId) throw new Error('its log cannot be read');
          return store.rowsFrom(event, ...words);
        },
      }),
    });
    await registry.board(ill);
    await registry.board(well);
    isIll = true;
    await redis().kill('SIGKILL');
    for (const seat of well.seats.slice(0, 8)) {
      await registry.submit(well, aWish(holdOf(well.buyers[0] ?? '', [seat])));
    }
    await eventually(() => tier.state === 'open');
    await redis().restart();
    await eventually(() => tier.state === 'closed');
    const { seatHolds } = eventKeys(well.scope.organizationId, well.eventId);
    await eventually(async () => (await redis().command('zcard', seatHolds)) === 8);
    expect(warmed('job.failed')).toBeGreaterThan(0);
  });

  it('tells others of a commit that Redis had no place for', async () => {
    const sale = await sales.open();
    const { registry, toldOtherwise } = await node();
    await registry.board(sale);
    const { revision } = eventKeys(sale.scope.organizationId, sale.eventId);
    const [buyer = ''] = sale.buyers;
    const wish = aWish(holdOf(buyer, [sale.seats[0] ?? '']));
    // Another history was further than this one: what is stored is newer, and not so.
    await redis().command('set', revision, '999999 0123456789abcdef 1 {}');
    const answer = await registry.submit(sale, wish);
    const told = { eventId: sale.eventId, revision: answer.kind === 'done' && answer.revision };
    await eventually(() => toldOtherwise.length > 0);
    expect(toldOtherwise).toContainEqual(told);
  });

  it('does not take for fresh what somebody wrote whose clock is ahead', async () => {
    const sale = await sales.open();
    const { registry, tier } = await node();
    const [buyer = ''] = sale.buyers;
    const { revision } = eventKeys(sale.scope.organizationId, sale.eventId);
    await registry.submit(sale, aWish(holdOf(buyer, [sale.seats[0] ?? ''])));
    await registry.submit(sale, aWish(releaseOf({ user_id: buyer })));
    await eventually(() => tier.readers.snapshot(sale));
    const record = String(await redis().command('get', revision));
    const ahead = String(systemClock.now() + 300_000);
    await redis().command('set', revision, record.replace(/ \d{13} /, ` ${ahead} `));
    expect(await tier.readers.snapshot(sale)).toBeNull();
  });
});
