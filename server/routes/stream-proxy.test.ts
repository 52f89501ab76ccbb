import { connect } from 'node:net';
import { eventually } from '@voelgoed/testkit/eventually';
import { call } from '@voelgoed/testkit/servers';
import { useShows } from '@voelgoed/testkit/shows';
import { type HttpProxy, startHttpProxy, Viewer } from '@voelgoed/testkit/viewers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

const { buyer, node, show } = useShows({
  TRUSTED_PROXIES: '127.0.0.1',
  STREAMS_PER_ADDRESS: '2',
});
const viewers: Viewer[] = [];
let proxy: HttpProxy;

beforeAll(async () => {
  proxy = await startHttpProxy(() => node().address);
});
afterAll(() => proxy.stop());
afterEach(async () => {
  await Promise.all(viewers.splice(0).map((viewer) => viewer.close()));
});

function view(eventId: string, visitor = '192.0.2.1'): Viewer {
  const path = `/api/events/${eventId}/stream`;
  const headers = { 'x-visitor': visitor };
  const viewer = new Viewer({ address: () => proxy.address, path, headers });
  viewers.push(viewer);
  return viewer;
}

const streams = async () => {
  const text = await (await fetch(`${node().address}/metrics`)).text();
  return Number(/^voelgoed_stream_clients (\d+)/m.exec(text)?.[1]);
};

describe('behind a proxy', () => {
  it('frames pass one by one, and going on works', async () => {
    const { eventId, seats } = await show();
    const viewer = view(eventId);
    await eventually(() => viewer.of('snapshot')[0]);
    for (const ordinal of [0, 1, 2]) {
      await buyer().reserve(eventId, seats[ordinal] ?? '');
      await eventually(() => viewer.map.stateOf(ordinal) === 1, { within_ms: 1_000 });
    }
    viewer.cut();
    await buyer().reserve(eventId, seats[3] ?? '');
    await eventually(() => viewer.map.stateOf(3) === 1, { within_ms: 2_000 });
    expect(viewer.of('snapshot')).toHaveLength(1);
    expect(viewer.mistakes).toEqual([]);
  });

  it('who leaves the proxy leaves us', async () => {
    const { eventId } = await show();
    const before = await streams();
    const viewer = view(eventId);
    await eventually(() => viewer.of('snapshot')[0]);
    expect(await streams()).toBe(before + 1);
    await viewer.close();
    await eventually(async () => (await streams()) === before);
    await eventually(() => proxy.open() === 0);
  });

  it('each visitor has their own limit, not all of them that of the proxy', async () => {
    const { eventId } = await show();
    for (const visitor of ['192.0.2.7', '192.0.2.7', '192.0.2.8']) {
      const viewer = view(eventId, visitor);
      await eventually(() => viewer.of('snapshot')[0]);
    }
    const route = `GET /api/events/${eventId}/stream`;
    const third = await call(proxy.address, route, { headers: { 'x-visitor': '192.0.2.7' } });
    expect([third.status, third.body.error]).toEqual([429, 'rate_limited']);
  });

  it('one that speaks HTTP/1.0 to us gets the frames as they are, without pieces', async () => {
    const { eventId } = await show();
    const { hostname, port } = new URL(node().address);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.write(`GET /api/events/${eventId}/stream HTTP/1.0\r\nhost: x\r\n\r\n`);
    await eventually(() => /\r\n\r\nid: 1\nevent: snapshot\ndata: \{.*\}\n\n/.test(text));
    expect(text).not.toMatch(/transfer-encoding/i);
    socket.destroy();
  });
});
