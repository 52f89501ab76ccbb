import { userIdOf } from '@voelgoed/engine/accounts';
import { listTicketsOfSale } from '@voelgoed/engine/tickets';
import { anOrganization, newId } from '@voelgoed/testkit/builders';
import { planOf } from '@voelgoed/testkit/database';
import { call, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, open, scope, sell, sellTo, show } = useShows();

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const idOf = (subject: string) => userIdOf(scope().organizationId, subject);
const holdIds = ({ data }: Reply) =>
  (data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);

describe('a buyer’s tickets', () => {
  it('have seat or zone, days, price and a QR code without anything personal', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall(), price_cents: 12_500 });
    const ann = buyer('ann');
    const items = [
      { zone_id: zones[1], quantity: 2 },
      { seat_id: seats[1] },
      { seat_id: seats[0] },
    ];
    const sold = await sellTo(ann, eventId, items);
    const { list } = await ann.ask(`GET /api/tickets?checkout_id=${sold[0]?.checkout_id}`);
    const place = (label: string, number: number) => ({
      ...{ label, block: 'Stalls', section: null, row: 'A', number },
      seat_id: seats[number - 1],
    });
    expect(list.map(({ seat, zone }) => [seat, (zone as { name: string }).name])).toEqual([
      [place('A-1', 1), 'Stalls'],
      [place('A-2', 2), 'Stalls'],
      [null, 'Pit'],
      [null, 'Pit'],
    ]);
    for (const ticket of list) {
      expect(ticket).toMatchObject({
        ...{ event_id: eventId, status: 'active', price_cents: 12_500, currency: 'ZAR' },
        ...{ valid_days: ['2099-06-01'], needs_reseating: false, entry_count: 0 },
        qr_valid_until: '2099-06-08T22:00:00.000Z',
      });
      expect(ticket.code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
      expect(ticket.qr).toContain(String(ticket.code).replaceAll('-', ''));
      expect(JSON.stringify(ticket)).not.toContain(idOf('ann'));
    }
    expect(new Set(list.map(({ code }) => code)).size).toBe(4);
  });

  it('are all of theirs, page by page, and nobody else’s', async () => {
    const [one, two] = [await show(), await show()];
    const [ann, bob] = [buyer('ann'), buyer('bob')];
    await sellTo(ann, one.eventId, [{ seat_id: one.seats[0] }, { seat_id: one.seats[1] }]);
    await sellTo(ann, two.eventId, [{ seat_id: two.seats[0] }]);
    const [bobs] = await sellTo(bob, one.eventId, [{ seat_id: one.seats[2] }]);
    const all = (await ann.ask('GET /api/tickets')).list;
    expect(all.map(({ event_id }) => event_id)).toEqual([one.eventId, one.eventId, two.eventId]);
    const first = (await ann.ask('GET /api/tickets?limit=2')).list;
    const rest = (await ann.ask(`GET /api/tickets?limit=2&after=${first[1]?.ticket_id}`)).list;
    expect([...first, ...rest]).toEqual(all);
    const foreign = await ann.ask(`GET /api/tickets?checkout_id=${bobs?.checkout_id}`);
    expect(answerOf(foreign)).toEqual([404, 'checkout_not_found']);
    const nothing = await ann.ask(`GET /api/tickets?checkout_id=${newId()}`);
    expect(answerOf(nothing)).toEqual([404, 'checkout_not_found']);
    expect((await buyer().ask('GET /api/tickets')).list).toEqual([]);
  });

  it('of a guest are those of their event', async () => {
    const [one, two] = [await show(), await show()];
    const session = await call(node().address, `POST /api/events/${one.eventId}/sessions`);
    const token = String(session.data.token);
    const hold = await call(node().address, `POST /api/events/${one.eventId}/holds`, {
      token,
      body: { items: [{ seat_id: one.seats[0] }] },
    });
    const sold = await sell(one.eventId, holdIds(hold));
    const own = await call(node().address, 'GET /api/tickets', { token });
    expect(own.list).toHaveLength(1);
    // The same person at another event, who has a session for this one alone.
    const there = tokenFor(scope().organizationId, {
      role: 'customer',
      subject: String(session.data.user_id),
    });
    const elsewhere = await call(node().address, `POST /api/events/${two.eventId}/holds`, {
      token: there,
      body: { items: [{ seat_id: two.seats[0] }] },
    });
    const other = await sell(two.eventId, holdIds(elsewhere));
    expect((await call(node().address, 'GET /api/tickets', { token })).list).toEqual(own.list);
    const route = (reply: Reply) => `GET /api/tickets?checkout_id=${reply.data.checkout_id}`;
    expect((await call(node().address, route(sold), { token })).list).toEqual(own.list);
    expect(answerOf(await call(node().address, route(other), { token }))).toEqual([
      404,
      'checkout_not_found',
    ]);
    expect((await call(node().address, 'GET /api/tickets', { token: there })).list).toHaveLength(2);
  });

  it('are none while nothing is paid', async () => {
    const { eventId, seats } = await show();
    const ann = buyer('ann');
    await ann.reserve(eventId, seats[0] ?? '');
    const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
    expect(started.status).toBe(201);
    const reply = await ann.ask(`GET /api/tickets?checkout_id=${started.data.checkout_id}`);
    expect([reply.status, reply.list]).toEqual([200, []]);
  });
});

describe('a sale at the door', () => {
  it('turns holds into tickets at once, in one commit, with its trail', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall(), price_cents: 5_000 });
    const held = await ask(`POST /api/admin/events/${eventId}/holds`, {
      body: { items: [{ seat_id: seats[0] }, { zone_id: zones[1], quantity: 2 }], for: 'Thandi' },
    });
    const options = { headers: { 'idempotency-key': 'till 1, sale 5' } };
    const sold = await sell(eventId, holdIds(held), options);
    expect(sold.status).toBe(201);
    expect(sold.data).toMatchObject({ method: 'cash', total_cents: 15_000, currency: 'ZAR' });
    const tickets = sold.data.tickets as Record<string, unknown>[];
    expect(tickets.map(({ user_id }) => user_id)).toEqual(Array(3).fill(idOf('caller:Thandi')));
    const again = await sell(eventId, holdIds(held), options);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.data).toEqual(sold.data);
    expect(answerOf(await sell(eventId, holdIds(held)))).toEqual([404, 'hold_not_found']);
    const occupancy = await open(`GET /api/events/${eventId}/occupancy`);
    expect(occupancy.data).toMatchObject({ held: 0, sold: 3 });
    const checkouts = await ask(`GET /api/admin/events/${eventId}/checkouts`);
    expect(checkouts.list).toMatchObject([
      {
        ...{ checkout_id: sold.data.checkout_id, status: 'completed', method: 'cash', seats: 3 },
        ...{ user_id: idOf('caller:Thandi'), total_cents: 15_000 },
      },
    ]);
    const trail = await ask(`GET /api/admin/audit?event_id=${eventId}&action=checkout_completed`);
    expect(trail.list).toMatchObject([
      { actor_id: idOf('tester'), entity_id: sold.data.checkout_id, changes: { method: 'cash' } },
    ]);
    for (const { code } of tickets) expect(JSON.stringify(trail.body)).not.toContain(code);
    expect((await ask(`GET /api/admin/audit/verify?event_id=${eventId}`)).data.ok).toBe(true);
  });

  it('is read again as a whole, with how it was paid, page by page', async () => {
    const { eventId, seats } = await show();
    const [one] = await sellTo(buyer('ann'), eventId, [{ seat_id: seats[0] }]);
    const items = [{ seat_id: seats[1] }, { seat_id: seats[2] }];
    const [two, three] = await sellTo(buyer('ann'), eventId, items);
    const list = (query: string) => ask(`GET /api/admin/events/${eventId}/tickets?${query}`);
    const whole = await list(`checkout_id=${two?.checkout_id}`);
    const codes = [two?.code, three?.code].sort();
    expect(whole.list.map(({ code }) => code).sort()).toEqual(codes);
    expect(whole.list.map(({ method }) => method)).toEqual(['cash', 'cash']);
    const first = await list(`checkout_id=${two?.checkout_id}&limit=1`);
    const { after } = first.body.next as { after: string };
    const second = await list(`checkout_id=${two?.checkout_id}&limit=1&after=${after}`);
    expect([...first.list, ...second.list]).toEqual(whole.list);
    await ask(`POST /api/admin/tickets/${two?.ticket_id}/void`, { body: { reason: 'ill' } });
    const good = await list(`checkout_id=${two?.checkout_id}&status=active`);
    expect(good.list.map(({ code }) => code)).toEqual([three?.code]);
    // Another event has no tickets of this sale.
    const other = await show();
    const path = `GET /api/admin/events/${other.eventId}/tickets?checkout_id=${one?.checkout_id}`;
    expect((await ask(path)).list).toEqual([]);
    const plan = await planOf(
      database.postgres,
      scope().organizationId,
      listTicketsOfSale,
      'reads',
    );
    expect(plan).toContain('tickets_checkout');
  });

  it('gives away what is complimentary, and takes holds of one person only', async () => {
    const { eventId, seats } = await show();
    const [ann, bob] = [buyer('ann'), buyer('bob')];
    const anns = await ann.hold(eventId, [{ seat_id: seats[0] }]);
    const bobs = await bob.hold(eventId, [{ seat_id: seats[1] }]);
    const mixed = await sell(eventId, [...holdIds(anns), ...holdIds(bobs)]);
    expect(answerOf(mixed)).toEqual([404, 'hold_not_found']);
    const body = { hold_ids: holdIds(anns), method: 'complimentary', for_holder: true };
    const given = await sell(eventId, [], { body });
    expect(given.data).toMatchObject({ total_cents: 0, tickets: [{ price_cents: 0 }] });
    expect((await ann.ask('GET /api/tickets')).list).toHaveLength(1);
    const wrong = await sell(eventId, [], { body: { hold_ids: holdIds(bobs), method: 'free' } });
    expect(answerOf(wrong)).toEqual([400, 'invalid_request']);
    expect(answerOf(await sell(newId(), holdIds(bobs)))).toEqual([404, 'event_not_found']);
  });

  it('leaves what is being paid for alone, and sells nothing of what is over', async () => {
    const { eventId, seats } = await show();
    const ann = buyer('ann');
    const held = await ann.hold(eventId, [{ seat_id: seats[0] }]);
    const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
    const paying = await ann.ask(`POST /api/checkouts/${started.data.checkout_id}/pay`);
    expect(paying.status).toBeLessThan(300);
    expect(answerOf(await sell(eventId, holdIds(held)))).toEqual([409, 'payment_in_progress']);
    const bobs = await buyer('bob').hold(eventId, [{ seat_id: seats[1] }]);
    await ask(`POST /api/admin/events/${eventId}/cancel`, { body: { reason: 'storm' } });
    expect(answerOf(await sell(eventId, holdIds(bobs)))).toEqual([400, 'event_not_available']);
  });

  it('is staff’s, and not of another organization', async () => {
    const { eventId, seats } = await show();
    const held = await buyer().hold(eventId, [{ seat_id: seats[0] }]);
    const { organizationId } = scope();
    const viewer = { token: tokenFor(organizationId, { role: 'viewer', subject: 'v' }) };
    const body = { hold_ids: holdIds(held), method: 'card', for_holder: true };
    expect(answerOf(await sell(eventId, [], { body, ...viewer }))).toEqual([403, 'forbidden']);
    const other = await anOrganization(database.postgres);
    const foreign = { token: tokenFor(other.organizationId) };
    expect(answerOf(await sell(eventId, [], { body, ...foreign }))).toEqual([
      404,
      'event_not_found',
    ]);
    const staff = { token: tokenFor(organizationId, { role: 'staff', subject: 's' }) };
    expect(answerOf(await sell(eventId, [], { body, ...staff }))).toEqual([201, 'done']);
  });
});
