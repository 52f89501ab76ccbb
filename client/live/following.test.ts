import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createClient } from '#client';
import { type Fetch, manualHost } from '#host';
import type { LiveEvent } from './live.ts';

/** Four seats in one byte, no zones; the digest is FNV-1a over that byte. */
const digestOf = (byte: number) =>
  (Math.imul(0x811c9dc5 ^ byte, 0x01000193) >>> 0).toString(16).padStart(8, '0');

const snapshot = (revision: number, byte: number, more: object = {}) => ({
  event: 'snapshot',
  data: {
    revision,
    lineage: 'one',
    layout_id: 'hall',
    layout_version: 1,
    seats: btoa(String.fromCharCode(byte)),
    zones: [],
    digest: digestOf(byte),
    ...more,
  },
});
const changes = (from: number, revision: number, seats: number[][], byte: number) => ({
  event: 'changes',
  data: { from, revision, lineage: 'one', seats, zones: [], digest: digestOf(byte) },
});
const heartbeat = (revision: number, byte: number) => ({
  event: 'heartbeat',
  data: { revision, lineage: 'one', digest: digestOf(byte), server_time: 'x' },
});

type Frame = { event: string; data: object };
type Connection = { url: string; last: string | undefined; send(...frames: Frame[]): void } & {
  sendText(text: string): void;
  end(): void;
};

/** A server whose streams a test writes by hand. */
function aStream(answer?: (count: number) => Response | undefined) {
  const connections: Connection[] = [];
  const drawings: string[] = [];
  const cancelled: number[] = [];
  let drawing = { layout_id: 'hall', layout_version: 1, zones: [], seats: [] };
  const fetch: Fetch = async (url, { headers, signal }) => {
    if (url.endsWith('/seatmap')) {
      drawings.push(url);
      return Response.json({ data: drawing });
    }
    const refusal = answer?.(connections.length);
    let pipe: ReadableStreamDefaultController<Uint8Array> | undefined;
    const number = connections.length;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        pipe = controller;
      },
      cancel: () => void cancelled.push(number),
    });
    signal?.addEventListener('abort', () => {}, { once: true });
    const sendText = (text: string) => pipe?.enqueue(new TextEncoder().encode(text));
    connections.push({
      url,
      last: (headers as Record<string, string>)['last-event-id'],
      send: (...frames) => {
        for (const { event, data } of frames) {
          sendText(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        }
      },
      sendText,
      end: () => pipe?.close(),
    });
    return refusal ?? new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  const host = manualHost({ fetch });
  const events: LiveEvent[] = [];
  const client = createClient({ address: 'http://server', host });
  const following = client.events.follow('e', (event) => events.push(event));
  const newest = () => {
    const last = connections.at(-1);
    if (!last) throw new Error('nobody has connected');
    return last;
  };
  return {
    host,
    events,
    following,
    connections,
    drawings,
    cancelled,
    newest,
    draw: (version: number, drawing_id?: string) => {
      const named = drawing_id === undefined ? {} : { drawing_id };
      drawing = { ...drawing, layout_version: version, ...named };
    },
    statuses: () => events.flatMap((event) => (event.kind === 'status' ? [event.status] : [])),
  };
}

/** Connected, with the first seat held. */
async function aLiveMap(answer?: (count: number) => Response | undefined) {
  const stream = aStream(answer);
  await stream.host.advance(0);
  stream.newest().send(snapshot(7, 1));
  await stream.host.advance(0);
  return stream;
}

describe('following an event', () => {
  it('begins with everything, and then takes what changes', async () => {
    const { host, following, events, newest, drawings } = await aLiveMap();
    expect(newest()).toMatchObject({ url: 'http://server/api/events/e/stream', last: undefined });
    expect(following.status).toBe('live');
    expect(following.map.stateOf(0)).toBe(1);
    newest().send(changes(7, 9, [[1, 2]], 0b1001));
    await host.advance(0);
    expect(following.map.stateOf(1)).toBe(2);
    expect(events.filter(({ kind }) => kind === 'map')).toMatchObject([
      { seats: null },
      { seats: [[1, 2]] },
    ]);
    expect(drawings.length).toBe(1);
    following.close();
    expect(host.waiting()).toBe(0);
  });

  it('comes back after a cut with the place where it was', async () => {
    const { host, following, connections, newest, statuses } = await aLiveMap();
    newest().end();
    await host.advance(0);
    expect(following.status).toBe('connecting');
    await host.advance(499);
    expect(connections.length).toBe(1);
    await host.advance(1);
    expect(newest()).toMatchObject({
      url: 'http://server/api/events/e/stream?lineage=one',
      last: '7',
    });
    newest().send(heartbeat(7, 1));
    await host.advance(0);
    expect(statuses()).toEqual(['live', 'connecting', 'live']);
    following.close();
  });

  it('asks for what is missing when there is a gap', async () => {
    const { host, following, connections, newest } = await aLiveMap();
    newest().send(changes(8, 9, [[1, 2]], 0b1001));
    await host.advance(500);
    expect(connections.length).toBe(2);
    expect(newest()).toMatchObject({ last: '7' });
    expect(following.map.stateOf(1)).toBe(0);
    following.close();
  });

  it('begins anew when its digest is not the server’s', async () => {
    const { host, following, connections, newest } = await aLiveMap();
    newest().send(heartbeat(7, 0b11));
    await host.advance(500);
    expect(connections.length).toBe(2);
    // Not what it shows, but how far it was: no node may show it something older.
    expect(newest()).toMatchObject({ url: 'http://server/api/events/e/stream', last: '7' });
    newest().send(snapshot(7, 0b11));
    await host.advance(0);
    expect([following.status, following.map.stateOf(0)]).toEqual(['live', 3]);
    following.close();
  });

  it('is stale after 12 seconds of silence, and connects again', async () => {
    const { host, following, connections, newest, statuses } = await aLiveMap();
    await host.advance(11_999);
    expect(following.status).toBe('live');
    await host.advance(1);
    expect(following.status).toBe('stale');
    await host.advance(500);
    expect(connections.length).toBe(2);
    newest().send(heartbeat(7, 1));
    await host.advance(0);
    expect(statuses()).toEqual(['live', 'stale', 'live']);
    following.close();
  });

  it('is not stale while the server says anything at all', async () => {
    const { host, following, newest } = await aLiveMap();
    for (let beat = 0; beat < 10; beat++) {
      await host.advance(5_000);
      newest().send(heartbeat(7, 1));
      await host.advance(0);
    }
    expect(following.status).toBe('live');
    following.close();
  });

  it('waits longer each time when nobody answers, and says that it is stale', async () => {
    const { host, following, connections, newest, statuses } = await aLiveMap((count) =>
      count === 0 ? undefined : new Response('', { status: 502 }),
    );
    newest().end();
    const times: number[] = [];
    for (let second = 0; second < 60; second++) {
      const before = connections.length;
      await host.advance(1_000);
      if (connections.length > before) times.push(second);
    }
    // 0.5, 1, 2, 4, 8 and then 15 seconds.
    expect(times).toEqual([0, 1, 3, 7, 15, 30, 45]);
    expect(statuses()).toEqual(['live', 'connecting', 'stale']);
    following.reconnect();
    await host.advance(0);
    expect(connections.length).toBe(9);
    following.close();
  });

  it('comes back when the server asks it to', async () => {
    const { host, connections, newest, following } = await aLiveMap();
    newest().sendText('retry: 1750\n\n');
    newest().end();
    await host.advance(1_749);
    expect(connections.length).toBe(1);
    await host.advance(1);
    expect(connections.length).toBe(2);
    following.close();
  });

  it('fetches the drawing again when there is another layout, until it is that one', async () => {
    const { host, following, events, newest, draw, drawings } = await aLiveMap();
    newest().send({ event: 'layout', data: { layout_id: 'hall', layout_version: 2 } });
    newest().send(snapshot(8, 0, { layout_version: 2 }));
    await host.advance(0);
    // The node that was asked does not know of it yet.
    expect(following.drawing?.layout_version).toBe(1);
    draw(2);
    await host.advance(1_500);
    expect(following.drawing?.layout_version).toBe(2);
    expect(events.filter(({ kind }) => kind === 'drawing').length).toBe(2);
    expect(drawings.length).toBe(3);
    following.close();
  });

  it('fetches it again when the event uses the same layout in another way', async () => {
    const { host, following, newest, draw, drawings } = await aLiveMap();
    // A server that does not name its drawings is believed.
    newest().send(snapshot(8, 0, { drawing_id: 'one' }));
    await host.advance(0);
    expect(drawings.length).toBe(1);
    draw(1, 'one');
    newest().send({ event: 'layout', data: { layout_id: 'hall', layout_version: 2 } });
    newest().send(snapshot(9, 0, { layout_version: 2, drawing_id: 'one' }));
    draw(2, 'one');
    await host.advance(0);
    expect(following.drawing).toMatchObject({ layout_version: 2, drawing_id: 'one' });
    const known = drawings.length;
    newest().send({ event: 'layout', data: { layout_id: 'hall', layout_version: 2 } });
    newest().send(snapshot(10, 0, { layout_version: 2, drawing_id: 'two' }));
    draw(2, 'two');
    await host.advance(0);
    expect(drawings.length).toBe(known + 1);
    expect(following.drawing).toMatchObject({ layout_version: 2, drawing_id: 'two' });
    following.close();
  });

  it('takes another history, and goes on when a listener fails', async () => {
    const { host, following, newest } = await aLiveMap();
    newest().end();
    await host.advance(500);
    newest().send(snapshot(3, 2, { lineage: 'two' }));
    await host.advance(0);
    expect([following.map.revision, following.map.stateOf(0)]).toEqual([3, 2]);
    following.close();
    const other = manualHost({ fetch: () => Promise.reject(new TypeError('nobody')) });
    const client = createClient({ address: 'http://server', host: other });
    const bad = client.events.follow('e', () => {
      throw new Error('the listener’s own');
    });
    await expect(other.advance(13_000)).rejects.toThrow('the listener’s own');
    expect(bad.isClosed).toBe(false);
    bad.close();
  });
});

describe('a following that is over', () => {
  it('leaves no timer behind, also when its listener closes it as it becomes stale', async () => {
    const host = manualHost();
    const client = createClient({ address: 'http://server', host });
    const following = client.events.follow('e', () => following.close());
    await host.advance(12_000);
    expect([following.isClosed, host.waiting()]).toEqual([true, 0]);
  });

  it('leaves no timer behind when it is closed as the server answers', async () => {
    const host = manualHost({
      fetch: async () => {
        queueMicrotask(() => following.close());
        return new Response(new ReadableStream());
      },
    });
    const client = createClient({ address: 'http://server', host });
    const following = client.events.follow('e', () => {});
    for (let step = 0; step < 5; step++) await host.advance(0);
    expect([following.isClosed, host.waiting()]).toEqual([true, 0]);
  });

  it('is not kept by a signal that lives on', async () => {
    const host = manualHost();
    const client = createClient({ address: 'http://server', host });
    const { signal } = new AbortController();
    client.events.follow('e', () => {}, { signal }).close();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('a connection', () => {
  it('that says what cannot be read is let go, and another one is made', async () => {
    const { host, connections, cancelled, newest, following } = await aLiveMap();
    newest().sendText('event: changes\ndata: {nonsense\n\n');
    await host.advance(500);
    expect([cancelled, connections.length]).toEqual([[0], 2]);
    following.close();
  });

  it('is made anew at once when the page asks, also in place of one that is there', async () => {
    const { host, connections, newest, following } = await aLiveMap();
    newest().sendText('retry: 1750\n\n');
    await host.advance(0);
    following.reconnect();
    await host.advance(0);
    expect(connections.length).toBe(2);
    following.close();
  });

  it('is not asked for without pause when the server says that none is needed', async () => {
    const { host, connections, newest, following } = await aLiveMap((count) => {
      // A loop without pause would never end.
      if (count > 50) throw new Error('asked too often');
      const headers = { 'retry-after': '0' };
      return count === 0 ? undefined : new Response('', { status: 503, headers });
    });
    newest().end();
    await host.advance(60_000);
    expect(connections.length).toBeLessThan(10);
    following.close();
  });

  it('to a node that has no drawing asks for it less and less often', async () => {
    const { host, newest, drawings, following } = await aLiveMap();
    newest().send({ event: 'layout', data: { layout_id: 'hall', layout_version: 2 } });
    newest().send(snapshot(8, 0, { layout_version: 2 }));
    for (let beat = 0; beat < 12; beat++) {
      await host.advance(5_000);
      newest().send(heartbeat(8, 0));
    }
    expect(drawings.length).toBeGreaterThan(4);
    expect(drawings.length).toBeLessThan(10);
    following.close();
  });
});
