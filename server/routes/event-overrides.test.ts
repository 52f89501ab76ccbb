import { InvariantChecker } from '@voelgoed/engine/jobs';
import { recordingTelemetry } from '@voelgoed/engine/telemetry';
import { anEngine, newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { useRedis } from '@voelgoed/testkit/redises';
import { problems } from '@voelgoed/testkit/sales';
import { call, useNode } from '@voelgoed/testkit/servers';
import { ADMITTED, aHybridHall, denied, useShows, verdict } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const redis = useRedis();
const shows = useShows({}, () => redis().url);
const { ask, buyer, database, open, scope, show } = shows;
const otherNode = useNode(database, { DEMO: '0' }, () => redis().url);

/** A hall whose zones have ids that overrides can name. */
function aHall() {
  const [stalls, pit] = [newId(), newId()];
  const config = aHybridHall({ stalls: { zone_id: stalls }, pit: { zone_id: pit } });
  return { stalls, pit, config };
}

/** The document's own example: the stalls are standing-only, and the pit is smaller. */
async function aFestival(capacity = 30) {
  const { stalls, pit, config } = aHall();
  const overrides = {
    zone_overrides: {
      [stalls]: { zone_type: 'ga_standing', capacity, name: 'Field' },
      [pit]: { capacity: 3, name: 'Golden circle' },
    },
  };
  return { ...(await show({ config, overrides })), stalls, pit };
}

const layoutOf = async (eventId: string) =>
  (await ask(`GET /api/admin/events/${eventId}`)).data.layout as {
    layout_id: string;
    overrides: object;
  };

describe('a seated zone that an event uses standing', () => {
  it('has its own capacity and name everywhere', async () => {
    const { eventId, stalls, pit } = await aFestival();
    const zones = [
      { zone_id: stalls, name: 'Field', zone_type: 'ga_standing', capacity: 30, available: 30 },
      { zone_id: pit, name: 'Golden circle', capacity: 3, available: 3 },
    ];
    const { data } = await open(`GET /api/events/${eventId}`);
    expect(data).toMatchObject({ zones, occupancy: { total: 33, available: 33, blocked: 0 } });
    expect(data).not.toHaveProperty('drawn');
    const availability = await open(`GET /api/events/${eventId}/availability`);
    expect(availability.data.zones).toMatchObject([
      { zone_id: stalls, available: 30, capacity: 30 },
      { zone_id: pit, available: 3, capacity: 3 },
    ]);
    // Ten seats that nobody can have.
    expect(availability.data.seats).toBe(Buffer.from([255, 255, 15]).toString('base64'));
    const occupancy = await open(`GET /api/events/${eventId}/occupancy`);
    expect(occupancy.data).toMatchObject({
      total: 33,
      available: 33,
      blocked: 0,
      zones: [
        { zone_id: stalls, name: 'Field', total: 30 },
        { name: 'Golden circle', total: 3 },
      ],
    });
    const staff = await ask(`GET /api/admin/events/${eventId}/occupancy`);
    expect(staff.data).toMatchObject({ total: 33, blocked: 0 });
  });

  it('is drawn as an area with its own name, and all seats keep their ordinals', async () => {
    const { eventId, stalls, pit } = await aFestival();
    const map = await open(`GET /api/events/${eventId}/seatmap`);
    expect(map.data.zones).toMatchObject([
      {
        zone_id: stalls,
        name: 'Field',
        zone_type: 'ga_standing',
        capacity: 30,
        outline: [
          { x: -4.5, y: -4.5 },
          { x: 94.5, y: -4.5 },
          { x: 94.5, y: 4.5 },
          { x: -4.5, y: 4.5 },
        ],
      },
      { zone_id: pit, name: 'Golden circle', capacity: 3 },
    ]);
    const { seats } = map.data as { seats: { ordinal: number }[] };
    expect(seats.map(({ ordinal }) => ordinal)).toEqual(seats.map((_, index) => index));
    const { layout_id } = await layoutOf(eventId);
    const [layout] = await database.asSuperuser(
      'select * from layouts where organization_id = $1 and layout_id = $2',
      [scope().organizationId, layout_id],
    );
    const plain = await show({ layout: layout as never });
    const drawn = await open(`GET /api/events/${plain.eventId}/seatmap`);
    expect(drawn.data.zones).toMatchObject([{ name: 'Stalls', zone_type: 'reserved_seating' }, {}]);
    expect(drawn.headers.get('etag')).not.toBe(map.headers.get('etag'));
  });

  it('is sold by quantity and entered up to its capacity, and its seats by nobody', async () => {
    const { eventId, stalls, seats } = await aFestival(2);
    const ann = buyer();
    const refused = await ann.reserve(eventId, seats[0] ?? '');
    expect([refused.status, refused.body.error]).toEqual([409, 'seat_not_available']);
    const body = { seat_ids: [seats[0]], reason: 'open it' };
    const unblocked = await ask(`POST /api/admin/events/${eventId}/seats/unblock`, { body });
    expect(unblocked.status).toBe(409);
    const best = await ann.ask(`POST /api/events/${eventId}/holds/best-available`, {
      body: { quantity: 2, zone_ids: [stalls], general_admission: true },
    });
    expect(best.data).toMatchObject({ holds: [{ zone_id: stalls, quantity: 2 }] });
    const full = await buyer().hold(eventId, [{ zone_id: stalls, quantity: 1 }]);
    expect(full.body.error).toBe('block_at_capacity');
    const checkout = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
    expect(checkout.data).toMatchObject({ total_cents: 20_000, items: [{ quantity: 2 }] });
    await ann.ask(`POST /api/checkouts/${checkout.data.checkout_id}/cancel`, { body: {} });
    expect(await problems(database, { scope: scope(), eventId })).toEqual([]);
    const tickets = await shows.sellTo(buyer(), eventId, [{ zone_id: stalls, quantity: 2 }]);
    const telemetry = recordingTelemetry();
    await new InvariantChecker(anEngine(database.postgres, telemetry)).round();
    expect(telemetry.happenings.filter(({ kind }) => kind === 'invariant.violated')).toEqual([]);
    const [day] = await shows.openDoors(eventId);
    for (const { code } of tickets)
      expect(verdict(await shows.scan(code, { day }))).toEqual(ADMITTED);
    // A smaller field than people inside: whoever comes back waits.
    const [first] = tickets;
    await shows.scan(first?.code ?? '', { day, direction: 'out' });
    await database.asSuperuser(
      'update zone_days set inside = 2 where event_id = $1 and zone_id = $2',
      [eventId, stalls],
    );
    expect(verdict(await shows.scan(first?.code ?? '', { day }))).toEqual(denied('zone_full'));
    const board = await ask(`GET /api/admin/events/${eventId}/board?revision=2`);
    expect(board.data).toMatchObject({ zones: [{ zone_id: stalls, held: 2 }, {}] });
  });

  it('is the same on another node, which has it from Redis', async () => {
    const { eventId, stalls } = await aFestival();
    await buyer().hold(eventId, [{ zone_id: stalls, quantity: 4 }]);
    const { data } = await call(otherNode().address, `GET /api/events/${eventId}/availability`);
    const zone = { zone_id: stalls, capacity: 30, held: 4, available: 26 };
    expect(data).toMatchObject({ zones: [zone, {}] });
    const status = `GET /api/admin/registry?event_id=${eventId}`;
    await eventually(async () => (await ask(status)).data.consistent);
  });

  it.each([
    ['seats without a capacity of their own', { zone_type: 'ga_standing' }, 'capacity_missing'],
    ['a capacity of seats', { capacity: 9 }, 'capacity_of_seats'],
    ['the name of another zone', { name: 'Pit' }, 'duplicate'],
  ])('is refused: %s', async (_, wrong, code) => {
    const { stalls, config } = aHall();
    const { eventId } = await show({ config });
    const { layout_id } = await layoutOf(eventId);
    const overrides = { zone_overrides: { [stalls]: wrong } };
    const put = { body: { layout_id, overrides } };
    const reply = await ask(`PUT /api/admin/events/${eventId}/layout`, put);
    expect(reply.body).toMatchObject({
      error: 'invalid_request',
      details: { problems: [{ code }] },
    });
  });

  it.each([
    ['places that become seats', { zone_type: 'reserved_seating' }],
    ['half a place', { capacity: 1.5 }],
    ['no place', { capacity: 0 }],
    ['a blank name', { name: ' ' }],
  ])('is refused for the pit: %s', async (_, wrong) => {
    const { pit, config } = aHall();
    const { eventId } = await show({ config });
    const { layout_id } = await layoutOf(eventId);
    const put = { body: { layout_id, overrides: { zone_overrides: { [pit]: wrong } } } };
    expect((await ask(`PUT /api/admin/events/${eventId}/layout`, put)).status).toBe(400);
  });
});

describe('the capacity of a venue', () => {
  const zones = [{ name: 'Field', zone_type: 'ga_standing', capacity: 101 }];
  const aVenue = async (max_capacity: number | null) => {
    const body = {
      slug: `hall-${newId().slice(-12)}`,
      name: 'Hall',
      timezone: 'UTC',
      max_capacity,
    };
    return String((await ask('POST /api/admin/venues', { body })).data.venue_id);
  };
  const over = { details: { problems: [{ code: 'over_venue_capacity' }] } };

  it('binds an event of general admission alone, and its venue', async () => {
    const venue_id = await aVenue(100);
    const id = await shows.draftEvent({ venue_id });
    const put = (capacity: number) =>
      ask(`PUT /api/admin/events/${id}/layout`, {
        body: { zones: zones.map((zone) => ({ ...zone, capacity })) },
      });
    expect((await put(101)).body).toMatchObject(over);
    expect((await put(100)).status).toBe(200);
    const smaller = await aVenue(99);
    const move = (to: string) => ask(`PATCH /api/admin/events/${id}`, { body: { venue_id: to } });
    expect((await move(smaller)).body).toMatchObject(over);
    expect((await move(await aVenue(null))).status).toBe(200);
  });

  it('binds overrides, and is asked again when an event is published', async () => {
    const { stalls, pit, config } = aHall();
    const { eventId } = await show({ config });
    const { layout_id } = await layoutOf(eventId);
    const [layout] = await database.asSuperuser(
      'select venue_id from layouts where layout_id = $1',
      [layout_id],
    );
    const limit = (max_capacity: number) =>
      ask(`PATCH /api/admin/venues/${layout?.venue_id}`, { body: { max_capacity } });
    const put = (overrides: object) =>
      ask(`PUT /api/admin/events/${eventId}/layout`, { body: { layout_id, overrides } });
    await limit(40);
    const standing = { zone_type: 'ga_standing', capacity: 36 };
    const field = { zone_overrides: { [stalls]: standing } };
    expect((await put(field)).body).toMatchObject(over);
    expect((await put({ ...field, disabled_zones: [pit] })).status).toBe(200);
    const draft = await shows.draftEvent();
    await ask(`PUT /api/admin/events/${draft}/layout`, { body: { layout_id } });
    const prices = [stalls, pit].map((zone_id) => ({ zone_id, price_cents: 5 }));
    await ask(`PUT /api/admin/events/${draft}/prices`, { body: { prices } });
    await limit(14);
    const refused = await ask(`POST /api/admin/events/${draft}/publish`, { body: {} });
    expect(refused.body).toMatchObject(over);
    await limit(15);
    expect((await ask(`POST /api/admin/events/${draft}/publish`, { body: {} })).status).toBe(200);
  });
});
