import { eventually } from '@voelgoed/testkit/eventually';
import { PAYMENT_SECRET, useShows } from '@voelgoed/testkit/shows';
import { afterEach, describe, expect, it } from 'vitest';
import type { Following, LiveEvent } from '#live';
import { createClient, outcomeOf } from './client.ts';

const shows = useShows({ PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET, PAYMENT_PROVIDERS: 'bank' });
const { node, show } = shows;
const open = new Set<Following>();

afterEach(() => {
  for (const one of open) one.close();
  open.clear();
});

/** A guest of the event, who asks for a new session when the old one is refused. */
async function aGuest(event_id: string) {
  const anybody = createClient({ address: node().address });
  const { token } = await anybody.events.session(event_id);
  return createClient({ address: node().address, token });
}

describe('a buyer with the client', () => {
  it('goes from the map to a ticket', async () => {
    const { eventId } = await show();
    const guest = await aGuest(eventId);
    const { seats } = await guest.events.seatmap(eventId);
    const seat_id = seats[0]?.seat_id ?? '';
    const hold = await guest.holds.reserve(eventId, seat_id);
    expect(hold).toMatchObject({ seat_id, status: 'held', label: seats[0]?.label });
    const checkout = await guest.checkouts.start({ event_id: eventId });
    const payment = await guest.checkouts.pay(checkout.checkout_id, { provider: 'bank' });
    const told = await guest.payments.tell(
      'bank',
      {
        id: 'message-1',
        type: 'payment.succeeded',
        attempt_id: payment.attempt_id ?? '',
        amount_cents: payment.amount_cents,
        currency: payment.currency,
      },
      PAYMENT_SECRET,
    );
    expect(told).toMatchObject({ status: 'processed', outcome: 'completed' });
    const tickets = await guest.tickets.own({ checkout_id: checkout.checkout_id });
    expect(tickets).toMatchObject([{ seat: { seat_id }, status: 'active' }]);
  });

  it('is told by code and details why a seat cannot be had', async () => {
    const { eventId, seats } = await show();
    const [first, second] = [await aGuest(eventId), await aGuest(eventId)];
    await first.holds.reserve(eventId, seats[0] ?? '');
    const outcome = await outcomeOf(second.holds.reserve(eventId, seats[0] ?? ''));
    if (outcome.ok) throw new Error('two buyers have one seat');
    const { failure } = outcome;
    if (failure.code !== 'seat_held_by_another_user') throw failure;
    expect(failure.details.expires_in_seconds).toBeGreaterThan(500);
    expect(failure).toMatchObject({ status: 409, attempts: 1 });
  });

  it('follows the event, and its own holds', async () => {
    const { eventId, seats } = await show();
    const guest = await aGuest(eventId);
    const events: LiveEvent[] = [];
    const following = guest.events.follow(eventId, (event) => events.push(event));
    open.add(following);
    await eventually(() => following.status === 'live' && following.drawing);
    await guest.holds.reserve(eventId, seats[3] ?? '');
    await eventually(() => following.map.stateOf(3) === 1);
    const own = await eventually(() =>
      events.find((event) => event.kind === 'own' && event.holds.length === 1),
    );
    expect(own).toMatchObject({ holds: [{ seat_id: seats[3], ordinal: 3 }], ended: [] });
    expect(events.filter(({ kind }) => kind === 'map').at(-1)).toMatchObject({ seats: [[3, 1]] });
  });
});
