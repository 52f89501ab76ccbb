import type { ErrorCode } from '@voelgoed/client/wire';
import { userIdOf } from '@voelgoed/engine/accounts';
import { silentTelemetry } from '@voelgoed/engine/telemetry';
import { holdSeats, startCheckout } from '@voelgoed/engine/workflows';
import { aCaller, anEngine, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import {
  aHybridHall,
  anAccessibleHall,
  documentedCodes,
  PAYMENT_SECRET,
  tell,
  useCodes,
  useShows,
  whileCommitsAreSlow,
  whileLocked,
} from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, show } = useShows({
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
  PAYMENT_PROVIDERS: 'bank,other',
  CHECKOUT_INTERVAL_SECONDS: '5',
});

const START = 'POST /api/checkouts';
const READ = 'GET /api/checkouts/{id}';
const PAY = 'POST /api/checkouts/{id}/pay';
const CANCEL = 'POST /api/checkouts/{id}/cancel';
const ALL = [START, READ, PAY, CANCEL];
const ACTING = [START, PAY, CANCEL];
const { provoke: provokeOn, provoked } = useCodes(ask);

type Buyer = ReturnType<typeof buyer>;
type Options = NonNullable<Parameters<typeof ask>[1]>;

function provoke(code: ErrorCode, route: string, id: string, ann: Buyer, options: Options = {}) {
  return provokeOn(code, route, route.replace('{id}', id), { token: ann.token, ...options });
}

const start = (ann: Buyer, event_id: string, wish: object = {}) =>
  ann.ask(START, { body: { event_id, ...wish } });
const refuseStart = (code: ErrorCode, ann: Buyer, event_id: string, wish: object = {}) =>
  provoke(code, START, '', ann, { body: { event_id, ...wish } });
const admin = (event: string, step: string, body: object = {}) =>
  ask(`POST /api/admin/events/${event}/${step}`, { body });

/** Ann, who holds a seat of the event and a place in its pit. */
async function aCart(ann = buyer()) {
  const { eventId: event, seats, zones } = await show({ config: aHybridHall() });
  const [seat = ''] = seats;
  const held = await ann.hold(event, [{ seat_id: seat }, { zone_id: zones[1], quantity: 1 }]);
  expect(held.status, JSON.stringify(held.body)).toBe(201);
  const holds = held.data.holds as { hold_id: string }[];
  return { ann, event, seat, seats, zones, hold_ids: holds.map(({ hold_id }) => hold_id) };
}

async function aCheckout(ann = buyer()) {
  const cart = await aCart(ann);
  const started = await start(ann, cart.event);
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  return { ...cart, id: String(started.data.checkout_id) };
}

async function paying() {
  const one = await aCheckout();
  const { attempt_id, amount_cents } = (await one.ann.ask(PAY.replace('{id}', one.id))).data;
  const paid = { type: 'payment.succeeded', attempt_id, amount_cents };
  return { ...one, succeed: () => tell(node().address, paid) };
}

const ABANDONED = `select from checkouts where checkout_id = $1 and status = 'abandoned'`;

/** A checkout and its only hold, whose time is over. */
async function anAbandonedCheckout() {
  const { eventId: event, seats } = await show();
  const name = newId();
  const quick = anEngine(database.postgres, silentTelemetry, { demoHoldSeconds: 1 });
  const ann = buyer(name);
  await ann.ask(`GET /api/events/${event}/holds`);
  const id = userIdOf(scope().organizationId, name);
  const caller = aCaller({ scope: scope(), actor: { kind: 'user', id, role: 'customer' } });
  const cart = { items: [{ seat_id: seats[0] ?? '' }], cart_token: null, source: 'web' } as const;
  const held = await holdSeats(quick, caller, event, cart);
  const wish = { eventId: event, holdIds: null, cartToken: null, allowOrphan: true };
  const started = await startCheckout(quick, caller, wish);
  if (held.kind !== 'held' || started.kind !== 'checkout') throw new Error('it is on sale');
  const { checkout_id } = started.view.checkout;
  const over = async () => (await database.asSuperuser(ABANDONED, [checkout_id])).length === 1;
  await eventually(over, { within_ms: 15_000 });
  const hold = held.holds[0]?.hold.hold_id ?? '';
  return { ann, event, id: checkout_id, hold, cart_token: held.cart_token };
}

describe('every route about checkouts answers with', () => {
  it('invalid_request for an id or a body that is none', async () => {
    const ann = buyer();
    for (const route of ALL) {
      await provoke('invalid_request', route, 'x', ann, route === READ ? {} : { body: { x: 1 } });
    }
    const { id } = await aCheckout(ann);
    await provoke('invalid_request', PAY, id, ann, { body: { provider: 'nobody' } });
  });

  it('unauthorized for no credential, forbidden for a key that may not', async () => {
    const body = { name: 'reader', scopes: ['events:read'] };
    const made = await ask('POST /api/admin/api-keys', { body });
    for (const route of ALL) {
      await provoke('unauthorized', route, newId(), { ...buyer(), token: 'x' });
      await provoke('forbidden', route, newId(), { ...buyer(), token: String(made.data.key) });
    }
  });

  it('body_too_large', async () => {
    const body = { much: 'x'.repeat(1_100_000) };
    for (const route of ACTING) {
      await provoke('body_too_large', route, newId(), buyer(), { body });
    }
  });

  it('checkout_not_found for one that does not exist, and for one of somebody else', async () => {
    const { id } = await aCheckout();
    for (const route of [READ, PAY, CANCEL]) {
      await provoke('checkout_not_found', route, newId(), buyer());
      await provoke('checkout_not_found', route, id, buyer());
    }
  });

  it('idempotency_key_reused for another wish with the same key', async () => {
    const { ann, event, hold_ids } = await aCart();
    const headers = { 'idempotency-key': 'one' };
    const acting = (route: string, body: object) => ann.ask(route, { body, headers });
    const started = await acting(START, { event_id: event });
    const id = String(started.data.checkout_id);
    const other = { event_id: event, hold_ids };
    await provoke('idempotency_key_reused', START, '', ann, { headers, body: other });
    await acting(PAY.replace('{id}', id), {});
    const elsewhere = { provider: 'other' };
    await provoke('idempotency_key_reused', PAY, id, ann, { headers, body: elsewhere });
    const { ann: bob, id: second } = await aCheckout();
    await bob.ask(CANCEL.replace('{id}', second), { body: {}, headers });
    const noted = { notes: 'too late' };
    await provoke('idempotency_key_reused', CANCEL, second, bob, { headers, body: noted });
  });
});

describe('a checkout is not started:', () => {
  it('event_not_found, no_active_holds, hold_not_found, mixed_events', async () => {
    const { ann, event, hold_ids } = await aCart();
    await refuseStart('event_not_found', ann, newId());
    await refuseStart('no_active_holds', buyer(), event);
    await refuseStart('no_active_holds', ann, event, { cart_token: 'another' });
    await refuseStart('hold_not_found', ann, event, { hold_ids: [newId()] });
    await refuseStart('hold_not_found', buyer(), event, { hold_ids });
    const other = await aCart(ann);
    const mixed = [...hold_ids, ...other.hold_ids];
    await refuseStart('mixed_events', ann, event, { hold_ids: mixed });
  });

  it('event_sales_closed outside of the sale, event_not_available when nothing sells', async () => {
    const { ann, event } = await aCart();
    const sale_starts_at = '2099-01-01T00:00:00.000Z';
    await ask(`PATCH /api/admin/events/${event}`, { body: { sale_starts_at } });
    await refuseStart('event_sales_closed', ann, event);
    expect((await admin(event, 'postpone', { reason: 'rain' })).status).toBe(200);
    await refuseStart('event_not_available', ann, event);
    // Nothing was lost by asking.
    expect((await ann.ask(`GET /api/events/${event}/holds`)).data.holds).toHaveLength(2);
  });

  it('zone_access_denied for a buyer who was let in and is not any more', async () => {
    const stalls = { access_mode: 'whitelist' };
    const { eventId: event, seats, zones } = await show({ config: aHybridHall({ stalls }) });
    const letIn = (user_ids: string[]) =>
      ask(`PUT /api/admin/events/${event}/zones/${zones[0]}/whitelist`, { body: { user_ids } });
    const ann = buyer('ann');
    // Known from now on, so that she can be named.
    await ann.ask(`GET /api/events/${event}/holds`);
    await letIn([userIdOf(scope().organizationId, 'ann')]);
    expect((await ann.reserve(event, seats[0] ?? '')).status).toBe(201);
    await letIn([]);
    await refuseStart('zone_access_denied', ann, event);
  });

  it('orphan_rule, and companion_reserved without the wheelchair space', async () => {
    const { eventId: event, seats } = await show({ config: aHybridHall() });
    const ann = buyer();
    await ann.reserve(event, seats[1] ?? '');
    await refuseStart('orphan_rule', ann, event);
    const hall = await show({ config: anAccessibleHall() });
    const space = await ann.reserve(hall.eventId, hall.seats[0] ?? '');
    const beside = await ann.reserve(hall.eventId, hall.seats[1] ?? '');
    expect([space.status, beside.status]).toEqual([201, 201]);
    await ann.ask(`DELETE /api/holds/${space.data.hold_id}`);
    await refuseStart('companion_reserved', ann, hall.eventId);
  });

  it.each<[ErrorCode, number[], object, object]>([
    ['hold_limit_reached', [4, 5, 6], {}, { max_seats_per_booking: 2 }],
    [
      'wheelchair_limit',
      [0, 2],
      { max_wheelchair_seats_per_booking: 2 },
      { max_wheelchair_seats_per_booking: 1 },
    ],
    ['no_adjacent_seats', [4, 7], {}, { group_adjacency_strict: true }],
  ])('%s by rules that have become stricter', async (code, ordinals, before, after) => {
    const overrides = { seating_overrides: before };
    const { eventId: event, seats } = await show({ config: anAccessibleHall(), overrides });
    const ann = buyer();
    const held = await ann.hold(
      event,
      ordinals.map((ordinal) => ({ seat_id: seats[ordinal] })),
    );
    expect(held.status, JSON.stringify(held.body)).toBe(201);
    const layout = 'select layout_id from event_layouts where event_id = $1';
    const [row] = await database.asSuperuser(layout, [event]);
    const body = { layout_id: row?.layout_id, overrides: { seating_overrides: after } };
    expect((await ask(`PUT /api/admin/events/${event}/layout`, { body })).status).toBe(200);
    await refuseStart(code, ann, event);
  });

  it('rate_limited within five seconds, unless nothing new is asked for', async () => {
    const { ann, event, seats, hold_ids } = await aCart();
    const headers = { 'idempotency-key': 'first' };
    const body = { event_id: event };
    // What is refused counts for nothing.
    await refuseStart('hold_not_found', ann, event, { hold_ids: [newId()] });
    const first = await ann.ask(START, { body, headers });
    expect(first.status).toBe(201);
    const again = await start(ann, event, { hold_ids: hold_ids.slice(0, 1) });
    expect([again.status, again.data.existing]).toEqual([200, true]);
    const id = String(first.data.checkout_id);
    await ann.ask(CANCEL.replace('{id}', id));
    await ann.hold(event, [{ seat_id: seats[4] }, { seat_id: seats[5] }]);
    const refused = await refuseStart('rate_limited', ann, event);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(5);
    const repeated = await ann.ask(START, { body, headers });
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(repeated.data.checkout_id).toBe(id);
    // Another event and another buyer have limits of their own.
    expect((await aCheckout(ann)).id).not.toBe(id);
    const bob = buyer();
    await bob.hold(event, [{ seat_id: seats[8] }, { seat_id: seats[9] }]);
    expect((await start(bob, event)).status).toBe(201);
  });

  it('payment_in_progress for other holds than those that are being paid for', async () => {
    const { ann, event, hold_ids } = await paying();
    await refuseStart('payment_in_progress', ann, event, { hold_ids: hold_ids.slice(1) });
  });
});

describe('what has come to its end answers with', () => {
  it('hold_expired after its time, to a start and to a payment', async () => {
    const { ann, event, id, hold, cart_token } = await anAbandonedCheckout();
    await refuseStart('hold_expired', ann, event, { hold_ids: [hold] });
    // As the shop asks, which does not name holds; another cart and another buyer had nothing.
    await refuseStart('hold_expired', ann, event);
    await refuseStart('hold_expired', ann, event, { cart_token });
    await refuseStart('no_active_holds', ann, event, { cart_token: 'another' });
    await refuseStart('no_active_holds', buyer(), event);
    await provoke('hold_expired', PAY, id, ann);
    const closed = await provoke('checkout_closed', CANCEL, id, ann);
    expect(closed.body.details).toEqual({ status: 'abandoned' });
  });

  it('checkout_closed when it was cancelled', async () => {
    const { ann, id } = await aCheckout();
    await ann.ask(`POST /api/checkouts/${id}/cancel`);
    const closed = await provoke('checkout_closed', PAY, id, ann);
    expect(closed.body.details).toEqual({ status: 'cancelled' });
  });

  it.each<[ErrorCode, object, number[], number, object]>([
    ['orphan_rule', aHybridHall(), [0, 1], 0, {}],
    ['companion_reserved', anAccessibleHall(), [0, 1], 0, {}],
    ['no_adjacent_seats', aHybridHall(), [0, 1, 2], 1, { group_adjacency_strict: true }],
  ])('%s to a payment for what is left of it', async (code, config, taken, given, policy) => {
    const overrides = { seating_overrides: policy };
    const { eventId: event, seats } = await show({ config, overrides });
    const ann = buyer();
    const holds: unknown[] = [];
    for (const seat of taken)
      holds.push((await ann.reserve(event, seats[seat] ?? '')).data.hold_id);
    const { checkout_id } = (await start(ann, event)).data;
    await ann.ask(`DELETE /api/holds/${holds[given]}`);
    await provoke(code, PAY, String(checkout_id), ann);
  });

  it('payment_in_progress, then ticket_already_paid', async () => {
    const { ann, id, succeed } = await paying();
    await provoke('payment_in_progress', CANCEL, id, ann);
    expect(await succeed()).toMatchObject({ body: { data: { outcome: 'completed' } } });
    for (const route of [PAY, CANCEL]) await provoke('ticket_already_paid', route, id, ann);
  });

  it('event_not_available when the event has no date any more', async () => {
    const { ann, event, id } = await aCheckout();
    await admin(event, 'postpone', { reason: 'rain' });
    await provoke('event_not_available', PAY, id, ann);
    expect((await ann.ask(`GET /api/checkouts/${id}`)).data.status).toBe('started');
  });
});

/** So many seats that a block of all of them takes seven commits. */
const MANY = 3_200;

function aLargeHall(): object {
  const seats = Array.from({ length: MANY }, (_, index) => ({
    label: `${Math.floor(index / 40)}-${index % 40}`,
    row: String(Math.floor(index / 40)),
    number: (index % 40) + 1,
    coordinates: { x: (index % 40) * 10, y: Math.floor(index / 40) * 10 },
  }));
  return { seat_size: 9, zones: [{ name: 'Stalls', zone_type: 'reserved_seating', seats }] };
}

describe('seats that staff have closed and the work has not reached', () => {
  it('are seat_not_available to a start and to a payment', async () => {
    const { eventId: event, seats } = await show({ config: aLargeHall() });
    const [ann, bob] = [buyer(), buyer()];
    await ann.reserve(event, seats.at(-1) ?? '');
    await bob.reserve(event, seats.at(-40) ?? '');
    const started = await start(ann, event, { allow_orphan: true });
    const id = String(started.data.checkout_id);
    const asks: Promise<unknown>[] = [];
    await whileLocked(database, event, async () => {
      const body = { seat_ids: seats, reason: 'a leaking roof' };
      asks.push(admin(event, 'seats/block', body));
      await eventually(async () => (await database.asSuperuser(WAITING, [])).length > 0);
      asks.push(
        provoke('seat_not_available', PAY, id, ann),
        refuseStart('seat_not_available', bob, event, { allow_orphan: true }),
      );
      // Answered by the same node after it has read what the two before need.
      await ann.ask(`GET /api/checkouts/${id}`);
    });
    const [blocked] = await Promise.all(asks);
    expect(blocked).toMatchObject({ status: 200, data: { seats: MANY } });
  });
});

/** The block's flush waits for the event. */
const WAITING = `select from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock'`;

describe('while the database does not answer', () => {
  /** One thing to do for each route, each on an event of its own. */
  async function furnished() {
    const [cart, toPay, toCancel] = [await aCart(), await aCheckout(), await aCheckout()];
    return [
      { ...cart, route: START, path: START, body: { event_id: cart.event } },
      { ...toPay, route: PAY, path: PAY.replace('{id}', toPay.id), body: {} },
      { ...toCancel, route: CANCEL, path: CANCEL.replace('{id}', toCancel.id), body: {} },
    ];
  }

  const REVISION = 'select revision from event_boards where event_id = $1';
  const revisionOf = async (event: string) =>
    Number((await database.asSuperuser(REVISION, [event]))[0]?.revision);

  it('event_busy: nothing was done', async () => {
    for (const { ann, event, route, path, body } of await furnished()) {
      const before = await revisionOf(event);
      const options = { token: ann.token, body };
      await whileLocked(database, event, () => provokeOn('event_busy', route, path, options));
      expect(await revisionOf(event)).toBe(before);
    }
  });

  it('outcome_unknown, and with the same key the answer is learnt later', async () => {
    const asks = await furnished();
    const headers = { 'idempotency-key': 'lost' };
    const before = await Promise.all(asks.map(({ event }) => revisionOf(event)));
    await whileCommitsAreSlow(database, () =>
      Promise.all(
        asks.map(({ ann, route, path, body }) =>
          provokeOn('outcome_unknown', route, path, { token: ann.token, headers, body }),
        ),
      ),
    );
    for (const { ann, route, path, body } of asks) {
      const reply = await eventually(async () => {
        const tried = await ann.ask(path, { headers, body });
        return tried.status < 300 ? tried : null;
      });
      expect([route, reply.headers.get('idempotent-replayed')]).toEqual([route, 'true']);
    }
    // It was done once, when nobody knew.
    const after = await Promise.all(asks.map(({ event }) => revisionOf(event)));
    expect(after).toEqual(before.map((revision) => revision + 1));
  });
});

describe('the documented codes of these routes', () => {
  it('were all provoked, and no other', async () => {
    expect([...provoked].sort()).toEqual(await documentedCodes(node().address, ALL));
  });
});
