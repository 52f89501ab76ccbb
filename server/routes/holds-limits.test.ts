import { systemClock } from '@voelgoed/engine/kit';
import { newId } from '@voelgoed/testkit/builders';
import { call, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** The test itself is the proxy. */
const { ask, buyer, node, scope, show } = useShows({
  TRUSTED_PROXIES: '127.0.0.1',
  GUEST_SESSIONS_PER_HOUR: '3',
});

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const policy = async (body: object) =>
  expect((await ask('PUT /api/admin/policy', { body })).status).toBe(200);
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });
const remaining = ({ headers }: Reply) => Number(headers.get('ratelimit-remaining'));

/** A hall with enough seats, which counts nothing but what the test is about. */
async function aSale(differently: object) {
  await policy({ hold_rate_seats: null, ...differently });
  const { eventId, seats } = await show();
  const reserve = (who: ReturnType<typeof buyer>, index: number, options = {}) =>
    who.reserve(eventId, seats[index] ?? '', options);
  return { eventId, seats, reserve };
}

describe('what may be held at a time', () => {
  it('max_seats_per_booking counts all carts; what one has already is not new', async () => {
    const { eventId, seats, reserve } = await aSale({ max_seats_per_booking: 2 });
    const ann = buyer();
    const items = seats.slice(0, 3).map((seat_id) => ({ seat_id }));
    const refused = await ann.hold(eventId, items);
    expect(answerOf(refused)).toEqual([409, 'hold_limit_reached']);
    expect(refused.body.details).toEqual({ limit: 'max_seats_per_booking', most: 2, held: 0 });
    expect(answerOf(await ann.hold(eventId, items.slice(0, 2)))).toEqual([201, 'done']);
    expect((await reserve(ann, 0)).data).toMatchObject({ existing: true });
    expect(answerOf(await reserve(ann, 2))).toEqual([409, 'hold_limit_reached']);
    const other = await reserve(ann, 2, { body: { cart_token: 'another cart' } });
    expect(answerOf(other)).toEqual([409, 'hold_limit_reached']);
    expect(other.body.message).toBe('A booking may have 2 seats: you have 2 and asked for 1 more.');
  });

  it('max_holds_per_user counts all carts, and what was released is free again', async () => {
    const { eventId, reserve } = await aSale({ max_holds_per_user: 2 });
    const ann = buyer();
    for (const index of [0, 1]) {
      const options = { body: { cart_token: `cart ${index}` } };
      expect(answerOf(await reserve(ann, index, options))).toEqual([201, 'done']);
    }
    const options = { body: { cart_token: 'cart 2' } };
    const refused = await reserve(ann, 2, options);
    expect(refused.body.details).toEqual({ limit: 'max_holds_per_user', most: 2, held: 2 });
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    expect(answerOf(await reserve(ann, 2, options))).toEqual([201, 'done']);
  });

  it('max_holds_per_ip: IPv4 by address, IPv6 by its /56, whatever its spelling', async () => {
    const { reserve } = await aSale({ max_holds_per_ip: 1 });
    const limit = [409, 'hold_limit_reached'];
    const held = [201, 'done'];
    const rows: [string, unknown[]][] = [
      ['192.0.2.1', held],
      ['192.0.2.1', limit],
      ['192.0.2.2', held],
      // Behind a socket for both kinds an old address is written like this.
      ['::ffff:192.0.2.2', limit],
      ['::ffff:192.0.2.3', held],
      ['::ffff:192.0.2.4', held],
      ['2001:db8:0:1::1', held],
      ['2001:DB8:0:1:ffff::2', limit],
      // Another link of the same home, and another home.
      ['2001:db8:0:2::1', limit],
      ['2001:db8:0:102::1', held],
      ['[2001:db8:0:102::9]:443', limit],
      // The last address before the proxy counts, not what somebody wrote in front of it.
      ['203.0.113.9, 192.0.2.1', limit],
    ];
    for (const [index, [ip, expected]] of rows.entries()) {
      expect([ip, ...answerOf(await reserve(buyer(), index, from(ip)))]).toEqual([ip, ...expected]);
    }
  });

  it('guests are counted by address also where the policy has no limit: 40', async () => {
    await policy({ hold_rate_seats: null, max_seats_per_booking: 50 });
    const { eventId, zones } = await show({ config: aHybridHall({ pit: { capacity: 200 } }) });
    const session = await call(node().address, `POST /api/events/${eventId}/sessions`, {
      ...from('198.51.100.1'),
    });
    const guest = (quantity: number, ip: string) =>
      call(node().address, `POST /api/events/${eventId}/holds`, {
        token: String(session.data.token),
        body: { items: [{ zone_id: zones[1], quantity }], cart_token: newId() },
        ...from(ip),
      });
    expect(answerOf(await guest(40, '198.51.100.1'))).toEqual([201, 'done']);
    const refused = await guest(1, '198.51.100.1');
    expect(refused.body.details).toEqual({ limit: 'max_holds_per_ip', most: 40, held: 40 });
    expect(answerOf(await guest(1, '198.51.100.2'))).toEqual([201, 'done']);
    // Whoever has logged in is somebody.
    const items = [{ zone_id: zones[1], quantity: 5 }];
    const ann = await buyer().hold(eventId, items, from('198.51.100.1'));
    expect(answerOf(ann)).toEqual([201, 'done']);
  });
});

describe('what may be held in a while', () => {
  it('10 seats in 5 minutes, with headers to pace oneself by; refusals cost nothing', async () => {
    const { eventId, seats } = await show();
    const [ann, bob] = [buyer(), buyer()];
    const first = await ann.reserve(eventId, seats[0] ?? '');
    expect(first.headers.get('ratelimit-limit')).toBe('10');
    expect(first.headers.get('ratelimit-policy')).toBe('10;w=300');
    expect(remaining(first)).toBe(9);
    // Held by another, held by oneself, not there: nothing of it is counted, and it is said so.
    await bob.reserve(eventId, seats[1] ?? '');
    expect(remaining(await ann.reserve(eventId, seats[1] ?? ''))).toBe(9);
    expect(remaining(await ann.reserve(eventId, seats[0] ?? ''))).toBe(9);
    expect(remaining(await ann.reserve(eventId, newId()))).toBe(9);
    // A cart with something of one's own costs what is new.
    const cart = await ann.hold(eventId, [{ seat_id: seats[0] }, { seat_id: seats[2] }]);
    expect([cart.status, remaining(cart)]).toEqual([201, 8]);
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    const items = seats.slice(2, 10).map((seat_id) => ({ seat_id }));
    expect(remaining(await ann.hold(eventId, items))).toBe(0);
    const late = await ann.reserve(eventId, seats[11] ?? '');
    expect(answerOf(late)).toEqual([429, 'rate_limited']);
    const wait = Number(late.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(20);
    expect(wait).toBeLessThanOrEqual(30);
    expect(late.body.details).toEqual({ retry_after_seconds: wait });
    expect(remaining(late)).toBe(0);
  });

  it('asking again is free, also with nothing left: for one’s own seat and by key', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const headers = { 'idempotency-key': 'all of it' };
    const items = seats.slice(0, 10).map((seat_id) => ({ seat_id }));
    const first = await ann.hold(eventId, items, { headers });
    expect([first.status, remaining(first)]).toEqual([201, 0]);
    const own = await ann.reserve(eventId, seats[3] ?? '');
    expect([own.status, own.data.existing]).toEqual([200, true]);
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    expect(answerOf(await ann.reserve(eventId, seats[3] ?? ''))).toEqual([429, 'rate_limited']);
    const again = await ann.hold(eventId, items, { headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(first.data);
  });

  it('a wish that no wait can fulfil is told its limit, not to wait', async () => {
    const { eventId, seats } = await show();
    const items = seats.slice(0, 11).map((seat_id) => ({ seat_id }));
    const refused = await buyer().hold(eventId, items);
    expect(answerOf(refused)).toEqual([409, 'hold_limit_reached']);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(remaining(refused)).toBe(10);
  });

  it('staff have a hundred times as much, keys ten thousand times', async () => {
    const { eventId, seats } = await show();
    const key = await ask('POST /api/admin/api-keys', { body: { name: 'k', scopes: ['buy'] } });
    const staff = tokenFor(scope().organizationId, { role: 'staff', subject: 'staff' });
    for (const [token, capacity] of [
      [staff, 1_000],
      [String(key.data.key), 100_000],
    ] as const) {
      const route = `POST /api/events/${eventId}/seats/${seats[0]}/reserve`;
      const reply = await call(node().address, route, { token });
      expect(Number(reply.headers.get('ratelimit-limit'))).toBe(capacity);
    }
  });

  it('120 refusals a minute, whatever they are about', async () => {
    // Wishes under way have their seats taken from the rate of holds, which is not meant here.
    const { eventId, seats } = await aSale({});
    await buyer().reserve(eventId, seats[0] ?? '');
    const eve = buyer();
    const started_ms = systemClock.monotonic();
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => eve.reserve(eventId, seats[0] ?? '')),
    );
    const seconds = (systemClock.monotonic() - started_ms) / 1_000;
    const counts = Map.groupBy(replies, (reply) => answerOf(reply).join(' '));
    const refused = counts.get('409 seat_held_by_another_user')?.length ?? 0;
    const late = counts.get('429 rate_limited') ?? [];
    expect(refused + late.length).toBe(200);
    // Two come back each second, however long this machine takes.
    expect(refused).toBeGreaterThanOrEqual(120);
    expect(refused).toBeLessThanOrEqual(120 + Math.ceil(2 * seconds));
    expect(Number(late[0]?.headers.get('retry-after'))).toBe(1);
    // Somebody else is not concerned, and neither is what she does not ask for in vain.
    expect(answerOf(await buyer().reserve(eventId, seats[1] ?? ''))).toEqual([201, 'done']);
  });

  it('guest sessions: so many an hour and address, IPv6 by its /56', async () => {
    const { eventId } = await show();
    const session = (ip: string) =>
      call(node().address, `POST /api/events/${eventId}/sessions`, from(ip));
    const hosts = ['1', '2', '3', '4'].map((host) => `2001:db8:7:7::${host}`);
    const replies = [];
    for (const ip of hosts) replies.push(answerOf(await session(ip)));
    expect(replies).toEqual([...Array(3).fill([201, 'done']), [429, 'rate_limited']]);
    expect(answerOf(await session('2001:db8:7:8::1'))).toEqual([429, 'rate_limited']);
    expect(answerOf(await session('2001:db8:7:108::1'))).toEqual([201, 'done']);
    const refused = await session(hosts[0] ?? '');
    expect(refused.headers.get('ratelimit-policy')).toBe('3;w=3600');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1_000);
  });
});
