import { changeOrganizationStatus, stepEvent } from '@voelgoed/engine/workflows';
import {
  aCaller,
  aHall,
  anActiveLayout,
  aPublishedEvent,
  aShow,
  newId,
} from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { tokenFor } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, database, draftEvent, engine, open, scope, seatRows, take } = useShows();

describe('what would go wrong on sale', () => {
  const zonesOf = async (id: string) =>
    (await open(`GET /api/events/${id}`)).data.zones as { zone_id: string; price_cents: number }[];

  it('is refused: another layout without prices, and nothing is changed', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    const other = await anActiveLayout(engine(), scope(), aHall({ rows: 3 }));
    const route = `PUT /api/admin/events/${eventId}/layout`;
    const [zone] = await database.asSuperuser('select zone_id from zones where layout_id = $1', [
      other.layout_id,
    ]);
    const before = await zonesOf(eventId);
    const wrong = [{ zone_id: newId(), price_cents: 5 }];
    const body = { layout_id: other.layout_id };
    const refused = await ask(route, { body: { ...body, prices: wrong } });
    expect(refused.body.details).toMatchObject({ problems: [{ code: 'price_missing' }] });
    expect(await zonesOf(eventId)).toEqual(before);
    const prices = [{ zone_id: zone?.zone_id, price_cents: 700 }];
    expect((await ask(route, { body: { ...body, prices } })).status).toBe(200);
    expect(await zonesOf(eventId)).toMatchObject([{ price_cents: 700, capacity: 30 }]);
    const staff = tokenFor(scope().organizationId, { role: 'staff', subject: 'staff' });
    expect((await ask(route, { token: staff, body: { ...body, prices } })).status).toBe(403);
  });

  it('is refused: prices of unknown zones, zones without a price, another currency', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    const route = `PUT /api/admin/events/${eventId}/prices`;
    const [zone] = await zonesOf(eventId);
    const put = (zone_id: unknown) =>
      ask(route, { body: { prices: [{ zone_id, price_cents: 1 }] } });
    expect((await put(newId())).body.details).toMatchObject({
      problems: [{ path: 'prices[0]' }, { path: `prices.${zone?.zone_id}` }],
    });
    await take(eventId, 'A-1', 'sold');
    // Who has a place has its price; the next buyer pays the new one.
    expect((await put(zone?.zone_id)).status).toBe(200);
    expect((await zonesOf(eventId))[0]?.price_cents).toBe(1);
    const currency = { body: { currency: 'USD' } };
    expect((await ask(`PATCH /api/admin/events/${eventId}`, currency)).status).toBe(400);
  });

  it.each([
    ['two zones of one name', [{ name: 'A' }, { name: 'A' }]],
    ['a tier that is missing', [{ name: 'A', access_mode: 'membership_tier' }]],
    ['roles that nobody has', [{ name: 'A', access_mode: 'role_based', allowed_roles: ['king'] }]],
    ['a type that the policy forbids', [{ name: 'A', zone_type: 'vip_standing' }]],
  ])('is refused: %s', async (_, wrong) => {
    const id = await draftEvent();
    const zones = wrong.map((zone) => ({ zone_type: 'ga_standing', capacity: 5, ...zone }));
    const reply = await ask(`PUT /api/admin/events/${id}/layout`, { body: { zones } });
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request']);
  });

  it('is refused: overrides that are nothing', async () => {
    const layout = await anActiveLayout(engine(), scope());
    const id = await draftEvent();
    const [zone] = await database.asSuperuser('select zone_id from zones where layout_id = $1', [
      layout.layout_id,
    ]);
    for (const wrong of [{ zone_type: null }, { allowed_roles: null }, { membership_tier: {} }]) {
      const overrides = { zone_overrides: { [String(zone?.zone_id)]: wrong } };
      const body = { layout_id: layout.layout_id, overrides };
      expect((await ask(`PUT /api/admin/events/${id}/layout`, { body })).status).toBe(400);
    }
  });

  it('has its day by the calendar at the venue, and is not published when it is over', async () => {
    const { description: _, days: __, currency: ___, ...show } = aShow();
    const late = { starts_at: '2099-06-01T22:30:00Z', ends_at: '2099-06-02T01:00:00Z' };
    const made = await ask('POST /api/admin/events', { body: { ...show, ...late } });
    expect(made.data).toMatchObject({ days: ['2099-06-02'], currency: 'ZAR' });
    const past = { starts_at: '2001-06-01T18:00:00Z', ends_at: '2001-06-01T22:00:00Z' };
    const id = await draftEvent({ ...past, days: ['2001-06-01'] });
    const reply = await ask(`POST /api/admin/events/${id}/publish`, { body: {} });
    expect(reply.body.details).toMatchObject({ problems: [{ code: 'over' }] });
  });

  it('is refused: sessions for what is over, and migrating it', async () => {
    const { eventId, layout } = await aPublishedEvent(engine(), scope());
    await stepEvent(engine(), aCaller({ scope: scope() }), eventId, 'cancel');
    const session = await open(`POST /api/events/${eventId}/sessions`);
    expect(session.body.error).toBe('event_not_available');
    const body = { layout_id: layout.layout_id };
    const route = `POST /api/admin/events/${eventId}/layout/migrate`;
    expect((await ask(route, { body })).body.error).toBe('event_not_available');
  });

  it('lets a zone cost what another one costs', async () => {
    const config = {
      seat_size: 9,
      zones: ['Left', 'Right'].map((name) => ({ name, zone_type: 'ga_standing', capacity: 10 })),
    };
    const layout = await anActiveLayout(engine(), scope(), config);
    const rows = await database.asSuperuser(
      'select zone_id from zones where layout_id = $1 order by place',
      [layout.layout_id],
    );
    const [left, right] = rows.map(({ zone_id }) => String(zone_id));
    const id = await draftEvent();
    const route = `/api/admin/events/${id}`;
    const plan = (pricing_zones: object) =>
      ask(`PUT ${route}/layout`, {
        body: { layout_id: layout.layout_id, overrides: { pricing_zones } },
      });
    expect((await plan({ [newId()]: left })).status).toBe(400);
    expect((await plan({ [right ?? '']: left })).status).toBe(200);
    const prices = [{ zone_id: left, price_cents: 4_200 }];
    await ask(`PUT ${route}/prices`, { body: { prices } });
    expect((await ask(`POST ${route}/publish`, { body: {} })).status).toBe(200);
    expect((await zonesOf(id)).map(({ price_cents }) => price_cents)).toEqual([4_200, 4_200]);
  });

  it('keeps blocked seats and closed zones over a migration', async () => {
    const layout = await anActiveLayout(engine(), scope());
    const [seat] = await database.asSuperuser(
      `select seat_id from seats where layout_id = $1 and label = 'A-1'`,
      [layout.layout_id],
    );
    const overrides = { blocked_seat_ids: [seat?.seat_id] };
    const { eventId } = await aPublishedEvent(engine(), scope(), { layout, overrides });
    const route = `POST /api/admin/events/${eventId}/layout/migrate`;
    const done = await ask(route, { body: { layout_id: layout.layout_id } });
    expect(done.data).toMatchObject({ done: true });
    const rows = await seatRows(eventId);
    expect(rows.filter(({ status }) => status === 'blocked').map(({ label }) => label)).toEqual([
      'A-1',
    ]);
  });

  it('is not on sale while suspended, and gone when archived', async () => {
    const { eventId } = await aPublishedEvent(engine(), scope());
    const caller = aCaller({ scope: scope() });
    await changeOrganizationStatus(engine(), caller, 'suspended');
    expect((await open(`GET /api/events/${eventId}`)).data.on_sale).toBe(false);
    await changeOrganizationStatus(engine(), caller, 'archived');
    // Whose event it is may be a second old.
    const isGone = async () => (await open(`GET /api/events/${eventId}`)).status === 404;
    await eventually(isGone, { within_ms: 2_000 });
  });
});

describe('the venue of a draft', () => {
  it('stays that of its layout', async () => {
    const [one, two] = [
      await anActiveLayout(engine(), scope()),
      await anActiveLayout(engine(), scope()),
    ];
    const id = await draftEvent({ venue_id: one.venue_id });
    const body = { layout_id: one.layout_id };
    expect((await ask(`PUT /api/admin/events/${id}/layout`, { body })).status).toBe(200);
    const move = { body: { venue_id: two.venue_id } };
    const refused = await ask(`PATCH /api/admin/events/${id}`, move);
    expect([refused.status, refused.body.error]).toEqual([409, 'layout_in_use']);
  });
});
