import { createHash } from 'node:crypto';
import { eventually } from '@voelgoed/testkit/eventually';
import { useCluster, useRedis } from '@voelgoed/testkit/redises';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kit';
import { recordingTelemetry } from '#telemetry';
import { readRedisAddress } from './address.ts';
import { Circuit } from './circuit.ts';
import { openSubscription, RedisConnection } from './connection.ts';
import type { Script } from './script.ts';

const undo: (() => void)[] = [];

afterEach(() => {
  for (const step of undo.splice(0)) step();
});

async function open(url: string, command_ms?: number) {
  const telemetry = recordingTelemetry();
  const limit = command_ms === undefined ? {} : { command_ms };
  const connection = new RedisConnection({ url, clock: systemClock, telemetry, ...limit });
  undo.push(() => connection.close());
  await connection.connect();
  await eventually(() => connection.isUp());
  return connection;
}

const TEXT = `return redis.call('incrby', KEYS[1], ARGV[1])`;
const sha = createHash('sha1').update(TEXT).digest('hex');
const ADD: Script = { name: 'add', text: TEXT, sha };

describe('addresses', () => {
  it('are one server, a socket, or a cluster', () => {
    expect(readRedisAddress('/run/redis.sock').kind).toBe('single');
    expect(readRedisAddress('rediss://cache:6380/2')).toEqual({
      kind: 'single',
      url: 'rediss://cache:6380/2',
    });
    expect(readRedisAddress('rediss://me:secret@one:1,two:2')).toEqual({
      kind: 'cluster',
      nodes: ['rediss://me:secret@one:1', 'rediss://me:secret@two:2'],
    });
    expect(readRedisAddress('redis://one:1?cluster=1')).toEqual({
      kind: 'cluster',
      nodes: ['redis://one:1'],
    });
  });
});

describe('a connection', () => {
  const server = useRedis();

  it('sends a script whole to a server that does not know it', async () => {
    const connection = await open(server().url);
    expect(await connection.run(ADD, ['count'], [2])).toBe(2);
    await server().command('script', 'flush');
    expect(await connection.run(ADD, ['count'], [2])).toBe(4);
  });

  it('does not begin later what was given up', async () => {
    const connection = await open(server().url);
    await server().command('script', 'flush');
    await server().kill('SIGSTOP');
    await expect(connection.run(ADD, ['late'], [2])).rejects.toThrow('within 50 ms');
    await server().kill('SIGCONT');
    // Commands of one connection are executed in their order: it is behind whatever came late.
    await eventually(() => connection.isUp());
    expect(await connection.call('get', 'late')).toBeNull();
    expect(await connection.isUp()).toBe(true);
    expect(await server().command('exists', 'late')).toBe(0);
  });

  it('lets a node start beside a server that accepts and says nothing', async () => {
    await server().kill('SIGSTOP');
    const telemetry = recordingTelemetry();
    const connection = new RedisConnection({ url: server().url, clock: systemClock, telemetry });
    undo.push(() => connection.close());
    const started = systemClock.monotonic();
    await connection.connect();
    expect(systemClock.monotonic() - started).toBeLessThan(2_500);
    await server().kill('SIGCONT');
    await eventually(() => connection.isUp());
  });

  it('waits 50 ms and no longer, and queues nothing', async () => {
    const connection = await open(server().url);
    await server().kill('SIGSTOP');
    const started = systemClock.monotonic();
    await expect(connection.call('ping')).rejects.toThrow(/within 50 ms/);
    expect(systemClock.monotonic() - started).toBeLessThan(500);
    await server().kill('SIGCONT');
    await eventually(() => connection.isUp());
    await server().kill('SIGKILL');
    await eventually(async () => !(await connection.isUp()));
    await expect(connection.call('set', 'a', 'b')).rejects.toThrow(/writeable|closed/);
    await server().restart();
    await eventually(() => connection.isUp());
    expect(await connection.call('get', 'a')).toBeNull();
  });

  it('hears messages, also after the server was away', async () => {
    const heard: string[] = [];
    let gaps = 0;
    const telemetry = recordingTelemetry();
    const subscription = openSubscription({
      url: server().url,
      clock: systemClock,
      telemetry,
      pattern: 'news:*',
      onMessage: (channel, message) => heard.push(`${channel} ${message}`),
      onGap: () => {
        gaps++;
      },
    });
    undo.push(() => subscription.close());
    const say = (message: string) => server().command('publish', 'news:one', message);
    await eventually(async () => (await say('hello')) === 1);
    await eventually(() => heard.includes('news:one hello'));
    expect(gaps).toBe(0);
    await server().restart();
    await eventually(async () => (await say('again')) === 1);
    await eventually(() => heard.includes('news:one again'));
    expect(gaps).toBe(1);
  });

  it('opens the breaker after five failures, and closes it when Redis is up to date', async () => {
    const connection = await open(server().url);
    const telemetry = recordingTelemetry();
    const probe = () => connection.isUp();
    const circuit = new Circuit({ clock: systemClock, telemetry, probe_ms: 50, probe });
    const order: string[] = [];
    circuit.onBack = async () => {
      order.push(circuit.state);
    };
    const ask = () => circuit.run(() => connection.call('ping')).catch(() => 'failed');
    await server().kill('SIGKILL');
    await eventually(async () => !(await connection.isUp()));
    for (let count = 0; count < 5; count++) await ask();
    expect(circuit.state).toBe('open');
    await server().restart();
    await eventually(() => circuit.isClosed);
    expect(order).toEqual(['half_open']);
    const states = telemetry.happenings.map((one) =>
      one.kind === 'redis.breaker' ? one.state : one.kind,
    );
    // As long as it is down, each probe says so.
    const probed = states.filter((state) => state === 'redis.probe_failed');
    expect(states).toEqual(['open', ...probed, 'half_open', 'closed']);
    await circuit.stop();
  });

  it('does not blame the server for a key of the wrong type', async () => {
    const connection = await open(server().url);
    const circuit = new Circuit({
      clock: systemClock,
      telemetry: recordingTelemetry(),
      probe: () => connection.isUp(),
    });
    await connection.call('set', 'text', 'x');
    for (let count = 0; count < 10; count++) {
      await circuit.run(() => connection.call('zcard', 'text')).catch(() => {});
    }
    expect(circuit.isClosed).toBe(true);
  });
});

describe('a connection to a cluster', () => {
  const cluster = useCluster();

  it('finds the node of each key, runs scripts everywhere, and survives their loss', async () => {
    const connection = await open(cluster().url, 1_000);
    for (let index = 0; index < 20; index++) {
      expect(await connection.run(ADD, [`count:${index}`], [1])).toBe(1);
    }
    const sizes = await Promise.all(cluster().nodes.map((node) => node.command('dbsize')));
    expect(sizes.every((size) => Number(size) > 0)).toBe(true);
    for (const node of cluster().nodes) await node.command('script', 'flush');
    expect(await connection.run(ADD, ['count:1'], [1])).toBe(2);
  });

  it('hears what was published on any node', async () => {
    const heard: string[] = [];
    const subscription = openSubscription({
      url: cluster().url,
      clock: systemClock,
      telemetry: recordingTelemetry(),
      pattern: 'news:*',
      onMessage: (_, message) => heard.push(message),
      onGap: () => {},
    });
    undo.push(() => subscription.close());
    await eventually(async () => {
      for (const [index, node] of cluster().nodes.entries()) {
        await node.command('publish', 'news:one', `from ${index}`);
      }
      return new Set(heard).size === 3;
    });
  });
});
