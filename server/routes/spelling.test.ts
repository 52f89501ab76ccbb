import { problems } from '@voelgoed/testkit/sales';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, open, scope, show } = useShows();

describe('an id in capital letters', () => {
  it('means the same event, on the same board and in the same log', async () => {
    const { eventId, seats, zones } = await show();
    const [first = '', second = '', third = ''] = seats;
    const ann = buyer();
    expect((await ann.reserve(eventId, first)).status).toBe(201);
    const held = await ann.reserve(eventId.toUpperCase(), second.toUpperCase());
    expect(held.status).toBe(201);
    expect(held.data).toMatchObject({ event_id: eventId, seat_id: second });
    expect((await ann.reserve(eventId, third)).status).toBe(201);
    const seen = await open(`GET /api/events/${eventId.toUpperCase()}/availability`);
    expect(seen.data.zones).toMatchObject([{ zone_id: zones[0], held: 3 }]);
    expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
  });

  it('means the same event and the same seat to a search', async () => {
    const { eventId, seats } = await show();
    await buyer('ann').reserve(eventId, seats[0] ?? '');
    const event = `event_id=${eventId.toUpperCase()}`;
    const own = await ask(`GET /api/admin/audit?event_id=${eventId}&seat=${seats[0]}`);
    expect(own.list).toHaveLength(1);
    const seat = `seat=${seats[0]?.toUpperCase()}`;
    expect((await ask(`GET /api/admin/audit?${event}&${seat}`)).list).toEqual(own.list);
    expect((await ask(`GET /api/admin/refusals?${event}&${seat}`)).status).toBe(200);
    const head = await ask(`GET /api/admin/audit/head?${event}`);
    expect(head.data).toMatchObject({ chain_id: eventId });
    const verdict = await ask(`GET /api/admin/audit/verify?${event}`);
    expect(verdict.data).toMatchObject({ ok: true });
    const holds = await ask(`GET /api/admin/holds?${event}`);
    expect(holds.list).toMatchObject([{ seat_id: seats[0] }]);
  });

  it('means the same event to a checkout', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    await ann.hold(eventId, [{ seat_id: seats[0] }, { seat_id: seats[1] }]);
    const body = { event_id: eventId.toUpperCase() };
    const started = await ann.ask('POST /api/checkouts', { body });
    expect(started.data).toMatchObject({ status: 'started', event_id: eventId });
  });

  it('means the same user to staff', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    await ann.reserve(eventId, seats[0] ?? '');
    const [row] = await database.asSuperuser('select user_id from seat_holds where event_id = $1', [
      eventId,
    ]);
    const body = {
      user_id: String(row?.user_id).toUpperCase(),
      event_id: eventId,
      reason: 'asked',
    };
    const released = await ask('POST /api/admin/seats/release', { body });
    expect(released.data).toMatchObject({ seats_released: 1 });
  });
});
