import { userIdOf } from '@voelgoed/engine/accounts';
import { newId } from '@voelgoed/testkit/builders';
import { eventually } from '@voelgoed/testkit/eventually';
import { call, tokenFor } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { Viewer, type ViewerOptions } from '@voelgoed/testkit/viewers';
import { afterEach, describe, expect, it } from 'vitest';

const shows = useShows({ STREAMS_PER_ADDRESS: '30' });
const { ask, buyer, node, scope, show } = shows;
const viewers: Viewer[] = [];

afterEach(async () => {
  await Promise.all(viewers.splice(0).map((viewer) => viewer.close()));
});

function view(eventId: string, options: Partial<ViewerOptions> = {}): Viewer {
  const path = `/api/events/${eventId}/stream`;
  const viewer = new Viewer({ address: () => node().address, path, ...options });
  viewers.push(viewer);
  return viewer;
}

const within = { within_ms: 2_000 };
const frame = (viewer: Viewer, event: string) =>
  eventually(() => viewer.of(event).at(-1), { within_ms: 8_000 });

describe('the stream', () => {
  it('begins with everything and goes on with what changes', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const viewer = view(eventId);
    expect(await frame(viewer, 'snapshot')).toMatchObject({
      revision: 1,
      layout_version: 1,
      lineage: expect.stringMatching(/^[0-9a-f]{16}$/),
      digest: expect.stringMatching(/^[0-9a-f]{8}$/),
      zones: [
        { zone_id: zones[0], available: 10 },
        { available: 5, capacity: 5 },
      ],
    });
    const ann = buyer();
    const held = await ann.hold(eventId, [
      { seat_id: seats[2] },
      { zone_id: zones[1], quantity: 2 },
    ]);
    const changes = await frame(viewer, 'changes');
    const { revision } = held.data;
    expect(changes).toMatchObject({ from: 1, revision, seats: [[2, 1]] });
    expect(changes.zones).toMatchObject([{ held: 1 }, { held: 2, available: 3 }]);
    expect(viewer.text).toContain(`id: ${revision}\nevent: changes\n`);
    expect(viewer.map.stateOf(2)).toBe(1);
    await ann.ask(`DELETE /api/events/${eventId}/holds`);
    await eventually(() => viewer.map.stateOf(2) === 0, within);
    expect(viewer.map.zones[1]).toMatchObject({ available: 5, held: 0 });
  });

  it('has headers that no proxy keeps it back for, and nothing for HEAD', async () => {
    const { eventId } = await show();
    const url = `${node().address}/api/events/${eventId}/stream`;
    const reply = await fetch(url);
    const headers = Object.fromEntries(reply.headers);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    await reply.body?.cancel();
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
  });

  it('beats every five seconds, with a digest that clients can compute', async () => {
    const { eventId } = await show();
    const viewer = view(eventId);
    const beat = await frame(viewer, 'heartbeat');
    const { revision, lineage } = viewer.map;
    const digest = viewer.of('snapshot')[0]?.digest;
    expect(beat).toEqual({ revision, lineage, digest, server_time: expect.any(String) });
    expect(viewer.text).not.toMatch(/id: \d+\nevent: heartbeat/);
    expect(viewer.connections).toBe(1);
  });

  it('tells how full it is', async () => {
    const { eventId, seats } = await show();
    const viewer = view(eventId);
    expect(await frame(viewer, 'occupancy')).toMatchObject({ held: 0, percent_available: 100 });
    await buyer().reserve(eventId, seats[0] ?? '');
    await eventually(() => viewer.of('occupancy').at(-1)?.held === 1, { within_ms: 8_000 });
  });

  it('goes on where it was cut off, without a snapshot, if nothing else has happened', async () => {
    const { eventId, seats } = await show();
    const viewer = view(eventId);
    await frame(viewer, 'snapshot');
    await buyer().reserve(eventId, seats[0] ?? '');
    await eventually(() => viewer.map.stateOf(0) === 1, within);
    viewer.cut();
    await buyer().reserve(eventId, seats[1] ?? '');
    await eventually(() => viewer.map.stateOf(1) === 1, within);
    expect(viewer.connections).toBe(2);
    expect(viewer.of('snapshot')).toHaveLength(1);
    expect(viewer.mistakes).toEqual([]);
  });

  it.each([
    ['-1', ''],
    ['99999999999999999999', 'x'],
    ['999999', 'f'.repeat(16)],
    ['1', '0'.repeat(16)],
    ['1\tOR 1=1', '\u00e9'],
    ['0x10', 'f'.repeat(64)],
  ])('compares a Last-Event-ID and believes nothing: %j', async (id, lineage) => {
    const { eventId } = await show();
    const query = `?lineage=${encodeURIComponent(lineage)}`;
    const reply = await fetch(`${node().address}/api/events/${eventId}/stream${query}`, {
      headers: { 'last-event-id': id },
    });
    const reader = reply.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^id: 1\nevent: snapshot\n/);
    await reader?.cancel();
  });

  it('is there for events on sale alone', async () => {
    const missing = await call(node().address, `GET /api/events/${newId()}/stream`);
    expect([missing.status, missing.body.error]).toEqual([404, 'event_not_found']);
    const draft = await shows.draftEvent();
    const reply = await ask(`GET /api/admin/events/${draft}/stream`);
    expect([reply.status, reply.body.error]).toEqual([404, 'event_not_found']);
  });

  it('is limited per address and per user, and a place that is left is free', async () => {
    const { eventId } = await show();
    const { token } = buyer();
    const own = Array.from({ length: 20 }, () => view(eventId, { token }));
    for (const viewer of own) await frame(viewer, 'snapshot');
    const route = `GET /api/events/${eventId}/stream`;
    const refused = await call(node().address, route, { token });
    expect([refused.status, refused.body.error]).toEqual([429, 'rate_limited']);
    const others = Array.from({ length: 10 }, () => view(eventId));
    for (const viewer of others) await frame(viewer, 'snapshot');
    expect((await call(node().address, route)).status).toBe(429);
    await others[0]?.close();
    const late = view(eventId);
    await frame(late, 'snapshot');
  });
});

describe('what is told to one buyer alone', () => {
  it('is what becomes of their own holds, and why', async () => {
    const { eventId, seats } = await show();
    const ann = buyer();
    const viewer = view(eventId, { token: ann.token });
    expect(await frame(viewer, 'own')).toMatchObject({ holds: [], ended: [] });
    const held = await ann.reserve(eventId, seats[4] ?? '');
    const own = await eventually(() => viewer.of('own')[1]);
    const { hold_id, held_until } = held.data;
    expect(own.holds).toMatchObject([{ hold_id, seat_id: seats[4], ordinal: 4, held_until }]);
    await buyer().reserve(eventId, seats[0] ?? '');
    const body = { hold_ids: [hold_id], reason: 'a mistake' };
    await ask('POST /api/admin/seats/release', { body });
    const ended = await eventually(() => viewer.of('own')[2]);
    expect(ended).toMatchObject({ holds: [], ended: [{ hold_id, reason: 'admin_override' }] });
  });
});

describe('a hold that gets smaller', () => {
  it('is told to its holder and to staff, who see what is left of it when it ends', async () => {
    const { eventId, zones } = await show({ config: aHybridHall() });
    const ann = buyer();
    const own = view(eventId, { token: ann.token });
    const token = tokenFor(scope().organizationId, { role: 'staff' });
    const staff = view(eventId, { token, path: `/api/admin/events/${eventId}/stream` });
    for (const viewer of [own, staff]) await frame(viewer, 'snapshot');
    const [, pit] = zones;
    const held = await ann.hold(eventId, [{ zone_id: pit, quantity: 4 }]);
    const [{ hold_id = '' } = {}] = held.data.holds as { hold_id: string }[];
    const quantities = () => own.of('own').map(({ holds }) => holds as { quantity: number }[]);
    await eventually(() => quantities().at(-1)?.[0]?.quantity === 4);
    await ann.ask(`PATCH /api/holds/${hold_id}`, { body: { quantity: 3 } });
    await eventually(() => quantities().at(-1)?.[0]?.quantity === 3);
    await ann.ask(`DELETE /api/holds/${hold_id}`);
    const log = () => staff.of('log').flatMap(({ rows }) => rows as { changes: object[] }[]);
    await eventually(() => log().length === 3);
    expect(log().flatMap(({ changes }) => changes)).toMatchObject([
      { kind: 'seat_held', places: [{ hold_id, quantity: 4 }] },
      { kind: 'hold_reduced', places: [{ hold_id, quantity: 1 }] },
      { kind: 'seat_released', places: [{ hold_id, quantity: 3 }] },
    ]);
  });
});

describe('staff', () => {
  const staffPath = (eventId: string) => `/api/admin/events/${eventId}/stream`;

  it('are told who and why', async () => {
    const { eventId, seats } = await show();
    const token = tokenFor(scope().organizationId, { role: 'staff' });
    const viewer = view(eventId, { token, path: staffPath(eventId) });
    await frame(viewer, 'snapshot');
    const subject = newId();
    const user_id = userIdOf(scope().organizationId, subject);
    await buyer(subject).reserve(eventId, seats[3] ?? '');
    const held = await frame(viewer, 'log');
    const place = { seat_id: seats[3], label: expect.any(String), quantity: 1 };
    expect(held).toMatchObject({
      from: 1,
      revision: 2,
      rows: [{ revision: 2, changes: [{ kind: 'seat_held', user_id, places: [place] }] }],
    });
    await buyer(subject).ask(`DELETE /api/events/${eventId}/holds`);
    const released = await eventually(() => viewer.of('log')[1]);
    expect(released).toMatchObject({
      rows: [
        {
          changes: [
            { kind: 'seat_released', reason: 'user_cancelled', places: [{ ...place, user_id }] },
          ],
        },
      ],
    });
    await ask(`POST /api/admin/events/${eventId}/seats/block`, {
      body: { seat_ids: [seats[0]], reason: 'a broken chair' },
    });
    const blocked = await eventually(() => viewer.of('log')[2]);
    expect(JSON.stringify(blocked)).toContain('a broken chair');
    await eventually(() => viewer.map.stateOf(0) === 3, within);
  });

  it('are told when a zone is nearly full', async () => {
    const { eventId, zones } = await show({ config: aHybridHall() });
    const token = tokenFor(scope().organizationId);
    const viewer = view(eventId, { token, path: staffPath(eventId) });
    const nobody = view(eventId);
    for (const one of [viewer, nobody]) await frame(one, 'snapshot');
    await buyer().hold(eventId, [{ zone_id: zones[1], quantity: 5 }]);
    const full = await frame(viewer, 'capacity_critical');
    expect(full).toEqual({ zone_id: zones[1], percent: 100, revision: 2 });
    expect(nobody.of('capacity_critical')).toEqual([]);
  });

  it('need the scope for it', async () => {
    const { eventId } = await show();
    const { token } = buyer();
    const route = `GET ${staffPath(eventId)}`;
    expect((await call(node().address, route, { token })).status).toBe(403);
    expect((await call(node().address, route)).status).toBe(401);
  });
});

describe('no byte of the public stream', () => {
  it('says who, which hold, or why', async () => {
    const { eventId, seats, zones } = await show({ config: aHybridHall() });
    const [subject, cart_token, reason, name] = ['subject', 'cart', 'reason', 'caller'].map(
      (word) => `canary-${word}-${newId()}`,
    );
    const ann = buyer(subject);
    const [nobody, bob] = [view(eventId), view(eventId, { token: buyer().token })];
    for (const viewer of [nobody, bob]) await frame(viewer, 'snapshot');
    const items = [{ seat_id: seats[0] }, { zone_id: zones[1], quantity: 2 }];
    const held = await ann.hold(eventId, items, { body: { items, cart_token } });
    const holds = (held.data.holds as { hold_id: string }[]).map(({ hold_id }) => hold_id);
    await ask(`POST /api/admin/events/${eventId}/holds`, {
      body: { items: [{ seat_id: seats[2] }], for: name },
    });
    await ask(`POST /api/admin/events/${eventId}/seats/block`, {
      body: { seat_ids: [seats[5]], reason },
    });
    await ann.ask(`DELETE /api/holds/${holds[0]}`);
    await shows.sell(eventId, [holds[1]]);
    const truth = await call(node().address, `GET /api/events/${eventId}/availability`);
    for (const viewer of [nobody, bob]) {
      await eventually(() => viewer.map.revision === truth.data.revision, within);
      nobody.cut();
      await eventually(() => viewer.map.revision === truth.data.revision, within);
    }
    const late = view(eventId);
    await frame(late, 'snapshot');
    const secrets = [subject, cart_token, reason, name, ...holds];
    secrets.push(userIdOf(scope().organizationId, subject ?? ''));
    const paths = ['', '/availability', '/occupancy', '/seatmap', `/seats/${seats[2]}`];
    const pages = await Promise.all(
      paths.map(async (path) =>
        (await fetch(`${node().address}/api/events/${eventId}${path}`)).text(),
      ),
    );
    for (const text of [nobody.text, bob.text, late.text, ...pages]) {
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
    // The same words are there for staff: the canaries do sing.
    const log = await ask(`GET /api/admin/events/${eventId}/changes?after=1`);
    for (const secret of [reason, ...holds]) expect(JSON.stringify(log.body)).toContain(secret);
  });
});
