import { eventKeys } from '@voelgoed/engine/redis';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** A machine that does much else besides. */
const SOON = { within_ms: 10_000 };
const RECONCILE = 'POST /api/admin/registry/reconcile';

describe('a registry whose tiers differ', () => {
  const redis = useRedis();
  const shows = useShows({ REDIS_PROBE_SECONDS: '1' }, () => redis().url);
  const { database } = shows;
  /** Another node on the same database and Redis. */
  const other = useNode(database, { DEMO: '0' }, () => redis().url);
  const ofOther = (route: string, body?: object) =>
    call(other().address, route, {
      token: tokenFor(shows.scope().organizationId),
      ...(body ? { body } : {}),
    });
  const healthy = (status: string) =>
    eventually(async () => (await shows.ask(status)).data.consistent, SOON);

  /** Two seats are held, and both nodes have the board. */
  async function aSale() {
    const { eventId, seats } = await shows.show();
    for (const seat of seats.slice(0, 2)) {
      expect((await shows.buyer().reserve(eventId, seat)).status).toBe(201);
    }
    const status = `GET /api/admin/registry?event_id=${eventId}`;
    await ofOther(status);
    await healthy(status);
    const keys = eventKeys(shows.scope().organizationId, eventId);
    return { eventId, seats, status, keys };
  }

  /** As a hand in the database would, with everything that belongs to it. */
  async function takeHoldAway(eventId: string, seatId: string): Promise<string> {
    const [row] = await database.asSuperuser(
      `delete from seat_holds where event_id = $1 and seat_id = $2 returning hold_id`,
      [eventId, seatId],
    );
    await database.asSuperuser(
      `update event_seats set status = 'available', seat_hold_id = null, held_until = null
       where event_id = $1 and seat_id = $2`,
      [eventId, seatId],
    );
    await database.asSuperuser('update event_zones set held = held - 1 where event_id = $1', [
      eventId,
    ]);
    return String(row?.hold_id);
  }

  it('has all nodes and Redis say what Postgres says after one request', async () => {
    const { eventId, seats, status, keys } = await aSale();
    const [seat = ''] = seats;
    const hold_id = await takeHoldAway(eventId, seat);
    const buyer = shows.buyer();
    expect((await buyer.reserve(eventId, seat)).status).toBe(409);
    const { data } = await shows.ask(status);
    expect(data).toMatchObject({ consistent: false, status: 'stale' });
    expect(data.differences).toEqual([
      { tier: 'memory', what: 'holds', count: 1, ids: [hold_id] },
      { tier: 'redis', what: 'holds', count: 1, ids: [hold_id] },
    ]);
    expect(data.message).toContain('Reconcile');
    const done = await shows.ask(RECONCILE, { body: { event_id: eventId } });
    expect(done.data).toMatchObject({ events: 1, holds: 1, reloaded: 1 });
    // The other node has heard of it, and does not write its own board to Redis any more.
    await eventually(async () => {
      const [here, there] = [await shows.ask(status), await ofOther(status)];
      return here.data.consistent && there.data.consistent;
    }, SOON);
    expect(await redis().command('zscore', keys.seatHolds, hold_id)).toBeNull();
    expect((await buyer.reserve(eventId, seat)).status).toBe(201);
  });

  it('is right about a hold that ends between two milliseconds', async () => {
    const { eventId, seats, status } = await aSale();
    const [seat = ''] = seats;
    for (const table of ['seat_holds', 'event_seats']) {
      await database.asSuperuser(
        `update ${table} set held_until = date_trunc('second', held_until) + interval '123678 us'
         where event_id = $1 and seat_id = $2`,
        [eventId, seat],
      );
    }
    await shows.ask(RECONCILE, { body: { event_id: eventId } });
    await healthy(status);
  });

  it('names seats that no hold shows', async () => {
    const { eventId, seats, status } = await aSale();
    const [, , third = ''] = seats;
    await database.asSuperuser(
      `update event_seats set status = 'blocked' where event_id = $1 and seat_id = $2`,
      [eventId, third],
    );
    const { data } = await shows.ask(status);
    expect(data.differences).toEqual([{ tier: 'memory', what: 'seats', count: 1, ids: [third] }]);
    await shows.ask(RECONCILE, { body: { event_id: eventId } });
    expect((await shows.buyer().reserve(eventId, third)).status).toBe(409);
    await healthy(status);
  });

  it('names what only Redis has differently', async () => {
    const { eventId, seats, status, keys } = await aSale();
    const [, , third = ''] = seats;
    const lie = { state: 'held', hold_id: 'x', user_id: 'x', held_until: 9e9, label: 'FORGED' };
    const data = await eventually(async () => {
      await redis().command('set', keys.seatHold(third), JSON.stringify(lie));
      const numbers = `{"available":1,"digest":"${'0'.repeat(64)}"}`;
      await redis().command('set', keys.occupancy, numbers);
      await redis().command('setrange', keys.bitmap, 0, 'U');
      const { data } = await shows.ask(status);
      // A node may have put it right in between.
      return (data.differences as unknown[]).length === 3 ? data : null;
    }, SOON);
    expect(data.differences).toEqual([
      { tier: 'redis', what: 'seats', count: 1, ids: [third] },
      { tier: 'redis', what: 'occupancy', count: 1, ids: [] },
      { tier: 'redis', what: 'bitmap', count: 1, ids: [] },
    ]);
    expect(data.message).toMatch(
      /^Redis differs from Postgres in seats, occupancy, bitmap\. Reconcile/,
    );
    const done = await shows.ask(RECONCILE, { body: { event_id: eventId } });
    expect(done.data).toMatchObject({ reloaded: 0 });
    expect((await shows.ask(status)).data).toMatchObject({ consistent: true, differences: [] });
  });

  it('is no fault while Redis is being filled with an event', async () => {
    const { status, keys } = await aSale();
    const { data } = await eventually(async () => {
      // A Redis that has just begun has nothing; a node writes it anew in between.
      await redis().command('flushall');
      const seen = await shows.ask(status);
      return seen.data.status === 'stale' ? seen : null;
    }, SOON);
    expect(data).toMatchObject({ consistent: false, filling: true });
    expect(data.message).toMatch(/^Redis is being filled .* by itself/);
    await healthy(status);
    // A hold that is missing beside a record is a fault, and said to be one.
    const wrong = await eventually(async () => {
      await redis().command('del', keys.seatHolds);
      const seen = await shows.ask(status);
      return seen.data.status === 'stale' ? seen : null;
    }, SOON);
    expect(wrong.data).not.toHaveProperty('filling');
    expect(wrong.data.message).toContain('Reconcile');
  });

  it('lists no hold as due that only Redis has', async () => {
    const { status, keys } = await aSale();
    await redis().command('zadd', keys.seatHolds, '1', '00000000-0000-7000-8000-000000000001');
    const { data } = await shows.ask(`${status}&due_within=3600`);
    expect(data.due).toHaveLength(2);
  });

  it('has memory right and says so while Redis is down', async () => {
    const { eventId, seats, status } = await aSale();
    await takeHoldAway(eventId, seats[0] ?? '');
    await redis().kill('SIGKILL');
    const refused = await shows.ask(RECONCILE, { body: { event_id: eventId } });
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      error: 'unavailable',
      message: expect.stringContaining('reconcile Redis by themselves as soon as it answers'),
      details: { reason: 'redis_unavailable', reloaded: 1 },
    });
    expect((await shows.buyer().reserve(eventId, seats[0] ?? '')).status).toBe(201);
    await redis().restart();
    await healthy(status);
  });
});
