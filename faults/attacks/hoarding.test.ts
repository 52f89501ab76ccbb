import { systemClock } from '@voelgoed/engine/kit';
import { newId } from '@voelgoed/testkit/builders';
import { call, type Reply, startTestNode, untilServed } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ENVIRONMENT = {
  TRUSTED_PROXIES: '127.0.0.1',
  GUEST_SESSIONS_PER_HOUR: '5',
  // The limits are tried here, not what happens before them on a busy machine.
  SHED_LOAD: '0',
};
const { ask, buyer, database, node, show } = useShows(ENVIRONMENT);
let second: Awaited<ReturnType<typeof startTestNode>>;

beforeAll(async () => {
  second = await startTestNode(database, ENVIRONMENT);
});

afterAll(() => second.stop());

const nodes = () => [node().address, second.address];
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } });

/** A pit with room for many, and rules; how much of it is taken, whoever took it. */
async function aSale(policy: object) {
  expect((await ask('PUT /api/admin/policy', { body: policy })).status).toBe(200);
  const { eventId, zones } = await show({ config: aHybridHall({ pit: { capacity: 900 } }) });
  const taken = async () => {
    const rows = await database.asSuperuser(
      `select coalesce(sum(quantity), 0)::int as taken from seat_holds
       where event_id = $1 and status = 'active' and held_until > now()`,
      [eventId],
    );
    return Number(rows[0]?.taken);
  };
  const wish = async (address: string, token: string, ip: string, quantity: number) => {
    const body = { items: [{ zone_id: zones[1], quantity }], cart_token: newId() };
    const route = `POST /api/events/${eventId}/holds`;
    const replies = await untilServed(() => call(address, route, { token, body, ...from(ip) }));
    return replies.at(-1) as Reply;
  };
  return { eventId, zones, taken, wish };
}

describe('a bot that wants everything', () => {
  it('as guests of many addresses: no more than the policy gives each, on all nodes', async () => {
    const sale = await aSale({
      hold_rate_seats: null,
      max_seats_per_booking: 4,
      max_holds_per_user: 6,
      max_holds_per_ip: 10,
    });
    const addresses = ['198.51.100.1', '198.51.100.2', '198.51.100.3'];
    const replies = await Promise.all(
      addresses.map(async (ip) => {
        const opened = await Promise.all(
          Array.from({ length: 12 }, (_, at) => {
            const route = `POST /api/events/${sale.eventId}/sessions`;
            return untilServed(() => call(nodes()[at % 2] ?? '', route, from(ip)));
          }),
        );

        const guests = opened.flat().filter(({ status }) => status === 201);
        // Five sessions an hour for an address, however many nodes are asked.
        expect(guests.length).toBe(5);
        const tokens = guests.map(({ data }) => String(data.token));
        // Every session tries ten new carts on each node, all at the same time.
        const wishes = tokens.flatMap((token) =>
          Array.from({ length: 20 }, (_, at) => sale.wish(nodes()[at % 2] ?? '', token, ip, 2)),
        );
        return Promise.all(wishes);
      }),
    );
    const all = replies.flat();
    const refused = all.filter(({ status }) => status !== 201);
    expect(refused.map(({ status }) => status).every((one) => one === 409 || one === 429)).toBe(
      true,
    );
    expect(await sale.taken()).toBe(addresses.length * 10);
  });

  /** Sessions for a while, from addresses that have nothing to do with what follows. */
  async function guests(eventId: string, count: number): Promise<string[]> {
    const opened = Array.from({ length: count }, (_, at) => {
      const ip = `198.18.${Math.floor(at / 5)}.${count}`;
      return call(nodes()[at % 2] ?? '', `POST /api/events/${eventId}/sessions`, from(ip));
    });
    const tokens = (await Promise.all(opened)).flatMap(({ data }) => data.token ?? []);
    expect(tokens).toHaveLength(count);
    return tokens.map(String);
  }

  const LOOSE = { hold_rate_seats: null, max_seats_per_booking: 50, max_holds_per_ip: null };

  it('from all over the /56 of a home: what one address may hold', async () => {
    const sale = await aSale(LOOSE);
    const links = Array.from({ length: 31 }, (_, at) => `2001:db8:7:ab${16 + at}::1`);
    const tokens = await guests(sale.eventId, links.length);
    const wishes = links.flatMap((ip, at) =>
      Array.from({ length: 4 }, (_, turn) =>
        sale.wish(nodes()[turn % 2] ?? '', tokens[at] ?? '', ip, 10),
      ),
    );
    const refused = (await Promise.all(wishes)).filter(({ status }) => status !== 201);
    expect(await sale.taken()).toBe(40);
    const limit = { limit: 'max_holds_per_ip', most: 40, held: 40 };
    expect(refused.map(({ body }) => body.details)).toContainEqual(limit);
    // Sessions from there are those of one address, too: five an hour.
    const sessions = await Promise.all(
      links.map((ip) => ask(`POST /api/events/${sale.eventId}/sessions`, from(ip))),
    );
    expect(sessions.filter(({ status }) => status === 201)).toHaveLength(5);
  });

  it('from all over the /48 of a rented server: four times as much', async () => {
    const sale = await aSale(LOOSE);
    const homes = Array.from({ length: 20 }, (_, at) => `2001:db8:8:${16 + at}00::1`);
    const tokens = await guests(sale.eventId, homes.length);
    const wishes = homes.map((ip, at) =>
      sale.wish(nodes()[at % 2] ?? '', tokens[at] ?? '', ip, 40),
    );
    await Promise.all(wishes);
    expect(await sale.taken()).toBe(160);
    const sessions = await Promise.all(
      homes.flatMap((ip) =>
        nodes().map((address) =>
          call(address, `POST /api/events/${sale.eventId}/sessions`, from(ip)),
        ),
      ),
    );
    expect(sessions.filter(({ status }) => status === 201)).toHaveLength(20);
  });

  it('with accounts, from one network: the share that the organiser has set', async () => {
    const sale = await aSale({ ...LOOSE, max_network_share_percent: 10 });
    const [capacity] = await database.asSuperuser(
      'select sum(capacity)::int as seats from event_zones where event_id = $1',
      [sale.eventId],
    );
    const most = Math.floor(Number(capacity?.seats) / 10);
    for (const [network, prefix] of [
      ['IPv4 /24', '203.0.113.'],
      ['IPv6 /48', '2001:db8:9:'],
    ] as const) {
      const before = await sale.taken();
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, at) => {
          const ip = network === 'IPv4 /24' ? `${prefix}${at}` : `${prefix}${at}::1`;
          return sale.wish(nodes()[at % 2] ?? '', buyer(`${network} ${at}`).token, ip, 2);
        }),
      );
      expect([network, (await sale.taken()) - before]).toEqual([network, most - (most % 2)]);
      const refused = replies.filter(({ status }) => status !== 201);
      const limits = new Set(refused.map(({ body }) => (body.details as { limit: string }).limit));
      expect(limits).toEqual(new Set(['max_network_share_percent']));
    }
    // Everybody else goes on.
    const elsewhere = await sale.wish(node().address, buyer('elsewhere').token, '192.0.2.1', 2);
    expect(elsewhere.status).toBe(201);
  });

  it('as one user with many carts, addresses and nodes: what one booking may have', async () => {
    const sale = await aSale({
      hold_rate_seats: null,
      max_seats_per_booking: 3,
      max_holds_per_user: 6,
    });
    const { token } = buyer('eve');
    const wishes = Array.from({ length: 40 }, (_, at) =>
      sale.wish(nodes()[at % 2] ?? '', token, `203.0.113.${at}`, 1 + (at % 3)),
    );
    const replies = await Promise.all(wishes);
    expect(replies.some(({ status }) => status === 201)).toBe(true);
    const taken = await sale.taken();
    expect(taken).toBeLessThanOrEqual(3);
    // What was left is too little for the larger wishes, not for the smallest.
    const rest = 3 - taken;
    for (let count = 0; count < rest; count++) {
      await sale.wish(nodes()[count % 2] ?? '', token, '203.0.113.1', 1);
    }
    expect(await sale.taken()).toBe(3);
    // Not more than a booking may have, whatever is asked of the engine.
    const large = await call(
      second.address,
      `POST /api/events/${sale.eventId}/holds/best-available`,
      { token, body: { quantity: 4, zone_ids: [sale.zones[1]], general_admission: true } },
    );
    expect([large.status, large.body.error]).toEqual([409, 'hold_limit_reached']);
    expect(await sale.taken()).toBe(3);
  });

  it('by taking and giving back for ever: no more in a while than the rate', async () => {
    const rate = 8;
    // A bucket is never smaller than one booking.
    const sale = await aSale({
      hold_rate_seats: rate,
      hold_rate_minutes: 60,
      max_seats_per_booking: 4,
    });
    const { token } = buyer('eve');
    const started_ms = systemClock.monotonic();
    let held = 0;
    for (let round = 0; round < 15; round++) {
      const address = nodes()[round % 2] ?? '';
      const reply = await sale.wish(address, token, '203.0.113.1', 2);
      if (reply.status === 201) held += 2;
      else expect([reply.status, reply.body.error]).toEqual([429, 'rate_limited']);
      const route = `DELETE /api/events/${sale.eventId}/holds`;
      await call(nodes()[(round + 1) % 2] ?? '', route, { token });
    }
    const minutes = (systemClock.monotonic() - started_ms) / 60_000;
    expect(held).toBeLessThanOrEqual(rate + Math.ceil((rate * minutes) / 60));
    expect(held).toBeGreaterThanOrEqual(rate);
    expect(await sale.taken()).toBe(0);
  });

  it('by extending for ever: never beyond the longest time that a hold may last', async () => {
    const sale = await aSale({
      default_hold_ttl_minutes: 10,
      hold_extension_minutes: 7,
      max_hold_total_minutes: 25,
    });
    const { token } = buyer('eve');
    const { data } = await sale.wish(node().address, token, '203.0.113.1', 1);
    const [hold] = data.holds as { hold_id: string }[];
    const answers: string[] = [];
    for (let count = 0; count < 8; count++) {
      const route = `POST /api/holds/${hold?.hold_id}/extend`;
      const reply = await call(nodes()[count % 2] ?? '', route, { token });
      answers.push(String(reply.body.error ?? 'done'));
    }
    const refused = Array(5).fill('extension_limit_reached');
    expect(answers).toEqual(['done', 'done', 'done', ...refused]);
    const [row] = await database.asSuperuser(
      `select extract(epoch from held_until - created_at)::int as seconds
       from seat_holds where hold_id = $1`,
      [hold?.hold_id],
    );
    expect(row).toEqual({ seconds: 25 * 60 });
    // A new cart for the same seat is the same hold; letting go and taking again is a new one.
    const again = await sale.wish(second.address, token, '203.0.113.1', 1);
    expect(again.status).toBe(201);
  });

  it('the control: without the limits the same bot has far more', async () => {
    const sale = await aSale({
      hold_rate_seats: null,
      max_seats_per_booking: 50,
      max_holds_per_user: null,
      max_holds_per_ip: 1_000,
    });
    for (let count = 0; count < 4; count++) {
      const { token } = buyer(`eve ${count}`);
      await sale.wish(nodes()[count % 2] ?? '', token, '203.0.113.1', 50);
    }
    expect(await sale.taken()).toBe(200);
  });
});
