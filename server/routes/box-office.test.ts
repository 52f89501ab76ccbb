import { userIdOf } from '@voelgoed/engine/accounts';
import { withClient } from '@voelgoed/engine/postgres';
import { newId } from '@voelgoed/testkit/builders';
import { call, type Reply, tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, node, open, scope, seatRows, show, take } = useShows();

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const idOf = (subject: string) => userIdOf(scope().organizationId, subject);
const release = (body: object, options = {}) =>
  ask('POST /api/admin/seats/release', { body: { reason: 'no show', ...body }, ...options });
const holdId = ({ data }: Reply) => String(data.hold_id);
const states = (eventId: string) =>
  database.asSuperuser(
    `select status, end_reason from seat_holds where event_id = $1 order by created_at, hold_id`,
    [eventId],
  );

describe('a release by staff', () => {
  it('by ids over two events: an outcome for each, unknown ones too', async () => {
    const [one, two] = [await show(), await show()];
    const [ann, bob] = [buyer('ann'), buyer('bob')];
    const first = holdId(await ann.reserve(one.eventId, one.seats[0] ?? ''));
    const second = holdId(await bob.reserve(two.eventId, two.seats[0] ?? ''));
    const over = holdId(await bob.reserve(two.eventId, two.seats[1] ?? ''));
    await bob.ask(`DELETE /api/holds/${over}`);
    const nobody = newId();
    const hold_ids = [first, second, over, nobody, first.toUpperCase()];
    const reply = await release({ hold_ids, notes: 'called twice' });
    expect(reply.data).toMatchObject({
      status: 'released',
      seats_released: 2,
      reason: 'admin_override',
      message: '2 seats were released. One hold was over before. One hold was not found.',
    });
    const outcomes = new Map(
      (reply.data.holds as { hold_id: string; outcome: string }[]).map((one) => [
        one.hold_id,
        one.outcome,
      ]),
    );
    expect(Object.fromEntries(outcomes)).toEqual({
      [first]: 'released',
      [second]: 'released',
      [over]: 'not_active',
      [nobody]: 'hold_not_found',
    });
    expect(await states(one.eventId)).toEqual([
      { status: 'cancelled', end_reason: 'admin_override' },
    ]);
    const { list } = await ask(`GET /api/admin/audit?event_id=${one.eventId}`);
    expect(list[0]).toMatchObject({
      action: 'seat_released',
      actor_id: idOf('tester'),
      changes: {
        scenario: 'admin_override',
        reason: 'admin_override',
        note: 'no show: called twice',
      },
    });
    const gone = await ann.ask(`POST /api/holds/${first}/extend`);
    expect(answerOf(gone)).toEqual([404, 'hold_not_found']);
  });

  it('of ids that nobody has is not called a repetition', async () => {
    const reply = await release({ hold_ids: [newId()] }, { headers: { 'idempotency-key': 'k' } });
    expect(reply.data).toMatchObject({ seats_released: 0 });
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
  });

  it('of a user, everywhere or in one event, and of an event', async () => {
    const [one, two] = [await show({ config: aHybridHall() }), await show()];
    const [ann, bob] = [buyer('ann'), buyer('bob')];
    const fill = async () => {
      await ann.hold(one.eventId, [
        { seat_id: one.seats[0] },
        { zone_id: one.zones[1], quantity: 2 },
      ]);
      await bob.reserve(one.eventId, one.seats[1] ?? '');
      await ann.reserve(two.eventId, two.seats[0] ?? '');
    };
    const seats = async (body: object) => (await release(body)).data.seats_released;
    await fill();
    expect(await seats({ user_id: idOf('ann'), event_id: one.eventId })).toBe(3);
    expect(await seats({ user_id: idOf('ann') })).toBe(1);
    expect(await seats({ event_id: one.eventId })).toBe(1);
    expect(await seats({ user_id: idOf('ann') })).toBe(0);
    await fill();
    // Ids and a user together: only what is both.
    const { list } = await ask(`GET /api/admin/events/${one.eventId}/holds`);
    const hold_ids = list.map(({ hold_id }) => hold_id);
    const reply = await release({ hold_ids, user_id: idOf('bob') });
    expect(reply.data).toMatchObject({ seats_released: 1 });
  });

  it('goes on when one of the events is busy, and says so of its holds', async () => {
    const [one, two] = [await show(), await show()];
    const ann = buyer('ann');
    const first = holdId(await ann.reserve(one.eventId, one.seats[0] ?? ''));
    const second = holdId(await ann.reserve(two.eventId, two.seats[0] ?? ''));
    const headers = { 'idempotency-key': 'both' };
    const body = { user_id: idOf('ann') };
    await withClient(database.superuserUrl, async (client) => {
      await client.query('begin');
      await client.query('select from event_boards where event_id = $1 for update', [one.eventId]);
      const reply = await release(body, { headers });
      expect(reply.data).toMatchObject({ seats_released: 1 });
      expect(reply.data.holds).toEqual(
        expect.arrayContaining([
          { hold_id: first, outcome: 'event_busy' },
          { hold_id: second, outcome: 'released' },
        ]),
      );
      await client.query('rollback');
    });
    const again = await release(body, { headers });
    expect(again.data).toMatchObject({ seats_released: 2 });
    expect(again.headers.get('idempotent-replayed')).toBeNull();
    expect(await states(one.eventId)).toMatchObject([{ status: 'cancelled' }]);
  });
});

describe('blocking', () => {
  const block = (eventId: string, kind: 'block' | 'unblock', seat_ids: unknown[]) =>
    ask(`POST /api/admin/events/${eventId}/seats/${kind}`, {
      body: { seat_ids, reason: 'camera' },
    });

  it('takes a held seat from its holder, and leaves what was so already', async () => {
    const { eventId, seats } = await show({ config: aHybridHall() });
    const ann = buyer();
    const held = await ann.reserve(eventId, seats[0] ?? '');
    const reply = await block(eventId, 'block', [seats[0], seats[1], seats[1]]);
    expect(reply.data).toMatchObject({ status: 'blocked', seats: 2, unchanged: 0 });
    expect(await states(eventId)).toEqual([{ status: 'cancelled', end_reason: 'admin_override' }]);
    expect((await ann.ask(`GET /api/events/${eventId}/holds`)).data.holds).toEqual([]);
    const gone = await ann.ask(`POST /api/holds/${held.data.hold_id}/extend`);
    expect(answerOf(gone)).toEqual([404, 'hold_not_found']);
    const again = await block(eventId, 'block', [seats[0], seats[2]]);
    expect(again.data).toMatchObject({ seats: 1, unchanged: 1 });
    const occupancy = await open(`GET /api/events/${eventId}/occupancy`);
    expect(occupancy.data).toMatchObject({ held: 0, blocked: 3, available: 12, total: 15 });
    const free = await block(eventId, 'unblock', [seats[0], seats[5]]);
    expect(free.data).toMatchObject({ status: 'unblocked', seats: 1, unchanged: 1 });
    // One unknown seat, and nothing of it is done.
    const wrong = await block(eventId, 'block', [seats[0], newId()]);
    expect(answerOf(wrong)).toEqual([404, 'seat_not_found']);
    expect((await open(`GET /api/events/${eventId}/seats/${seats[0]}`)).data.status).toBe(
      'available',
    );
  });

  it('leaves a sold seat its ticket, and gives it back when it is unblocked', async () => {
    const { eventId, seats } = await show({ config: aHybridHall() });
    const ticket = newId();
    await take(eventId, 'A-1', 'sold', ticket);
    const sold = `update event_zones set sold = 1 where event_id = $1 and has_seats`;
    await database.asSuperuser(sold, [eventId]);
    const shown = async () => [
      (await seatRows(eventId))[0]?.status,
      (await seatRows(eventId))[0]?.ticket_id,
      (await open(`GET /api/events/${eventId}/seats/${seats[0]}`)).data.status,
    ];
    expect(await shown()).toEqual(['sold', ticket, 'sold']);
    expect((await block(eventId, 'block', [seats[0]])).status).toBe(200);
    expect(await shown()).toEqual(['blocked', ticket, 'blocked']);
    expect((await block(eventId, 'unblock', [seats[0]])).status).toBe(200);
    expect(await shown()).toEqual(['sold', ticket, 'sold']);
    expect((await buyer().reserve(eventId, seats[0] ?? '')).status).toBe(409);
  });

  it('does not open a zone that is closed', async () => {
    const zone_id = newId();
    const config = aHybridHall({ stalls: { zone_id } });
    const { eventId, seats } = await show({ config, overrides: { disabled_zones: [zone_id] } });
    expect((await block(eventId, 'block', [seats[0]])).data).toMatchObject({ unchanged: 1 });
    const refused = await block(eventId, 'unblock', [seats[0]]);
    expect(answerOf(refused)).toEqual([409, 'seat_not_available']);
    expect((await buyer().reserve(eventId, seats[0] ?? '')).status).toBe(409);
  });
});

describe('holding for a caller', () => {
  const forCaller = (eventId: string, body: object, token?: string) =>
    ask(`POST /api/admin/events/${eventId}/holds`, { body, ...(token ? { token } : {}) });

  it('has its own time, its notes, and nobody’s limits', async () => {
    await ask('PUT /api/admin/policy', { body: { max_holds_per_user: 1 } });
    const { eventId, seats } = await show();
    const items = seats.slice(0, 12).map((seat_id) => ({ seat_id }));
    const notes = 'wheelchair at the aisle';
    const reply = await forCaller(eventId, { items, for: 'Thandi', hold_minutes: 60, notes });
    expect([reply.status, reply.data.expires_in_seconds]).toEqual([201, 3_600]);
    const { list } = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(list).toHaveLength(12);
    expect(list[0]).toMatchObject({
      user_id: idOf('caller:Thandi'),
      source: 'box_office',
      made_by: idOf('tester'),
      notes,
    });
    const again = await forCaller(eventId, { items: items.slice(0, 1), for: 'Thandi' });
    expect([again.status, again.data.existing]).toEqual([200, true]);
    const refused = await forCaller(eventId, { items, for: 'Thandi', hold_minutes: 1.5 });
    expect(answerOf(refused)).toEqual([400, 'invalid_request']);
    expect(refused.body.details).toMatchObject({ problems: [{ path: 'body/hold_minutes' }] });
  });

  it.each([
    [1, 60],
    [60, 3_600],
    [0, 60],
    [-5, 60],
    [61, 3_600],
    [1e15, 3_600],
  ])('%i minutes are %i seconds: between a minute and an hour', async (hold_minutes, seconds) => {
    const { eventId, seats } = await show();
    const items = [{ seat_id: seats[0] }];
    const reply = await forCaller(eventId, { items, for: 'Thandi', hold_minutes });
    expect([reply.status, reply.data.expires_in_seconds]).toEqual([201, seconds]);
  });

  it('is done by an API key too', async () => {
    const { eventId, seats } = await show();
    const made = await ask('POST /api/admin/api-keys', {
      body: { name: 'shop', scopes: ['holds:write', 'holds:read', 'buy'] },
    });
    const key = String(made.data.key);
    const items = [{ seat_id: seats[0] }];
    expect(answerOf(await forCaller(eventId, { items, for: 'Thandi' }, key))).toEqual([
      201,
      'done',
    ]);
    const own = `/api/events/${eventId}/seats/${seats[1]}`;
    const bought = await call(node().address, `POST ${own}/reserve`, { token: key });
    expect(answerOf(bought)).toEqual([201, 'done']);
    const seen = await call(node().address, `GET ${own}`, { token: key });
    expect(seen.data).toMatchObject({ status: 'held', mine: true });
  });

  it('keeps nothing about somebody when there is no such event', async () => {
    const items = [{ seat_id: newId() }];
    expect((await forCaller(newId(), { items, for: 'Never There' })).status).toBe(404);
    const rows = await database.asSuperuser(`select from users where name = 'Never There'`);
    expect(rows).toHaveLength(0);
  });

  it('the name is erased on request, and stands nowhere else', async () => {
    const { eventId, seats } = await show();
    const name = `Zola-${newId()}`;
    const items = [{ seat_id: seats[0] }];
    const headers = { 'idempotency-key': 'k' };
    const route = `POST /api/admin/events/${eventId}/holds`;
    await ask(route, { body: { items, for: name }, headers });
    expect(await tablesWith(name)).toEqual(['users']);
    const user = idOf(`caller:${name}`);
    const token = tokenFor(scope().organizationId, { role: 'admin', subject: 'admin' });
    const erased = await ask(`DELETE /api/admin/users/${user}/personal-data`, { token });
    expect(erased.status).toBe(200);
    expect(await tablesWith(name)).toEqual([]);
    const { list } = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(list).toMatchObject([{ user_id: user }]);
    expect((await ask(`GET /api/admin/audit/verify?event_id=${eventId}`)).data.ok).toBe(true);
  });

  /** Every table of the database in which a text stands anywhere. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await database.asSuperuser(
      `select relname as name from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind in ('r', 'p') and nspname = 'public' order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const look = `select from "${name}" t where position($1 in t::text) > 0 limit 1`;
      if ((await database.asSuperuser(look, [text])).length > 0) found.push(String(name));
    }
    return found;
  }
});
