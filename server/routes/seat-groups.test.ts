import { newId } from '@voelgoed/testkit/builders';
import { problems } from '@voelgoed/testkit/sales';
import type { Reply } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { expect, it } from 'vitest';

const { ask, buyer, database, draftEvent, scope, seatRows, show } = useShows();

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const labels = (...numbers: readonly number[]) => numbers.map((number) => `A-${number}`);

const reserved = (...numbers: readonly number[]) => ({
  group_type: 'reserved_block',
  seat_labels: labels(...numbers),
});

/** A row of ten: a table of four, a family block of three, and three seats that are reserved. */
const CONFIG = {
  ...aHybridHall(),
  groups: [
    { group_type: 'vip_table', seat_labels: labels(1, 2, 3, 4) },
    { group_type: 'family_block', seat_labels: labels(5, 6, 7) },
    reserved(9, 10),
  ],
};

async function aHall(config: object = CONFIG) {
  const { eventId, seats, zones } = await show({ config });
  const items = (...numbers: readonly number[]) =>
    numbers.map((number) => ({ seat_id: seats[number - 1] }));
  return { eventId, seats, zones, items };
}

/** The hall with the last seat of its reserved block unblocked, and ways to change its plan. */
async function anOpenedHall() {
  const [stalls, pit] = [{ zone_id: newId() }, { zone_id: newId() }];
  const plan = (...groups: readonly object[]) => ({ ...aHybridHall({ stalls, pit }), groups });
  const hall = await aHall(plan(reserved(9, 10)));
  const { eventId, seats } = hall;
  const [row] = await database.asSuperuser(
    'select layout_id from event_layouts where event_id = $1',
    [eventId],
  );
  const layout_id = String(row?.layout_id);
  const body = { seat_ids: [seats[9]], reason: 'released' };
  await ask(`POST /api/admin/events/${eventId}/seats/unblock`, { body });
  const put = (overrides: object) =>
    ask(`PUT /api/admin/events/${eventId}/layout`, { body: { layout_id, overrides } });
  const migrate = (body: object) =>
    ask(`POST /api/admin/events/${eventId}/layout/migrate`, { body: { layout_id, ...body } });
  const newVersion = async (...numbers: readonly number[]) => {
    const config = plan(reserved(...numbers));
    await ask('POST /api/admin/layouts', { body: { layout_id, config } });
    const active = await ask(`POST /api/admin/layouts/${layout_id}/activate`, { body: {} });
    expect(active.status).toBe(200);
  };
  const blocked = async () => {
    const rows = await seatRows(eventId);
    return rows.filter(({ status }) => status === 'blocked').map(({ label }) => label);
  };
  return { ...hall, put, migrate, newVersion, blocked };
}

it('a table is sold whole and a family block to two or more', async () => {
  const { eventId, items } = await aHall();
  const ann = buyer();
  const part = await ann.hold(eventId, items(1, 2));
  expect(answerOf(part)).toEqual([403, 'forbidden']);
  expect(part.body).toMatchObject({
    message: 'This table is sold as a whole: please add A-3, A-4.',
    details: { rule: 'vip_table', missing: ['A-3', 'A-4'], needed: 2 },
  });
  expect(answerOf(await ann.hold(eventId, items(5)))).toEqual([403, 'forbidden']);
  expect(answerOf(await ann.hold(eventId, items(1, 2, 3, 4, 5, 6)))).toEqual([201, 'done']);
  const checkout = { body: { event_id: eventId } };
  expect((await ann.ask('POST /api/checkouts', checkout)).status).toBe(201);
  const bob = buyer();
  expect(
    (await bob.ask(`POST /api/events/${eventId}/seats/${items(8)[0]?.seat_id}/reserve`)).status,
  ).toBe(201);
});

it('a seat of a table that was taken alone is refused at the checkout', async () => {
  const { eventId, seats } = await aHall();
  const ann = buyer();
  expect((await ann.reserve(eventId, seats[0] ?? '')).status).toBe(201);
  const refused = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
  expect(answerOf(refused)).toEqual([403, 'forbidden']);
});

it('a reserved block is out of the sale until staff unblock it', async () => {
  const { eventId, seats } = await aHall();
  const reserve = () => buyer().reserve(eventId, seats[8] ?? '');
  const refused = await reserve();
  expect(answerOf(refused)).toEqual([409, 'seat_not_available']);
  expect(refused.body.details).toMatchObject({ current_status: 'blocked' });
  const occupancy = await ask(`GET /api/events/${eventId}/occupancy`);
  expect(occupancy.data).toMatchObject({ blocked: 2, available: 13 });
  const body = { seat_ids: [seats[8]], reason: 'released' };
  await ask(`POST /api/admin/events/${eventId}/seats/unblock`, { body });
  expect(answerOf(await reserve())).toEqual([201, 'done']);
});

it('what staff have unblocked stays in the sale when the plan changes', async () => {
  const { eventId, seats, zones, put, blocked } = await anOpenedHall();
  const renamed = { zone_overrides: { [zones[0] ?? '']: { name: 'Parterre' } } };
  expect((await put(renamed)).status).toBe(200);
  expect(await blocked()).toEqual(labels(9));
  expect(answerOf(await buyer().reserve(eventId, seats[9] ?? ''))).toEqual([201, 'done']);
  expect((await put({})).status).toBe(200);
  expect(await blocked()).toEqual(labels(9));
  // What the event itself blocks is blocked.
  const [eighth, , tenth] = seats.slice(7);
  expect((await put({ blocked_seat_ids: [eighth] })).status).toBe(200);
  expect(await blocked()).toEqual(labels(8, 9));
  expect((await put({ blocked_seat_ids: [tenth] })).body.error).toBe('layout_in_use');
  expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
});

it('no mapping gives a reserved seat to a holder, and the one who has it keeps it', async () => {
  const { eventId, seats, migrate, newVersion, blocked } = await anOpenedHall();
  const [eighth = '', ninth = '', tenth = ''] = seats.slice(7);
  const isRefused = async (body: object) => {
    const expected = { possible: false, lost: [{ seat_id: eighth, label: 'A-8' }] };
    expect((await migrate({ ...body, dry_run: true })).data).toMatchObject(expected);
    const real = await migrate(body);
    expect([real.status, real.body.error]).toEqual([409, 'layout_in_use']);
    expect(real.body.details).toMatchObject(expected);
  };
  await buyer().reserve(eventId, eighth);
  await isRefused({ mapping: { [eighth]: ninth } });
  // One that was unblocked is like any other.
  const moved = await migrate({ mapping: { [eighth]: tenth } });
  expect(moved.data).toMatchObject({ done: true, moved: [{ to: tenth }] });
  expect(await blocked()).toEqual(labels(9));
  // Another version says anew what is reserved.
  await newVersion(7, 9, 10);
  expect((await migrate({})).data).toMatchObject({ done: true, kept: 1 });
  expect(await blocked()).toEqual(labels(7, 9));
  await buyer().reserve(eventId, eighth);
  await newVersion(8);
  await isRefused({});
  expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
});

it('an event cannot mix seats and places that its policy keeps apart', async () => {
  const { eventId } = await show({ config: aHybridHall() });
  const [row] = await database.asSuperuser(
    'select layout_id from event_layouts where event_id = $1',
    [eventId],
  );
  const [pit] = await database.asSuperuser(
    `select zone_id from event_zones where event_id = $1 and name = 'Pit'`,
    [eventId],
  );
  const id = await draftEvent();
  const choose = (overrides: object) =>
    ask(`PUT /api/admin/events/${id}/layout`, { body: { layout_id: row?.layout_id, overrides } });
  const apart = { allow_hybrid_ga_reserved: false };
  expect((await ask('PUT /api/admin/policy', { body: apart })).status).toBe(200);
  const refused = await choose({});
  expect(refused.body.details).toMatchObject({
    problems: [{ path: 'zones', code: 'hybrid_not_allowed' }],
  });
  expect((await choose({ disabled_zones: [pit?.zone_id] })).status).toBe(200);
});
