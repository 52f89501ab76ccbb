import { userIdOf } from '@voelgoed/engine/accounts';
import { newId } from '@voelgoed/testkit/builders';
import type { Reply } from '@voelgoed/testkit/servers';
import { aHybridHall, PAYMENT_SECRET, tell, useShows, whileLocked } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, show } = useShows({
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
});

/** Ann, who pays for two seats and two places and holds two other seats. */
async function paying(name = newId()) {
  const { eventId, seats, zones } = await show({ config: aHybridHall() });
  const ann = buyer(name);
  const idsOf = ({ data }: Reply) =>
    (data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
  const pair = [{ seat_id: seats[0] }, { seat_id: seats[1] }];
  const paid = idsOf(await ann.hold(eventId, [...pair, { zone_id: zones[1], quantity: 2 }]));
  const body = { event_id: eventId };
  const started = await ann.ask('POST /api/checkouts', { body });
  const begun = await ann.ask(`POST /api/checkouts/${started.data.checkout_id}/pay`);
  expect(begun.status).toBe(200);
  const free = idsOf(await ann.hold(eventId, [{ seat_id: seats[2] }, { seat_id: seats[3] }]));
  const { attempt_id, amount_cents } = begun.data;
  const succeed = () =>
    tell(node().address, { type: 'payment.succeeded', attempt_id, amount_cents });
  return { ann, eventId, paid, free, succeed };
}

const staffRelease = (body: object) =>
  ask('POST /api/admin/seats/release', { body: { reason: 'a mistake', ...body } });
const UNDER_WAY = 'not released, because a payment is under way.';
const held = (hold_id: string) => ({ hold_id, reason: 'payment_in_progress' });
const byId = (one: { hold_id: string }, other: { hold_id: string }) =>
  one.hold_id < other.hold_id ? -1 : 1;
const notReleased = ({ data }: Reply) =>
  (data.not_released as { hold_id: string; reason: string }[]).toSorted(byId);

describe('a buyer who releases everything', () => {
  it('reads what was released, what was not, and why', async () => {
    const { ann, eventId, paid } = await paying();
    const route = `DELETE /api/events/${eventId}/holds`;
    const reply = await ann.ask(route);
    expect(reply.data).toMatchObject({
      released_count: 2,
      message: `2 seats were released. 3 holds were ${UNDER_WAY}`,
    });
    expect(notReleased(reply)).toMatchObject(paid.map(held).sort(byId));
    const places = (reply.data.not_released as { row: string | null; quantity: number }[])
      .map(({ row, quantity }) => [row, quantity])
      .sort();
    expect(places).toEqual([
      [null, 2],
      ['A', 1],
      ['A', 1],
    ]);
    expect((await ann.ask(route)).body.error).toBe('payment_in_progress');
  });

  it('reads that nothing was held only when nothing was', async () => {
    const { eventId } = await paying();
    const reply = await buyer().ask(`DELETE /api/events/${eventId}/holds`);
    const nothing = { released_count: 0, not_released: [], message: 'Nothing was held.' };
    expect(reply.data).toMatchObject(nothing);
  });
});

describe('staff who release', () => {
  it('holds by id read which are being paid for', async () => {
    const { paid, free } = await paying();
    const none = await staffRelease({ hold_ids: paid });
    expect(none.data).toMatchObject({ seats_released: 0, message: `3 holds were ${UNDER_WAY}` });
    expect(notReleased(none)).toEqual(paid.map(held).sort(byId));
    const some = await staffRelease({ hold_ids: [paid[0], ...free] });
    expect(some.data).toMatchObject({
      seats_released: 2,
      not_released: [held(paid[0] ?? '')],
      message: `2 seats were released. One hold was ${UNDER_WAY}`,
    });
    const again = await staffRelease({ hold_ids: free });
    const over = { seats_released: 0, not_released: [], message: 'Nothing was held any more.' };
    expect(again.data).toMatchObject(over);
    const forced = await staffRelease({ hold_ids: paid, force: true });
    const all = { seats_released: 4, not_released: [], message: '4 seats were released.' };
    expect(forced.data).toMatchObject(all);
  });

  it('all holds of a person, or of an event, read the same', async () => {
    for (const what of ['user', 'event', 'both']) {
      const { eventId, paid } = await paying(what);
      const user_id = userIdOf(scope().organizationId, what);
      const reply = await staffRelease({
        ...(what === 'event' ? {} : { user_id }),
        ...(what === 'user' ? {} : { event_id: eventId }),
      });
      expect(reply.data.seats_released).toBe(2);
      expect(notReleased(reply)).toEqual(paid.map(held).sort(byId));
      expect(reply.data.message).toBe(`2 seats were released. 3 holds were ${UNDER_WAY}`);
    }
  });

  it('read that a hold has become a ticket, was not found, or was of a busy event', async () => {
    const { eventId, paid, free, succeed } = await paying();
    await succeed();
    const sold = await staffRelease({ hold_ids: paid.slice(0, 1) });
    const message = 'One hold was not released, because the tickets are paid for.';
    expect(sold.data).toMatchObject({ seats_released: 0, not_released: [], message });
    const other = await paying();
    const missing = await staffRelease({ hold_ids: [eventId] });
    expect(missing.data).toMatchObject({ message: 'One hold was not found.' });
    await whileLocked(database, eventId, async () => {
      const busy = await staffRelease({ hold_ids: [...free, ...other.free] });
      expect(busy.data).toMatchObject({ seats_released: 2 });
      expect(notReleased(busy)).toEqual(
        free.map((hold_id) => ({ hold_id, reason: 'event_busy' })).sort(byId),
      );
      expect(busy.data.message).toBe(
        '2 seats were released. 2 holds were not released, because the event was busy. ' +
          'Please try again.',
      );
    });
  });
});
