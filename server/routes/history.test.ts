import { userIdOf } from '@voelgoed/engine/accounts';
import { systemClock } from '@voelgoed/engine/kit';
import { keepOccupancy } from '@voelgoed/engine/workflows';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, anAccessibleHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const shows = useShows();
const { ask, buyer, database, node, open, scope, show } = shows;

/** Two holds, one given back, one sold and scanned, a block. */
async function anEvening() {
  const { eventId, seats, zones } = await show({ config: aHybridHall() });
  const subject = newId();
  const ann = buyer(subject);
  await ann.reserve(eventId, seats[0] ?? '');
  await ann.ask(`DELETE /api/events/${eventId}/holds`);
  const body = { seat_ids: [seats[9]], reason: 'a broken chair' };
  await ask(`POST /api/admin/events/${eventId}/seats/block`, { body });
  const [ticket] = await shows.sellTo(buyer(), eventId, [{ zone_id: zones[1], quantity: 1 }]);
  const user_id = userIdOf(scope().organizationId, subject);
  return { eventId, seats, zones, ticket, user_id, admin: `/api/admin/events/${eventId}` };
}

type ZoneAt = { zone_id: string; name?: string };
type Shown = { seats: string; zones: ZoneAt[] };
type MapOf = { seats: [number, number][]; zones: ZoneAt[] };

/** A hall with companion seats in which all kinds of things happen to seats. */
async function aBusyHall() {
  const made = await show({ config: anAccessibleHall() });
  const { eventId, seats } = made;
  const admin = `/api/admin/events/${eventId}`;
  const ann = buyer();
  await ann.reserve(eventId, seats[0] ?? '');
  await ann.ask(`DELETE /api/events/${eventId}/holds`);
  const [, ticket] = await shows.sellTo(buyer(), eventId, [
    { seat_id: seats[6] },
    { seat_id: seats[7] },
  ]);
  const block = { seat_ids: [seats[7], seats[9]], reason: 'rain' };
  await ask(`POST ${admin}/seats/block`, { body: block });
  const id = ticket?.ticket_id;
  await ask(`POST /api/admin/tickets/${id}/reseat`, {
    body: { seat_id: seats[5], reason: 'rain' },
  });
  await ask(`POST ${admin}/seats/unblock`, { body: block });
  await ask(`POST /api/admin/tickets/${id}/void`, { body: { reason: 'ill' } });
  await buyer().hold(eventId, [{ seat_id: seats[2] }, { seat_id: seats[3] }]);
  await buyer().reserve(eventId, seats[8] ?? '');
  return { ...made, admin };
}

describe('looking back', () => {
  it('tells what happened after a revision, in order, with who and why', async () => {
    const { admin, seats, zones, user_id } = await anEvening();
    const { list } = await ask(`GET ${admin}/changes?after=1`);
    expect(list.map(({ revision }) => revision)).toEqual([2, 3, 4, 5, 6]);
    const place = { seat_id: seats[0], label: 'A-1', zone_id: zones[0], quantity: 1 };
    expect(list.map(({ changes }) => changes)).toMatchObject([
      [{ kind: 'seat_held', user_id, places: [place] }],
      [{ kind: 'seat_released', reason: 'user_cancelled', places: [{ ...place, user_id }] }],
      [{ kind: 'seat_blocked', reason: 'a broken chair', places: [{ label: 'A-10' }] }],
      [{ kind: 'seat_held', places: [{ zone_id: zones[1], quantity: 1 }] }],
      [{ kind: 'seat_sold', source: 'cash', places: [{ zone_id: zones[1] }] }],
    ]);
    const page = await ask(`GET ${admin}/changes?after=3&limit=1`);
    expect(page.list.map(({ revision }) => revision)).toEqual([4]);
  });

  it('says why a hold ended by a code, and what was said about it beside that', async () => {
    const { eventId, seats } = await show();
    const [ann, bob] = [buyer(), buyer()];
    const held = await ann.reserve(eventId, seats[0] ?? '');
    await bob.reserve(eventId, seats[1] ?? '');
    const body = { hold_ids: [held.data.hold_id], reason: 'a mistake', notes: 'rang at noon' };
    await ask('POST /api/admin/seats/release', { body });
    await bob.ask(`DELETE /api/events/${eventId}/holds`);
    const { list } = await ask(`GET /api/admin/events/${eventId}/changes?after=1`);
    const ends = list.flatMap(({ changes }) => changes as Record<string, unknown>[]);
    const [byStaff, byBuyer] = ends.filter(({ kind }) => kind === 'seat_released');
    expect(byStaff).toMatchObject({ reason: 'admin_override', note: 'a mistake: rang at noon' });
    expect(byBuyer).toMatchObject({ reason: 'user_cancelled' });
    expect(byBuyer).not.toHaveProperty('note');
  });

  it('shows the board as it was, and that the log gives what is', async () => {
    const { admin } = await anEvening();
    const now = await ask(`GET ${admin}/board`);
    expect(now.data).toMatchObject({
      revision: 6,
      matches: true,
      rows: 5,
      event_status: 'published',
    });
    const held = await ask(`GET ${admin}/board?revision=2`);
    expect(held.data).toMatchObject({ revision: 2, matches: null, holds: 1 });
    expect(Buffer.from(String(held.data.seats), 'base64')[0]).toBe(1);
    const { list } = await ask(`GET ${admin}/changes?after=0`);
    const at = list.find(({ revision }) => revision === 4)?.at;
    const then = await ask(`GET ${admin}/board?at=${at}`);
    expect(then.data).toMatchObject({
      revision: 4,
      holds: 0,
      zones: [{ blocked: 1 }, { sold: 0 }],
    });
    for (const query of ['revision=7', 'revision=0', 'at=2001-01-01T00:00:00Z']) {
      const none = await ask(`GET ${admin}/board?${query}`);
      expect([none.status, none.body.error]).toEqual([404, 'not_found']);
    }
    expect((await ask(`GET ${admin}/board?revision=1&at=${at}`)).status).toBe(400);
  });

  it('names the row that was altered', async () => {
    const { admin, eventId } = await anEvening();
    await database.asSuperuser(
      `update seat_changes set at = at + interval '1 second' where event_id = $1 and revision = 3`,
      [eventId],
    );
    const broken = await ask(`GET ${admin}/board?revision=5`);
    expect(broken.body.details).toEqual({ first_bad: 3 });
  });

  it('tells what each row did to the map: applied, it is the board after each', async () => {
    const { admin } = await aBusyHall();
    const { list: rows } = await ask(`GET ${admin}/changes?after=1&map=true&limit=500`);
    expect(rows.length).toBeGreaterThan(8);
    const board = (await ask(`GET ${admin}/board?revision=1`)).data as Shown;
    const bytes = Buffer.from(board.seats, 'base64');
    const counts = new Map(board.zones.map(({ name: _, ...zone }) => [zone.zone_id, zone]));
    for (const row of rows) {
      const { seats: moved, zones: counted } = row.map as MapOf;
      for (const [ordinal, state] of moved) {
        const shift = (ordinal & 3) * 2;
        bytes[ordinal >> 2] = ((bytes[ordinal >> 2] ?? 0) & ~(3 << shift)) | (state << shift);
      }
      for (const zone of counted) counts.set(zone.zone_id, zone);
      const then = (await ask(`GET ${admin}/board?revision=${row.revision}`)).data as Shown;
      expect([row.revision, bytes.toString('base64')]).toEqual([row.revision, then.seats]);
      expect([...counts.values()]).toEqual(then.zones.map(({ name: _, ...zone }) => zone));
    }
    // From the beginning, which has no board before it: the first row is told without a map.
    const { list: all } = await ask(`GET ${admin}/changes?after=0&map=true`);
    expect(all[0]).not.toHaveProperty('map');
    expect(all.slice(1).map(({ map }) => map)).toEqual(rows.map(({ map }) => map));
    // A companion seat is closed to the public before somebody has its space, and afterwards.
    const shown = all[1]?.map as MapOf | undefined;
    expect(shown?.seats).toEqual([[0, 1]]);
    expect(((Buffer.from(board.seats, 'base64')[0] ?? 0) >> 2) & 3).toBe(3);
    expect((await ask(`GET ${admin}/changes?after=1`)).list[0]).not.toHaveProperty('map');
  });

  it('counts what was refused, by time and by code', async () => {
    const { eventId, seats } = await show();
    await buyer().reserve(eventId, seats[0] ?? '');
    for (let turn = 0; turn < 3; turn++) await buyer().reserve(eventId, seats[0] ?? '');
    const activity = `GET /api/admin/events/${eventId}/activity?bucket=day`;
    // Refusals are written once a second, and a second may end between two of them.
    const data = await eventually(async () => {
      const { data } = await ask(activity);
      const [counted] = data.refusals as { refused: number }[];
      return (counted?.refused ?? 0) >= 3 ? data : null;
    });
    expect(data.refusals).toEqual([{ code: 'seat_held_by_another_user', refused: 3 }]);
    expect(data.buckets).toMatchObject([{ holds: 1, refused: 3 }]);
    expect(data.revision).toBe(2);
  });

  it('gives the whole log as lines', async () => {
    const { admin } = await anEvening();
    const token = tokenFor(scope().organizationId);
    const reply = await fetch(`${node().address}${admin}/changes/export`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.headers.get('content-type')).toContain('application/x-ndjson');
    const rows = (await reply.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map(({ revision }) => revision)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rows[5]).toMatchObject({ hash: expect.any(String), changes: [{ kind: 'sold' }] });
  });

  it('counts how many came how far', async () => {
    const { admin, eventId, ticket } = await anEvening();
    await shows.openDoors(eventId);
    await shows.scan(ticket?.code ?? '');
    const { data } = await ask(`GET ${admin}/activity?bucket=day`);
    expect(data.funnel).toEqual({
      page_view: 0,
      seat_held: 2,
      checkout_started: expect.any(Number),
      payment_initiated: 0,
      payment_completed: 1,
      tickets: 1,
      ticket_scanned: 1,
      to_checkout: expect.any(Number),
      conversion: 0.5,
      abandonment: 0.5,
      expiry: 0,
    });
    const buckets = data.buckets as Record<string, unknown>[];
    const day = buckets.at(-1);
    expect(day).toMatchObject({ entries: 1, released: 1 });
    expect(String(day?.bucket)).toMatch(/T00:00:00/);
  });

  it('counts how often the public looked at the page, whichever node they came to', async () => {
    const { eventId, seats } = await show();
    const page = `GET /api/events/${eventId}`;
    for (let times = 0; times < 3; times++) expect((await open(page)).status).toBe(200);
    await buyer().ask(page);
    // Staff, the map and a page that is not there are no looks of the public.
    await ask(page);
    await open(`${page}/seatmap`);
    await open(`GET /api/events/${newId()}`);
    await buyer().reserve(eventId, seats[0] ?? '');
    const other = shows.engine();
    other.pageViews.note(scope(), eventId);
    await other.pageViews.flush();
    const data = await eventually(
      async () => {
        const { data } = await ask(`GET /api/admin/events/${eventId}/activity?bucket=day`);
        const { page_view } = data.funnel as Record<string, number>;
        return (page_view ?? 0) >= 5 ? data : null;
      },
      { within_ms: 20_000 },
    );
    expect(data.funnel).toMatchObject({ page_view: 5, seat_held: 1 });
    expect(data.buckets).toMatchObject([{ page_views: 5, holds: 1 }]);
  });

  it('counts holds as holds, however many places each is for', async () => {
    const { eventId, zones } = await show({ config: aHybridHall() });
    await shows.sellTo(buyer(), eventId, [{ zone_id: zones[1], quantity: 3 }]);
    const { data } = await ask(`GET /api/admin/events/${eventId}/activity`);
    expect(data.funnel).toMatchObject({ seat_held: 1, tickets: 3, conversion: 1, abandonment: 0 });
    expect(data.buckets).toMatchObject([{ holds: 1, seats_held: 3, converted: 1 }]);
  });

  it('tells what a checkout amounts to, places and all', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const ann = buyer();
    await ann.hold(eventId, [{ seat_id: seats[0] }, { zone_id: zones[1], quantity: 3 }]);
    const started = await ann.ask('POST /api/checkouts', { body: { event_id: eventId } });
    const { list } = await ask(`GET /api/admin/events/${eventId}/changes?after=2`);
    const told = list.flatMap(({ changes }) => changes as { kind: string }[]);
    expect(told.find(({ kind }) => kind === 'checkout_started')).toMatchObject({
      checkout_id: started.data.checkout_id,
      amount_cents: 40_000,
    });
  });

  it('counts a checkout once, also when its items change and it is paid for again', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const [one, two] = [
      await ann.reserve(eventId, seats[0] ?? ''),
      await ann.reserve(eventId, seats[1] ?? ''),
    ];
    const check = (hold_ids: unknown[]) =>
      ann.ask('POST /api/checkouts', { body: { event_id: eventId, hold_ids } });
    const first = await check([one.data.hold_id]);
    expect(first.status).toBe(201);
    expect((await check([one.data.hold_id, two.data.hold_id])).status).toBe(200);
    const { data } = await ask(`GET /api/admin/events/${eventId}/activity`);
    expect(data.funnel).toMatchObject({
      seat_held: 2,
      checkout_started: 1,
      to_checkout: 1,
      conversion: 0,
    });
  });

  it('keeps each minute once, whichever node was first', async () => {
    const { admin, eventId } = await anEvening();
    const [engine, other] = [shows.engine(), shows.engine()];
    const started = systemClock.now();
    for (const one of [engine, other, engine]) {
      await one.registry.board({ scope: scope(), eventId });
      await keepOccupancy(one);
      await one.registry.stop();
    }
    const { list } = await ask(`GET ${admin}/occupancy/history`);
    const minutes = 1 + Math.ceil((systemClock.now() - started) / 60_000);
    expect(list.length).toBeGreaterThanOrEqual(1);
    expect(list.length).toBeLessThanOrEqual(minutes);
    expect(list[0]).toMatchObject({
      revision: 6,
      available_count: 13,
      sold_count: 1,
      blocked_count: 1,
      occupancy_percent: 6.7,
    });
  });

  it('tells months in few rows: of every stretch the last', async () => {
    const { admin, eventId } = await anEvening();
    const text = `insert into occupancy_snapshots (organization_id, event_id, snapshot_at, revision,
        available_count, held_count, sold_count, blocked_count, live_attendees, occupancy_percent)
      select organization_id, event_id, timestamptz '2026-03-01 10:00Z' + minute * interval '1 min',
        minute, 0, 0, minute, 0, 0, 0
      from events, generate_series(0, 179) minute where event_id = $1`;
    await database.asSuperuser(text, [eventId]);
    const read = async (query: string) =>
      (await ask(`GET ${admin}/occupancy/history?to=2026-04-01T00:00:00Z${query}`)).list;
    expect(await read('')).toHaveLength(180);
    expect((await read('&every=60')).map(({ sold_count }) => sold_count)).toEqual([59, 119, 179]);
    expect(await read('&every=1440')).toHaveLength(1);
  });

  it('is for staff of the organization alone', async () => {
    const { admin } = await anEvening();
    for (const path of ['board', 'changes', 'changes/export', 'occupancy/history', 'activity']) {
      expect((await buyer().ask(`GET ${admin}/${path}`)).status).toBe(403);
    }
  });
});
