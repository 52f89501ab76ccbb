import { Board } from '@voelgoed/engine/board';
import { replayBoard } from '@voelgoed/engine/registry';
import { anEngine, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, type Reply } from '@voelgoed/testkit/servers';
import { aHybridHall, PAYMENT_SECRET, tell, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows({
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
  PAYMENT_PROVIDERS: 'bank,other',
});
const { ask, buyer, database, node, scope } = shows;

type Buyer = ReturnType<typeof buyer>;

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const rows = (sql: string, values: unknown[]) => database.asSuperuser(sql, values);

/** Two seats and two places of the pit, held. */
async function aCart(ann: Buyer = buyer(), from = 0) {
  const { eventId, seats, zones } = await shows.show({ config: aHybridHall() });
  return { ann, eventId, seats, zones, ...(await fill(ann, eventId, seats, zones, from)) };
}

async function fill(
  ann: Buyer,
  eventId: string,
  seats: readonly string[],
  zones: readonly string[],
  from = 0,
) {
  const items = [
    { seat_id: seats[from] },
    { seat_id: seats[from + 1] },
    { zone_id: zones[1], quantity: 2 },
  ];
  const held = await ann.hold(eventId, items);
  expect(held.status, JSON.stringify(held.body)).toBe(201);
  const holds = held.data.holds as { hold_id: string }[];
  return { hold_ids: holds.map(({ hold_id }) => hold_id) };
}

const start = (ann: Buyer, body: object, headers = {}) =>
  ann.ask('POST /api/checkouts', { body, headers });
const act = (ann: Buyer, id: string, what: string, body: object = {}, headers = {}) =>
  ann.ask(`POST /api/checkouts/${id}/${what}`, { body, headers });

async function aCheckout() {
  const cart = await aCart();
  const started = await start(cart.ann, { event_id: cart.eventId });
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  return { ...cart, started, id: String(started.data.checkout_id) };
}

async function paying() {
  const one = await aCheckout();
  const paid = await act(one.ann, one.id, 'pay');
  expect(paid.status, JSON.stringify(paid.body)).toBe(200);
  const { attempt_id, amount_cents } = paid.data;
  const succeed = (id = newId()) =>
    tell(node().address, { id, type: 'payment.succeeded', attempt_id, amount_cents });
  return { ...one, paid, attempt_id, amount_cents, succeed };
}

describe('from holds to tickets', () => {
  it('is a checkout, a payment, and tickets that every table agrees about', async () => {
    const { ann, eventId, id, started, succeed, paid, amount_cents } = await paying();
    expect(started.data).toMatchObject({ status: 'started', currency: 'ZAR', declined: false });
    const items = started.data.items as { quantity: number; price_cents: number }[];
    const sum = items.reduce((all, one) => all + one.quantity * one.price_cents, 0);
    expect(started.data.total_cents).toBe(sum);
    expect(amount_cents).toBe(sum);
    expect(paid.data).toMatchObject({ status: 'paying', pay_url: null });
    expect(await succeed()).toMatchObject({
      status: 200,
      body: { data: { status: 'processed', outcome: 'completed', checkout_status: 'completed' } },
    });
    const after = await ann.ask(`GET /api/checkouts/${id}`);
    expect(after.data).toMatchObject({ status: 'completed', expires_at: null, total_cents: sum });
    const tickets = await rows('select * from tickets where checkout_id = $1', [id]);
    expect(tickets).toHaveLength(4);
    const codes = tickets.map(({ code }) => String(code));
    expect(new Set(codes).size).toBe(4);
    for (const code of codes) expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){2}$/);
    const seats = await rows(
      `select e.status, t.status as ticket, e.seat_hold_id, e.held_until from event_seats e
       join tickets t using (ticket_id) where e.event_id = $1`,
      [eventId],
    );
    const sold = { status: 'sold', ticket: 'active', seat_hold_id: null, held_until: null };
    expect(seats).toEqual([sold, sold]);
    const holds = await rows('select status, end_reason from seat_holds where event_id = $1', [
      eventId,
    ]);
    const converted = { status: 'converted', end_reason: 'checkout_completed' };
    expect(holds).toEqual([converted, converted, converted]);
    const trail = await ask(`GET /api/admin/audit/verify?event_id=${eventId}`);
    expect(trail.data).toMatchObject({ ok: true });
  });

  it('gives the same board when it is loaded, followed and replayed', async () => {
    const { eventId, ann, seats, zones, succeed } = await paying();
    await succeed();
    await fill(ann, eventId, seats, zones, 4);
    const open = await start(ann, { event_id: eventId });
    await act(ann, String(open.data.checkout_id), 'pay');
    const event = { scope: scope(), eventId };
    const engine = anEngine(database.postgres);
    const loaded = await engine.registry.board(event);
    const [head] = await rows('select revision from event_boards where event_id = $1', [eventId]);
    const replayed = await database.postgres.transaction(event.scope, { name: 'test' }, (one) =>
      replayBoard(one, event, Number(head?.revision), async () => {
        if (!loaded) throw new Error('the board is there');
        return loaded.plan;
      }),
    );
    expect(loaded).toBeInstanceOf(Board);
    expect([...(loaded?.checkouts() ?? [])]).toMatchObject([{ status: 'paying' }]);
    expect(replayed).toMatchObject({ kind: 'board' });
    if (replayed.kind === 'board') expect(replayed.board.digest).toBe(loaded?.digest);
  });

  it('is the same checkout while it is open, and somebody else`s is not there', async () => {
    const { ann, eventId, id, hold_ids } = await aCheckout();
    const again = await start(ann, { event_id: eventId });
    expect(again).toMatchObject({ status: 200, data: { checkout_id: id, existing: true } });
    const fewer = await start(ann, { event_id: eventId, hold_ids: hold_ids.slice(0, 1) });
    expect(fewer).toMatchObject({ status: 200, data: { checkout_id: id } });
    expect(fewer.data.items).toHaveLength(1);
    const bob = buyer();
    expect(answerOf(await bob.ask(`GET /api/checkouts/${id}`))).toEqual([
      404,
      'checkout_not_found',
    ]);
    for (const what of ['pay', 'cancel']) {
      expect(answerOf(await act(bob, id, what))).toEqual([404, 'checkout_not_found']);
    }
    expect(answerOf(await start(bob, { event_id: eventId, hold_ids }))).toEqual([
      404,
      'hold_not_found',
    ]);
    expect(answerOf(await start(bob, { event_id: eventId }))).toEqual([400, 'no_active_holds']);
  });

  it('is for one event', async () => {
    const one = await aCart();
    const other = await aCart(one.ann);
    const wish = { event_id: one.eventId, hold_ids: [...one.hold_ids, ...other.hold_ids] };
    expect(answerOf(await start(one.ann, wish))).toEqual([400, 'mixed_events']);
    expect(answerOf(await start(one.ann, { event_id: newId() }))).toEqual([404, 'event_not_found']);
  });

  it('repeats its answers with their key, and does nothing twice', async () => {
    const { ann, eventId } = await aCart();
    const key = { 'idempotency-key': newId() };
    const first = await start(ann, { event_id: eventId }, key);
    const second = await start(ann, { event_id: eventId }, key);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.data.checkout_id).toBe(first.data.checkout_id);
    const id = String(first.data.checkout_id);
    const paid = [await act(ann, id, 'pay', {}, key), await act(ann, id, 'pay', {}, key)];
    expect(paid[1]?.data).toEqual(paid[0]?.data);
    const attempts = await rows('select * from payment_attempts where checkout_id = $1', [id]);
    expect(attempts).toHaveLength(1);
    expect(answerOf(await act(ann, id, 'pay', { provider: 'other' }, key))).toEqual([
      422,
      'idempotency_key_reused',
    ]);
  });

  it('belongs to a guest`s own event', async () => {
    const { eventId, seats } = await shows.show({ config: aHybridHall() });
    const other = await shows.show({ config: aHybridHall() });
    const session = await shows.open(`POST /api/events/${eventId}/sessions`);
    const token = String(session.data.token);
    const guest = (route: string, body: object) => call(node().address, route, { token, body });
    await guest(`POST /api/events/${eventId}/holds`, { items: [{ seat_id: seats[0] }] });
    const elsewhere = await guest('POST /api/checkouts', { event_id: other.eventId });
    expect(answerOf(elsewhere)).toEqual([404, 'event_not_found']);
    expect(await guest('POST /api/checkouts', { event_id: eventId })).toMatchObject({
      status: 201,
    });
  });
});

describe('a cart that leaves a seat alone', () => {
  it('was taken seat by seat: refused with other choices, unless the buyer insists', async () => {
    const { eventId, seats } = await shows.show({ config: aHybridHall() });
    const ann = buyer();
    const reserved = await ann.reserve(eventId, seats[1] ?? '');
    expect(reserved).toMatchObject({ status: 201, data: { orphans: ['A-1'] } });
    const refused = await start(ann, { event_id: eventId });
    expect(answerOf(refused)).toEqual([409, 'orphan_rule']);
    const { orphans, alternatives } = refused.body.details as {
      orphans: string[];
      alternatives: { seats: unknown[] }[];
    };
    expect(orphans).toEqual(['A-1']);
    expect(alternatives.length).toBeGreaterThan(0);
    expect((await ann.ask(`GET /api/events/${eventId}/holds`)).data.holds).toHaveLength(1);
    const insisted = await start(ann, { event_id: eventId, allow_orphan: true });
    expect(insisted.status).toBe(201);
  });

  it('was chosen by the engine: legal whatever others take, but not a part of it', async () => {
    const { eventId, seats } = await shows.show({ config: aHybridHall() });
    const [ann, bob] = [buyer(), buyer()];
    const route = `POST /api/events/${eventId}/holds/best-available`;
    const { data } = await ann.ask(route, { body: { quantity: 3 } });
    const chosen = data.holds as { hold_id: string; seat_id: string }[];
    const places = chosen.map(({ seat_id }) => seats.indexOf(seat_id));
    // The seat between them is left alone.
    const beside = seats[Math.min(...places) - 2] ?? '';
    expect((await bob.reserve(eventId, beside)).status).toBe(201);
    const without = { hold_ids: [chosen[0]?.hold_id, chosen[2]?.hold_id] };
    const part = await start(ann, { event_id: eventId, ...without });
    expect(answerOf(part)).toEqual([409, 'orphan_rule']);
    expect((await start(ann, { event_id: eventId })).status).toBe(201);
  });
});

describe('a checkout that is given back', () => {
  it('names what was released, once, and the trail says why', async () => {
    const { ann, eventId, id } = await aCheckout();
    const done = await act(ann, id, 'cancel', { reason: 'user_cancelled', notes: 'changed plans' });
    expect(done.data).toMatchObject({
      status: 'cancelled',
      checkout_id: id,
      released_count: 4,
      message: '4 seats were released.',
    });
    const released = done.data.released_seats as { row: string | null; number: number | null }[];
    expect(released.map(({ row, number }) => [row, number])).toEqual(
      expect.arrayContaining([
        ['A', 1],
        ['A', 2],
        [null, null],
      ]),
    );
    const again = await act(ann, id, 'cancel');
    expect(again).toMatchObject({ status: 200, data: { status: 'cancelled', released_count: 0 } });
    expect(answerOf(await act(ann, id, 'pay'))).toEqual([409, 'checkout_closed']);
    const trail = await rows(
      `select changes from audit_log where chain_id = $1 and action = 'seat_released'`,
      [eventId],
    );
    expect(trail).toHaveLength(3);
    expect(trail[0]?.changes).toMatchObject({
      scenario: 'user_cancellation',
      reason: 'user_cancelled',
      previous_status: 'active',
      new_status: 'cancelled',
    });
    const metrics = await (await fetch(`${node().address}/metrics`)).text();
    expect(metrics).toMatch(/voelgoed_checkout_closed_total\{status="cancelled"\} [1-9]/);
  });

  it('is not while it is being paid for, nor afterwards', async () => {
    const { ann, eventId, id, hold_ids, succeed } = await paying();
    const busy = [409, 'payment_in_progress'];
    expect(answerOf(await act(ann, id, 'cancel'))).toEqual(busy);
    expect(answerOf(await ann.ask(`DELETE /api/holds/${hold_ids[0]}`))).toEqual(busy);
    expect(answerOf(await ann.ask(`DELETE /api/events/${eventId}/holds`))).toEqual(busy);
    const wish = { event_id: eventId, hold_ids: hold_ids.slice(1) };
    expect(answerOf(await start(ann, wish))).toEqual(busy);
    await succeed();
    const paid = [409, 'ticket_already_paid'];
    expect(answerOf(await act(ann, id, 'cancel'))).toEqual(paid);
    expect(answerOf(await act(ann, id, 'pay'))).toEqual(paid);
    expect(answerOf(await ann.ask(`DELETE /api/holds/${hold_ids[0]}`))).toEqual(paid);
  });
});

describe('staff', () => {
  const release = (body: object) => ask('POST /api/admin/seats/release', { body });

  it('leave alone what is being paid for, unless they insist', async () => {
    const { hold_ids, id, ann, succeed } = await paying();
    const asked = await release({ hold_ids, reason: 'a mistake' });
    const outcomes = (asked.data.holds as { outcome: string }[]).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(hold_ids.map(() => 'payment_in_progress'));
    const forced = await release({ hold_ids, reason: 'a mistake', force: true });
    expect(forced.data).toMatchObject({ status: 'released', seats_released: 4 });
    expect((await ann.ask(`GET /api/checkouts/${id}`)).data.status).toBe('cancelled');
    expect((await succeed()).body).toMatchObject({ data: { outcome: 'refund_due' } });
  });

  it('are told what has become a ticket', async () => {
    const { hold_ids, succeed } = await paying();
    await succeed();
    const asked = await release({ hold_ids: hold_ids.slice(0, 1), reason: 'a mistake' });
    expect(asked.data).toMatchObject({
      seats_released: 0,
      holds: [{ hold_id: hold_ids[0], outcome: 'ticket_already_paid' }],
    });
  });

  it('do not block a seat under a buyer who is paying', async () => {
    const { eventId, seats } = await paying();
    const body = { seat_ids: [seats[0]], reason: 'camera' };
    const blocked = await ask(`POST /api/admin/events/${eventId}/seats/block`, { body });
    expect(answerOf(blocked)).toEqual([409, 'payment_in_progress']);
  });

  it('cancel an event: holds end, payments are owed when they come, tickets are owed', async () => {
    const { eventId, succeed, id, ann } = await paying();
    const bob = buyer();
    const second = await shows.show({ config: aHybridHall() });
    await fill(bob, second.eventId, second.seats, second.zones);
    const other = await start(bob, { event_id: second.eventId });
    const paid = await act(bob, String(other.data.checkout_id), 'pay');
    const { attempt_id, amount_cents } = paid.data;
    await tell(node().address, { type: 'payment.succeeded', attempt_id, amount_cents });
    for (const event of [eventId, second.eventId]) {
      await ask(`POST /api/admin/events/${event}/cancel`, { body: { reason: 'rain' } });
    }
    expect((await ann.ask(`GET /api/checkouts/${id}`)).data.status).toBe('paying');
    expect((await succeed()).body).toMatchObject({
      data: { outcome: 'refund_due', checkout_status: 'cancelled' },
    });
    const owed = await eventually(
      async () => {
        const found = await rows(
          `select reason, count(*)::int, sum(amount_cents)::int from refunds_due
           where event_id = $1 group by reason`,
          [second.eventId],
        );
        return found[0]?.count === 4 ? found : undefined;
      },
      { within_ms: 15_000 },
    );
    expect(owed).toEqual([{ reason: 'event_cancelled', count: 4, sum: amount_cents }]);
  });
});
