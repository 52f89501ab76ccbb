import { seededRandom, systemClock } from '@voelgoed/engine/kit';
import { describe, expect, test } from 'vitest';
import { dial, eventually, fence, rig, TRANSPORTS, useCleanups } from './test-rig.ts';

useCleanups();

describe.each(TRANSPORTS)('latency, %s', (transport) => {
  test.each(['up', 'down', undefined] as const)('delays %s', async (direction) => {
    const { proxy, client, other } = await rig(transport);
    proxy.setToxic({ kind: 'latency', latency_ms: 40, ...(direction && { direction }) });
    const began = systemClock.monotonic();
    client.socket.write('x');
    await other.hears('hi x');
    const up_ms = systemClock.monotonic() - began;
    await client.hears('hi x');
    const both_ms = systemClock.monotonic() - began;
    // Timers count whole milliseconds from a cached reading, so one may seem to be early.
    if (direction !== 'down') expect(up_ms).toBeGreaterThan(38);
    expect(both_ms).toBeGreaterThan(direction === undefined ? 76 : 38);
  });

  test('jitter does not change the order', async () => {
    const { proxy, client } = await rig(transport, { random: seededRandom(11) });
    proxy.setToxic({ kind: 'latency', latency_ms: 0, jitter_ms: 20 });
    const words = Array.from({ length: 200 }, (_, index) => `${index} `);
    for (const word of words) {
      client.socket.write(word);
      // One turn of the event loop, or the words would travel as one chunk.
      await systemClock.sleep(0);
    }
    await client.hears(`hi ${words.join('')}`);
  });

  test('clearing lets what is under way arrive at once, before what comes later', async () => {
    const { proxy, client, other } = await rig(transport);
    proxy.setToxic({ kind: 'latency', latency_ms: 3_600_000, direction: 'down' });
    client.socket.write('a');
    await other.hears('hi a');
    proxy.setToxic(null);
    client.socket.end('b');
    await client.hears('hi ab');
    await client.leaves();
  });

  test('jitter without a random is a mistake in the test', async () => {
    const { proxy } = await rig(transport);
    const jittered = { kind: 'latency', latency_ms: 1, jitter_ms: 1 } as const;
    expect(() => proxy.setToxic(jittered)).toThrow('jitter needs a seeded random');
  });
});

describe.each(TRANSPORTS)('blackhole, %s', (transport) => {
  test.each(['up', 'down', undefined] as const)('holds back %s until cleared', async (way) => {
    const { proxy, client, other, server } = await rig(transport);
    proxy.setToxic({ kind: 'blackhole', ...(way && { direction: way }) });
    client.socket.write('a');
    await fence(server);
    expect(other.text).toBe(way === 'down' ? 'hi a' : 'hi ');
    expect(client.text).toBe('hi ');
    expect([client.closed, other.closed]).toEqual([false, false]);
    client.socket.write('b');
    proxy.setToxic(null);
    await client.hears('hi ab');
    expect(other.text).toBe('hi ab');
  });

  test('a newcomer is dialed on only when the partition heals', async () => {
    const { proxy, server } = await rig(transport);
    proxy.setToxic({ kind: 'blackhole' });
    const late = dial(proxy);
    late.socket.write('late');
    await eventually('being accepted', () => proxy.connections === 2);
    await fence(server);
    // The first and the fence's own; the newcomer is not among them.
    expect(server.peers).toHaveLength(2);
    proxy.setToxic(null);
    await late.hears('late');
  });

  test('leaving is held back as well', async () => {
    const { proxy, client, other, server } = await rig(transport);
    proxy.setToxic({ kind: 'blackhole' });
    client.socket.end('bye');
    await fence(server);
    expect(other.ended).toBe(false);
    proxy.setToxic(null);
    await eventually('the end', () => other.ended);
    expect(other.text).toBe('hi bye');
  });
});

describe('a failure behind a blackhole', () => {
  test.each([
    ['client', 'other', 'up'],
    ['other', 'client', 'down'],
    ['client', 'other', undefined],
  ] as const)('of the %s reaches the %s only when it heals', async (failing, unaware, way) => {
    const { proxy, server, ...sides } = await rig('tcp');
    proxy.setToxic({ kind: 'blackhole', ...(way && { direction: way }) });
    sides[failing].socket.resetAndDestroy();
    await fence(server);
    expect(sides[unaware].closed).toBe(false);
    expect(proxy.connections).toBe(1);
    proxy.setToxic(null);
    await sides[unaware].leaves();
    expect(sides[unaware].error).toBe('ECONNRESET');
    await eventually('no connection', () => proxy.connections === 0);
  });
});

describe.each(TRANSPORTS)('reset, %s', (transport) => {
  test('resets the connections there are and those that come, until cleared', async () => {
    const { proxy, client, other } = await rig(transport);
    proxy.setToxic({ kind: 'reset' });
    const next = dial(proxy);
    await Promise.all([client.leaves(), other.leaves(), next.leaves()]);
    expect([client.error, next.error]).toEqual(['ECONNRESET', 'ECONNRESET']);
    // A unix socket has no RST; its end is all that the server can see.
    if (transport === 'tcp') expect(other.error).toBe('ECONNRESET');
    await eventually('no connection', () => proxy.connections === 0);
    proxy.setToxic(null);
    const welcome = dial(proxy);
    welcome.socket.write('again');
    await welcome.hears('again');
  });
});

describe.each(TRANSPORTS)('half open, %s', (transport) => {
  test('the server goes, the client is left in silence', async () => {
    const { proxy, client, other, server } = await rig(transport);
    proxy.setToxic({ kind: 'half_open', gone: 'upstream' });
    const next = dial(proxy);
    await other.leaves();
    client.socket.write('anyone?');
    next.socket.write('anyone?');
    await fence(server);
    proxy.setToxic(null);
    expect([client.closed, client.ended, client.text]).toEqual([false, false, 'hi ']);
    expect([next.closed, next.ended, next.text]).toEqual([false, false, '']);
    expect(server.peers).toHaveLength(2);
    client.socket.destroy();
    next.socket.destroy();
    await eventually('no connection', () => proxy.connections === 0);
  });

  test('the client goes, the server is left in silence', async () => {
    const { proxy, client, other, server } = await rig(transport);
    proxy.setToxic({ kind: 'half_open', gone: 'client' });
    const next = dial(proxy);
    await Promise.all([client.leaves(), next.leaves()]);
    const lonely = await server.nth(2);
    other.socket.write('anyone?');
    await fence(server);
    proxy.setToxic(null);
    expect([other.closed, other.ended, other.text]).toEqual([false, false, 'hi ']);
    expect([lonely.closed, lonely.ended, lonely.text]).toEqual([false, false, '']);
    expect(proxy.connections).toBe(2);
    other.socket.destroy();
    lonely.socket.destroy();
    await eventually('no connection', () => proxy.connections === 0);
  });
});

describe.each(TRANSPORTS)('drop after bytes, %s', (transport) => {
  test.each(['up', 'down'] as const)('cuts behind the last byte %s', async (direction) => {
    const { proxy, client, other } = await rig(transport);
    proxy.setToxic({ kind: 'drop_after_bytes', bytes: 5, direction });
    client.socket.write('abc');
    await client.hears('hi abc');
    client.socket.write('defgh');
    await Promise.all([client.leaves(), other.leaves()]);
    expect(other.text).toBe(direction === 'up' ? 'hi abcde' : 'hi abcdefgh');
    expect(client.text).toBe(direction === 'up' ? 'hi abc' : 'hi abcde');
    await eventually('no connection', () => proxy.connections === 0);
  });

  test('what was passed arrives even if the server is only being dialed', async () => {
    const { proxy, server } = await rig(transport);
    proxy.setToxic({ kind: 'blackhole' });
    const next = dial(proxy);
    next.socket.write('abc');
    await eventually('being accepted', () => proxy.connections === 2);
    await fence(server);
    proxy.setToxic({ kind: 'drop_after_bytes', bytes: 2 });
    const other = await server.nth(3);
    await other.hears('ab');
    await next.leaves();
  });

  test('every new connection has the same allowance, until cleared', async () => {
    const { proxy } = await rig(transport);
    proxy.setToxic({ kind: 'drop_after_bytes', bytes: 2 });
    for (const text of ['abc', 'xyz']) {
      const next = dial(proxy);
      next.socket.write(text);
      await next.leaves();
    }
    expect(proxy.bytes.up).toBe(3 + 2 + 2);
    proxy.setToxic(null);
    const free = dial(proxy);
    free.socket.write('abc');
    await free.hears('abc');
  });
});

describe.each(TRANSPORTS)('swallow reply, %s', (transport) => {
  test('requests arrive and replies do not, from the moment armed', async () => {
    const { proxy, client, other, server } = await rig(transport);
    proxy.setToxic({ kind: 'swallow_reply' });
    client.socket.write('COMMIT ');
    await other.hears('hi COMMIT ');
    await fence(server);
    expect([client.text, client.closed]).toEqual(['hi ', false]);
    proxy.setToxic(null);
    client.socket.write('later');
    await client.hears('hi later');
  });

  test.each([
    ['bytes', Buffer.from('COMMIT')],
    ['a predicate', (chunk: Buffer) => chunk.includes('COMMIT')],
  ])('from the first reply with %s on, per connection', async (_, from) => {
    const { proxy, client, other, server } = await rig(transport);
    proxy.setToxic({ kind: 'swallow_reply', from });
    client.socket.write('INSERT ');
    await client.hears('hi INSERT ');
    client.socket.write('COMMIT ');
    await other.hears('hi INSERT COMMIT ');
    client.socket.write('SELECT ');
    await other.hears('hi INSERT COMMIT SELECT ');
    await fence(server);
    expect(client.text).toBe('hi INSERT ');
    const next = dial(proxy);
    next.socket.write('INSERT ');
    await next.hears('INSERT ');
  });

  test('bytes that come in two chunks are still found', async () => {
    const { proxy, client, other, server } = await rig(transport);
    proxy.setToxic({ kind: 'swallow_reply', from: Buffer.from('COMMIT') });
    other.socket.write('COM');
    await client.hears('hi COM');
    other.socket.write('MIT');
    await fence(server);
    expect(client.text).toBe('hi COM');
  });
});
