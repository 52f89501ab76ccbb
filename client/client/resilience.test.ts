import { type FaultProxy, startProxy } from '@voelgoed/faults/proxy';
import { eventually } from '@voelgoed/testkit/eventually';
import { startTestNode } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient, type Observation, type SeatingOptions, systemHost } from './client.ts';

const shows = useShows();
const { ask, buyer, database, node, show } = shows;
const proxies = new Set<FaultProxy>();

afterEach(async () => {
  await Promise.all([...proxies].map((proxy) => proxy.close()));
  proxies.clear();
});

type OnChunk = NonNullable<Parameters<typeof startProxy>[0]['onChunk']>;

/** The same node, by way of a wire that misbehaves. */
async function aWire(onChunk: OnChunk = () => 'pass', address = node().address) {
  const { hostname, port } = new URL(address);
  const proxy = await startProxy({ upstream: { host: hostname, port: Number(port) }, onChunk });
  proxies.add(proxy);
  return proxy;
}

function aBuyerBy(proxy: FaultProxy, options: Partial<SeatingOptions> = {}) {
  const seen: Observation[] = [];
  const address = proxy.through(node().address);
  const { token } = buyer();
  const observe = (one: Observation) => seen.push(one);
  return { seen, client: createClient({ address, token, observe, ...options }) };
}

describe('an answer that is lost on its way', () => {
  it('is got by asking again with the same key, and the wish was done once', async () => {
    const { eventId, zones } = await show({ config: aPit() });
    let losses = 1;
    const proxy = await aWire((direction) =>
      direction === 'down' && losses-- > 0 ? 'cut' : 'pass',
    );
    const { client, seen } = aBuyerBy(proxy);
    const held = await client.holds.create(eventId, {
      items: [{ zone_id: zones[0] ?? '', quantity: 3 }],
    });
    expect(held.holds).toMatchObject([{ quantity: 3 }]);
    expect(seen).toMatchObject([{ attempts: 2, status: 201, replayed: true }]);
    const list = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(list.list.map(({ quantity }) => quantity)).toEqual([3]);
  });

  it('would have made two holds without the key', async () => {
    const { eventId, zones } = await show({ config: aPit() });
    let losses = 1;
    const proxy = await aWire((direction) =>
      direction === 'down' && losses-- > 0 ? 'cut' : 'pass',
    );
    // Another key each time is as good as none.
    let keys = 0;
    const fetch: SeatingOptions['host'] = {
      fetch: (url, request) => {
        const headers = { ...(request.headers as object), 'idempotency-key': `key ${keys++}` };
        return systemHost.fetch(url, { ...request, headers });
      },
    };
    const { client } = aBuyerBy(proxy, { host: fetch });
    await client.holds.create(eventId, { items: [{ zone_id: zones[0] ?? '', quantity: 3 }] });
    const list = await ask(`GET /api/admin/events/${eventId}/holds`);
    expect(list.list.map(({ quantity }) => quantity)).toEqual([3, 3]);
  });
});

describe('a server that goes away', () => {
  it('is waited for when it comes back in time', async () => {
    const { eventId, seats } = await show();
    const proxy = await aWire();
    proxy.refuse();
    const { client, seen } = aBuyerBy(proxy);
    const held = client.holds.reserve(eventId, seats[0] ?? '');
    await client.events.list('nowhere', { timeout_ms: 50 }).catch(() => {});
    await proxy.accept();
    expect(await held).toMatchObject({ seat_id: seats[0] });
    expect(seen.at(-1)?.attempts).toBeGreaterThan(1);
  });

  it('is told as such when it stays away', async () => {
    const proxy = await aWire();
    proxy.refuse();
    const { client } = aBuyerBy(proxy, { retries: { most: 1 } });
    await expect(client.events.list('demo')).rejects.toMatchObject({
      code: 'network',
      status: 0,
      attempts: 2,
    });
  });

  it('is told as such when it says nothing', async () => {
    const proxy = await aWire();
    proxy.setToxic({ kind: 'blackhole' });
    const { client } = aBuyerBy(proxy);
    await expect(client.events.list('demo', { timeout_ms: 100 })).rejects.toMatchObject({
      code: 'timeout',
    });
    const giveUp = new AbortController();
    const call = client.events.list('demo', { signal: giveUp.signal });
    giveUp.abort();
    await expect(call).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('a page whose clock is wrong', () => {
  it.each([-3_600_000, 3_600_000])('by %d ms learns the server’s time', async (wrong_ms) => {
    const { eventId, seats } = await show();
    const now = () => systemHost.now() + wrong_ms;
    const { client } = aBuyerBy(await aWire(), { host: { now } });
    const hold = await client.holds.reserve(eventId, seats[0] ?? '');
    expect(Math.abs(client.clock.now() - systemHost.now())).toBeLessThan(1_000);
    expect(client.clock.error_ms).toBeLessThan(1_000);
    const countdown = client.countdown(hold.held_until, () => {});
    expect(Math.abs(countdown.moment.seconds - hold.expires_in_seconds)).toBeLessThanOrEqual(2);
    countdown.stop();
  });
});

describe('a guest’s session that is over', () => {
  it('is replaced by a new one, once for everything that was under way', async () => {
    const { eventId } = await show();
    const { address } = node();
    const anybody = createClient({ address });
    let token = 'expired';
    let sessions = 0;
    const client = createClient({
      address,
      token: async (reason) => {
        if (reason === 'refused') {
          sessions++;
          token = (await anybody.events.session(eventId)).token;
        }
        return token;
      },
    });
    const all = await Promise.all([1, 2, 3].map(() => client.holds.own(eventId)));
    expect(all).toMatchObject([{ holds: [] }, { holds: [] }, { holds: [] }]);
    expect(sessions).toBe(1);
  });
});

describe('an open map', () => {
  it('is right again after its connection was cut, without a new snapshot', async () => {
    const { eventId, seats } = await show();
    const proxy = await aWire();
    const { client } = aBuyerBy(proxy);
    const statuses: string[] = [];
    let snapshots = 0;
    const following = client.events.follow(eventId, (event) => {
      if (event.kind === 'status') statuses.push(event.status);
      if (event.kind === 'map' && !event.seats) snapshots++;
    });
    await eventually(() => following.status === 'live');
    proxy.refuse();
    proxy.cutAll();
    await buyer().reserve(eventId, seats[5] ?? '');
    await eventually(() => following.status === 'connecting');
    expect(following.map.stateOf(5)).toBe(0);
    await proxy.accept();
    await eventually(() => following.map.stateOf(5) === 1);
    expect(following.status).toBe('live');
    expect(statuses).toEqual(['live', 'connecting', 'live']);
    expect(snapshots).toBe(1);
    following.close();
  });

  it('moves to another node when its node is stopped', async () => {
    const { eventId, seats } = await show();
    const first = await startTestNode(database);
    // Wires of their own, because a pool of connections would keep some that nobody uses.
    const [leaving, staying] = [await aWire(undefined, first.address), await aWire()];
    let wire = leaving;
    const client = createClient({
      address: 'http://balancer',
      host: { fetch: (url, request) => systemHost.fetch(wire.through(url), request) },
    });
    const following = client.events.follow(eventId, () => {});
    await eventually(() => following.status === 'live' && following.drawing);
    wire = staying;
    const stopped = first.stop();
    await buyer().reserve(eventId, seats[7] ?? '');
    await eventually(() => following.status === 'live' && following.map.stateOf(7) === 1);
    following.close();
    await leaving.close();
    await stopped;
  });

  it('ends when the server will not have it', async () => {
    const { client } = aBuyerBy(await aWire());
    const codes: string[] = [];
    const nowhere = '00000000-0000-7000-8000-000000000000';
    const following = client.events.follow(nowhere, (event) => {
      if (event.kind === 'ended') codes.push(event.failure.code);
    });
    await eventually(() => following.isClosed);
    expect(codes).toEqual(['event_not_found']);
  });
});

/** A single standing zone. */
function aPit() {
  return { zones: [{ name: 'Pit', zone_type: 'ga_standing', capacity: 50 }] };
}
