import { userIdOf } from '@voelgoed/engine/accounts';
import { call, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, PAYMENT_SECRET, tell, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, show } = useShows({
  PAYMENT_WEBHOOK_SECRET: PAYMENT_SECRET,
});

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const DENIED = [403, 'zone_access_denied'];
const HELD = [201, 'done'];
const idOf = (subject: string) => userIdOf(scope().organizationId, subject);

/** Stalls for some, a pit for all. */
async function aRestricted(stalls: Record<string, unknown>) {
  const { eventId, seats, zones } = await show({ config: aHybridHall({ stalls }) });
  const reserve = (who: ReturnType<typeof buyer>, index: number) =>
    who.reserve(eventId, seats[index] ?? '');
  return { eventId, seats, zones, reserve };
}

const member = async (body: object) =>
  expect((await ask('POST /api/admin/members', { body })).status).toBe(201);

describe('a zone for a membership tier', () => {
  const GOLD = { access_mode: 'membership_tier', membership_tier: 'gold' };

  it('opens to active members of that tier alone, and the refusal names the zone', async () => {
    const { eventId, seats, zones, reserve } = await aRestricted(GOLD);
    await member({ subject: 'gold', role: 'customer', tier: 'gold' });
    await member({ subject: 'silver', role: 'customer', tier: 'silver' });
    expect(answerOf(await reserve(buyer('gold'), 0))).toEqual(HELD);
    expect(answerOf(await reserve(buyer('silver'), 1))).toEqual(DENIED);
    const refused = await reserve(buyer('stranger'), 1);
    expect(refused.body.details).toMatchObject({
      zones: [{ zone_id: zones[0], error: 'zone_access_denied' }],
    });
    expect(JSON.stringify(refused.body)).not.toContain('gold');
    // One zone that is closed to them closes the cart.
    const items = [{ zone_id: zones[1], quantity: 1 }, { seat_id: seats[1] }];
    expect(answerOf(await buyer('stranger').hold(eventId, items))).toEqual(DENIED);
    expect(answerOf(await buyer('stranger').hold(eventId, items.slice(0, 1)))).toEqual(HELD);
    const staff = { items: [{ seat_id: seats[2] }], for: 'Thandi' };
    const route = `POST /api/admin/events/${eventId}/holds`;
    expect(answerOf(await ask(route, { body: staff }))).toEqual(HELD);
  });

  it('closes the moment a membership is revoked or over, and what is held stays', async () => {
    const { eventId, reserve } = await aRestricted(GOLD);
    await member({ subject: 'revoked', role: 'customer', tier: 'gold' });
    await member({ subject: 'over', role: 'customer', tier: 'gold' });
    const [revoked, over] = [buyer('revoked'), buyer('over')];
    expect(answerOf(await reserve(revoked, 0))).toEqual(HELD);
    expect(answerOf(await reserve(over, 1))).toEqual(HELD);
    expect((await ask(`DELETE /api/admin/members/${idOf('revoked')}`)).status).toBe(200);
    await database.asSuperuser(
      `update memberships set valid_until = clock_timestamp() where user_id = $1`,
      [idOf('over')],
    );
    expect(answerOf(await reserve(revoked, 2))).toEqual(DENIED);
    expect(answerOf(await reserve(over, 2))).toEqual(DENIED);
    expect((await reserve(revoked, 0)).data).toMatchObject({ existing: true });
    // What is held is not bought: the checkout asks again.
    const checkout = { body: { event_id: eventId } };
    expect(answerOf(await revoked.ask('POST /api/checkouts', checkout))).toEqual(DENIED);
  });
});

describe('a member who buys for other members', () => {
  it('gets tickets that are theirs, and one for the place that was for nobody else', async () => {
    const stalls = { access_mode: 'membership_tier', membership_tier: 'gold' };
    const { eventId, seats } = await aRestricted(stalls);
    for (const subject of ['ann', 'bob']) {
      await member({ subject, role: 'customer', tier: 'gold' });
    }
    const ann = buyer('ann');
    const items = [{ seat_id: seats[0] }, { seat_id: seats[1], for_user_id: idOf('bob') }];
    expect(answerOf(await ann.hold(eventId, items))).toEqual(HELD);
    const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
    const { data } = await ann.ask(`POST /api/checkouts/${started.data.checkout_id}/pay`);
    const { attempt_id, amount_cents } = data;
    const paid = await tell(node().address, {
      ...{ type: 'payment.succeeded', attempt_id, amount_cents },
    });
    expect(paid.status).toBe(200);
    const visitors = await database.asSuperuser(
      'select seat_id, user_id, member_id from tickets where event_id = $1',
      [eventId],
    );
    const ticket = (seat: number, visitor: string) => ({
      ...{ seat_id: seats[seat], user_id: idOf('ann'), member_id: idOf(visitor) },
    });
    expect(visitors).toHaveLength(2);
    expect(visitors).toEqual(expect.arrayContaining([ticket(0, 'ann'), ticket(1, 'bob')]));
  });

  it('counts what was bought before, also for best available, until it is voided', async () => {
    const stalls = { access_mode: 'membership_tier', membership_tier: 'gold' };
    const { eventId, seats, zones, reserve } = await aRestricted(stalls);
    for (const subject of ['eva', 'fay']) {
      await member({ subject, role: 'customer', tier: 'gold' });
    }
    const eva = buyer('eva');
    const { data } = await reserve(eva, 0);
    const sale = { hold_ids: [data.hold_id], method: 'cash', for_holder: true };
    const sold = await ask(`POST /api/admin/events/${eventId}/sell`, { body: sale });
    expect(answerOf(sold)).toEqual(HELD);
    const refused = await reserve(eva, 1);
    expect(answerOf(refused)).toEqual(DENIED);
    expect(refused.body.details).toMatchObject({ unnamed: 1, owned: 1 });
    const route = `POST /api/events/${eventId}/holds/best-available`;
    for (const preview of [true, false]) {
      const body = { quantity: 1, zone_ids: [zones[0]], preview };
      expect(answerOf(await eva.ask(route, { body }))).toEqual(DENIED);
    }
    const friend = [{ seat_id: seats[1], for_user_id: idOf('fay') }];
    expect(answerOf(await eva.hold(eventId, friend))).toEqual(HELD);
    const [ticket] = await database.asSuperuser(
      'select ticket_id from tickets where event_id = $1',
      [eventId],
    );
    const reason = { body: { reason: 'test' } };
    await ask(`POST /api/admin/tickets/${ticket?.ticket_id}/void`, reason);
    expect(answerOf(await reserve(eva, 2))).toEqual(HELD);
  });
});

describe('a zone for roles', () => {
  const CREW = { access_mode: 'role_based', allowed_roles: ['staff', 'admin'] };

  it('looks at the lower of token and membership, and at a revoked one at once', async () => {
    const { eventId, seats } = await aRestricted(CREW);
    await member({ subject: 'demoted', role: 'viewer' });
    await member({ subject: 'crew', role: 'staff' });
    const reserve = (subject: string, role: 'staff' | 'customer', index: number) =>
      call(node().address, `POST /api/events/${eventId}/seats/${seats[index]}/reserve`, {
        token: tokenFor(scope().organizationId, { subject, role }),
      });
    expect(answerOf(await reserve('crew', 'staff', 0))).toEqual(HELD);
    expect(answerOf(await reserve('crew', 'customer', 1))).toEqual(DENIED);
    expect(answerOf(await reserve('demoted', 'staff', 1))).toEqual(DENIED);
    await ask(`DELETE /api/admin/members/${idOf('crew')}`);
    expect(answerOf(await reserve('crew', 'staff', 1))).toEqual(DENIED);
  });
});

describe('a zone for named people', () => {
  const NAMED = { access_mode: 'whitelist' };

  it('opens to who is on the list, from the next wish on, and closes again', async () => {
    const { eventId, zones, reserve } = await aRestricted(NAMED);
    const [ann, bob] = [buyer('ann'), buyer('bob')];
    expect(answerOf(await reserve(ann, 0))).toEqual(DENIED);
    const route = `/api/admin/events/${eventId}/zones/${zones[0]}/whitelist`;
    const put = (user_ids: string[]) => ask(`PUT ${route}`, { body: { user_ids } });
    expect((await put([idOf('ann').toUpperCase()])).status).toBe(200);
    expect((await ask(`GET ${route}`)).data).toEqual({ user_ids: [idOf('ann')] });
    expect(answerOf(await reserve(ann, 0))).toEqual(HELD);
    expect(answerOf(await reserve(bob, 1))).toEqual(DENIED);
    await put([]);
    expect(answerOf(await reserve(ann, 1))).toEqual(DENIED);
    expect((await reserve(ann, 0)).data).toMatchObject({ existing: true });
    const { list } = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    const set = list.filter(({ action }) => action === 'zone_whitelist_set');
    expect(set.map(({ changes }) => changes)).toEqual([
      { zone_id: zones[0], users: 0 },
      { zone_id: zones[0], users: 1 },
    ]);
  });

  it('is listed for those who may see the members', async () => {
    const { eventId, zones } = await aRestricted(NAMED);
    const route = `GET /api/admin/events/${eventId}/zones/${zones[0]}/whitelist`;
    const asked = async (role: 'staff' | 'viewer') => {
      const token = tokenFor(scope().organizationId, { role, subject: role });
      const { status, body } = await ask(route, { token });
      return [status, body.error ?? body.data];
    };
    expect(await asked('viewer')).toEqual([403, 'forbidden']);
    expect(await asked('staff')).toEqual([200, { user_ids: [] }]);
  });

  it('a list with somebody unknown is refused as a whole, with the place in it', async () => {
    const { eventId, zones } = await aRestricted(NAMED);
    await buyer('ann').ask(`GET /api/events/${eventId}/holds`);
    const route = `/api/admin/events/${eventId}/zones/${zones[0]}/whitelist`;
    const user_ids = [idOf('ann'), idOf('nobody')];
    const refused = await ask(`PUT ${route}`, { body: { user_ids } });
    expect(answerOf(refused)).toEqual([400, 'invalid_request']);
    expect(refused.body.details).toMatchObject({ problems: [{ path: 'user_ids[1]' }] });
    expect((await ask(`GET ${route}`)).data).toEqual({ user_ids: [] });
  });
});

describe('ids are the same in capital letters', () => {
  it('of events, seats, zones, holds and users, and answers spell them in small ones', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const capital = (text: unknown) => String(text).toUpperCase();
    const ann = buyer('ann');
    const one = await ann.reserve(capital(eventId), capital(seats[0]));
    expect(answerOf(one)).toEqual(HELD);
    expect(one.data).toMatchObject({ event_id: eventId, seat_id: seats[0] });
    const items = [{ zone_id: capital(zones[1]), quantity: 2 }];
    expect(answerOf(await ann.hold(eventId, items))).toEqual(HELD);
    const extended = await ann.ask(`POST /api/holds/${capital(one.data.hold_id)}/extend`);
    expect(extended.status).toBe(200);
    const own = await ann.ask(`GET /api/events/${capital(eventId)}/holds`);
    expect(own.data.holds).toHaveLength(2);
    for (const path of ['', '/availability', '/occupancy', `/seats/${capital(seats[0])}`]) {
      const reply = await call(node().address, `GET /api/events/${capital(eventId)}${path}`);
      expect([path, reply.status]).toEqual([path, 200]);
    }
    const body = { user_id: capital(idOf('ann')), event_id: capital(eventId), reason: 'x' };
    const released = await ask('POST /api/admin/seats/release', { body });
    expect(released.data).toMatchObject({ seats_released: 3 });
  });
});
