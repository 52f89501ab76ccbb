import { aCaller, anEngine, done } from '@voelgoed/testkit/builders';
import {
  aClock,
  aWish,
  blockOf,
  holdOf,
  problems,
  releaseOf,
  type Sale,
  storeWith,
  type TestNode,
  tampered,
  useSales,
} from '@voelgoed/testkit/sales';
import { describe, expect, it } from 'vitest';
import { sweepOnce } from '#jobs';
import { OperatingError, systemClock } from '#kit';
import { silentTelemetry } from '#telemetry';
import { stepEvent } from '#workflows';

const sales = useSales();
const { database } = sales;

/** For 20,000 rows on a machine that has other things to do. */
const PATIENT_MS = 60_000;
/** Most that one commit may do. */
const PIECE = 1_000;
const patient = (clock = aClock()) => ({ deadline_ms: clock.monotonic() + 15_000 });

/** Holds so many seats for a caller, a thousand at a time. */
async function holdSeats({ registry }: TestNode, sale: Sale, count: number): Promise<void> {
  const [staff = ''] = sale.buyers;
  for (let from = 0; from < count; from += PIECE) {
    const wanted = sale.seats.slice(from, Math.min(from + PIECE, count));
    const command = holdOf(staff, wanted, { made_by: staff, source: 'box_office' });
    await registry.submit(sale, aWish(command, patient()));
  }
}

/** A node whose database is gone after so many commits. */
function aDyingNode(commits: number): TestNode {
  let left = commits;
  return sales.node({
    wrap: (store) =>
      storeWith(store, {
        transact: async (event, ask, decide) => {
          const error = new OperatingError('unavailable', 'gone', { retryable: true });
          if (left === 0) return { kind: 'failed', trouble: 'unavailable', error };
          const done = await store.transact(event, ask, decide);
          if (done.kind === 'committed') left--;
          return done;
        },
      }),
  });
}

/** A sweep, and all that it has set going. */
async function sweep({ registry }: TestNode): Promise<void> {
  const { postgres } = database;
  await sweepOnce({ postgres, registry, clock: systemClock, telemetry: silentTelemetry });
  await registry.stop();
}

/** How many seats or holds each commit of the log has changed, from a revision on. */
async function sizes({ eventId }: Sale, from: number): Promise<number[]> {
  const rows = await database.asSuperuser(
    `select (select coalesce(sum(coalesce(json_array_length(c -> 'ordinals'),
         json_array_length(c -> 'holds'), 0)), 0)::int
       from json_array_elements(changes -> 'changes') c) as size
     from seat_changes where event_id = $1 and revision >= $2 order by revision`,
    [eventId, from],
  );
  return rows.map(({ size }) => Number(size));
}

async function tally({ eventId }: Sale, table: string, status: string): Promise<number> {
  const text = `select count(*)::int as rows from ${table} where event_id = $1 and status = $2`;
  return Number((await database.asSuperuser(text, [eventId, status]))[0]?.rows);
}

describe('more than one commit may do', () => {
  it('3,000 seats are closed at once, blocked in pieces, and another node goes on', async () => {
    const sale = await sales.open({ seats: 3_000 });
    const [, buyer = ''] = sale.buyers;
    const node = aDyingNode(2);
    const blocked = await node.registry.submit(sale, aWish(blockOf(sale.seats)));
    expect(blocked).toMatchObject({ outcome: { kind: 'blocked', seats: 3_000, unchanged: 0 } });
    const other = sales.node();
    const wish = aWish(holdOf(buyer, sale.seats.slice(-1)));
    // What it finds undone is not for sale any more, whether or not it has got there.
    expect(await other.registry.submit(sale, wish)).toMatchObject({
      outcome: { items: [{ code: 'seat_not_available', current_status: 'blocked' }] },
    });
    await sweep(other);
    expect(await tally(sale, 'event_seats', 'blocked')).toBe(3_000);
    expect(Math.max(...(await sizes(sale, 2)))).toBeLessThanOrEqual(PIECE);
    expect(await database.asSuperuser('select from board_tasks')).toEqual([]);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('the last word stands when a block is taken back before it is done', async () => {
    const sale = await sales.open({ seats: 1_200 });
    const { registry } = sales.node();
    const wishes = (['block', 'unblock', 'block', 'unblock'] as const).map((kind) =>
      registry.submit(sale, aWish(blockOf(sale.seats, kind))),
    );
    for (const answer of await Promise.all(wishes)) {
      expect(answer).toMatchObject({ outcome: { seats: 1_200, unchanged: 0 } });
    }
    await registry.stop();
    expect(await tally(sale, 'event_seats', 'available')).toBe(1_200);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('3,000 holds are released in pieces, and another node goes on', async () => {
    const sale = await sales.open({ seats: 3_000 });
    await holdSeats(sales.node(), sale, 3_000);
    const node = aDyingNode(1);
    const released = await node.registry.submit(sale, aWish(releaseOf('all')));
    expect(released).toMatchObject({ outcome: { kind: 'released', seats: 3_000 } });
    await node.registry.stop();
    expect(await tally(sale, 'seat_holds', 'cancelled')).toBe(500);
    await sweep(sales.node());
    expect(await tally(sale, 'seat_holds', 'cancelled')).toBe(3_000);
    expect(Math.max(...(await sizes(sale, 5)))).toBeLessThanOrEqual(PIECE);
    expect(await problems(database, sale)).toEqual([]);
  });

  it('a cancelled event ends its 2,500 holds in pieces', async () => {
    const sale = await sales.open({ seats: 2_500 });
    const engine = anEngine(database.postgres);
    const { registry } = engine;
    await holdSeats({ ...sales.node(), registry }, sale, 2_500);
    const caller = aCaller({ scope: sale.scope });
    done(await stepEvent(engine, caller, sale.eventId, 'cancel', 'rain'));
    const wish = aWish(holdOf(sale.buyers[1] ?? '', sale.seats.slice(0, 1)));
    const late = await registry.submit(sale, wish);
    expect(late).toMatchObject({ outcome: { code: 'event_not_available' } });
    await registry.stop();
    expect(await tally(sale, 'seat_holds', 'cancelled')).toBe(2_500);
    expect(await sizes(sale, 5)).toEqual([0, 1_000, 1_000, 500]);
    expect(await problems(database, sale)).toEqual([]);
  });
});

describe('10,000 expired holds with the sweep off', () => {
  it(
    'keep nobody from any seat or place',
    async () => {
      const sale = await sales.open({ seats: 5_000, places: 5_000 });
      const clock = aClock();
      const node = sales.node({
        clock,
        wrap: (store) =>
          tampered(store, {
            read: (opened) => ({ ...opened, now_ms: opened.now_ms + clock.ahead_ms }),
          }),
      });
      const { registry } = node;
      await holdSeats(node, sale, 5_000);
      const [staff = '', buyer = ''] = sale.buyers;
      for (let round = 0; round < 5; round++) {
        const places = Array.from({ length: PIECE }, () => [sale.floor, 1] as const);
        const command = holdOf(staff, places, { made_by: staff });
        await registry.submit(sale, aWish(command, patient(clock)));
      }
      expect((await registry.board(sale))?.holdCount).toBe(10_000);
      clock.ahead_ms = 11 * 60_000;
      const last = aWish(
        holdOf(buyer, [sale.seats.at(-1) ?? '', [sale.floor, 999]]),
        patient(clock),
      );
      expect(await registry.submit(sale, last)).toMatchObject({ outcome: { kind: 'held' } });
      const places = Array.from({ length: 4 }, () => [sale.floor, 1_000] as const);
      const rest = holdOf(buyer, [...places, [sale.floor, 1]], { made_by: staff });
      expect(await registry.submit(sale, aWish(rest, patient(clock)))).toMatchObject({
        outcome: { kind: 'held' },
      });
      for (let from = 0; from < 4_999; from += PIECE) {
        const wanted = sale.seats.slice(from, Math.min(from + PIECE, 4_999));
        const wish = aWish(holdOf(buyer, wanted, { made_by: staff }), patient(clock));
        expect(await registry.submit(sale, wish)).toMatchObject({ outcome: { existing: false } });
      }
      expect(await tally(sale, 'seat_holds', 'expired')).toBe(10_000);
      expect(await tally(sale, 'event_seats', 'held')).toBe(5_000);
      expect(await problems(database, sale)).toEqual([]);
    },
    PATIENT_MS,
  );
});
