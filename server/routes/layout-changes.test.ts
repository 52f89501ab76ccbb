import { anActiveLayout, newId } from '@voelgoed/testkit/builders';
import { problems } from '@voelgoed/testkit/sales';
import type { Reply } from '@voelgoed/testkit/servers';
import { ADMITTED, aHybridHall, useShows, verdict } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows();
const { ask, buyer, database, engine, open, scope, seatRows, show } = shows;
type Buyer = ReturnType<typeof buyer>;

/** A show on a layout whose zones can be named, and ways to change its plan. */
async function aShow(wanted: { overrides?: object; config?: object } = {}) {
  const [stalls, pit] = [newId(), newId()];
  const config = aHybridHall({ stalls: { zone_id: stalls }, pit: { zone_id: pit } });
  const layout = await anActiveLayout(engine(), scope(), wanted.config ?? config);
  const { layout_id, venue_id } = layout;
  const { overrides } = wanted;
  const made = await show({ layout, ...(overrides ? { overrides } : {}) });
  const { eventId } = made;
  const put = (overrides: object, body: object = {}) =>
    ask(`PUT /api/admin/events/${eventId}/layout`, { body: { layout_id, overrides, ...body } });
  const migrate = (body: object) =>
    ask(`POST /api/admin/events/${eventId}/layout/migrate`, { body: { layout_id, ...body } });
  const newVersion = async (next: object) => {
    await ask('POST /api/admin/layouts', { body: { layout_id, config: next } });
    const active = await ask(`POST /api/admin/layouts/${layout_id}/activate`, { body: {} });
    if (active.status !== 200) throw new Error(JSON.stringify(active.body));
  };
  const right = async () =>
    expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
  return { ...made, stalls, pit, config, layout_id, venue_id, put, migrate, newVersion, right };
}

const refusalOf = ({ status, body }: Reply) => ({
  status,
  error: body.error,
  problems: (body.details as { problems?: { code: string }[] }).problems?.map(({ code }) => code),
});

describe('a dry run and the change itself', () => {
  it('refuse the same: prices, venues, capacities, mappings and overrides', async () => {
    const made = await aShow();
    const { eventId, stalls, venue_id, migrate, newVersion } = made;
    await ask(`PATCH /api/admin/events/${eventId}`, { body: { venue_id } });
    await buyer().reserve(eventId, made.seats[0] ?? '');
    const elsewhere = await anActiveLayout(engine(), scope());
    const more = aHybridHall({ stalls: { zone_id: stalls }, pit: { name: 'Pit', capacity: 50 } });
    await newVersion({
      ...more,
      zones: [
        ...(more as { zones: object[] }).zones,
        { name: 'Balcony', zone_type: 'ga_seated', capacity: 8 },
      ],
    });
    const standing = { zone_overrides: { [stalls]: { zone_type: 'ga_standing' } } };
    const two = [1, 2].map((price_cents) => ({ zone_id: stalls, price_cents }));
    const cases: readonly (readonly [object, string])[] = [
      [{}, 'price_missing'],
      [{ layout_id: elsewhere.layout_id }, 'other_venue'],
      [{ mapping: { nobody: newId() } }, 'unknown_id'],
      [{ zone_mapping: { nobody: newId() } }, 'unknown_id'],
      [{ overrides: { disabled_zones: [newId()] } }, 'unknown_id'],
      [{ overrides: standing }, 'capacity_missing'],
      [{ prices: two }, 'unknown_id'],
    ];
    for (const [body, code] of cases) {
      const dry = refusalOf(await migrate({ ...body, dry_run: true }));
      expect(dry, JSON.stringify(body)).toMatchObject({ status: 400, error: 'invalid_request' });
      expect(dry.problems).toContain(code);
      expect(refusalOf(await migrate(body))).toEqual(dry);
    }
    await ask(`PATCH /api/admin/venues/${venue_id}`, { body: { max_capacity: 67 } });
    const small = refusalOf(await migrate({ dry_run: true }));
    expect(small.problems).toEqual(['over_venue_capacity']);
    expect(refusalOf(await migrate({}))).toEqual(small);
  });

  it('agree on who would lose a place, and on nobody', async () => {
    const { eventId, seats, zones, migrate, newVersion, right } = await aShow();
    const [a = '', b = ''] = seats;
    const ann = buyer();
    await ann.hold(eventId, [{ seat_id: a }, { zone_id: zones[1], quantity: 3 }]);
    await newVersion(aHybridHall({ stalls: { seats: shorter() }, pit: { capacity: 2 } }));
    const prices = await pricesOf(eventId);
    const dry = await migrate({ dry_run: true, prices });
    expect(dry.data).toMatchObject({ possible: false, lost: [{ seat_id: a }] });
    expect(dry.data.zones_lost).toMatchObject([{ name: 'Pit' }]);
    const real = await migrate({ prices });
    expect([real.status, real.body.error]).toEqual([409, 'layout_in_use']);
    const { done: _, ...report } = dry.data;
    expect(real.body.details).toEqual(report);
    await newVersion(aHybridHall({ stalls: { seats: shorter() } }));
    const mapping = { [a]: b };
    const agreed = await migrate({ dry_run: true, prices, mapping });
    const done = await migrate({ prices, mapping });
    expect(done.data).toEqual({ ...agreed.data, done: true });
    await right();
  });

  it.each([true, false])(
    'let the audit log find holds and tickets by new seats: sold %s',
    async (isSold) => {
      const { eventId, seats, migrate, newVersion } = await aShow();
      const [a = '', b = '', c = ''] = seats;
      if (isSold) await shows.sellTo(buyer('bob'), eventId, [{ seat_id: a }]);
      else await buyer('bob').reserve(eventId, a);
      const find = async (seat: string) => {
        const { list } = await ask(`GET /api/admin/audit?event_id=${eventId}&seat=${seat}`);
        return list.map(({ action }) => action);
      };
      const before = await find(a);
      expect(before).toEqual([...(isSold ? ['checkout_completed'] : []), 'seat_reserved']);
      await newVersion(aHybridHall({ stalls: { seats: shorter() } }));
      const prices = await pricesOf(eventId);
      const done = await migrate({ prices, mapping: { [a]: c } });
      expect(done.data).toMatchObject({ done: true });
      expect(await find(c)).toEqual([isSold ? 'checkout_completed' : 'seat_reserved']);
      expect(await find(a)).toEqual(before);
      expect(await find(b)).toEqual([]);
    },
  );

  it('do not count a seat as lost that staff sold in spite of a block', async () => {
    const made = await aShow();
    const { eventId, seats, put, migrate, right } = made;
    const [seat = '', other = ''] = seats;
    const overrides = { blocked_seat_ids: [seat, other] };
    expect((await put(overrides)).status).toBe(200);
    const body = { seat_ids: [seat], reason: 'a friend of the house' };
    await ask(`POST /api/admin/events/${eventId}/seats/unblock`, { body });
    await buyer().reserve(eventId, seat);
    expect((await migrate({ dry_run: true })).data).toMatchObject({ possible: true, kept: 1 });
    expect((await migrate({})).data).toMatchObject({ done: true, kept: 1 });
    const rows = (await seatRows(eventId)).filter(({ status }) => status !== 'available');
    expect(rows.map(({ seat_id, status }) => [seat_id, status])).toEqual([
      [seat, 'held'],
      [other, 'blocked'],
    ]);
    await right();
    // A block that is new is another matter.
    const more = { blocked_seat_ids: [seat, other, seats[2]] };
    await buyer().reserve(eventId, seats[2] ?? '');
    expect((await migrate({ overrides: more, dry_run: true })).data).toMatchObject({
      possible: false,
      lost: [{ seat_id: seats[2] }],
    });
  });

  it('move places without seats to the zone that is named for them', async () => {
    const field = newId();
    const made = await aShow({ config: twoFields() });
    const { eventId, zones, migrate, newVersion, right } = made;
    const [one = '', two = ''] = zones;
    const ann = buyer();
    await ann.hold(eventId, [
      { zone_id: one, quantity: 2 },
      { zone_id: two, quantity: 1 },
    ]);
    await newVersion({
      seat_size: 9,
      zones: [{ zone_id: field, name: 'Field', zone_type: 'ga_standing', capacity: 5 }],
    });
    const prices = [{ zone_id: field, price_cents: 700 }];
    const refused = await migrate({ prices });
    expect(refused.body.details).toMatchObject({
      zones_lost: [{ name: 'Left' }, { name: 'Right' }],
    });
    const zone_mapping = { [one.toUpperCase()]: field, [two]: field.toUpperCase() };
    const done = await migrate({ prices, zone_mapping });
    expect(done.data).toMatchObject({
      done: true,
      zones_moved: [
        { from: one, to: field },
        { from: two, to: field },
      ],
    });
    await right();
    const { data } = await open(`GET /api/events/${eventId}/availability`);
    expect(data.zones).toMatchObject([{ zone_id: field, held: 3, available: 2 }]);
    const hold_ids = (await ownOf(ann, eventId)).map(({ hold_id }) => hold_id);
    const sold = await shows.sell(eventId, hold_ids);
    expect(sold.status).toBe(201);
    const [, again] = [newId(), newId()];
    await newVersion({
      seat_size: 9,
      zones: [{ zone_id: again, name: 'Lawn', zone_type: 'ga_standing', capacity: 3 }],
    });
    const lawn = [{ zone_id: again, price_cents: 700 }];
    const moved = await migrate({ prices: lawn, zone_mapping: { [field]: again } });
    expect(moved.data).toMatchObject({ done: true, sold: 3 });
    const [day] = await shows.openDoors(eventId);
    const [ticket] = sold.data.tickets as { code: string }[];
    const scanned = await shows.scan(ticket?.code ?? '', { day });
    expect(verdict(scanned)).toEqual(ADMITTED);
    expect(scanned.data).toMatchObject({ seat: { block: 'Lawn' } });
  });
});

describe('the venue of an event', () => {
  it('stays that of its layout', async () => {
    const { eventId, venue_id, migrate } = await aShow();
    const elsewhere = await anActiveLayout(engine(), scope());
    const move = (venue: string | null) =>
      ask(`PATCH /api/admin/events/${eventId}`, { body: { venue_id: venue } });
    const refused = await move(elsewhere.venue_id);
    expect([refused.status, refused.body.error]).toEqual([409, 'layout_in_use']);
    expect((await move(venue_id.toUpperCase())).data).toMatchObject({ venue_id });
    expect((await move(venue_id)).status).toBe(200);
    const { layout_id } = elsewhere;
    expect(refusalOf(await migrate({ layout_id }))).toMatchObject({ problems: ['other_venue'] });
    const put = await ask(`PUT /api/admin/events/${eventId}/layout`, { body: { layout_id } });
    expect(refusalOf(put)).toMatchObject({ status: 400, problems: ['other_venue'] });
    // Without a venue of its own it is where its layout is, and may go elsewhere.
    expect((await move(null)).status).toBe(200);
    expect((await move(elsewhere.venue_id)).status).toBe(409);
    const [zone] = await database.asSuperuser('select zone_id from zones where layout_id = $1', [
      layout_id,
    ]);
    const prices = [{ zone_id: zone?.zone_id, price_cents: 1 }];
    expect((await migrate({ layout_id, prices })).data).toMatchObject({ done: true });
    expect((await move(elsewhere.venue_id)).status).toBe(200);
  });
});

describe('what an event does differently', () => {
  it('changes after the first hold where nobody has a place', async () => {
    const { eventId, seats, zones, stalls, pit, put, right } = await aShow();
    const ann = buyer();
    const held = await ann.hold(eventId, [{ seat_id: seats[0] }, { zone_id: pit, quantity: 2 }]);
    expect(held.status).toBe(201);
    const before = await seatRows(eventId);
    const overrides = {
      blocked_seat_ids: [seats[9]],
      zone_overrides: { [pit]: { capacity: 2, name: 'Ring' }, [stalls]: { name: 'Hall' } },
      seating_overrides: { max_seats_per_booking: 9 },
    };
    const done = await put(overrides);
    expect(done.data.layout).toMatchObject({ layout_version: 1, overrides });
    const after = await seatRows(eventId);
    const place = ({ ordinal, seat_id, seat_hold_id }: (typeof after)[number]) => ({
      ordinal,
      seat_id,
      seat_hold_id,
    });
    expect(after.map(place)).toEqual(before.map(place));
    await right();
    const { data } = await open(`GET /api/events/${eventId}/availability`);
    expect(data.zones).toMatchObject([
      { available: 8, held: 1 },
      { available: 0, held: 2, capacity: 2 },
    ]);
    const names = (await open(`GET /api/events/${eventId}`)).data.zones as { name: string }[];
    expect(names.map(({ name }) => name)).toEqual(['Hall', 'Ring']);
    expect(await ownOf(ann, eventId)).toHaveLength(2);
    expect(zones).toEqual([stalls, pit]);
    const checkout = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
    expect(checkout.status).toBe(201);
  });

  it('is refused with whose place it is about, and changes nothing', async () => {
    const { eventId, seats, stalls, pit, put } = await aShow();
    const [a = '', b = ''] = seats;
    await buyer().hold(eventId, [{ seat_id: a }]);
    await shows.sellTo(buyer(), eventId, [{ seat_id: b }, { zone_id: pit, quantity: 3 }]);
    const standing = { zone_type: 'ga_standing', capacity: 50 };
    const members = { access_mode: 'membership_tier', membership_tier: 'gold' };
    const seated = (status: string, seat_id: string) => ({ seat_id, status });
    const both = { lost: [seated('held', a), seated('sold', b)], zones_lost: [] };
    const cases: readonly (readonly [object, object])[] = [
      [{ blocked_seat_ids: [a, seats[5]] }, { lost: [seated('held', a)], zones_lost: [] }],
      [{ blocked_seat_ids: [b] }, { lost: [seated('sold', b)], zones_lost: [] }],
      [{ disabled_zones: [stalls] }, both],
      [{ zone_overrides: { [stalls]: standing } }, both],
      [{ disabled_zones: [pit] }, { lost: [], zones_lost: [{ zone_id: pit }] }],
      [
        { zone_overrides: { [pit]: { capacity: 2 } } },
        { lost: [], zones_lost: [{ zone_id: pit }] },
      ],
      [{ zone_overrides: { [stalls]: members } }, { lost: [seated('held', a)], zones_lost: [] }],
    ];
    for (const [overrides, affected] of cases) {
      const refused = await put(overrides);
      expect([refused.status, refused.body.error], JSON.stringify(overrides)).toEqual([
        409,
        'layout_in_use',
      ]);
      expect(refused.body.details).toMatchObject({ possible: false, ...affected });
    }
    const { layout } = (await ask(`GET /api/admin/events/${eventId}`)).data;
    expect(layout).toMatchObject({ overrides: { blocked_seat_ids: [], disabled_zones: [] } });
    // What was bought stays bought.
    expect((await put({ zone_overrides: { [pit]: members } })).status).toBe(200);
    expect((await put({ zone_overrides: { [pit]: { capacity: 3 } } })).status).toBe(200);
  });

  it.each<[string, (stalls: string) => object]>([
    ['closed', (stalls) => ({ disabled_zones: [stalls] })],
    [
      'used standing',
      (stalls) => ({ zone_overrides: { [stalls]: { zone_type: 'ga_standing', capacity: 30 } } }),
    ],
  ])('leaves a seat blocked by staff so in a zone that was %s for a while', async (_, away) => {
    const { eventId, seats, stalls, put, migrate, right } = await aShow();
    const body = { seat_ids: [seats[4], seats[6]], reason: 'broken' };
    const change = (what: 'block' | 'unblock', seat_ids: unknown[]) =>
      ask(`POST /api/admin/events/${eventId}/seats/${what}`, { body: { ...body, seat_ids } });
    await change('block', body.seat_ids);
    for (const overrides of [away(stalls), away(stalls), {}]) {
      expect((await put(overrides)).status).toBe(200);
      await right();
    }
    const blocked = async () => {
      const rows = await seatRows(eventId);
      return rows.flatMap(({ seat_id, status }) => (status === 'blocked' ? [seat_id] : []));
    };
    expect(await blocked()).toEqual(body.seat_ids);
    // What staff unblock is not kept any longer, and what the event blocks never was.
    await change('unblock', [seats[6]]);
    await put({ blocked_seat_ids: [seats[8]] });
    expect((await migrate({ overrides: away(stalls) })).data).toMatchObject({ done: true });
    expect((await migrate({ overrides: {} })).data).toMatchObject({ done: true });
    expect(await blocked()).toEqual([seats[4]]);
    await right();
  });

  it('leaves a seat blocked by staff so that the event blocked as well for a while', async () => {
    const { eventId, seats, put, right } = await aShow();
    const change = (what: 'block' | 'unblock', ...seat_ids: unknown[]) =>
      ask(`POST /api/admin/events/${eventId}/seats/${what}`, {
        body: { seat_ids, reason: 'broken' },
      });
    await change('block', seats[4], seats[6]);
    const overrides = { blocked_seat_ids: [seats[4], seats[6], seats[8]] };
    for (const one of [overrides, overrides]) expect((await put(one)).status).toBe(200);
    await change('unblock', seats[6]);
    expect((await put({})).status).toBe(200);
    const rows = await seatRows(eventId);
    const blocked = rows.filter(({ status }) => status === 'blocked');
    expect(blocked.map(({ seat_id }) => seat_id)).toEqual([seats[4]]);
    await right();
  });

  it('changes for zones of an event without a layout as well', async () => {
    const id = await shows.draftEvent();
    const zone = (capacity: number) => ({ name: 'Field', zone_type: 'ga_standing', capacity });
    const put = (...zones: object[]) =>
      ask(`PUT /api/admin/events/${id}/layout`, { body: { zones } });
    const first = await put(zone(5));
    const [field] = (first.data.layout as { zones: { zone_id: string }[] }).zones;
    const prices = [{ zone_id: field?.zone_id, price_cents: 5_000 }];
    await ask(`PUT /api/admin/events/${id}/prices`, { body: { prices } });
    await ask(`POST /api/admin/events/${id}/publish`, { body: {} });
    await buyer().hold(id, [{ zone_id: field?.zone_id, quantity: 4 }]);
    expect((await put(zone(3))).body.error).toBe('layout_in_use');
    expect((await put(zone(4))).status).toBe(200);
    const { data } = await open(`GET /api/events/${id}/availability`);
    expect(data.zones).toMatchObject([{ available: 0, held: 4, capacity: 4 }]);
  });

  it('or a hold: whoever comes first, never both', async () => {
    const { eventId, seats, put, right } = await aShow();
    const outcomes = new Set<string>();
    for (const [round, seat] of [...seats, ...seats].entries()) {
      const who = buyer();
      const block = () => put({ blocked_seat_ids: [seat] });
      const hold = () => who.reserve(eventId, seat);
      const [held, blocked] =
        round % 2 === 0
          ? await Promise.all([hold(), block()])
          : (await Promise.all([block(), hold()])).reverse();
      const answers = `${held?.status} ${blocked?.status}`;
      expect(['201 409', '409 200']).toContain(answers);
      outcomes.add(answers);
      await who.ask(`DELETE /api/events/${eventId}/holds`);
      expect((await put({})).status).toBe(200);
    }
    await right();
    expect(outcomes.size).toBeGreaterThan(0);
  });
});

/** The stalls without their first seat. */
function shorter(): object[] {
  const [stalls] = (aHybridHall() as { zones: { seats: object[] }[] }).zones;
  return stalls?.seats.slice(1) ?? [];
}

function twoFields(): object {
  const zones = ['Left', 'Right'].map((name) => ({ name, zone_type: 'ga_standing', capacity: 10 }));
  return { seat_size: 9, zones };
}

async function ownOf(who: Buyer, eventId: string) {
  const { data } = await who.ask(`GET /api/events/${eventId}/holds`);
  return data.holds as { hold_id: string }[];
}

async function pricesOf(eventId: string) {
  return (await ask(`GET /api/admin/events/${eventId}`)).data.prices as object[];
}
