import { newId } from '@voelgoed/testkit/builders';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { buyer, database, node, open, scope, show } = useShows();

const activeHolds = (eventId: string) =>
  database.asSuperuser(
    `select hold_id, user_id, status from seat_holds where event_id = $1 and status = 'active'`,
    [eventId],
  );

describe('reserving a seat', () => {
  it('gives 201 with the hold, its place and the time left, and no price', async () => {
    const { eventId, seats } = await show();
    const reply = await buyer().reserve(eventId, seats[0] ?? '');
    expect(reply.status).toBe(201);
    expect(reply.headers.get('cache-control')).toBe('no-cache, no-store');
    expect(reply.data).toMatchObject({
      seat_id: seats[0],
      event_id: eventId,
      block_name: 'Stalls',
      row: 'A',
      seat_number: 1,
      status: 'held',
      expires_in_seconds: 600,
    });
    const { held_until, held_until_unix, server_time } = reply.data;
    const left = Date.parse(String(held_until)) - Date.parse(String(server_time));
    expect(left).toBe(600_000);
    expect(held_until_unix).toBe(Math.floor(Date.parse(String(held_until)) / 1_000));
    expect(JSON.stringify(reply.body)).not.toMatch(/price|cents|user_id/);
    const [row] = await database.asSuperuser(
      `select e.status, e.seat_hold_id, e.version, z.held from event_seats e
       join event_zones z using (organization_id, event_id, zone_id)
       where e.event_id = $1 and e.ordinal = 0`,
      [eventId],
    );
    expect(row).toEqual({ status: 'held', seat_hold_id: reply.data.hold_id, version: 2, held: 1 });
  });

  it('again by the same user gives 200, the same hold and its own cart', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const first = await ann.reserve(eventId, seats[0] ?? '');
    const body = { cart_token: 'another cart' };
    const again = await ann.reserve(eventId, seats[0] ?? '', { body });
    expect(again.status).toBe(200);
    expect(again.data).toMatchObject({
      existing: true,
      hold_id: first.data.hold_id,
      cart_token: first.data.cart_token,
    });
    expect(await activeHolds(eventId)).toHaveLength(1);
  });

  it('by somebody else gives 409 with the time left and never who', async () => {
    const { eventId, seats } = await show();
    const ann = buyer('ann the holder');
    const held = await ann.reserve(eventId, seats[0] ?? '');
    const refused = await buyer().reserve(eventId, seats[0] ?? '');
    expect(refused.status).toBe(409);
    expect(refused.body.error).toBe('seat_held_by_another_user');
    expect(refused.body.details).toMatchObject({ expires_in_seconds: expect.any(Number) });
    const [row] = await activeHolds(eventId);
    const text = JSON.stringify(refused.body);
    for (const secret of [row?.user_id, held.data.hold_id, held.data.cart_token, 'ann']) {
      expect(text).not.toContain(String(secret));
    }
  });

  it('one seat, 1,000 users: one 201, 999 times 409, one active row', async () => {
    const { eventId, seats } = await show();
    const names = Array.from({ length: 1_000 }, (_, index) => `user ${index}`);
    const replies = await Promise.all(
      names.map((name) => buyer(name).reserve(eventId, seats[7] ?? '')),
    );
    const counts = Map.groupBy(replies, ({ status, body }) => `${status} ${body.error ?? ''}`);
    expect(Object.fromEntries([...counts].map(([name, list]) => [name, list.length]))).toEqual({
      '201 ': 1,
      '409 seat_held_by_another_user': 999,
    });
    expect(await activeHolds(eventId)).toHaveLength(1);
  });

  it.each([
    ['a seat that is not there', newId(), 404, 'seat_not_found'],
    ['an id that is none', 'A-1', 400, 'invalid_request'],
  ])('%s', async (_, seatId, status, error) => {
    const { eventId } = await show();
    const reply = await buyer().reserve(eventId, seatId);
    expect([reply.status, reply.body.error]).toEqual([status, error]);
  });

  it('an event that is absent, foreign or a draft is the same 404', async () => {
    const { eventId, seats } = await show();
    const foreigner = tokenFor(newId());
    const route = `POST /api/events/${eventId}/seats/${seats[0]}/reserve`;
    expect((await call(node().address, route, { token: foreigner })).status).toBe(401);
    const absent = await buyer().reserve(newId(), seats[0] ?? '');
    expect([absent.status, absent.body.error]).toEqual([404, 'event_not_found']);
  });

  it('a guest’s session is good for its own event alone', async () => {
    const { eventId, seats } = await show();
    const other = await show();
    const session = await call(node().address, `POST /api/events/${eventId}/sessions`);
    const token = String(session.data.token);
    const own = `POST /api/events/${eventId}/seats/${seats[0]}/reserve`;
    expect((await call(node().address, own, { token })).status).toBe(201);
    const foreign = `POST /api/events/${other.eventId}/seats/${other.seats[0]}/reserve`;
    expect((await call(node().address, foreign, { token })).body.error).toBe('event_not_found');
  });
});

describe('several seats and places', () => {
  const HYBRID = {
    seat_size: 9,
    zones: [
      {
        name: 'Stalls',
        zone_type: 'reserved_seating',
        seats: [1, 2, 3].map((number) => ({
          label: `A-${number}`,
          row: 'A',
          number,
          coordinates: { x: number * 10, y: 0 },
        })),
      },
      { name: 'Pit', zone_type: 'ga_standing', capacity: 5 },
    ],
  };

  it('are one cart, and one of them taken refuses all with a reason for each', async () => {
    const { eventId, seats, zones } = await show({ config: HYBRID });
    const items = [
      { seat_id: seats[0] },
      { seat_id: seats[1] },
      { zone_id: zones[1], quantity: 2 },
    ];
    const ann = buyer();
    const held = await ann.hold(eventId, items);
    expect(held.status).toBe(201);
    expect(held.data.holds).toHaveLength(3);
    expect(held.data).toMatchObject({ cart_token: expect.any(String), expires_in_seconds: 600 });
    const wish = [{ seat_id: seats[1] }, { seat_id: seats[2] }, { zone_id: zones[1], quantity: 4 }];
    const refused = await buyer().hold(eventId, wish);
    expect(refused.status).toBe(409);
    expect(refused.body.details).toMatchObject({
      seats: [{ seat_id: seats[1], label: 'A-2', error: 'seat_held_by_another_user' }],
      zones: [{ zone_id: zones[1], error: 'block_at_capacity' }],
    });
    const left = await open(`GET /api/events/${eventId}/availability`);
    expect(Buffer.from(String(left.data.seats), 'base64')[0]).toBe(0b00_01_01);
    expect(left.data.zones).toMatchObject([{ held: 2 }, { available: 3, held: 2, capacity: 5 }]);
  });

  it('are listed and released: one, then all', async () => {
    const { eventId, seats, zones } = await show({ config: HYBRID });
    const ann = buyer();
    await ann.hold(eventId, [{ seat_id: seats[0] }, { zone_id: zones[1], quantity: 2 }]);
    const own = await ann.ask(`GET /api/events/${eventId}/holds`);
    const holds = own.data.holds as { hold_id: string }[];
    expect(holds).toHaveLength(2);
    const route = `DELETE /api/holds/${holds[0]?.hold_id}`;
    expect((await buyer().ask(route)).body.error).toBe('hold_not_found');
    expect((await ann.ask(route)).data).toMatchObject({ released_count: 1 });
    expect((await ann.ask(route)).data).toMatchObject({ released_count: 0 });
    const all = await ann.ask(`DELETE /api/events/${eventId}/holds`);
    expect(all.data).toMatchObject({ status: 'released', released_count: 2 });
    expect(await activeHolds(eventId)).toEqual([]);
  });

  it('stay within the limits of a booking', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const items = seats.slice(0, 11).map((seat_id) => ({ seat_id }));
    const refused = await ann.hold(eventId, items);
    expect([refused.status, refused.body.error]).toEqual([409, 'hold_limit_reached']);
    expect(refused.body.details).toMatchObject({ limit: 'max_seats_per_booking', most: 10 });
  });
});

describe('a key', () => {
  it('does it once: the same answer again, another body 422', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const headers = { 'idempotency-key': 'one' };
    const first = await ann.hold(eventId, [{ seat_id: seats[0] }], { headers });
    const again = await ann.hold(eventId, [{ seat_id: seats[0] }], {
      headers,
      body: { items: [{ seat_id: seats[0] }] },
    });
    expect(first.status).toBe(201);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
    const other = await ann.hold(eventId, [], {
      headers,
      body: { items: [{ seat_id: seats[1] }] },
    });
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_key_reused']);
    expect(scope().kind).toBe('scope');
  });
});
