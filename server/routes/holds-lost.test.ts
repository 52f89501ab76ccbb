import { connect } from 'node:net';
import { systemClock } from '@voelgoed/engine/kit';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { printedRandom } from '@voelgoed/testkit/seeds';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, show } = useShows();

/** Sends a whole request and hangs up after a while, without waiting for the answer. */
function hangUp(route: string, token: string, key: string, patience_ms: number, body = '{}') {
  const { hostname, port } = new URL(node().address);
  const head = [
    `${route} HTTP/1.1`,
    `host: ${hostname}`,
    `authorization: Bearer ${token}`,
    `idempotency-key: ${key}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
  ];
  return new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, async () => {
      if (patience_ms > 0) await systemClock.sleep(patience_ms);
      socket.destroy();
    });
  });
}

/** Rows that contradict each other: seats, holds and counters of an event. */
const CONTRADICTIONS = `
select 'seat' as what from event_seats e
left join seat_holds h on h.event_id = e.event_id and h.seat_id = e.seat_id and h.status = 'active'
where e.event_id = $1 and ((e.status = 'held') <> (h.hold_id is not null)
  or e.seat_hold_id is distinct from h.hold_id)
union all
select 'zone' from event_zones z where z.event_id = $1 and z.held <> (
  select coalesce(sum(h.quantity), 0) from seat_holds h
  left join event_seats e on e.event_id = h.event_id and e.seat_id = h.seat_id
  where h.event_id = $1 and h.status = 'active' and coalesce(h.zone_id, e.zone_id) = z.zone_id)`;

const contradictions = (eventId: string) => database.asSuperuser(CONTRADICTIONS, [eventId]);
const quiet = async (eventId: string) => {
  const revision = async () =>
    Number(
      (
        await database.asSuperuser('select revision from event_boards where event_id = $1', [
          eventId,
        ])
      )[0]?.revision,
    );
  let last = -1;
  await eventually(
    async () => {
      const now = await revision();
      const same = now === last;
      last = now;
      return same;
    },
    { every_ms: 100 },
  );
};

describe('a client that hangs up', () => {
  it('finds out by its key: held once or not at all, and never half', async () => {
    await ask('PUT /api/admin/policy', { body: { hold_rate_seats: null } });
    const { eventId, seats, zones } = await show({
      config: aHybridHall({ pit: { capacity: 90 } }),
    });
    const random = printedRandom('clients that hang up');
    const wishes = Array.from({ length: 30 }, (_, index) => ({
      token: buyer(`buyer ${index}`).token,
      key: `key ${index}`,
      body: JSON.stringify({
        items: [{ zone_id: zones[1], quantity: 2 }, { seat_id: seats[index % 10] }],
      }),
    }));
    await Promise.all(
      wishes.map(({ token, key, body }) =>
        hangUp(`POST /api/events/${eventId}/holds`, token, key, random.next() * 12, body),
      ),
    );
    await quiet(eventId);
    expect(await contradictions(eventId)).toEqual([]);
    const done = [];
    for (const { token, key, body } of wishes) {
      const options = { token, headers: { 'idempotency-key': key }, body: JSON.parse(body) };
      const reply = await ask(`POST /api/events/${eventId}/holds`, options);
      expect([201, 409]).toContain(reply.status);
      if (reply.status === 201) done.push(reply.headers.get('idempotent-replayed'));
    }
    // Ten seats, ten carts of three, whoever they belong to.
    expect(done).toHaveLength(10);
    const [{ count, quantity } = {}] = await database.asSuperuser(
      `select count(*)::int, sum(quantity)::int as quantity from seat_holds
       where event_id = $1 and status = 'active'`,
      [eventId],
    );
    expect([count, quantity]).toEqual([20, 30]);
    expect(await contradictions(eventId)).toEqual([]);
  });

  it('in the middle of its body has asked for nothing', async () => {
    const { eventId, seats } = await show();
    const { hostname, port } = new URL(node().address);
    const { token } = buyer();
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.on('close', () => resolve());
      const head = `POST /api/events/${eventId}/seats/${seats[0]}/reserve HTTP/1.1\r\nhost: x\r\n`;
      const auth = `authorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
      socket.write(`${head}${auth}content-length: 20\r\n\r\n{"cart_`, () => socket.destroy());
    });
    const reply = await buyer().reserve(eventId, seats[0] ?? '');
    expect(reply.status).toBe(201);
  });
});

describe('requests that come twice, late or in another order', () => {
  it('a release that overtakes its repeated hold does not bring the hold back', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const headers = { 'idempotency-key': 'hold' };
    const held = await ann.reserve(eventId, seats[0] ?? '', { headers });
    const route = `DELETE /api/holds/${held.data.hold_id}`;
    expect((await ann.ask(route)).data).toMatchObject({ released_count: 1 });
    // The network delivers the first request once more, after all is over.
    const late = await ann.reserve(eventId, seats[0] ?? '', { headers });
    expect([late.status, late.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    const bob = await buyer().reserve(eventId, seats[0] ?? '');
    expect(bob.status).toBe(201);
    // A late release of the old hold leaves the new one alone.
    expect((await ann.ask(route)).data).toMatchObject({ released_count: 0 });
    const seen = await ann.ask(`GET /api/events/${eventId}/seats/${seats[0]}`);
    expect(seen.data).toMatchObject({ status: 'held', mine: false });
  });

  it('everything at once, each twice: one hold at most, and a state that agrees', async () => {
    await ask('PUT /api/admin/policy', { body: { hold_rate_seats: null } });
    const { eventId, seats } = await show({ config: aHybridHall() });
    const random = printedRandom('requests in any order');
    const [ann, bob] = [buyer(), buyer()];
    const first = await ann.reserve(eventId, seats[0] ?? '');
    const hold = `/api/holds/${first.data.hold_id}`;
    const wishes = [
      () => ann.ask(`POST ${hold}/extend`, { headers: { 'idempotency-key': 'e' } }),
      () => ann.ask(`DELETE ${hold}`, { headers: { 'idempotency-key': 'd' } }),
      () => ann.reserve(eventId, seats[0] ?? '', { headers: { 'idempotency-key': 'a' } }),
      () => bob.reserve(eventId, seats[0] ?? '', { headers: { 'idempotency-key': 'b' } }),
      () => ann.ask(`DELETE /api/events/${eventId}/holds`),
    ];
    for (let round = 0; round < 8; round++) {
      const twice = [...wishes, ...wishes]
        .map((wish) => ({ wish, place: random.next() }))
        .sort((one, other) => one.place - other.place);
      const replies = await Promise.all(twice.map(({ wish }) => wish()));
      for (const { status } of replies) expect([200, 201, 404, 409]).toContain(status);
      expect(await contradictions(eventId)).toEqual([]);
    }
    const [{ made, lengthened } = {}] = await database.asSuperuser(
      `select count(distinct entity_id) filter (where action = 'seat_reserved')::int as made,
         count(*) filter (where action = 'seat_hold_extended')::int as lengthened
       from audit_log where chain_id = $1`,
      [eventId],
    );
    // Each key was good for one hold, and the extension for one.
    expect(Number(made)).toBeLessThanOrEqual(3);
    expect(Number(lengthened)).toBeLessThanOrEqual(1);
    expect((await ask(`GET /api/admin/audit/verify?event_id=${eventId}`)).data.ok).toBe(true);
    expect((await ann.ask(`GET /api/holds/${newId()}`)).status).toBe(404);
  });
});
