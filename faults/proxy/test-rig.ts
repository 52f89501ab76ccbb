import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@voelgoed/engine/kit';
import { afterEach, vi } from 'vitest';
import { type FaultProxy, type ProxyOptions, startProxy } from './fault-proxy.ts';
import type { Upstream } from './link.ts';

/** What the proxy talks to: our Postgres for tests listens on a unix socket only. */
export const TRANSPORTS = ['tcp', 'unix'] as const;
/** Only a failure waits this long: a machine that is busy with other things is not one. */
const DEADLINE_MS = 20_000;
export const LARGE_BYTES = 10 * 1024 * 1024;

const cleanups: (() => unknown)[] = [];

/** For each test file: what a test opens is closed behind it, last first. */
export function useCleanups(): void {
  // Longer than the deadline, so that what is reported is what was waited for.
  vi.setConfig({ testTimeout: 2 * DEADLINE_MS });
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
}

/** Waits for the happening itself; a test that would hang says what it has waited for. */
export async function eventually(what: string, happened: () => boolean): Promise<void> {
  const deadline = systemClock.monotonic() + DEADLINE_MS;
  while (!happened()) {
    if (systemClock.monotonic() > deadline) throw new Error(`never happened: ${what}`);
    await systemClock.sleep(1);
  }
}

/** One end of a connection as a test sees it. */
export class Peer {
  readonly socket: Socket;
  readonly #chunks: Buffer[] = [];
  bytes = 0;
  ended = false;
  closed = false;
  error = '';

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk);
      this.bytes += chunk.length;
    });
    socket.on('end', () => {
      this.ended = true;
    });
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.error = error.code ?? error.message;
    });
    cleanups.push(() => socket.destroy());
  }

  get received(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  get text(): string {
    return this.received.toString();
  }

  hears(text: string): Promise<void> {
    return eventually(`hearing "${text}"`, () => this.text === text);
  }

  leaves(): Promise<void> {
    return eventually('closing', () => this.closed);
  }
}

export type EchoServer = { upstream: Upstream; peers: Peer[]; nth(count: number): Promise<Peer> };

export async function startServer(transport: (typeof TRANSPORTS)[number]): Promise<EchoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'proxy-'));
  const path = join(folder, 'echo');
  const peers: Peer[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    peers.push(new Peer(socket));
    socket.pipe(socket);
  });
  server.listen(transport === 'unix' ? { path } : { host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  cleanups.push(() => rm(folder, { recursive: true }));
  cleanups.push(() => server.close());
  const nth = async (count: number) => {
    await eventually(`connection ${count} at the server`, () => peers.length >= count);
    return peers[count - 1] as Peer;
  };
  const port = transport === 'unix' ? 0 : (server.address() as AddressInfo).port;
  return { upstream: transport === 'unix' ? { path } : { host: '127.0.0.1', port }, peers, nth };
}

export async function start(options: ProxyOptions): Promise<FaultProxy> {
  const proxy = await startProxy(options);
  cleanups.push(() => proxy.close());
  return proxy;
}

export function dial(proxy: FaultProxy, options: { allowHalfOpen?: boolean } = {}): Peer {
  return new Peer(connect({ ...options, host: proxy.host, port: proxy.port }));
}

/** An echo server, a proxy before it, and a connection that has already said "hi" both ways. */
export async function rig(
  transport: (typeof TRANSPORTS)[number],
  options: Omit<ProxyOptions, 'upstream'> = {},
) {
  const server = await startServer(transport);
  const proxy = await start({ ...options, upstream: server.upstream });
  const client = dial(proxy);
  client.socket.write('hi ');
  await client.hears('hi ');
  return { server, proxy, client, other: await server.nth(1) };
}

/** Long enough for bytes that are free to travel: many round trips by another way. */
export async function fence(server: EchoServer): Promise<void> {
  const detour = await start({ upstream: server.upstream });
  const client = dial(detour);
  for (let trips = 1; trips <= 20; trips++) {
    client.socket.write('.');
    await client.hears('.'.repeat(trips));
  }
}

/** Every four bytes are different, so that a lost, doubled or moved chunk shows. */
export function large(): Buffer {
  const bytes = Buffer.allocUnsafe(LARGE_BYTES);
  for (let at = 0; at < LARGE_BYTES; at += 4) bytes.writeUInt32LE(at, at);
  return bytes;
}

/**
 * Where a pump gives up, so that a proxy without back-pressure fails a test and not the machine.
 */
const PUMP_AT_MOST_BYTES = 256 * 1024 * 1024;

/** Sends as fast as the other side lets it, and far more than any buffer should take. */
export class Pump {
  readonly #socket: Socket;
  readonly #chunk = Buffer.alloc(64 * 1024);
  #running = true;
  sent = 0;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('drain', () => this.#run());
    this.#run();
  }

  stop(): void {
    this.#running = false;
  }

  /** Resolves when the other side takes no more, however often it is offered. */
  async stalls(): Promise<void> {
    let before = -1;
    let refused = 0;
    await eventually('the sender stalling', () => {
      refused = this.sent === before ? refused + 1 : 0;
      before = this.sent;
      return refused > 100;
    });
  }

  #run(): void {
    while (this.#running && !this.#socket.writableNeedDrain) {
      if (this.sent >= PUMP_AT_MOST_BYTES) return;
      this.#socket.write(this.#chunk);
      this.sent += this.#chunk.length;
    }
  }
}
