import { eventually } from '@voelgoed/testkit/eventually';
import { aWish, holdOf, problems, type Sale, useSales } from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { systemClock, systemRandom } from '#kit';
import { silentTelemetry } from '#telemetry';
import { askToCompare } from './feed.sql.ts';
import { PostgresFeed } from './postgres-feed.ts';
import type { Answer } from './wish.ts';

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
    const { registry, count } = sales.node();
    const [buyer = ''] = sale.buyers;
    await registry.board(sale);
    const spare = sale.seats.slice(35);
    const answers: Promise<Answer>[] = [];
    const submitSome = (from: number) => {
      for (const seat of sale.seats.slice(from, from + 7)) {
        answers.push(registry.submit(sale, aWish(holdOf(buyer, [seat]))));
      }
    };
    for (const [round, seat] of spare.entries()) {
      await registry.current(sale);
      await block(sale, seat);
      // Decided before the board is thrown away, meanwhile, and after it.
      submitSome(round * 7);
      expect(await registry.memory.renew(sale)).toBe(true);
      await answers.at(-1);
    }
    const isHeld = (one: Answer) => one.kind === 'done' && one.outcome.kind === 'held';
    expect((await Promise.all(answers)).filter(isHeld)).toHaveLength(35);
    expect(count('board.renewed')).toBe(spare.length);
    expect((await registry.current(sale))?.holdCount).toBe(35);
    expect(await registry.memory.compare(sale)).toEqual({ kind: 'same' });
    await database.asSuperuser(
      `update event_seats set status = 'available' where event_id = $1 and status = 'blocked'`,
      [sale.eventId],
    );
    expect(await problems(database, sale)).toEqual([]);
  });

  it.each([
    ['whose a hold is', 'update seat_holds set user_id = $2 where event_id = $1', true],
    [
      'which cart it is in',
      `update seat_holds set cart_token = 'x' || $2 where event_id = $1`,
      true,
    ],
    ['what a zone is called', 'update event_zones set name = $2 where event_id = $1', false],
  ])('differ by %s', async (_, change, hasSeat) => {
    const sale = await sales.open();
    const { registry } = sales.node();
    const [buyer = '', rival = ''] = sale.buyers;
    const [seat = ''] = sale.seats;
    await registry.submit(sale, aWish(holdOf(buyer, [seat])));
    expect(await registry.memory.compare(sale)).toEqual({ kind: 'same' });
    await database.asSuperuser(change, [sale.eventId, rival]);
    const seats = hasSeat ? [seat] : [];
    expect(await registry.memory.compare(sale)).toEqual({ kind: 'different', seats });
    expect(await registry.memory.renew(sale)).toBe(true);
    await registry.current(sale);
    expect(await registry.memory.compare(sale)).toEqual({ kind: 'same' });
  });

  it('are read once for all who ask at the same time', async () => {
    const sale = await sales.open();
    const { registry } = sales.node();
    await registry.board(sale);
    const all = await Promise.all([1, 2, 3].map(() => registry.memory.compare(sale)));
    expect(new Set(all).size).toBeLessThan(3);
  });

  it('are compared no more by a node that stops', async () => {
    const all = await Promise.all([1, 2, 3].map(() => sales.open()));
    const { registry, count } = sales.node();
    for (const sale of all) {
      await registry.board(sale);
      await block(sale, sale.seats[0] ?? '');
    }
    for (const { eventId } of all) registry.hearDoubt(eventId);
    await registry.stop();
    expect(count('board.renewed')).toBe(0);
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
