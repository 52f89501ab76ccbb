import { aHall } from '@voelgoed/testkit/builders';
import { aHybridHall, anAccessibleHall, aTableAndARow, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const { ask, buyer, node, open, show } = useShows();

type Seat = { seat_id: string; label: string };
type Offer = { seats: Seat[]; score: { total: number }; message: string };

const best = (eventId: string) => `POST /api/events/${eventId}/holds/best-available`;
const labelsOf = (holds: unknown) => (holds as { label: string }[]).map(({ label }) => label);

describe('best available', () => {
  it('holds the best seats and says which, why and how they sit', async () => {
    const { eventId } = await show();
    const { status, data } = await buyer().ask(best(eventId), { body: { quantity: 3 } });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      adjacent: true,
      rows: [{ section: null, row: 'A', seats: 3 }],
      message: '3 together in row A. Held for 10 minutes.',
      score: { parts: { breaks: 0, orphans: 0, alone: 0 } },
    });
    expect(labelsOf(data.holds)).toEqual(['A-4', 'A-5', 'A-6']);
    const more = await buyer().ask(best(eventId), { body: { quantity: 12 } });
    expect(more.body).toMatchObject({ error: 'hold_limit_reached' });
  });

  it('splits a group over rows and says so, or refuses when it must sit together', async () => {
    const { eventId, seats } = await show();
    const taken = [0, 1, 2, 3, 4, 10, 11, 12, 13, 14].map((n) => ({ seat_id: seats[n] }));
    await ask(`POST /api/admin/events/${eventId}/holds`, { body: { items: taken, for: 'Zed' } });
    const strict = { quantity: 6, together: true };
    const refused = await buyer().ask(best(eventId), { body: strict });
    expect(refused.body).toMatchObject({
      error: 'no_adjacent_seats',
      message: 'No 6 seats together available.',
    });
    const split = await buyer().ask(best(eventId), { body: { quantity: 7 } });
    expect(split.data).toMatchObject({ adjacent: false });
    expect(split.data.message).toBe(
      '5 together in row A, 2 together in row B just behind. Held for 10 minutes.',
    );
  });

  it('previews ranked offers without holding anything', async () => {
    const { eventId } = await show();
    const body = { quantity: 2, preview: true, alternatives: 4 };
    const { status, data } = await buyer().ask(best(eventId), { body });
    expect(status).toBe(200);
    const offers = data.offers as Offer[];
    expect(offers).toHaveLength(4);
    const totals = offers.map(({ score }) => score.total);
    expect(totals).toEqual([...totals].sort((one, other) => one - other));
    expect(new Set(offers.flatMap(({ seats }) => labelsOf(seats))).size).toBe(8);
    const own = await buyer().ask(`GET /api/events/${eventId}/holds`);
    expect(own.data.holds).toEqual([]);
    const held = await buyer().ask(best(eventId), { body: { quantity: 2 } });
    expect(labelsOf(held.data.holds)).toEqual(labelsOf(offers[0]?.seats));
    const after = await buyer().ask(best(eventId), { body });
    const first = (after.data.offers as Offer[])[0];
    expect(labelsOf(first?.seats)).not.toEqual(labelsOf(offers[0]?.seats));
  });

  it('gives a repeated wish with its key the first answer', async () => {
    const { eventId } = await show();
    const ann = buyer();
    const options = { body: { quantity: 2 }, headers: { 'idempotency-key': 'once' } };
    const first = await ann.ask(best(eventId), options);
    const again = await ann.ask(best(eventId), options);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.data).toEqual(first.data);
    // Without one it is a new wish, beside the seats that the cart has.
    const more = await ann.ask(best(eventId), { body: { quantity: 1 } });
    expect(more.status).toBe(201);
    expect(more.data).toMatchObject({ adjacent: true });
  });

  it('gives places only to those who say that places will do', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const items = seats.map((seat_id) => ({ seat_id }));
    await ask(`POST /api/admin/events/${eventId}/holds`, { body: { items, for: 'Zed' } });
    const sold = await buyer().ask(best(eventId), { body: { quantity: 2 } });
    expect(sold.body.error).toBe('no_available_seats');
    const body = { quantity: 2, general_admission: true };
    const places = await buyer().ask(best(eventId), { body });
    expect(places.data).toMatchObject({
      holds: [{ zone_id: zones[1], quantity: 2, seat_id: null }],
    });
    expect(places.data.message).toBe('2 places without a seat in Pit. Held for 10 minutes.');
  });

  it('refuses numbers that contradict each other', async () => {
    const { eventId } = await show();
    for (const body of [
      { quantity: 1, accessible: 2 },
      { quantity: 0 },
      { quantity: 51 },
      { quantity: 1, zone_ids: ['x'] },
      { quantity: 1, categories: ['wheelchair'] },
    ]) {
      const reply = await buyer().ask(best(eventId), { body });
      expect([body, reply.body.error]).toEqual([body, 'invalid_request']);
    }
  });
});

describe('the orphan rule', () => {
  it('refuses a group that leaves one alone and offers others; insisting is possible', async () => {
    const { eventId, seats } = await show({ config: aHall({ rows: 1 }) });
    const items = [{ seat_id: seats[1] }, { seat_id: seats[2] }];
    const refused = await buyer().hold(eventId, items);
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      error: 'orphan_rule',
      message: 'This choice would leave seat A-1 alone.',
      details: { orphans: ['A-1'] },
    });
    const { alternatives } = refused.body.details as { alternatives: { seats: Seat[] }[] };
    expect(alternatives).toHaveLength(3);
    const [first] = alternatives;
    const instead = first?.seats.map(({ seat_id }) => ({ seat_id })) ?? [];
    expect((await buyer().hold(eventId, instead)).status).toBe(201);
    const insisted = { body: { items: [{ seat_id: seats[8] }], allow_orphan: true } };
    const kept = await buyer().ask(`POST /api/events/${eventId}/holds`, insisted);
    expect(kept.data).toMatchObject({ orphans: ['A-10'] });
  });

  it('goes around a round table: four of six side by side leave two side by side', async () => {
    const { eventId, seats } = await show({ config: aTableAndARow() });
    const around = [1, 2, 3, 4].map((ordinal) => ({ seat_id: seats[ordinal] }));
    const held = await buyer().hold(eventId, around);
    expect([held.status, held.data?.orphans]).toEqual([201, undefined]);
    const single = await buyer().hold(eventId, [{ seat_id: seats[5] }]);
    expect(single.body).toMatchObject({ error: 'orphan_rule', details: { orphans: ['T1-1'] } });
    const pair = await buyer().ask(best(eventId), { body: { quantity: 2 } });
    expect(pair.data).toMatchObject({ adjacent: true });
  });

  it('tells who reserves seat by seat, and refuses nothing', async () => {
    const { eventId, seats } = await show({ config: aHall({ rows: 1 }) });
    const ann = buyer();
    const first = await ann.reserve(eventId, seats[1] ?? '');
    expect(first.status).toBe(201);
    expect(first.data).toMatchObject({ orphans: ['A-1'] });
    expect(first.data.message).toMatch(/Seat A-1 would be left alone\.$/);
    const second = await ann.reserve(eventId, seats[0] ?? '');
    expect(second.data).not.toHaveProperty('orphans');
  });
});

describe('accessible seats', () => {
  const stateOf = async (eventId: string, ordinal: number) => {
    const { data } = await open(`GET /api/events/${eventId}/availability`);
    const bytes = Buffer.from(String(data.seats), 'base64');
    return ((bytes[ordinal >> 2] ?? 0) >> ((ordinal & 3) * 2)) & 3;
  };

  it('come as a pair to who asks, and the companion seat is hidden while it is kept', async () => {
    const { eventId, seats } = await show({ config: anAccessibleHall() });
    const [ann, bob] = [buyer(), buyer()];
    expect([await stateOf(eventId, 0), await stateOf(eventId, 1)]).toEqual([0, 3]);
    const space = await ann.ask(best(eventId), { body: { quantity: 1, accessible: 1 } });
    expect(labelsOf(space.data.holds)).toEqual(['A-3']);
    expect(await stateOf(eventId, 3)).toBe(3);
    const seen = `GET /api/events/${eventId}/seats/${seats[3]}`;
    expect((await bob.ask(seen)).data).toMatchObject({ status: 'blocked' });
    expect((await ann.ask(seen)).data).toMatchObject({ status: 'available' });
    const refused = await bob.reserve(eventId, seats[3] ?? '');
    expect(refused.body).toMatchObject({
      error: 'companion_reserved',
      message: 'This seat is kept for the companion of a wheelchair user.',
    });
    expect((await ann.reserve(eventId, seats[3] ?? '')).status).toBe(201);
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    expect([await stateOf(eventId, 2), await stateOf(eventId, 3)]).toEqual([0, 3]);
    const pair = await bob.ask(best(eventId), { body: { quantity: 2, accessible: 1 } });
    expect(pair.data).toMatchObject({ adjacent: true });
  });

  it('are counted for staff, with single seats and VIP places', async () => {
    const { eventId } = await show({ config: anAccessibleHall() });
    await buyer().ask(best(eventId), { body: { quantity: 1, accessible: 1 } });
    const { data } = await ask(`GET /api/admin/events/${eventId}/occupancy`);
    expect(data).toMatchObject({
      held: 1,
      seating: { orphans: 0, accessibility_utilisation: 1, vip_utilisation: 0 },
    });
    const metrics = await (await fetch(`${node().address}/metrics`)).text();
    expect(metrics).toMatch(/^voelgoed_wheelchair_spaces_held_total [1-9]/m);
    expect(metrics).toMatch(/^voelgoed_seating_orphan_ratio 0/m);
    expect(metrics).toMatch(/^voelgoed_seating_accessibility_utilisation 0\.\d/m);
  });
});
