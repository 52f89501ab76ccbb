import { seededRandom } from '@voelgoed/engine/kit';
import { describe, expect, test } from 'vitest';
import { type Direction, startProxy, type Verdict } from './proxy.ts';
import {
  dial,
  eventually,
  fence,
  LARGE_BYTES,
  large,
  Pump,
  rig,
  start,
  startServer,
  TRANSPORTS,
  useCleanups,
} from './test-rig.ts';

useCleanups();

/**
 * What a stalled sender has sent is all that can lie anywhere, in the proxy or in the kernel. The
 * kernel's buffers for two hops are the larger part: 20 MB at most as Linux is usually set up.
 */
const HELD_AT_MOST_BYTES = 64 * 1024 * 1024;

describe.each(TRANSPORTS)('passing on, %s', (transport) => {
  test('bytes arrive both ways and are counted', async () => {
    const { proxy, client, other } = await rig(transport);
    client.socket.write('there');
    await client.hears('hi there');
    expect(other.text).toBe('hi there');
    expect(proxy.bytes).toEqual({ up: 8, down: 8 });
    expect(proxy.connections).toBe(1);
  });

  test('the control of every "nothing arrives": without a toxic the fence lets it', async () => {
    const { server, client } = await rig(transport);
    client.socket.write('x');
    await fence(server);
    expect(client.text).toBe('hi x');
  });

  test('10 MB arrive intact', async () => {
    const { client } = await rig(transport);
    const bytes = large();
    client.socket.write(bytes);
    await eventually('the echo', () => client.bytes === 3 + LARGE_BYTES);
    expect(client.received.subarray(3).equals(bytes)).toBe(true);
  });

  test('10 MB arrive intact with latency and jitter', async () => {
    const { proxy, client } = await rig(transport, { random: seededRandom(7) });
    proxy.setToxic({ kind: 'latency', latency_ms: 5, jitter_ms: 10 });
    const bytes = large();
    client.socket.write(bytes);
    await eventually('the echo', () => client.bytes === 3 + LARGE_BYTES);
    expect(client.received.subarray(3).equals(bytes)).toBe(true);
  });

  test('a half-close is passed on, and the answer still comes', async () => {
    const { proxy, client, other } = await rig(transport);
    client.socket.end('bye');
    await client.hears('hi bye');
    expect(other.ended).toBe(true);
    await eventually('the end of the echo', () => client.ended);
    await eventually('no connection', () => proxy.connections === 0);
  });
});

describe.each(TRANSPORTS)('another server, %s', (transport) => {
  test('gets new connections, and the old one keeps those it has', async () => {
    const { proxy, client, server } = await rig(transport);
    const heir = await startServer(transport);
    proxy.redirect(heir.upstream);
    const late = dial(proxy);
    late.socket.write('new');
    await late.hears('new');
    client.socket.write('old');
    await client.hears('hi old');
    expect([server.peers.length, heir.peers.length]).toEqual([1, 1]);
  });
});

describe.each(TRANSPORTS)('a server that has finished first, %s', (transport) => {
  test('still hears the client out', async () => {
    const { proxy, server } = await rig(transport);
    const client = dial(proxy, { allowHalfOpen: true });
    const other = await server.nth(2);
    other.socket.unpipe();
    other.socket.resume();
    other.socket.end();
    await eventually('the end', () => client.ended);
    client.socket.write('and ');
    await other.hears('and ');
    client.socket.end('so on');
    await other.hears('and so on');
    await eventually('one connection less', () => proxy.connections === 1);
  });
});

describe('back-pressure', () => {
  test('a slow reader stops the sender instead of filling memory', async () => {
    const { proxy, client, other } = await rig('tcp');
    client.socket.pause();
    const pump = new Pump(other.socket);
    await pump.stalls();
    pump.stop();
    expect(pump.sent).toBeLessThan(HELD_AT_MOST_BYTES);
    client.socket.resume();
    await eventually('the rest', () => client.bytes === 3 + pump.sent);
    expect(proxy.bytes.down).toBe(client.bytes);
  });

  test.each(['latency', 'blackhole'] as const)('%s holds only so much', async (kind) => {
    const { proxy, client, other } = await rig('tcp');
    proxy.setToxic({ kind, latency_ms: 3_600_000 });
    const pumps = [new Pump(client.socket), new Pump(other.socket)];
    for (const pump of pumps) {
      await pump.stalls();
      pump.stop();
      expect(pump.sent).toBeLessThan(HELD_AT_MOST_BYTES);
    }
    expect([client.text, other.text]).toEqual(['hi ', 'hi ']);
    proxy.setToxic(null);
    const sent = pumps.map((pump) => pump.sent);
    await eventually('the rest', () => other.bytes === 3 + (sent[0] ?? 0));
    await eventually('the echo', () => client.bytes === other.bytes + (sent[1] ?? 0));
  });
});

describe('trouble on one side', () => {
  test('a server that is not there resets the client', async () => {
    const server = await startServer('unix');
    const proxy = await start({
      upstream: { path: `${(server.upstream as { path: string }).path}x` },
    });
    const client = dial(proxy);
    await client.leaves();
    expect(client.error).toBe('ECONNRESET');
    await eventually('no connection', () => proxy.connections === 0);
  });

  test.each(['client', 'other'] as const)('a reset of one is one of the other', async (who) => {
    const { proxy, ...sides } = await rig('tcp');
    sides[who].socket.resetAndDestroy();
    const left = sides[who === 'client' ? 'other' : 'client'];
    await left.leaves();
    expect(left.error).toBe('ECONNRESET');
    await eventually('no connection', () => proxy.connections === 0);
  });
});

describe.each(TRANSPORTS)('the hook, %s', (transport) => {
  const script = (replies: Record<string, Verdict>) => {
    const seen: [Direction, string, number][] = [];
    const onChunk = (direction: Direction, chunk: Buffer, connection: number) => {
      seen.push([direction, chunk.toString(), connection]);
      return replies[`${direction} ${chunk}`] ?? 'pass';
    };
    return { seen, onChunk };
  };

  test('sees every chunk, its direction and its connection', async () => {
    const { seen, onChunk } = script({});
    const { proxy } = await rig(transport, { onChunk });
    const second = dial(proxy);
    second.socket.write('x');
    await second.hears('x');
    expect(seen).toEqual([
      ['up', 'hi ', 1],
      ['down', 'hi ', 1],
      ['up', 'x', 2],
      ['down', 'x', 2],
    ]);
  });

  test.each(['up', 'down'] as const)('swallows a chunk going %s', async (direction) => {
    const { seen, onChunk } = script({ [`${direction} a`]: 'swallow' });
    const { client, other } = await rig(transport, { onChunk });
    client.socket.write('a');
    await eventually('the chunk', () =>
      seen.some((chunk) => chunk.join(' ') === `${direction} a 1`),
    );
    client.socket.write('b');
    await client.hears('hi b');
    expect(other.text).toBe(direction === 'up' ? 'hi b' : 'hi ab');
  });

  test.each(['up', 'down'] as const)('cuts at a chunk going %s', async (direction) => {
    const { onChunk } = script({ [`${direction} a`]: 'cut' });
    const { proxy, client, other } = await rig(transport, { onChunk });
    client.socket.write('a');
    await Promise.all([client.leaves(), other.leaves()]);
    expect(client.text).toBe('hi ');
    expect(other.text).toBe(direction === 'up' ? 'hi ' : 'hi a');
    await eventually('no connection', () => proxy.connections === 0);
  });

  test('may change the toxic for the very chunk that it looks at', async () => {
    const { proxy, client, other, server } = await rig(transport, {
      onChunk: (direction, chunk) => {
        if (`${direction} ${chunk}` === 'down a') proxy.setToxic({ kind: 'blackhole' });
        return 'pass';
      },
    });
    client.socket.write('a');
    await other.hears('hi a');
    await fence(server);
    expect(client.text).toBe('hi ');
    proxy.setToxic(null);
    await client.hears('hi a');
  });
});

describe('listening and closing', () => {
  test('the address is usable as it is and inside a URL', async () => {
    const { proxy } = await rig('tcp');
    expect(proxy.address).toBe(`127.0.0.1:${proxy.port}`);
    const url = proxy.through('postgres://me:secret@db.example:5432/seats?sslmode=disable');
    expect(url).toBe(`postgres://me:secret@${proxy.address}/seats?sslmode=disable`);
  });

  test('refusing stops newcomers only, and accepting is on the same port', async () => {
    const { proxy, client } = await rig('tcp');
    const port = proxy.port;
    proxy.refuse();
    const refused = dial(proxy);
    await refused.leaves();
    expect(refused.error).toBe('ECONNREFUSED');
    client.socket.write('still');
    await client.hears('hi still');
    await proxy.accept();
    expect(proxy.port).toBe(port);
    const welcome = dial(proxy);
    welcome.socket.write('again');
    await welcome.hears('again');
  });

  test('cutting all ends what there is and welcomes what comes', async () => {
    const { proxy, client, other } = await rig('tcp');
    proxy.cutAll();
    await Promise.all([client.leaves(), other.leaves()]);
    await eventually('no connection', () => proxy.connections === 0);
    const next = dial(proxy);
    next.socket.write('next');
    await next.hears('next');
  });

  test.each(TRANSPORTS)('closing leaves nothing behind, %s', async (transport) => {
    const open = () => process.getActiveResourcesInfo().filter((name) => /TCP|Pipe/.test(name));
    const before = open().length;
    const server = await startServer(transport);
    const proxy = await startProxy({ upstream: server.upstream });
    const clients = [dial(proxy), dial(proxy)];
    await server.nth(2);
    proxy.setToxic({ kind: 'half_open', gone: 'upstream' });
    proxy.setToxic({ kind: 'blackhole' });
    clients.push(dial(proxy));
    await eventually('three connections', () => proxy.connections === 3);
    await proxy.close();
    expect(proxy.connections).toBe(0);
    await Promise.all([...clients, ...server.peers].map((peer) => peer.leaves()));
    // One is left: the echo server's own.
    await eventually('no handle of the proxy', () => open().length === before + 1);
    await expect(proxy.accept()).rejects.toThrow('a closed proxy accepts nothing');
    await proxy.close();
  });
});
