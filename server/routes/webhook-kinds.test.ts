import { WEBHOOK_KIND_NAMES } from '@voelgoed/client/wire';
import { WEBHOOK_KINDS } from '@voelgoed/engine/webhooks';
import { eventually } from '@voelgoed/testkit/eventually';
import { goodSignatures, type Received, useReceivers } from '@voelgoed/testkit/receivers';
import { aHybridHall, PAYMENT_SECRET, tell, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

/** What an endpoint is told after each thing that can be done over HTTP. */
const shows = useShows({ PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET, ALLOW_INTERNAL_ADDRESSES: '1' });
const receivers = useReceivers();
const { ask, buyer, node, scope, database } = shows;

async function listening(wanted: object = {}) {
  const receiver = await receivers();
  const made = await ask('POST /api/admin/webhooks', { body: { url: receiver.url, ...wanted } });
  expect(made.status).toBe(201);
  return { receiver, secret: String(made.data.secret), id: String(made.data.webhook_id) };
}

async function aSale() {
  const { eventId, seats, zones } = await shows.show({ config: aHybridHall() });
  const told = await listening();
  const ann = buyer();
  const held = await ann.hold(eventId, [{ seat_id: seats[0] }, { seat_id: seats[1] }]);
  const [hold] = held.data.holds as { hold_id: string }[];
  const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
  const checkoutId = String(started.data.checkout_id);
  const pay = async () => (await ann.ask(`POST /api/checkouts/${checkoutId}/pay`)).data;
  const say = (message: object) => tell(node().address, { ...message });
  return { ...told, eventId, seats, zones, ann, hold, checkoutId, pay, say };
}

/** As if everything that is held in an event had been for longer than it may. */
async function letExpire(eventId: string): Promise<void> {
  await database.asSuperuser(
    `update seat_holds set created_at = now() - interval '700 seconds',
       held_until = now() - interval '1 second' where event_id = $1 and status = 'active'`,
    [eventId],
  );
  await database.asSuperuser(
    `update event_seats set held_until = now() - interval '1 second'
     where event_id = $1 and seat_hold_id is not null`,
    [eventId],
  );
  // The node has another time in its memory: as after a restart, somebody loads the board anew.
  const engine = shows.engine();
  await engine.registry.sweep({ scope: scope(), eventId }, engine.clock.monotonic() + 2_000);
}

/** Once, signed, about this organization. */
function isRight(one: Received, secret: string, all: readonly Received[]): void {
  expect(goodSignatures(secret, one)).toBe(1);
  expect(all.filter(({ id }) => id === one.id)).toHaveLength(1);
  expect(one.message).toMatchObject({
    id: one.id,
    kind: one.kind,
    organization_id: scope().organizationId,
    timestamp: expect.stringMatching(/^\d{4}-/),
  });
  expect(one.attempt).toBe(1);
}

describe('an endpoint is told', () => {
  it('of a sale from the first hold to the tickets, with all that a mailer needs', async () => {
    const { receiver, secret, eventId, seats, hold, pay, say, checkoutId } = await aSale();
    const { attempt_id, amount_cents } = await pay();
    await say({ type: 'payment.succeeded', attempt_id, amount_cents });
    const sold = await receiver.one('seat_sold');
    await receiver.one('payment_succeeded');
    const expected = ['seat_held', 'checkout_started', 'payment_initiated', 'seat_sold'];
    expect(receiver.kinds()).toEqual(expect.arrayContaining(expected));
    const told = ['checkout_completed', 'payment_succeeded'];
    for (const kind of [...expected, ...told]) {
      expect(receiver.kinds().filter((one) => one === kind)).toEqual([kind]);
    }
    for (const one of receiver.received) isRight(one, secret, receiver.received);
    const held = await receiver.one('seat_held');
    expect(held.message).toMatchObject({
      event_id: eventId,
      event: { name: 'Show', starts_at: '2099-06-01T18:00:00.000Z', timezone: expect.any(String) },
      data: {
        user_id: expect.any(String),
        held_until: expect.any(String),
        holds: [
          { hold_id: hold?.hold_id, seat_id: seats[0], label: 'A-1', zone_name: 'Stalls' },
          { seat_id: seats[1], label: 'A-2' },
        ],
      },
      people: [{ user_id: held.message.data.user_id, subject: expect.any(String) }],
    });
    expect(sold.message.data).toMatchObject({
      checkout_id: checkoutId,
      currency: 'ZAR',
      total_cents: amount_cents,
      tickets: [
        { code: expect.stringMatching(/^\w{4}-\w{4}-\w{4}$/), label: 'A-1', price_cents: 10_000 },
        { label: 'A-2' },
      ],
    });
    expect((await receiver.one('payment_succeeded')).message.data).toMatchObject({
      attempt_id,
      amount_cents,
      outcome: 'completed',
      user_id: held.message.data.user_id,
    });
    const revisions = receiver.received.map(({ message }) => message.revision);
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
  });

  it('of a declined payment, of money that is owed and of money that went back', async () => {
    const { receiver, secret, pay, say } = await aSale();
    const { attempt_id, amount_cents } = await pay();
    await say({ type: 'payment.failed', attempt_id, amount_cents });
    const failed = await receiver.one('payment_failed');
    expect(failed.message.data).toMatchObject({ attempt_id, outcome: 'declined' });
    const second = await pay();
    await say({ type: 'payment.succeeded', attempt_id: second.attempt_id, amount_cents });
    // The provider corrects itself: it was paid twice.
    await say({ type: 'payment.succeeded', attempt_id, amount_cents });
    const due = await receiver.one('refund_due');
    expect(due.message.data).toMatchObject({ reason: 'paid_twice', amount_cents, attempt_id });
    await say({ type: 'payment.refunded', attempt_id, amount_cents });
    await receiver.one('payment_refunded');
    for (const one of receiver.received) isRight(one, secret, receiver.received);
  });

  it('of seats that are given back, with the reason and how long they were held', async () => {
    const { receiver, ann, hold, checkoutId } = await aSale();
    await ann.ask(`POST /api/checkouts/${checkoutId}/cancel`, { body: {} });
    const released = await receiver.one('seat_released');
    expect(released.message.data).toMatchObject({
      reason: 'user_cancelled',
      holds: expect.arrayContaining([
        expect.objectContaining({
          hold_id: hold?.hold_id,
          user_id: expect.any(String),
          held_duration_seconds: expect.any(Number),
        }),
        expect.objectContaining({ label: 'A-2' }),
      ]),
    });
    expect((await receiver.one('checkout_cancelled')).message.data).toMatchObject({
      checkout_id: checkoutId,
      total_cents: 20_000,
    });
  });

  it('of holds whose time is over', async () => {
    const { eventId, seats } = await shows.show();
    const { receiver } = await listening({ kinds: ['hold_expired'] });
    const held = await buyer().reserve(eventId, seats[3] ?? '');
    await letExpire(eventId);
    const expired = await receiver.one('hold_expired', 20_000);
    expect(expired.message.data).toMatchObject({
      reason: 'ttl_expired',
      holds: [{ hold_id: held.data.hold_id, held_duration_seconds: expect.any(Number) }],
    });
    const [hold] = expired.message.data.holds as { held_duration_seconds: number }[];
    expect(hold?.held_duration_seconds).toBeGreaterThanOrEqual(700);
  });

  it('of a hold that lasts longer', async () => {
    const { eventId, seats } = await shows.show();
    const { receiver } = await listening({ kinds: ['hold_extended'] });
    const ann = buyer();
    const held = await ann.reserve(eventId, seats[3] ?? '');
    const { hold_id } = held.data;
    const longer = await ann.ask(`POST /api/holds/${hold_id}/extend`, { body: {} });
    expect(longer.status).toBe(200);
    const extended = await receiver.one('hold_extended');
    const seat = { seat_id: seats[3], label: expect.any(String) };
    expect(extended.message.data).toMatchObject({ holds: [{ hold_id, ...seat }] });
    const [hold] = extended.message.data.holds as { held_until: string }[];
    expect(Date.parse(hold?.held_until ?? '')).toBeGreaterThan(
      Date.parse(String(held.data.held_until)),
    );
  });

  it('of a hold that gets smaller, and of its beginning as it was', async () => {
    const { eventId, zones } = await shows.show({ config: aHybridHall() });
    const { receiver } = await listening({ kinds: ['seat_held', 'hold_reduced'] });
    const ann = buyer();
    const held = await ann.hold(eventId, [{ zone_id: zones[1], quantity: 4 }]);
    const [{ hold_id = '' } = {}] = held.data.holds as { hold_id: string }[];
    await ann.ask(`PATCH /api/holds/${hold_id}`, { body: { quantity: 3 } });
    const reduced = await receiver.one('hold_reduced');
    const hold = { hold_id, zone_id: zones[1] };
    expect(reduced.message.data).toMatchObject({ holds: [{ ...hold, quantity: 3, released: 1 }] });
    const began = await receiver.one('seat_held');
    expect(began.message.data).toMatchObject({ holds: [{ ...hold, quantity: 4 }] });
  });

  it('of a checkout that was left, and of one that could not be paid in time', async () => {
    const left = await aSale();
    await letExpire(left.eventId);
    const abandoned = await left.receiver.one('checkout_abandoned', 20_000);
    expect(abandoned.message.data).toMatchObject({
      checkout_id: left.checkoutId,
      user_id: expect.any(String),
      total_cents: 20_000,
      reason: 'ttl_expired',
    });
    const declined = await aSale();
    const { attempt_id, amount_cents } = await declined.pay();
    await declined.say({ type: 'payment.failed', attempt_id, amount_cents });
    await declined.receiver.one('payment_failed');
    await letExpire(declined.eventId);
    const failed = await declined.receiver.one('checkout_failed', 20_000);
    expect(failed.message.data).toMatchObject({
      checkout_id: declined.checkoutId,
      reason: 'payment_failed',
    });
    expect(declined.receiver.kinds()).not.toContain('checkout_abandoned');
    for (const { receiver, secret } of [left, declined]) {
      for (const one of receiver.received) isRight(one, secret, receiver.received);
    }
  });

  it('of what the box office does: blocks, voids, other seats, a cancelled event', async () => {
    const { eventId, seats } = await shows.show({ config: aHybridHall() });
    const { receiver, secret } = await listening();
    const [one, other] = await shows.sellTo(buyer(), eventId, [
      { seat_id: seats[0] },
      { seat_id: seats[1] },
    ]);
    const change = (path: string, body: object) => ask(`POST /api/admin/${path}`, { body });
    const blocked = { seat_ids: [seats[5]], reason: 'camera' };
    await change(`events/${eventId}/seats/block`, blocked);
    await change(`events/${eventId}/seats/unblock`, blocked);
    await change(`tickets/${one?.ticket_id}/reseat`, { seat_id: seats[7] });
    await change(`tickets/${one?.ticket_id}/void`, { reason: 'stolen' });
    await change(`tickets/${other?.ticket_id}/refund`, { reason: 'ill' });
    await change(`events/${eventId}/cancel`, { reason: 'rain' });
    const cancelled = await receiver.one('event_changed');
    expect(cancelled.message.data).toMatchObject({ status: 'cancelled', reason: 'rain' });
    const seat = { seat_id: seats[5], label: expect.any(String), zone_name: 'Stalls' };
    const block = await receiver.one('seat_blocked');
    expect(block.message.data).toMatchObject({ reason: 'camera', seats: [seat] });
    await receiver.one('seat_unblocked');
    expect((await receiver.one('ticket_reseated')).message.data).toMatchObject({
      from: { seat_id: seats[0] },
      to: { seat_id: seats[7] },
      ticket: { code: one?.code },
    });
    expect((await receiver.one('ticket_voided')).message.data).toMatchObject({ reason: 'stolen' });
    await receiver.one('ticket_refunded');
    await receiver.one('refund_due');
    for (const told of receiver.received) isRight(told, secret, receiver.received);
  });

  it('of a zone that fills up, once for each mark', async () => {
    const { eventId, seats } = await shows.show();
    const { receiver } = await listening({ kinds: ['capacity_critical', 'seat_blocked'] });
    const block = (some: readonly string[]) =>
      ask(`POST /api/admin/events/${eventId}/seats/block`, {
        body: { seat_ids: some, reason: 'test' },
      });
    await block(seats.slice(0, 17));
    await receiver.one('seat_blocked');
    expect(receiver.kinds()).not.toContain('capacity_critical');
    await block(seats.slice(17, 18));
    const full = await receiver.one('capacity_critical');
    expect(full.message.data).toMatchObject({ percent: 90, mark: 90, zone_name: 'Stalls' });
    await block(seats.slice(18, 19));
    await block(seats.slice(19));
    const marks = () =>
      receiver.received.flatMap(({ kind, message }) =>
        kind === 'capacity_critical' ? [message.data.mark] : [],
      );
    await eventually(() => marks().length === 2, { within_ms: 8_000 });
    expect(marks()).toEqual([90, 100]);
  });

  it('only of the kinds and events that it has asked for', async () => {
    const [one, other] = [await shows.show(), await shows.show()];
    const all = await listening();
    const some = await listening({ kinds: ['seat_released'], event_ids: [other.eventId] });
    for (const { eventId, seats } of [one, other]) {
      const ann = buyer();
      const held = await ann.reserve(eventId, seats[0] ?? '');
      await ann.ask(`DELETE /api/holds/${held.data.hold_id}`);
    }
    await eventually(() => all.receiver.received.length === 4, { within_ms: 8_000 });
    await some.receiver.one('seat_released');
    expect(some.receiver.kinds()).toEqual(['seat_released']);
    expect(some.receiver.received[0]?.message.event_id).toBe(other.eventId);
  });
});

describe('the kinds', () => {
  it('are the same in the engine and on the wire', () => {
    expect([...WEBHOOK_KIND_NAMES]).toEqual([...WEBHOOK_KINDS]);
  });
});
