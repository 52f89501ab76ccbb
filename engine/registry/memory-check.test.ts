import { eventually } from '@voelgoed/testkit/eventually';
import { aWish, holdOf, problems, type Sale, useSales } from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '#kit';
import { silentTelemetry } from '#telemetry';
import { askToCompare } from './feed.sql.ts';
import { PostgresFeed } from './postgres-feed.ts';

describe('memory and what Postgres has', () => {
  const sales = useSales();
  const { database } = sales;

  /** As a hand in the database would. */
  const block = ({ eventId }: Sale, seatId: string) =>
    database.asSuperuser(
      `update event_seats set status = 'blocked' where event_id = $1 and seat_id = $2`,
      [eventId, seatId],
    );

  it('are the same also while others sell all the time', async () => {
    const sale = await sales.open({ seats: 60 });
    const { registry } = sales.node();
    const seller = sales.node().registry;
    await registry.board(sale);
    const [buyer = ''] = sale.buyers;
    let isOver = false;
    const selling = (async () => {
      for (const seat of sale.seats) {
        if (isOver) return;
        await seller.submit(sale, aWish(holdOf(buyer, [seat])));
      }
    })();
    for (let looks = 0; looks < 10; looks++) {
      expect(await registry.memory.compare(sale)).toEqual({ kind: 'same' });
    }
    isOver = true;
    await selling;
  });

  it('differ by seats that a hand has changed, until the board is loaded anew', async () => {
    const sale = await sales.open();
    const { registry, count } = sales.node();
    const [seat = '', other = ''] = sale.seats;
    const [buyer = '', rival = ''] = sale.buyers;
    expect(await registry.memory.compare(sale)).toEqual({ kind: 'absent' });
    await registry.submit(sale, aWish(holdOf(buyer, [other])));
    await block(sale, seat);
    expect(await registry.memory.compare(sale)).toEqual({ kind: 'different', seats: [seat] });
    expect(await registry.memory.renew(sale)).toBe(true);
    expect(count('board.renewed')).toBe(1);
    expect(await registry.memory.renew(sale)).toBe(false);
    const refused = await registry.submit(sale, aWish(holdOf(rival, [other])));
    expect(refused).toMatchObject({ outcome: { code: 'seat_held_by_another_user' } });
    const blocked = await registry.submit(sale, aWish(holdOf(rival, [seat])));
    expect(blocked).toMatchObject({ outcome: { code: 'seat_not_available' } });
  });

  it('come together without losing what was answered while boards are thrown away', async () => {
    const sale = await sales.open({ seats: 40 });
    const { registry } = sales.node();
    const [buyer = ''] = sale.buyers;
    await registry.board(sale);
    const asked = sale.seats.map((seat) => registry.submit(sale, aWish(holdOf(buyer, [seat]))));
    for (const seat of sale.seats.slice(0, 5)) {
      await database.asSuperuser(
        'update event_seats set locked_at = now() where event_id = $1 and seat_id = $2',
        [sale.eventId, seat],
      );
      await registry.memory.renew(sale);
    }
    const answers = await Promise.all(asked);
    const isHeld = (one: (typeof answers)[number]) =>
      one.kind === 'done' && one.outcome.kind === 'held';
    expect(answers.filter(isHeld)).toHaveLength(40);
    expect((await registry.current(sale))?.holdCount).toBe(40);
    expect(await registry.memory.compare(sale)).toEqual({ kind: 'same' });
    expect(await problems(database, sale)).toEqual([]);
  });

  it('are compared by all nodes that are asked to, once per event', async () => {
    const sale = await sales.open();
    const { registry, count } = sales.node();
    const tools = { clock: systemClock, random: systemRandom, telemetry: silentTelemetry };
    const feed = new PostgresFeed({ ...tools, url: database.jobsUrl });
    await feed.start(registry);
    await registry.board(sale);
    await block(sale, sale.seats[3] ?? '');
    await database.postgres.ask(sale.scope, askToCompare(sale.eventId));
    await eventually(() => count('board.renewed') === 1);
    // What is no board here concerns nobody.
    await database.postgres.ask(sale.scope, askToCompare('00000000-0000-7000-8000-000000000001'));
    expect((await registry.board(sale))?.codeOf(3)).not.toBe(0);
    await feed.stop();
  });
});
