import { userIdOf } from '@voelgoed/engine/accounts';
import { withClient } from '@voelgoed/engine/postgres';
import { anOrganization, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { useShows, whileCommitsAreSlow } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, scope, show } = useShows();

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const idOf = (subject: string) => userIdOf(scope().organizationId, subject);
const idsOf = ({ data }: Reply) =>
  (data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);

const sell = (eventId: string, hold_ids: readonly string[], more: object = {}, options = {}) =>
  ask(`POST /api/admin/events/${eventId}/sell`, {
    body: { hold_ids, method: 'cash', ...more },
    ...options,
  });
const atCounter = (eventId: string, seat_id: unknown, more: object = {}, options = {}) =>
  ask(`POST /api/admin/events/${eventId}/holds`, {
    body: { items: [{ seat_id }], for: 'Nel', hold_minutes: 10, ...more },
    ...options,
  });
const lengthen = (hold_ids: readonly string[], minutes: number, options = {}) =>
  ask('POST /api/admin/holds/extend', { body: { hold_ids, minutes }, ...options });
const outcomesOf = ({ data }: Reply) =>
  Object.fromEntries(
    (data.holds as { hold_id: string; outcome: string }[]).map((one) => [one.hold_id, one.outcome]),
  );
const buyersOf = ({ data }: Reply) =>
  (data.tickets as { user_id: string; holder: string | null }[]).map((one) => [
    one.user_id,
    one.holder,
  ]);

describe('the cart of a buyer at the counter', () => {
  it('is sold to that buyer alone, and only when the request says so', async () => {
    const { eventId, seats } = await show();
    const cart = idsOf(await buyer('ann').hold(eventId, [{ seat_id: seats[0] }]));
    const refused = await sell(eventId, cart);
    expect(answerOf(refused)).toEqual([409, 'seat_held_by_another_user']);
    expect(refused.body.message).toContain('`for_holder: true`');
    expect(refused.body.details).toMatchObject({
      needs: 'for_holder',
      seats: [{ seat_id: seats[0], error: 'seat_held_by_another_user' }],
    });
    const sold = await sell(eventId, cart, { for_holder: true });
    expect(answerOf(sold)).toEqual([201, 'done']);
    expect(buyersOf(sold).map(([user]) => user)).toEqual([idOf('ann')]);
    const trail = await ask(`GET /api/admin/audit?event_id=${eventId}&action=checkout_completed`);
    expect(trail.list).toMatchObject([
      { changes: { user_id: idOf('ann'), for_holder: true, sources: ['web'] } },
    ]);
  });

  it('keeps the name of its buyer', async () => {
    const { eventId, seats } = await show();
    const cart = idsOf(await buyer('ann').hold(eventId, [{ seat_id: seats[0] }]));
    const named = await sell(eventId, cart, { for_holder: true, buyer_name: 'Mallory' });
    expect(answerOf(named)).toEqual([400, 'invalid_request']);
    expect(answerOf(await sell(eventId, cart, { buyer_name: 'Mallory' }))).toEqual([
      409,
      'seat_held_by_another_user',
    ]);
    const rows = await database.asSuperuser(`select from users where name = 'Mallory'`);
    expect(rows).toEqual([]);
  });

  it('is no part of the audit of a sale of the box office’s own', async () => {
    const { eventId, seats } = await show();
    await sell(eventId, idsOf(await atCounter(eventId, seats[0])));
    const trail = await ask(`GET /api/admin/audit?event_id=${eventId}&action=checkout_completed`);
    expect(trail.list[0]?.changes).not.toHaveProperty('for_holder');
  });
});

describe('a caller with an id', () => {
  it('is one person of their own, whatever they are called', async () => {
    const { eventId, seats } = await show();
    const [one, two] = [newId(), newId()];
    await atCounter(eventId, seats[0], { caller_id: one });
    await atCounter(eventId, seats[1], { caller_id: two.toUpperCase() });
    await atCounter(eventId, seats[2]);
    const { list } = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(list.map(({ user_id, holder }) => [user_id, holder])).toEqual([
      [idOf(`caller:${one}`), 'Nel'],
      [idOf(`caller:${two}`), 'Nel'],
      [idOf('caller:Nel'), 'Nel'],
    ]);
    const again = await atCounter(eventId, seats[0], { caller_id: one });
    expect([again.status, again.data.existing]).toEqual([200, true]);
    const other = await atCounter(eventId, seats[0], { caller_id: two });
    expect(answerOf(other)).toEqual([409, 'seat_held_by_another_user']);
    const body = { user_id: idOf(`caller:${one}`), event_id: eventId, reason: 'went away' };
    const released = await ask('POST /api/admin/seats/release', { body });
    expect(released.data).toMatchObject({ seats_released: 1 });
    expect(answerOf(await atCounter(eventId, seats[0], { caller_id: 'Nel' }))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('is held for once, when the first answer was lost', async () => {
    const { eventId, seats } = await show();
    const options = { headers: { 'idempotency-key': newId() } };
    const caller = { caller_id: newId() };
    const first = await atCounter(eventId, seats[0], caller, options);
    const again = await atCounter(eventId, seats[0], caller, options);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(idsOf(again)).toEqual(idsOf(first));
  });

  it('is named by the sale, also when its first answer was lost', async () => {
    const { eventId, seats } = await show();
    const caller_id = newId();
    const held = idsOf(await atCounter(eventId, seats[0], { caller_id, for: 'Walk-in' }));
    const options = { headers: { 'idempotency-key': newId() } };
    const wish = { buyer_name: 'Sannie Botha' };
    const sold = await sell(eventId, held, wish, options);
    expect(buyersOf(sold)).toEqual([[idOf(`caller:${caller_id}`), 'Sannie Botha']]);
    await database.asSuperuser(`update users set name = 'Walk-in' where name = 'Sannie Botha'`);
    expect(buyersOf(await sell(eventId, held, wish, options))).toEqual(buyersOf(sold));
  });

  it('keeps the name by which it is known, where it has no id', async () => {
    const { eventId, seats } = await show();
    const held = idsOf(await atCounter(eventId, seats[0], { for: 'Nel' }));
    await atCounter(eventId, seats[1], { for: 'Nel' });
    const sold = await sell(eventId, held, { buyer_name: 'Thandi' });
    expect(buyersOf(sold)).toEqual([[idOf('caller:Nel'), 'Nel']]);
    const { list } = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(list.map(({ holder }) => holder)).toEqual(['Nel']);
  });

  it('is forgotten on request, and a repeated sale brings no name back', async () => {
    const { eventId, seats } = await show();
    const caller_id = newId();
    const held = idsOf(await atCounter(eventId, seats[0], { caller_id, for: 'Walk-in' }));
    const options = { headers: { 'idempotency-key': newId() } };
    await sell(eventId, held, { buyer_name: 'Sannie Botha' }, options);
    const user = idOf(`caller:${caller_id}`);
    const token = tokenFor(scope().organizationId, { role: 'admin', subject: 'admin' });
    const erased = await ask(`DELETE /api/admin/users/${user}/personal-data`, { token });
    expect(erased.status).toBe(200);
    const again = await sell(eventId, held, { buyer_name: 'Sannie Botha' }, options);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(buyersOf(again)).toEqual([[user, null]]);
  });
});

describe('more time for callers', () => {
  it('event by event: an outcome for each, and an entry in the trail', async () => {
    const [one, two] = [await show(), await show()];
    const [first = ''] = idsOf(await atCounter(one.eventId, one.seats[0]));
    const [second = ''] = idsOf(await atCounter(two.eventId, two.seats[0]));
    const [cart = ''] = idsOf(await buyer('ann').hold(two.eventId, [{ seat_id: two.seats[1] }]));
    const [sold = ''] = idsOf(await atCounter(two.eventId, two.seats[2]));
    await sell(two.eventId, [sold]);
    const gone = newId();
    const reply = await lengthen([first.toUpperCase(), second, cart, sold, gone], 60);
    expect(outcomesOf(reply)).toEqual({
      [first]: 'extended',
      [second]: 'extended',
      [cart]: 'shop_hold',
      [sold]: 'ticket_already_paid',
      [gone]: 'hold_not_found',
    });
    expect(reply.data).toMatchObject({
      status: 'extended',
      message: '2 holds have the time that was asked for. 3 were not extended.',
    });
    const reasons = (reply.data.not_extended as { reason: string }[]).map(({ reason }) => reason);
    expect(reasons.sort()).toEqual(['hold_not_found', 'shop_hold', 'ticket_already_paid']);
    const { list } = await ask(`GET /api/admin/events/${one.eventId}/holds`);
    expect(Number(list[0]?.expires_in_seconds)).toBeGreaterThan(3_500);
    const trail = await ask(
      `GET /api/admin/audit?event_id=${one.eventId}&action=seat_hold_extended`,
    );
    expect(trail.list).toMatchObject([{ entity_id: first, actor_id: idOf('tester') }]);
    const less = await lengthen([first], 5);
    expect(less.data).toMatchObject({ holds: [{ outcome: 'unchanged' }], not_extended: [] });
  });

  it.each([0, 61, 1.5])('of %d minutes is no wish', async (minutes) => {
    expect(answerOf(await lengthen([newId()], minutes))).toEqual([400, 'invalid_request']);
  });

  it('is staff’s, and ends at the border of the organization', async () => {
    const { eventId, seats } = await show();
    const [own = ''] = idsOf(await atCounter(eventId, seats[0]));
    const viewer = tokenFor(scope().organizationId, { role: 'viewer', subject: 'v' });
    expect(answerOf(await lengthen([own], 60, { token: viewer }))).toEqual([403, 'forbidden']);
    const other = await anOrganization(database.postgres);
    const foreign = await lengthen([own], 60, { token: tokenFor(other.organizationId) });
    expect(outcomesOf(foreign)).toEqual({ [own]: 'hold_not_found' });
    const { list } = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(Number(list[0]?.expires_in_seconds)).toBeLessThanOrEqual(600);
  });

  it('goes on when one of the events is busy, with the same key', async () => {
    const [one, two] = [await show(), await show()];
    const [first = ''] = idsOf(await atCounter(one.eventId, one.seats[0]));
    const [second = ''] = idsOf(await atCounter(two.eventId, two.seats[0]));
    const options = { headers: { 'idempotency-key': newId() } };
    await withClient(database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('select from event_boards where event_id = $1 for update', [one.eventId]);
      const alone = await lengthen([first], 60);
      expect(answerOf(alone)).toEqual([503, 'event_busy']);
      const half = await lengthen([first, second], 60, options);
      expect(outcomesOf(half)).toEqual({ [first]: 'event_busy', [second]: 'extended' });
      await client.query('rollback');
    });
    const again = await lengthen([first, second], 60, options);
    expect(outcomesOf(again)).toEqual({ [first]: 'extended', [second]: 'extended' });
    const reused = await lengthen([first], 30, options);
    expect(answerOf(reused)).toEqual([422, 'idempotency_key_reused']);
  });

  it('never says that nothing was done while that is not known', async () => {
    const { eventId, seats } = await show();
    const [own = ''] = idsOf(await atCounter(eventId, seats[0]));
    const options = { headers: { 'idempotency-key': newId() } };
    await whileCommitsAreSlow(database, async () => {
      const lost = await lengthen([own], 60, options);
      expect(answerOf(lost)).toEqual([503, 'outcome_unknown']);
    });
    const again = await eventually(async () => {
      const reply = await lengthen([own], 60, options);
      return reply.status === 503 ? null : reply;
    });
    expect(outcomesOf(again)).toEqual({ [own]: 'extended' });
  });

  it('says what it does not take', async () => {
    const token = tokenFor(scope().organizationId);
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ hold_ids: ['x'.repeat(2_000_000)], minutes: 5 });
    const reply = await call(node().address, 'POST /api/admin/holds/extend', {
      ...{ token, headers, body },
    });
    expect(answerOf(reply)).toEqual([413, 'body_too_large']);
  });
});
