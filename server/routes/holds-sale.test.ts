import { changeOrganizationStatus } from '@voelgoed/engine/workflows';
import { aCaller, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import type { Reply } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, database, engine, open, scope, show, take } = useShows();

const answerOf = ({ status, body }: Reply) => [status, body.error ?? 'done'];
const step = (event: string, name: string, body: object = {}) =>
  ask(`POST /api/admin/events/${event}/${name}`, { body });
const change = (event: string, body: object) => ask(`PATCH /api/admin/events/${event}`, { body });

const NOT_AVAILABLE = [400, 'event_not_available'];
const CLOSED = [400, 'event_sales_closed'];
const HELD = [201, 'done'];
const LATER = '2098-01-01T00:00:00.000Z';
const BEFORE = '2020-01-01T00:00:00.000Z';

type Row = readonly [string, (event: string) => Promise<unknown>, unknown[], unknown[]];

/** What a buyer is told, and what staff are told who hold for a caller. */
const STATES: readonly Row[] = [
  ['published', async () => {}, HELD, HELD],
  ['live', (event) => step(event, 'open'), HELD, HELD],
  ['ended', (event) => step(event, 'end'), NOT_AVAILABLE, NOT_AVAILABLE],
  ['cancelled', (event) => step(event, 'cancel'), NOT_AVAILABLE, NOT_AVAILABLE],
  [
    'archived',
    async (event) => {
      await step(event, 'end');
      await step(event, 'archive');
    },
    NOT_AVAILABLE,
    NOT_AVAILABLE,
  ],
  ['postponed', (event) => step(event, 'postpone'), NOT_AVAILABLE, NOT_AVAILABLE],
  [
    'postponed to a date that is known',
    async (event) => {
      await step(event, 'postpone');
      const starts_at = '2099-07-01T18:00:00.000Z';
      const ends_at = '2099-07-01T22:00:00.000Z';
      await change(event, { starts_at, ends_at, days: ['2099-07-01'] });
    },
    HELD,
    HELD,
  ],
  ['before the sale', (event) => change(event, { sale_starts_at: LATER }), CLOSED, HELD],
  ['after the sale', (event) => change(event, { sale_ends_at: BEFORE }), CLOSED, HELD],
];

describe('an event that is', () => {
  it.each(STATES)('%s', async (_, bring, forBuyers, forStaff) => {
    const { eventId, seats } = await show({ config: aHybridHall() });
    await bring(eventId);
    const [first = '', second = '', third = ''] = seats;
    const ann = buyer();
    // Once from memory, if the node is sure, and once exactly.
    expect(answerOf(await ann.reserve(eventId, first))).toEqual(forBuyers);
    const wish = await ann.hold(eventId, [{ seat_id: second }]);
    expect(answerOf(wish)).toEqual(forBuyers);
    const body = { items: [{ seat_id: third }], for: 'Thandi' };
    const route = `POST /api/admin/events/${eventId}/holds`;
    expect(answerOf(await ask(route, { body }))).toEqual(forStaff);
  });

  it('a draft is not there', async () => {
    const { seats } = await show();
    const made = await ask('POST /api/admin/events', {
      body: {
        slug: `draft-${newId()}`.slice(0, 40),
        name: 'Draft',
        starts_at: '2099-06-01T18:00:00.000Z',
        ends_at: '2099-06-01T22:00:00.000Z',
        currency: 'ZAR',
      },
    });
    const draft = String(made.data.event_id);
    const reply = await buyer().reserve(draft, seats[0] ?? '');
    expect(answerOf(reply)).toEqual([404, 'event_not_found']);
    const absent = await buyer().reserve(newId(), seats[0] ?? '');
    const { request_id: _, ...body } = absent.body;
    expect(reply.body).toEqual({ ...body, request_id: expect.any(String) });
  });

  it('of a suspended organization sells nothing, whatever its seats are', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const [held = '', free = ''] = seats;
    const ann = buyer();
    const own = await ann.reserve(eventId, held);
    await changeOrganizationStatus(engine(), aCaller({ scope: scope() }), 'suspended');
    const bob = buyer();
    for (const seat of [held, free]) {
      expect(answerOf(await bob.reserve(eventId, seat))).toEqual(NOT_AVAILABLE);
    }
    const places = await bob.hold(eventId, [{ zone_id: zones[1], quantity: 50 }]);
    expect(answerOf(places)).toEqual(NOT_AVAILABLE);
    // What somebody has stays theirs, and they can let go of it.
    expect((await ann.reserve(eventId, held)).data).toMatchObject({ existing: true });
    const released = await ann.ask(`DELETE /api/holds/${own.data.hold_id}`);
    expect(released.data).toMatchObject({ released_count: 1 });
    expect((await open(`GET /api/events/${eventId}/availability`)).status).toBe(200);
  });

  it('cancelled ends every hold, with its reason, and nothing is revived', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const ann = buyer();
    const held = await ann.reserve(eventId, seats[0] ?? '');
    await buyer().hold(eventId, [{ zone_id: zones[1], quantity: 3 }]);
    expect((await step(eventId, 'cancel', { reason: 'storm' })).status).toBe(200);
    // By the flush after the one that has cancelled it.
    const active = `select from seat_holds where event_id = $1 and status = 'active'`;
    await eventually(async () => (await database.asSuperuser(active, [eventId])).length === 0);
    const rows = await database.asSuperuser(
      'select distinct status, end_reason from seat_holds where event_id = $1',
      [eventId],
    );
    expect(rows).toEqual([{ status: 'cancelled', end_reason: 'event_cancelled' }]);
    const [counts] = await database.asSuperuser(
      'select sum(held)::int as held from event_zones where event_id = $1',
      [eventId],
    );
    expect(counts).toEqual({ held: 0 });
    const extended = await ann.ask(`POST /api/holds/${held.data.hold_id}/extend`);
    expect(answerOf(extended)).toEqual([404, 'hold_not_found']);
    const gone = await ann.ask(`DELETE /api/holds/${held.data.hold_id}`);
    expect(gone.data).toMatchObject({ released_count: 0 });
    const trail = await ask(`GET /api/admin/audit?event_id=${eventId}`);
    const ends = trail.list.filter(({ action }) => action === 'seat_released');
    expect(ends).toHaveLength(2);
    for (const { changes } of ends) {
      expect(changes).toMatchObject({ scenario: 'event_cancellation', reason: 'event_cancelled' });
    }
  });
});

describe('a seat that is', () => {
  it('sold stays sold for buyers, staff and releases', async () => {
    const { eventId, seats } = await show({ config: aHybridHall() });
    await take(eventId, 'A-1', 'sold');
    const sold = `update event_zones set sold = 1 where event_id = $1 and has_seats`;
    await database.asSuperuser(sold, [eventId]);
    const [seat = ''] = seats;
    const refused = await buyer().reserve(eventId, seat);
    expect(answerOf(refused)).toEqual([409, 'seat_not_available']);
    expect(refused.body.details).toMatchObject({
      current_status: 'sold',
      seats: [{ seat_id: seat, label: 'A-1', error: 'seat_not_available' }],
    });
    const body = { items: [{ seat_id: seat }], for: 'Thandi' };
    const staff = await ask(`POST /api/admin/events/${eventId}/holds`, { body });
    expect(answerOf(staff)).toEqual([409, 'seat_not_available']);
    await ask('POST /api/admin/seats/release', { body: { event_id: eventId, reason: 'all' } });
    const { data } = await open(`GET /api/events/${eventId}/seats/${seat}`);
    expect(data).toMatchObject({ status: 'sold', mine: false });
  });

  it('blocked is refused with its status, and free again when it is unblocked', async () => {
    const { eventId, seats } = await show({ config: aHybridHall() });
    const body = { seat_ids: [seats[0]], reason: 'camera' };
    await ask(`POST /api/admin/events/${eventId}/seats/block`, { body });
    const refused = await buyer().reserve(eventId, seats[0] ?? '');
    expect(refused.body.details).toMatchObject({ current_status: 'blocked' });
    expect(JSON.stringify(refused.body)).not.toContain('camera');
    await ask(`POST /api/admin/events/${eventId}/seats/unblock`, { body });
    expect((await buyer().reserve(eventId, seats[0] ?? '')).status).toBe(201);
  });

  it('in a zone that is full: the last places go to one of two', async () => {
    const { eventId, zones } = await show({ config: aHybridHall() });
    const wish = [{ zone_id: zones[1], quantity: 3 }];
    const replies = await Promise.all([buyer().hold(eventId, wish), buyer().hold(eventId, wish)]);
    const answers = replies.map(answerOf).sort();
    expect(answers).toEqual([HELD, [409, 'block_at_capacity']]);
    const twice = [...wish, { zone_id: zones[1], quantity: 1 }];
    const both = await buyer().hold(eventId, twice);
    expect(both.body.details).toMatchObject({ zones: [{ zone_id: zones[1] }] });
  });
});
