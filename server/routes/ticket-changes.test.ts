import { userIdOf } from '@voelgoed/engine/accounts';
import { withClient } from '@voelgoed/engine/postgres';
import { newId } from '@voelgoed/testkit/builders';
import { aWish } from '@voelgoed/testkit/sales';
import { type CallOptions, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows();
const { ask, buyer, database, engine, open } = shows;
const { openDoors, scan, scope, sell, sellTo, show } = shows;

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const idOf = (subject: string) => userIdOf(scope().organizationId, subject);
type Step = 'void' | 'refund' | 'reseat';
const change = (step: Step, ticketId: unknown, body: object, options: CallOptions = {}) =>
  ask(`POST /api/admin/tickets/${ticketId}/${step}`, { body, ...options });
const seatStatus = async (eventId: string, seatId: unknown) =>
  (await open(`GET /api/events/${eventId}/seats/${seatId}`)).data.status;
const as = (role: 'admin' | 'staff' | 'viewer') => ({
  token: tokenFor(scope().organizationId, { role, subject: role }),
});

async function aSale(wanted: Parameters<typeof show>[0] = {}, seats = 1) {
  const made = await show(wanted);
  const items = made.seats.slice(0, seats).map((seat_id) => ({ seat_id }));
  const tickets = await sellTo(buyer('ann'), made.eventId, items);
  return { ...made, tickets, ticketId: tickets[0]?.ticket_id };
}

describe('a void', () => {
  it('ends the ticket and frees the seat, once', async () => {
    const { eventId, seats, ticketId } = await aSale();
    const body = { reason: 'sold by mistake' };
    const options = { headers: { 'idempotency-key': 'v' } };
    const reply = await change('void', ticketId, body, options);
    expect(reply.data).toMatchObject({
      ...{ ticket_id: ticketId, status: 'voided', qr: null, end_reason: 'sold by mistake' },
      seat: { label: 'A-1' },
    });
    expect(await seatStatus(eventId, seats[0])).toBe('available');
    const replayed = await change('void', ticketId, body, options);
    expect(replayed.headers.get('idempotent-replayed')).toBe('true');
    expect(answerOf(await change('void', ticketId, body))).toEqual([200, 'done']);
    // The seat is on sale again, and the old ticket has nothing to do with it.
    expect((await buyer('bob').reserve(eventId, seats[0] ?? '')).status).toBe(201);
    expect((await ask('GET /api/admin/refunds')).list).toEqual([]);
    const trail = await ask(`GET /api/admin/audit?event_id=${eventId}&action=ticket_voided`);
    expect(trail.list).toMatchObject([{ entity_id: ticketId, actor_id: idOf('tester') }]);
  });

  it('keeps the seat out of the sale if that is wished, and gives a place back', async () => {
    const { eventId, seats, zones, ticketId } = await aSale({ config: aHybridHall() });
    await change('void', ticketId, { reason: 'broken', block: true });
    expect(await seatStatus(eventId, seats[0])).toBe('blocked');
    const [place] = await sellTo(buyer('bob'), eventId, [{ zone_id: zones[1], quantity: 1 }]);
    await change('void', place?.ticket_id, { reason: 'x' });
    const { data } = await open(`GET /api/events/${eventId}/occupancy`);
    expect(data).toMatchObject({ sold: 0, blocked: 1, available: 14 });
  });

  it('needs a reason, a ticket of one’s own organization, and staff', async () => {
    const { ticketId } = await aSale();
    expect(answerOf(await change('void', ticketId, {}))).toEqual([400, 'invalid_request']);
    const none = await change('void', newId(), { reason: 'x' });
    expect(answerOf(none)).toEqual([404, 'ticket_not_found']);
    const viewer = await change('void', ticketId, { reason: 'x' }, as('viewer'));
    expect(answerOf(viewer)).toEqual([403, 'forbidden']);
    expect(answerOf(await change('void', ticketId, { reason: 'x' }, as('staff')))).toEqual([
      200,
      'done',
    ]);
  });
});

describe('a refund', () => {
  it('is an owner’s: the ticket ends and its price is owed once', async () => {
    const { eventId, seats, ticketId } = await aSale({ price_cents: 7_500 });
    const refused = await change('refund', ticketId, { reason: 'ill' }, as('admin'));
    expect([refused.status, refused.body.details]).toEqual([403, { scope: 'refunds:write' }]);
    const reply = await change('refund', ticketId, { reason: 'ill' });
    expect(reply.data).toMatchObject({ status: 'refunded', qr: null });
    expect(await seatStatus(eventId, seats[0])).toBe('available');
    expect(answerOf(await change('refund', ticketId, { reason: 'ill' }))).toEqual([200, 'done']);
    const { list } = await ask(`GET /api/admin/refunds?event_id=${eventId}`, as('admin'));
    expect(list).toMatchObject([
      {
        ...{ event_id: eventId, ticket_id: ticketId, amount_cents: 7_500, currency: 'ZAR' },
        ...{ reason: 'ticket_refunded', status: 'due', refunded_at: null },
      },
    ]);
    const after = list[0]?.refund_id;
    expect((await ask(`GET /api/admin/refunds?after=${after}`)).list).toEqual([]);
    expect((await ask('GET /api/admin/refunds?status=refunded')).list).toEqual([]);
    expect((await ask(`GET /api/admin/refunds?event_id=${newId()}`)).list).toEqual([]);
    expect((await ask('GET /api/admin/refunds', as('staff'))).status).toBe(403);
    const late = await change('void', ticketId, { reason: 'x' });
    expect(answerOf(late)).toEqual([409, 'checkout_closed']);
    const move = await change('reseat', ticketId, { seat_id: seats[3] });
    expect(answerOf(move)).toEqual([409, 'checkout_closed']);
  });

  it('also of what was void before; the seat is somebody else’s by then', async () => {
    const { eventId, seats, ticketId } = await aSale();
    await change('void', ticketId, { reason: 'x' });
    await sellTo(buyer('bob'), eventId, [{ seat_id: seats[0] }]);
    const reply = await change('refund', ticketId, { reason: 'after all' });
    expect(reply.data).toMatchObject({ status: 'refunded' });
    expect(await seatStatus(eventId, seats[0])).toBe('sold');
    expect((await ask('GET /api/admin/refunds')).list).toHaveLength(1);
  });
});

describe('another seat', () => {
  it('for the same ticket: same code, same QR code', async () => {
    const { eventId, seats, tickets, ticketId } = await aSale();
    const held = await buyer('bob').reserve(eventId, seats[1] ?? '');
    expect(held.status).toBe(201);
    const reseat = (seat_id: unknown) => change('reseat', ticketId, { seat_id });
    expect(answerOf(await reseat(seats[1]))).toEqual([409, 'seat_held_by_another_user']);
    await ask(`POST /api/admin/events/${eventId}/seats/block`, {
      body: { seat_ids: [seats[2]], reason: 'x' },
    });
    expect(answerOf(await reseat(seats[2]))).toEqual([409, 'seat_not_available']);
    expect(answerOf(await reseat(newId()))).toEqual([404, 'seat_not_found']);
    const body = { seat_id: seats[5], reason: 'better view' };
    const moved = await change('reseat', ticketId, body);
    expect(moved.data).toMatchObject({
      seat: { label: 'A-6', number: 6 },
      code: tickets[0]?.code,
      qr: tickets[0]?.qr,
    });
    expect(await seatStatus(eventId, seats[0])).toBe('available');
    expect(await seatStatus(eventId, seats[5])).toBe('sold');
    expect((await change('reseat', ticketId, body)).status).toBe(200);
    const none = await change('reseat', newId(), { seat_id: seats[6] });
    expect(answerOf(none)).toEqual([404, 'ticket_not_found']);
    await openDoors(eventId);
    const scanned = await scan(tickets[0]?.qr ?? '');
    expect(scanned.data).toMatchObject({ status: 'admitted', seat: { label: 'A-6' } });
  });

  it('is needed when a sold seat is blocked, and said so until it is there', async () => {
    const { eventId, seats, tickets } = await aSale({}, 2);
    const waiting = async () => {
      const route = `GET /api/admin/events/${eventId}/tickets?needs_reseating=true`;
      return (await ask(route)).list.map(({ ticket_id }) => ticket_id);
    };
    const flags = async () => {
      const { list } = await buyer('ann').ask(
        `GET /api/tickets?checkout_id=${tickets[0]?.checkout_id}`,
      );
      return list.map((ticket) => [ticket.status, ticket.needs_reseating]);
    };
    expect(await waiting()).toEqual([]);
    await ask(`POST /api/admin/events/${eventId}/seats/block`, {
      body: { seat_ids: [seats[0]], reason: 'wet paint' },
    });
    expect(await flags()).toEqual([
      ['active', true],
      ['active', false],
    ]);
    expect(await waiting()).toEqual([tickets[0]?.ticket_id]);
    const moved = await change('reseat', tickets[0]?.ticket_id, { seat_id: seats[9] });
    expect(moved.data.needs_reseating).toBe(false);
    expect(await waiting()).toEqual([]);
    expect(await seatStatus(eventId, seats[0])).toBe('blocked');
    const all = (await ask(`GET /api/admin/events/${eventId}/tickets?status=active`)).list;
    expect(all).toHaveLength(2);
    const page = `GET /api/admin/events/${eventId}/tickets?limit=1`;
    const first = (await ask(page)).list;
    const second = (await ask(`${page}&after=${first[0]?.ticket_id}`)).list;
    expect([...first, ...second]).toEqual(all);
  });

  it('is also one that another ticket leaves at the same moment', async () => {
    const { eventId, seats } = await show();
    const [first] = await sellTo(buyer('ann'), eventId, [{ seat_id: seats[5] }]);
    const [second] = await sellTo(buyer('bob'), eventId, [{ seat_id: seats[0] }]);
    const { registry } = engine();
    const event = { scope: scope(), eventId };
    const move = (ticket_id = '', seat_id = '') =>
      registry.submit(event, aWish({ kind: 'reseat', ticket_id, seat_id, reason: 'x' }));
    // Asked in one breath, they are decided in one flush, which cannot write both.
    const moved = await Promise.all([
      move(second?.ticket_id, seats[9]),
      move(first?.ticket_id, seats[0]),
    ]);
    const done = { kind: 'done', outcome: { kind: 'reseated' } };
    expect(moved).toMatchObject([
      { ...done, revision: 6 },
      { ...done, revision: 7 },
    ]);
  });

  it('is nothing for a place without seats', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const [place] = await sellTo(buyer(), eventId, [{ zone_id: zones[1], quantity: 1 }]);
    const reply = await change('reseat', place?.ticket_id, { seat_id: seats[0] });
    expect(answerOf(reply)).toEqual([400, 'invalid_request']);
    expect(reply.body.details).toEqual({ reason: 'no_seat' });
  });
});

describe('the search', () => {
  const search = async (q: string, more = '') => {
    const reply = await ask(`GET /api/admin/search?q=${encodeURIComponent(q)}${more}`);
    expect(reply.status).toBe(200);
    const tickets = reply.data.tickets as { ticket_id: string }[];
    const people = reply.data.people as { user_id: string }[];
    return {
      tickets: tickets.map(({ ticket_id }) => ticket_id),
      people: people.map(({ user_id }) => user_id),
    };
  };

  it('finds a ticket by its code, its ids and its seat', async () => {
    const { eventId, tickets, ticketId } = await aSale({}, 2);
    const [first, second] = tickets;
    const one = { tickets: [ticketId], people: [] };
    expect(await search(first?.code ?? '')).toEqual(one);
    expect(await search(first?.code.replaceAll('-', '').toLowerCase() ?? '')).toEqual(one);
    expect(await search(first?.ticket_id ?? '')).toEqual(one);
    expect(await search('a-1')).toEqual(one);
    expect(await search('A-2', `&event_id=${eventId}`)).toMatchObject({
      tickets: [second?.ticket_id],
    });
    expect(await search('A-2', `&event_id=${newId()}`)).toEqual({ tickets: [], people: [] });
    const both = [first?.ticket_id, second?.ticket_id].sort().reverse();
    expect((await search(first?.checkout_id ?? '')).tickets).toEqual(both);
    expect(await search(idOf('ann'))).toEqual({ tickets: both, people: [idOf('ann')] });
  });

  it('finds people by how their name or address begins, with their tickets', async () => {
    const { eventId, seats } = await show();
    const held = await ask(`POST /api/admin/events/${eventId}/holds`, {
      body: { items: [{ seat_id: seats[0] }], for: 'Thandi Mokoena' },
    });
    const [hold] = held.data.holds as { hold_id: string }[];
    const sold = await sell(eventId, [hold?.hold_id]);
    const [ticket] = sold.data.tickets as { ticket_id: string; user_id: string }[];
    const found = { tickets: [ticket?.ticket_id], people: [ticket?.user_id] };
    expect(await search('thandi')).toEqual(found);
    expect(await search(' Thandi Moko ')).toEqual(found);
    await ask('POST /api/admin/members', {
      body: { subject: 'zola', role: 'customer', email: 'Zola@Example.test' },
    });
    expect(await search('zola@')).toEqual({ tickets: [], people: [idOf('zola')] });
    // Letters that mean something to a pattern mean nothing here.
    for (const text of ['%', '_', 'Thandi%', '\\', 'Botha']) {
      expect(await search(text)).toEqual({ tickets: [], people: [] });
    }
    expect((await ask('GET /api/admin/search')).status).toBe(400);
    expect((await ask('GET /api/admin/search?q=thandi', as('viewer'))).status).toBe(403);
    expect((await ask('GET /api/admin/search?q=thandi', as('staff'))).status).toBe(200);
  });

  it('finds names by any part of them, accents and capitals aside', async () => {
    const { eventId, seats } = await show();
    const sellAs = async (seat: number, name: string) => {
      const items = [{ seat_id: seats[seat] }];
      const body = { items, for: name, caller_id: newId() };
      const held = await ask(`POST /api/admin/events/${eventId}/holds`, { body });
      const [hold] = held.data.holds as { hold_id: string; user_id: string }[];
      const sold = await sell(eventId, [hold?.hold_id]);
      return (sold.data.tickets as { user_id: string }[])[0]?.user_id ?? '';
    };
    const nel = await sellAs(0, 'Mev. Nel');
    const jose = await sellAs(1, 'José Müller-Nelson');
    const body = { items: [{ seat_id: seats[2] }], for: 'Dr. Nel', caller_id: newId() };
    await ask(`POST /api/admin/events/${eventId}/holds`, { body });
    const here = `&event_id=${eventId}`;
    const names = async (q: string, more = here) => (await search(q, more)).people;
    // Words that begin so come first; those who hold something here are among them.
    expect(await names('nel')).toHaveLength(3);
    expect((await names('nel')).slice(0, 2)).toContain(nel);
    expect(await names('NELSON')).toEqual([jose]);
    expect(await names('jose')).toEqual([jose]);
    expect(await names('MULLER josé')).toEqual([jose]);
    expect(await names('v. n')).toEqual([nel]);
    expect(await names('uller', '')).toEqual([jose]);
    expect(await names('%el')).toEqual([]);
    const elsewhere = await show();
    expect(await names('elson', `&event_id=${elsewhere.eventId}`)).toEqual([]);
    const ticket = (await search('elson', here)).tickets;
    expect(ticket).toHaveLength(1);
  });

  it('finds a ticket by a piece of its code, and by row and number', async () => {
    const { eventId, tickets } = await aSale({}, 2);
    const [first, second] = tickets;
    const [one = '', two = '', three = ''] = (first?.code ?? '').split('-');
    const here = `&event_id=${eventId}`;
    const own = first?.ticket_id;
    expect((await search(one)).tickets).toContain(own);
    for (const piece of [
      one,
      `${one}-${two}`,
      `${one}${two}`.toLowerCase(),
      two,
      `${two}-${three}`,
    ]) {
      expect((await search(piece, here)).tickets, piece).toContain(own);
    }
    expect((await search(one.slice(0, 3), here)).tickets).not.toContain(own);
    expect((await search(one, `&event_id=${newId()}`)).tickets).toEqual([]);
    for (const seat of ['A-2', 'a2', 'A 2', 'row A 2', 'Stalls A-2']) {
      expect((await search(seat, here)).tickets, seat).toEqual([second?.ticket_id]);
    }
    expect((await search('B-2', here)).tickets).toEqual([]);
  });

  it('says that it was cut when there was no time to look through all', async () => {
    const { eventId, seats } = await show();
    const body = { items: [{ seat_id: seats[0] }], for: 'Mev. Smit', caller_id: newId() };
    await ask(`POST /api/admin/events/${eventId}/holds`, { body });
    const ask_for = async (q: string) => {
      const reply = await ask(`GET /api/admin/search?q=${q}&event_id=${eventId}`);
      return [reply.status, (reply.data.people as unknown[]).length, reply.data.is_cut];
    };
    expect(await ask_for('smit')).toEqual([200, 1, false]);
    await withClient(database.superuserUrl, async (client) => {
      // Holds cannot be read meanwhile.
      await client.query('begin');
      await client.query('lock table seat_holds in access exclusive mode');
      expect(await ask_for('smit')).toEqual([200, 0, true]);
      await client.query('rollback');
    });
  });

  it('shows at most twenty, and nothing of others', async () => {
    const { eventId, seats } = await show();
    for (let index = 0; index < 20; index += 10) {
      const items = seats.slice(index, index + 10).map((seat_id) => ({ seat_id }));
      await sellTo(buyer(`crowd ${index}`), eventId, items);
    }
    for (let index = 0; index < 25; index++) {
      const subject = `crowd member ${index}`;
      const name = `Crowd ${index}`;
      await ask('POST /api/admin/members', { body: { subject, name, role: 'customer' } });
    }
    const found = await search('crowd');
    expect(found.people).toHaveLength(20);
    const checkouts = await ask(`GET /api/admin/events/${eventId}/checkouts?limit=1`);
    const next = `before=${checkouts.list[0]?.checkout_id}`;
    const rest = await ask(`GET /api/admin/events/${eventId}/checkouts?limit=1&${next}`);
    expect([...checkouts.list, ...rest.list].map(({ seats: sold }) => sold)).toEqual([10, 10]);
    const open = await ask(`GET /api/admin/events/${eventId}/checkouts?status=started`);
    expect(open.list).toEqual([]);
    for (const list of ['checkouts', 'entries', 'tickets']) {
      const none = await ask(`GET /api/admin/events/${newId()}/${list}`);
      expect(answerOf(none)).toEqual([404, 'event_not_found']);
    }
  });
});
