import type { Reply } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { expect, it } from 'vitest';

const { ask, buyer, database, draftEvent, show } = useShows();

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const labels = (...numbers: readonly number[]) => numbers.map((number) => `A-${number}`);

/** A row of ten: a table of four, a family block of three, and three seats that are reserved. */
const CONFIG = {
  ...aHybridHall(),
  groups: [
    { group_type: 'vip_table', seat_labels: labels(1, 2, 3, 4) },
    { group_type: 'family_block', seat_labels: labels(5, 6, 7) },
    { group_type: 'reserved_block', seat_labels: labels(9, 10) },
  ],
};

async function aHall() {
  const { eventId, seats } = await show({ config: CONFIG });
  const items = (...numbers: readonly number[]) =>
    numbers.map((number) => ({ seat_id: seats[number - 1] }));
  return { eventId, seats, items };
}

it('a table is sold whole and a family block to two or more', async () => {
  const { eventId, items } = await aHall();
  const ann = buyer();
  const part = await ann.hold(eventId, items(1, 2));
  expect(answerOf(part)).toEqual([403, 'forbidden']);
  expect(part.body).toMatchObject({
    message: 'This table is sold as a whole: A-3, A-4 belong to it and are missing.',
    details: { rule: 'vip_table', missing: ['A-3', 'A-4'] },
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
