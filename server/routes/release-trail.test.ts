import { eventually } from '@voelgoed/testkit/eventually';
import type { Reply } from '@voelgoed/testkit/servers';
import { PAYMENT_SECRET, tell, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, show } = useShows({ PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET });

/** Ann, with a checkout of two seats. */
async function aCheckout() {
  const { eventId, seats } = await show();
  const ann = buyer();
  const held = await ann.hold(eventId, [{ seat_id: seats[0] }, { seat_id: seats[1] }]);
  const hold_ids = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
  const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
  expect(started.status).toBe(201);
  const id = String(started.data.checkout_id);
  const pay = async () => (await ann.ask(`POST /api/checkouts/${id}/pay`)).data;
  return { ann, eventId, seats, hold_ids, id, pay };
}

async function released(eventId: string) {
  const { list } = await ask(`GET /api/admin/audit?event_id=${eventId}`);
  const ends = list.filter(({ action }) => action === 'seat_released');
  return ends.map(({ changes }) => changes as Record<string, unknown>);
}

const release = (body: object): Promise<Reply> =>
  ask('POST /api/admin/seats/release', { body: { reason: 'a mistake', ...body } });
const ENDED = { previous_status: 'active', new_status: 'cancelled' };

describe('the trail of a release', () => {
  it('names the checkout that a buyer gives back, with what the buyer says about it', async () => {
    const { ann, eventId, seats, id } = await aCheckout();
    const body = { notes: 'changed plans' };
    const { data } = await ann.ask(`POST /api/checkouts/${id}/cancel`, { body });
    const given = data.released_seats as { seat_id: string; number: number }[];
    expect(given.map(({ seat_id, number }) => [seat_id, number]).sort()).toEqual(
      [
        [seats[0], 1],
        [seats[1], 2],
      ].sort(),
    );
    const scenario = 'user_cancellation';
    const entry = { ...ENDED, checkout_id: id, scenario, note: 'changed plans' };
    const entries = await released(eventId);
    expect(entries).toMatchObject([entry, entry]);
    for (const one of entries) expect(one).not.toHaveProperty('forced');
  });

  it('names it for one hold of it, and none for a hold that was in none', async () => {
    const { ann, eventId, seats, hold_ids, id } = await aCheckout();
    await ann.ask(`DELETE /api/holds/${hold_ids[0]}`);
    const alone = await ann.reserve(eventId, seats[4] ?? '');
    await ann.ask(`DELETE /api/holds/${alone.data.hold_id}`);
    const [second, first] = await released(eventId);
    expect(first).toMatchObject({ ...ENDED, checkout_id: id });
    expect(second).not.toHaveProperty('checkout_id');
  });

  it('names it when the payment fails for good', async () => {
    await ask('PUT /api/admin/policy', { body: { payment_grace_minutes: 0 } });
    const { eventId, id, pay } = await aCheckout();
    const { attempt_id, amount_cents } = await pay();
    await tell(node().address, { type: 'payment.failed', attempt_id, amount_cents });
    const entry = { ...ENDED, checkout_id: id, scenario: 'payment_failure' };
    expect(await released(eventId)).toMatchObject([entry, entry]);
  });

  it('says whether staff took it from somebody who was paying', async () => {
    const { eventId, hold_ids, id, pay } = await aCheckout();
    await release({ hold_ids: hold_ids.slice(0, 1), force: true });
    await pay();
    await release({ hold_ids: hold_ids.slice(1), force: true });
    const [second, first] = await released(eventId);
    const entry = { ...ENDED, checkout_id: id, scenario: 'admin_override', note: 'a mistake' };
    expect(first).toMatchObject({ ...entry, forced: false });
    expect(second).toMatchObject({ ...entry, forced: true });
  });

  it('says for how long it was held', async () => {
    const { ann, eventId, hold_ids } = await aCheckout();
    const [hold] = hold_ids;
    const old = `select from seat_holds where hold_id = $1
      and created_at < clock_timestamp() - interval '1600 ms'`;
    await eventually(async () => (await database.asSuperuser(old, [hold])).length === 1);
    await ann.ask(`DELETE /api/holds/${hold}`);
    const [row] = await database.asSuperuser(
      `select round(extract(epoch from ended_at - created_at))::int as seconds
       from seat_holds where hold_id = $1`,
      [hold],
    );
    expect(Number(row?.seconds)).toBeGreaterThanOrEqual(2);
    const [entry] = await released(eventId);
    expect(entry?.held_duration_seconds).toBe(row?.seconds);
  });
});
