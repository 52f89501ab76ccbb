import { systemClock } from '@voelgoed/engine/kit';
import { stepEvent } from '@voelgoed/engine/workflows';
import {
  aCaller,
  aHall,
  anActiveLayout,
  anOrganization,
  aPublishedEvent,
  aShow,
  newId,
} from '@voelgoed/testkit/builders';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, database, draftEvent, engine, node, open, scope, seatRows, show, take } = useShows();

describe('an event', () => {
  it('is planned, furnished, priced and published, and then everybody sees it', async () => {
    const layout = await anActiveLayout(engine(), scope());
    const id = await draftEvent();
    expect((await open(`GET /api/events/${id}`)).body.error).toBe('event_not_found');
    const early = await ask(`POST /api/admin/events/${id}/publish`, { body: {} });
    expect(early.body.details).toMatchObject({ problems: [{ path: 'layout' }] });
    await ask(`PUT /api/admin/events/${id}/layout`, { body: { layout_id: layout.layout_id } });
    const free = await ask(`POST /api/admin/events/${id}/publish`, { body: {} });
    expect(free.body.details).toMatchObject({ problems: [{ code: 'price_missing' }] });
    const [zone] = await database.asSuperuser('select zone_id from zones where layout_id = $1', [
      layout.layout_id,
    ]);
    const prices = [{ zone_id: zone?.zone_id, price_cents: 15_000 }];
    await ask(`PUT /api/admin/events/${id}/prices`, { body: { prices } });
    const published = await ask(`POST /api/admin/events/${id}/publish`, { body: {} });
    expect(published.data.status).toBe('published');
    const seen = await open(`GET /api/events/${id}`);
    expect(seen.data).toMatchObject({
      on_sale: true,
      currency: 'ZAR',
      occupancy: { available: 20, held: 0, sold: 0, blocked: 0, total: 20 },
      zones: [{ name: 'Stalls', price_cents: 15_000, available: 20 }],
    });
    expect((await seatRows(id)).map(({ ordinal }) => ordinal)).toEqual([...Array(20).keys()]);
  });

  it('says how long it may be kept: the list for a while, what is left not unasked', async () => {
    const { eventId } = await show();
    const [row] = await database.asSuperuser(
      'select slug from organizations where organization_id = $1',
      [scope().organizationId],
    );
    const list = await open(`GET /api/organizations/${row?.slug}/events`);
    const one = await open(`GET /api/events/${eventId}`);
    const missing = await open('GET /api/organizations/no-such-place/events');
    const kept = [list, one, missing].map(({ status, headers }) => [
      status,
      headers.get('cache-control'),
    ]);
    expect(kept).toEqual([
      [200, 'no-cache'],
      [200, 'no-cache'],
      [404, 'no-cache, no-store'],
    ]);
  });

  it('takes only the steps it can take, by those who may', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    const step = (name: string, token?: string) =>
      ask(`POST /api/admin/events/${eventId}/${name}`, { ...(token ? { token } : {}), body: {} });
    expect((await step('publish')).body.error).toBe('event_not_available');
    expect((await step('archive')).status).toBe(400);
    const staff = tokenFor(scope().organizationId, { role: 'staff', subject: 'staff' });
    expect((await step('cancel', staff)).status).toBe(403);
    expect((await step('open', staff)).data.status).toBe('live');
    expect((await step('end', staff)).data.status).toBe('ended');
    expect((await step('archive')).data.status).toBe('archived');
    expect((await open(`GET /api/events/${eventId}`)).body.error).toBe('event_not_found');
  });

  it('is postponed, gets a new date, and goes on', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    const route = `/api/admin/events/${eventId}`;
    const postponed = await ask(`POST ${route}/postpone`, { body: { reason: 'Storm' } });
    expect(postponed.data).toMatchObject({ status: 'postponed', postponement_reason: 'Storm' });
    expect((await open(`GET /api/events/${eventId}`)).data.on_sale).toBe(false);
    const soon = await ask(`POST ${route}/publish`, { body: {} });
    expect(soon.body.details).toMatchObject({ problems: [{ code: 'not_rescheduled' }] });
    const dates = { starts_at: '2099-07-01T18:00:00Z', ends_at: '2099-07-01T22:00:00Z' };
    const moved = await ask(`PATCH ${route}`, { body: dates });
    expect(moved.data).toMatchObject({ days: ['2099-07-01'] });
    expect((await open(`GET /api/events/${eventId}`)).data.on_sale).toBe(true);
    expect((await ask(`POST ${route}/publish`, { body: {} })).data.status).toBe('published');
  });

  it('has every day from its beginning to its end, unless it is given fewer', async () => {
    const { description: _, days: __, ...show } = aShow();
    const times = { starts_at: '2099-06-01T16:00:00Z', ends_at: '2099-06-03T20:00:00Z' };
    const make = (more: object) =>
      ask('POST /api/admin/events', { body: { ...show, ...times, ...more } });
    const festival = await make({});
    const three = ['2099-06-01', '2099-06-02', '2099-06-03'];
    expect(festival.data.days).toEqual(three);
    const route = `PATCH /api/admin/events/${festival.data.event_id}`;
    const later = { starts_at: '2099-07-01T16:00:00Z', ends_at: '2099-07-02T20:00:00Z' };
    expect((await ask(route, { body: later })).data.days).toEqual(['2099-07-01', '2099-07-02']);
    const chosen = await ask(route, { body: { days: ['2099-07-02'] } });
    expect(chosen.data.days).toEqual(['2099-07-02']);
    expect((await ask(route, { body: { name: 'Renamed' } })).data.days).toEqual(['2099-07-02']);
    // Days that were chosen are asked for, and nothing changes until they are given.
    const unasked = await ask(route, { body: times });
    expect(unasked.status).toBe(400);
    const message =
      'The days of this event do not follow its times: say which days it has at the new ones.';
    expect(unasked.body).toMatchObject({ message, details: { problems: [{ path: 'days' }] } });
    const long = await make({ slug: 'long', ends_at: '2101-06-03T20:00:00Z' });
    expect(long.body.message).toBe('An event of more than 366 days has to say which days it has.');
    const again = await ask(route, { body: { ...times, days: ['2099-06-02'] } });
    expect(again.data).toMatchObject({ days: ['2099-06-02'], name: 'Renamed' });
  });

  it('is on sale within its window alone', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    const at = (ms: number) => new Date(systemClock.now() + ms).toISOString();
    const window = async (from: number, to: number) => {
      const body = { sale_starts_at: at(from), sale_ends_at: at(to) };
      const changed = await ask(`PATCH /api/admin/events/${eventId}`, { body });
      expect(changed.body).toMatchObject({ data: body });
      return (await open(`GET /api/events/${eventId}`)).data.on_sale;
    };
    expect(await window(-60_000, 60_000)).toBe(true);
    expect(await window(60_000, 120_000)).toBe(false);
    expect(await window(-120_000, -60_000)).toBe(false);
  });

  it.each([
    [{ ends_at: '2099-06-01T17:00:00Z' }, 'ends_at'],
    [
      { sale_starts_at: '2099-05-02T00:00:00Z', sale_ends_at: '2099-05-01T00:00:00Z' },
      'sale_ends_at',
    ],
    [{ days: ['2099-06-01', '2099-06-01'] }, 'days'],
    [{ days: ['1999-01-01'] }, 'days'],
    [{ days: ['2099-06-03'] }, 'days'],
    [{ days: undefined, ends_at: '2101-06-01T20:00:00Z' }, 'days'],
    [{ venue_id: newId() }, 'venue_id'],
  ])('cannot be %o', async (wrong, path) => {
    const { description: _, ...show } = aShow();
    const reply = await ask('POST /api/admin/events', { body: { ...show, ...wrong } });
    expect(reply.body.details).toMatchObject({ problems: [{ path }] });
  });

  it('of general admission alone needs no layout', async () => {
    const id = await draftEvent();
    const zones = [
      { name: 'Floor', zone_type: 'ga_standing', capacity: 300 },
      { name: 'Chairs', zone_type: 'ga_seated', capacity: 50 },
    ];
    const put = await ask(`PUT /api/admin/events/${id}/layout`, { body: { zones } });
    const stored = (put.data.layout as { zones: { zone_id: string }[] }).zones;
    const prices = stored.map(({ zone_id }) => ({ zone_id, price_cents: 5_000 }));
    await ask(`PUT /api/admin/events/${id}/prices`, { body: { prices } });
    expect((await ask(`POST /api/admin/events/${id}/publish`, { body: {} })).status).toBe(200);
    expect((await open(`GET /api/events/${id}`)).data.occupancy).toMatchObject({ total: 350 });
    const map = await open(`GET /api/events/${id}/seatmap`);
    expect(map.data).toMatchObject({ layout_id: null, seats: [] });
  });
});

describe('overrides', () => {
  it('block seats, close zones and change access, and are kept as deltas', async () => {
    const config = aHall() as { zones: { seats: object[] }[] };
    const [first] = config.zones;
    const two = {
      ...config,
      zones: [
        { name: 'Front', zone_type: 'reserved_seating', seats: first?.seats.slice(0, 10) },
        { name: 'Back', zone_type: 'reserved_seating', seats: first?.seats.slice(10) },
      ],
    };
    const layout = await anActiveLayout(engine(), scope(), two);
    const zones = await database.asSuperuser(
      'select zone_id, name from zones where layout_id = $1 order by place',
      [layout.layout_id],
    );
    const [front, back] = zones.map(({ zone_id }) => String(zone_id));
    const [seat] = await database.asSuperuser(
      `select seat_id from seats where layout_id = $1 and label = 'A-1'`,
      [layout.layout_id],
    );
    const id = await draftEvent();
    const overrides = {
      disabled_zones: [back],
      blocked_seat_ids: [seat?.seat_id],
      zone_overrides: {
        [front ?? '']: { access_mode: 'membership_tier', membership_tier: 'gold' },
      },
      seating_overrides: { max_seats_per_booking: 4 },
    };
    const body = { layout_id: layout.layout_id, overrides };
    const put = await ask(`PUT /api/admin/events/${id}/layout`, { body });
    expect((put.data.layout as { overrides: object }).overrides).toEqual({
      ...overrides,
      pricing_zones: {},
    });
    const prices = [{ zone_id: front, price_cents: 100 }];
    await ask(`PUT /api/admin/events/${id}/prices`, { body: { prices } });
    await ask(`POST /api/admin/events/${id}/publish`, { body: {} });
    const { data } = await open(`GET /api/events/${id}`);
    expect(data.zones).toEqual([
      expect.objectContaining({ zone_id: front, access_mode: 'membership_tier', available: 9 }),
    ]);
    const blocked = (await seatRows(id)).filter(({ status }) => status === 'blocked');
    expect(blocked).toHaveLength(11);
  });

  it('that do not fit are refused, all at once', async () => {
    const layout = await anActiveLayout(engine(), scope());
    const id = await draftEvent();
    const overrides = {
      disabled_zones: [newId()],
      blocked_seat_ids: ['nonsense'],
      zone_overrides: { [newId()]: {} },
      seating_overrides: { max_seats_per_booking: 0, hold_rate_seats: 5 },
      colour: 'blue',
    };
    const body = { layout_id: layout.layout_id, overrides };
    const reply = await ask(`PUT /api/admin/events/${id}/layout`, { body });
    const { problems } = reply.body.details as { problems: { path: string }[] };
    expect(problems.map(({ path }) => path.replace(/[0-9a-f-]{36}/, 'id'))).toEqual([
      'colour',
      'disabled_zones[0]',
      'blocked_seat_ids[0]',
      'zone_overrides["id"]',
      'seating_overrides.max_seats_per_booking',
      'seating_overrides.hold_rate_seats',
    ]);
  });
});

describe('two events on one layout', () => {
  it('have states of their own, and so have two organizations with the same labels', async () => {
    const one = await aPublishedEvent(engine(), scope());
    const two = await aPublishedEvent(engine(), scope(), { layout: one.layout });
    const other = await aPublishedEvent(engine(), await anOrganization(database.postgres));
    expect(two.layout.layout_id).toBe(one.layout.layout_id);
    await take(one.eventId, 'A-1', 'sold');
    const sold = async (id: string) =>
      (await seatRows(id)).filter(({ status }) => status === 'sold').length;
    const counts = await Promise.all([one, two, other].map(({ eventId }) => sold(eventId)));
    expect(counts).toEqual([1, 0, 0]);
  });
});

describe('a hybrid venue', () => {
  const seats = (prefix: string, count: number, y: number) =>
    Array.from({ length: count }, (_, n) => ({
      label: `${prefix}-${n + 1}`,
      row: prefix,
      number: n + 1,
      coordinates: { x: n * 10, y },
    }));
  const venue = (reserved: number, floor: number, pit: number, vip: number) => ({
    seat_size: 9,
    zones: [
      { name: 'Orchestra', zone_type: 'reserved_seating', seats: seats('O', reserved, 0) },
      { name: 'Floor', zone_type: 'ga_seated', capacity: floor },
      { name: 'Pit', zone_type: 'ga_standing', capacity: pit },
      { name: 'VIP', zone_type: 'vip_reserved', seats: seats('V', vip, 50) },
    ],
  });

  it.each([
    [[200, 300, 400, 50], 950],
    [[300, 400, 300, 50], 1_050],
  ] as const)('of %o places has their sum, computed', async (sizes, sum) => {
    await ask('PUT /api/admin/policy', { body: { allow_vip_zones: true } });
    const [reserved, floor, pit, vip] = sizes;
    const config = venue(reserved, floor, pit, vip);
    const { eventId, layout } = await aPublishedEvent(engine(), scope(), { config });
    expect(layout.total_capacity).toBe(sum);
    const { data } = await open(`GET /api/events/${eventId}`);
    const zones = data.zones as { capacity: number; available: number }[];
    expect(zones.map(({ capacity }) => capacity)).toEqual(sizes);
    expect(data.occupancy).toEqual({ available: sum, held: 0, sold: 0, blocked: 0, total: sum });
  });
});

describe('the layout of an event on sale', () => {
  it('changes freely while nobody has anything', async () => {
    const { eventId, layout } = await aPublishedEvent(engine(), scope());
    const route = `PUT /api/admin/events/${eventId}/layout`;
    const overrides = { disabled_zones: [], seating_overrides: { max_seats_per_booking: 3 } };
    const body = { layout_id: layout.layout_id, overrides };
    expect((await ask(route, { body })).status).toBe(200);
    await take(eventId, 'A-1', 'held');
    const other = await anActiveLayout(engine(), scope());
    const refused = await ask(route, { body: { layout_id: other.layout_id } });
    expect([refused.status, refused.body.error]).toEqual([409, 'layout_in_use']);
  });

  it('is migrated with everybody’s seat, after a dry run that shows it', async () => {
    const { eventId, layout } = await aPublishedEvent(engine(), scope());
    const ticket = newId();
    await take(eventId, 'A-1', 'sold', ticket);
    await take(eventId, 'B-1', 'held');
    const smaller = { layout_id: layout.layout_id, config: aHall({ rows: 1 }) };
    await ask('POST /api/admin/layouts', { body: smaller });
    await ask(`POST /api/admin/layouts/${layout.layout_id}/activate`, { body: {} });
    const route = `POST /api/admin/events/${eventId}/layout/migrate`;
    const migrate = (more: object) =>
      ask(route, { body: { layout_id: layout.layout_id, ...more } });
    const dry = await migrate({ dry_run: true });
    expect(dry.data).toMatchObject({ done: false, possible: false, kept: 1, held: 1, sold: 1 });
    expect(dry.data.lost).toEqual([expect.objectContaining({ label: 'B-1', status: 'held' })]);
    const refused = await migrate({});
    expect([refused.status, refused.body.error]).toEqual([409, 'layout_in_use']);
    expect(await seatRows(eventId)).toHaveLength(20);
    const rows = await seatRows(eventId);
    const idOf = (label: string) => String(rows.find((row) => row.label === label)?.seat_id);
    const done = await migrate({ mapping: { [idOf('B-1')]: idOf('A-5') } });
    expect(done.data).toMatchObject({ done: true, possible: true, kept: 1 });
    const after = await seatRows(eventId);
    expect(after).toHaveLength(10);
    const taken = after.filter(({ status }) => status !== 'available');
    expect(taken.map(({ label, status }) => [label, status])).toEqual([
      ['A-1', 'sold'],
      ['A-5', 'held'],
    ]);
    expect(taken[0]?.ticket_id).toBe(ticket);
    const { data } = await open(`GET /api/events/${eventId}`);
    expect(data.occupancy).toMatchObject({ total: 10, held: 1, sold: 1, available: 8 });
    expect(data.layout_version).toBe(2);
  });
});

describe('the public face', () => {
  it('shows the drawing with an ETag, compressed or plain', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    const route = `GET /api/events/${eventId}/seatmap`;
    const map = await open(route);
    expect(map.headers.get('content-encoding')).toBe('gzip');
    const { seats } = map.data as { seats: { label: string; ordinal: number }[] };
    expect(seats).toHaveLength(20);
    expect(seats[0]).toMatchObject({ label: 'A-1', ordinal: 0, row: 'A', number: 1, x: 0, y: 0 });
    const plain = await call(node().address, route, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.data).toEqual(map.data);
    const etag = map.headers.get('etag') ?? '';
    const again = await call(node().address, route, { headers: { 'if-none-match': `W/${etag}` } });
    expect(again.status).toBe(304);
  });

  it('lists what is published, not drafts, and nothing of strangers', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    await draftEvent();
    const [row] = await database.asSuperuser(
      'select slug from organizations where organization_id = $1',
      [scope().organizationId],
    );
    const { list } = await open(`GET /api/organizations/${row?.slug}/events`);
    expect(list.map(({ event_id }) => event_id)).toEqual([eventId]);
    expect((await open('GET /api/organizations/nobody-here/events')).status).toBe(404);
  });

  it('gives a guest a session that is good for one event', async () => {
    const one = await aPublishedEvent(engine(), scope());
    const two = await aPublishedEvent(engine(), scope());
    const made = await open(`POST /api/events/${one.eventId}/sessions`);
    const token = String(made.data.token);
    expect((await ask(`GET /api/events/${one.eventId}`, { token })).status).toBe(200);
    expect((await ask(`GET /api/events/${two.eventId}`, { token })).status).toBe(404);
    expect((await ask('GET /api/admin/events', { token })).status).toBe(403);
  });

  it('is gone when the event is cancelled only for buying, not for reading', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    await stepEvent(engine(), aCaller({ scope: scope() }), eventId, 'cancel');
    const { data } = await open(`GET /api/events/${eventId}`);
    expect(data).toMatchObject({ status: 'cancelled', on_sale: false });
  });
});
