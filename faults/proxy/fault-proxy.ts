import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net';
import { assert, type Random } from '@voelgoed/engine/kit';
import { Link, type LinkHost, type Upstream } from './link.ts';
import type { Verdict } from './pipe.ts';
import { checkToxic, type Direction, type Toxic } from './toxics.ts';

export type ProxyOptions = {
  upstream: Upstream;
  /** Loopback and a free port unless told otherwise. */
  listen?: { host?: string; port?: number };
  /** Where jitter comes from; one draw per chunk. */
  random?: Random;
  /**
   * Sees every chunk when it reaches the proxy, before the toxic does, and decides about it. It may
   * call the proxy, for example `setToxic`, which then already applies to this chunk. After 'cut'
   * what was passed before still arrives, unless latency or a blackhole has kept it back.
   */
  onChunk?: (direction: Direction, chunk: Buffer, connection: number) => Verdict;
};

export async function startProxy(options: ProxyOptions): Promise<FaultProxy> {
  const proxy = new FaultProxy(options);
  await proxy.accept();
  return proxy;
}

/** A running proxy, see `startProxy`. */
export class FaultProxy {
  readonly host: string;
  readonly #link_host: LinkHost & { upstream: Upstream };
  readonly #links = new Set<Link>();
  readonly #bytes = { up: 0, down: 0 };
  #port: number;
  #server: Server | null = null;
  #toxic: Toxic | null = null;
  #last_connection = 0;
  #closed = false;

  constructor(options: ProxyOptions) {
    this.host = options.listen?.host ?? '127.0.0.1';
    this.#port = options.listen?.port ?? 0;
    this.#link_host = {
      upstream: options.upstream,
      random: options.random,
      inspect: options.onChunk ?? (() => 'pass'),
      passed: (direction, bytes) => {
        this.#bytes[direction] += bytes;
      },
    };
  }

  get port(): number {
    return this.#port;
  }

  /** `host:port`, for a connection string. */
  get address(): string {
    return `${isIPv6(this.host) ? `[${this.host}]` : this.host}:${this.#port}`;
  }

  /** The same URL, but by way of this proxy. */
  through(url: string): string {
    const detour = new URL(url);
    detour.host = this.address;
    return detour.href;
  }

  /** Connections of which at least one side is open. */
  get connections(): number {
    return this.#links.size;
  }

  /** Bytes passed on so far; what was swallowed or is still held back does not count. */
  get bytes(): { readonly up: number; readonly down: number } {
    return { ...this.#bytes };
  }

  /** Applies to the connections there are and to those that come, until the next call. */
  setToxic(toxic: Toxic | null): void {
    checkToxic(toxic, this.#link_host.random);
    this.#toxic = toxic;
    for (const link of [...this.#links]) link.apply(toxic);
  }

  /** Ends every connection now; new ones are welcome. */
  cutAll(): void {
    for (const link of this.#links) link.cut();
  }

  /** New connections go to another server from here on; those that exist stay where they are. */
  redirect(upstream: Upstream): void {
    this.#link_host.upstream = upstream;
  }

  /** From here on connecting fails, as if no process listened. Connections that exist go on. */
  refuse(): void {
    this.#server?.close();
    this.#server = null;
  }

  /** Listens again, on the same port. */
  async accept(): Promise<void> {
    assert(!this.#closed, 'a closed proxy accepts nothing');
    if (this.#server !== null) return;
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#connect(socket),
    );
    this.#server = server;
    server.listen({ host: this.host, port: this.#port });
    try {
      await once(server, 'listening');
    } catch (error) {
      this.#server = null;
      throw error;
    }
    this.#port = (server.address() as AddressInfo).port;
  }

  /** Stops listening, ends every connection, and resolves when no socket is left. */
  async close(): Promise<void> {
    this.#closed = true;
    this.refuse();
    this.cutAll();
    await Promise.all([...this.#links].map((link) => link.closed));
  }

  #connect(socket: Socket): void {
    // It was on its way when the last door closed.
    if (this.#closed) return void socket.destroy();
    this.#last_connection++;
    const link = new Link(this.#last_connection, socket, this.#toxic, this.#link_host);
    this.#links.add(link);
    void link.closed.then(() => this.#links.delete(link));
  }
}
