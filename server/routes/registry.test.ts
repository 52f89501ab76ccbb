import { systemClock } from '@voelgoed/engine/kit';
import { eventKeys, organizationKeys } from '@voelgoed/engine/redis';
import { eventually } from '@voelgoed/testkit/eventually';
import { monitor, useRedis } from '@voelgoed/testkit/redises';
import { call, tokenFor, useNode } from '@voelgoed/testkit/servers';
import { aHybridHall, useShows } from '@voelgoed/testkit/shows';
import { describe, expect, it } from 'vitest';

const SOON = { within_ms: 5_000 };

describe('the registry', () => {
  const redis = useRedis();
  const shows = useShows({}, () => redis().url);
  /** Another node on the same database and the same Redis, which has no board. */
  const other = useNode(shows.database, { DEMO: '0' }, () => redis().url);
  /** One without any Redis. */
  const alone = useNode(shows.database, { DEMO: '0' }, () => null);
  const token = () => tokenFor(shows.scope().organizationId);
  const ask = (node: () => { address: string }, route: string, body?: object) =>
    call(node().address, route, { token: token(), ...(body ? { body } : {}) });

  async function aHeldShow() {
    const show = await shows.show();
    const [first = '', second = ''] = show.seats;
    const held = await shows.buyer('Ann').reserve(show.eventId, first);
    expect(held.status).toBe(201);
    await shows.buyer('Ben').reserve(show.eventId, second);
    const status = `GET /api/admin/registry?event_id=${show.eventId}`;
    await eventually(async () => (await shows.ask(status)).data.consistent, SOON);
    return { ...show, status, keys: eventKeys(shows.scope().organizationId, show.eventId) };
  }

  it('is the same in memory, Redis and Postgres, by count and digest', async () => {
    const { status } = await aHeldShow();
    const { data } = await shows.ask(`${status}&due_within=3600`);
    const { memory, redis: warm, postgres, due, ...rest } = data as Record<string, never>;
    expect(memory).toMatchObject({ count: 2 });
    expect(warm).toEqual(memory);
    expect(postgres).toEqual(memory);
    expect(rest).toEqual({
      consistent: true,
      status: 'ok',
      breaker: 'closed',
      differences: [],
      message: 'All tiers have the same 2 holds.',
    });
    expect(due).toHaveLength(2);
  });

  it('lists what is due in parts, and says where the next one begins', async () => {
    const rows = Array.from({ length: 520 }, (_, at) => ({
      label: `A-${at + 1}`,
      row: 'A',
      number: at + 1,
      coordinates: { x: at * 10, y: 0 },
    }));
    const config = aHybridHall({ stalls: { seats: rows } });
    const { eventId, seats } = await shows.show({ config });
    // A release and a hold take 1,000 at most; these all end at the same moment.
    const items = seats.slice(0, 510).map((seat_id) => ({ seat_id }));
    const held = await shows.ask(`POST /api/admin/events/${eventId}/holds`, {
      body: { items, for: 'a party of 510' },
    });
    expect(held.status).toBe(201);
    const route = `GET /api/admin/registry?event_id=${eventId}&due_within=3600`;
    await eventually(async () => (await shows.ask(route)).data.consistent, SOON);
    const ids = (data: Record<string, unknown>) =>
      (data.due as { hold_id: string }[]).map(({ hold_id }) => hold_id);
    const first = (await shows.ask(route)).data;
    expect(ids(first)).toHaveLength(500);
    const next = first.next as { due_after: string };
    const second = (await shows.ask(`${route}&due_after=${next.due_after}`)).data;
    expect(second).not.toHaveProperty('next');
    expect(ids(second)).toHaveLength(10);
    expect(new Set([...ids(first), ...ids(second)]).size).toBe(510);
    const alone = `GET /api/admin/registry?event_id=${eventId}&due_after=${next.due_after}`;
    expect(await shows.ask(alone)).toMatchObject({ status: 400 });
  });

  it('has no Redis where there is none', async () => {
    const { status } = await aHeldShow();
    const { data } = await ask(alone, status);
    expect(data).toMatchObject({ consistent: true, status: 'ok' });
    expect(data).not.toHaveProperty('redis');
    const reconciled = await ask(alone, 'POST /api/admin/registry/reconcile', {});
    expect(reconciled.data).toMatchObject({ events: 1, holds: 2, reloaded: 0 });
    expect(reconciled.data.message).toContain('There is no Redis');
    const metrics = await (await fetch(`${alone().address}/metrics`)).text();
    expect(metrics).not.toContain('voelgoed_redis_command');
    const ready = await ask(alone, 'GET /health/ready');
    expect(Object.keys(ready.data.parts as object)).not.toContain('redis');
  });

  it('is rebuilt from Postgres when Redis is corrupt', async () => {
    const { status, eventId, keys, seats } = await aHeldShow();
    await redis().command('set', keys.seatHold(seats[0] ?? ''), 'garbage');
    await redis().command('set', keys.seatHold(seats[1] ?? ''), '{"state":"held"}');
    await redis().command('del', keys.seatHolds, keys.bitmap, keys.revision);
    // A node may have put it right in between.
    await redis()
      .command('rpush', keys.seatHolds, 'a list')
      .catch(() => {});
    const done = await shows.ask('POST /api/admin/registry/reconcile', {
      body: { event_id: eventId },
    });
    expect(done.data).toMatchObject({ events: 1, holds: 2 });
    expect((await shows.ask(status)).data).toMatchObject({ consistent: true, status: 'ok' });
    const all = await shows.ask('POST /api/admin/registry/reconcile', { body: {} });
    expect(all.data).toMatchObject({ events: 1, holds: 2, written: 0, removed: 0 });
  });

  it('says how it is, also of a Redis that cannot list its holds', async () => {
    const { status, keys } = await aHeldShow();
    const route = `${status}&due_within=60`;
    await redis().command('zadd', keys.seatHolds, '-inf', 'no hold', '1', 'neither');
    await redis().command('hset', keys.holdMeta('neither'), 'quantity', 'many');
    expect(await shows.ask(route)).toMatchObject({ status: 200 });
    // A node may have put it right in between.
    await redis().command('del', keys.seatHolds);
    await redis()
      .command('rpush', keys.seatHolds, 'a list')
      .catch(() => {});
    expect(await shows.ask(route)).toMatchObject({ status: 200 });
  });

  it('is nobody else’s', async () => {
    const { status } = await aHeldShow();
    const foreign = tokenFor('00000000-0000-7000-8000-000000000001');
    expect((await call(shows.node().address, status, { token: foreign })).status).not.toBe(200);
    const customer = tokenFor(shows.scope().organizationId, { role: 'customer' });
    expect((await call(shows.node().address, status, { token: customer })).status).toBe(403);
  });

  it('answers for a node without the board, from what another wrote a moment ago', async () => {
    const { eventId, seats, keys } = await aHeldShow();
    const seen = await monitor(redis());
    // A commit makes what is stored young again.
    await shows.buyer('Cleo').reserve(eventId, seats[2] ?? '');
    const paths = ['availability', 'occupancy'];
    await eventually(async () => (await redis().command('zcard', keys.seatHolds)) === 3);
    for (const path of paths) {
      const route = `GET /api/events/${eventId}/${path}`;
      const [there, here] = [await call(other().address, route), await shows.open(route)];
      expect(there.status).toBe(200);
      const { timestamp: _, ...told } = there.data;
      expect(here.data).toMatchObject(told);
    }
    const metrics = await (await fetch(`${other().address}/metrics`)).text();
    expect(metrics).toContain('voelgoed_board_load_seconds_count 0');
    expect(metrics).toMatch(/voelgoed_warm_read_total\{what="availability",hit="true"\} [1-9]/);
    seen.stop();
  });

  it.each([
    ['other bits in the bitmap', 'bitmap', 'UUUU'],
    ['other numbers in the record', 'revision', '"held":9'],
    ['other numbers in the occupancy', 'occupancy', '"available":9'],
  ] as const)('shows nothing of Redis that was changed since: %s', async (_, key, lie) => {
    const { eventId, seats, keys } = await aHeldShow();
    const routes = ['availability', 'occupancy'].map(
      (path) => `GET /api/events/${eventId}/${path}`,
    );
    // A commit makes what is stored young again; the occupancy is kept by whoever is asked for it.
    await shows.buyer('Cleo').reserve(eventId, seats[2] ?? '');
    await eventually(async () => (await redis().command('zcard', keys.seatHolds)) === 3);
    for (const route of routes) await shows.open(route);
    const name = keys[key];
    await eventually(async () => (await redis().command('exists', name)) === 1);
    if (key === 'bitmap') await redis().command('setrange', name, 0, lie);
    else {
      const text = String(await redis().command('get', name));
      const field = new RegExp(`${lie.replace('9', '')}\\d+`);
      expect(text).toMatch(field);
      await redis().command('set', name, text.replace(field, lie));
    }
    for (const route of routes) {
      const [there, here] = [await call(other().address, route), await shows.open(route)];
      const { timestamp: _, ...told } = there.data;
      expect(here.data).toMatchObject(told);
    }
    const metrics = async () => (await fetch(`${other().address}/metrics`)).text();
    const what = key === 'occupancy' ? 'occupancy' : 'availability';
    const line = new RegExp(`voelgoed_warm_digest_mismatch_total\\{what="${what}"\\} [1-9]`);
    await eventually(async () => line.test(await metrics()));
    await eventually(async () => {
      const { data } = await ask(other, `GET /api/admin/registry?event_id=${eventId}`);
      return data.consistent;
    }, SOON);
  });

  it('shows no seat as held because only Redis says so', async () => {
    const { eventId, seats, keys } = await aHeldShow();
    const [, , third = ''] = seats;
    const held_until = systemClock.now() / 1_000 + 600;
    const who = { hold_id: 'x', user_id: 'x', cart_token: null, lineage: 'a', revision: 1 };
    const lie = { state: 'held', ...who, held_until, label: 'FORGED' };
    await redis().command('set', keys.seatHold(third), JSON.stringify(lie));
    await shows.buyer('Cleo').reserve(eventId, seats[3] ?? '');
    const { data } = await call(other().address, `GET /api/events/${eventId}/seats/${third}`);
    expect(data).toMatchObject({ seat_id: third, status: 'available', label: 'A-3' });
  });

  it('has no key that no route and no job reads', async () => {
    const seen = await monitor(redis());
    const { eventId, seats, status, keys } = await aHeldShow();
    const { organizationId } = shows.scope();
    await shows.ask(`${status}&due_within=3600`);
    await shows.buyer('Dan').reserve(eventId, seats[3] ?? '');
    for (const path of ['availability', 'occupancy', `seats/${seats[3]}`]) {
      await call(other().address, `GET /api/events/${eventId}/${path}`);
    }
    const { data } = await shows.ask(`GET /api/events/${eventId}/seatmap`);
    await ask(other, `GET /api/admin/layouts/${data.layout_id}`);
    const own = organizationKeys(organizationId);
    const reads: Record<string, string[]> = {
      [keys.seatHold(seats[3] ?? '')]: ['mget'],
      [keys.seatHolds]: ['zrangebyscore', 'zrange'],
      ':meta': ['hgetall'],
      [keys.bitmap]: ['mget'],
      [keys.revision]: ['mget'],
      [keys.occupancy]: ['get'],
      [own.layoutConfig(String(data.layout_id), 1)]: ['get'],
      [own.limit('holds', '')]: ['hmget'],
      changes: ['psubscribe', 'publish'],
    };
    expect(Object.keys(reads)).toHaveLength(Object.keys(keys).length + Object.keys(own).length);
    for (const [key, commands] of Object.entries(reads)) {
      const found = seen.commandsAbout(key);
      expect({ key, read: commands.some((one) => found.includes(one)) }).toEqual({
        key,
        read: true,
      });
    }
    seen.stop();
  });
});
