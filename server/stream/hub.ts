import { networksOf } from '@voelgoed/engine/kit';
import { HOMES_IN_A_NETWORK } from '@voelgoed/engine/policies';
import type { EventRef } from '@voelgoed/engine/registry';
import type { Engine } from '@voelgoed/engine/workflows';
import { Channel } from './channel.ts';
import { Client, type Pipe } from './client.ts';
import { retryFrame } from './frames.ts';
import type { StreamPlace } from './ring.ts';
import { sourceOf } from './source.ts';

export type StreamLimits = Readonly<{ perAddress: number; perUser: number; perEvent: number }>;

/** Who wants to listen to what. */
export type Visitor = Readonly<{
  event: EventRef;
  address: string | null;
  userId: string | null;
  isStaff: boolean;
}>;

/** A place that is taken until it is left. */
export type Ticket = Readonly<{ visitor: Visitor; leave(): void }>;

export type Entered =
  | Readonly<{ kind: 'entered'; ticket: Ticket }>
  | Readonly<{ kind: 'too_many' }>
  /** This event or this node has as many as it can serve well, or the node is going away. */
  | Readonly<{ kind: 'full' }>;

/** Frames of an event that nobody listens to are kept this long for whoever comes back. */
const LINGER_MS = 30_000;
/** Clients of a node that goes away come to the others over this time, not all at once. */
const RETRY_MS = { least: 250, most: 2_000 };

type Open = { channel: Channel; release(): void; lingering: AbortController | null };

/** All streams of this node. */
export class StreamHub {
  readonly #engine: Engine;
  readonly #limits: StreamLimits;
  readonly #open = new Map<string, Open>();
  readonly #counts = new Map<string, number>();
  #isDraining = false;
  #clients = 0;

  constructor(engine: Engine, limits: StreamLimits) {
    this.#engine = engine;
    this.#limits = limits;
  }

  get clients(): number {
    return this.#clients;
  }

  /** Takes a place before anything is loaded or sent. */
  enter(visitor: Visitor): Entered {
    const { event, address, userId } = visitor;
    const { perAddress, perUser, perEvent } = this.#limits;
    if (this.#isDraining || this.#countOf(eventKey(event)) >= perEvent) return { kind: 'full' };
    const places = placesOf(address ?? '', perAddress);
    const user = userId === null ? null : `user ${event.scope.organizationId} ${userId}`;
    if (places.some(([name, most]) => this.#countOf(name) >= most)) return { kind: 'too_many' };
    if (user && this.#countOf(user) >= perUser) return { kind: 'too_many' };
    const counted = places.map(([name]) => name);
    const names = [eventKey(event), ...counted, ...(user ? [user] : [])];
    for (const name of names) this.#counts.set(name, this.#countOf(name) + 1);
    let isIn = true;
    const leave = () => {
      if (isIn) for (const name of names) this.#uncount(name);
      isIn = false;
    };
    return { kind: 'entered', ticket: { visitor, leave } };
  }

  /** False: the event is not on sale. */
  async isOn({ event }: Visitor): Promise<boolean> {
    return (await this.#engine.registry.board(event)) !== null;
  }

  /** Lets a client listen until it goes or is ended; the function that comes back lets it go. */
  async listen(
    { visitor, leave }: Ticket,
    pipe: Pipe,
    from: StreamPlace | null,
  ): Promise<{ client: Client; go(): void }> {
    const client = new Client(pipe, visitor, this.#engine.telemetry);
    // The node began to go away after this one had come in: nobody would end it later.
    if (this.#isDraining) {
      client.end(this.#retry());
      return { client, go: leave };
    }
    const open = this.#openOf(visitor.event);
    const { channel } = open;
    open.lingering?.abort();
    this.#clients++;
    let isThere = true;
    const go = () => {
      if (!isThere) return;
      isThere = false;
      this.#clients--;
      leave();
      channel.leave(client);
      if (channel.clients.size === 0 && !channel.isClosed) void this.#linger(open);
    };
    const isOn = await channel.join(client, from).catch(() => false);
    // Gone while its board was loading, or there is none: then there is nothing to listen to.
    if (!isThere) channel.leave(client);
    else if (!isOn) client.end(this.#retry());
    return { client, go };
  }

  /** Everybody is sent to another node, over the next seconds. */
  drain(): void {
    this.#isDraining = true;
    for (const { channel, release, lingering } of this.#open.values()) {
      lingering?.abort();
      channel.close();
      release();
      for (const client of [...channel.clients]) client.end(this.#retry());
    }
    this.#open.clear();
  }

  #retry(): Buffer {
    const { least, most } = RETRY_MS;
    return retryFrame(Math.round(least + (most - least) * this.#engine.random.next()));
  }

  #openOf(event: EventRef): Open {
    const known = this.#open.get(eventKey(event));
    if (known) return known;
    const { registry, watchers } = this.#engine;
    const channel = new Channel(event, sourceOf(this.#engine, event), this.#engine);
    const unpin = registry.pin(event);
    const unwatch = watchers.add(event, {
      row: (board, row) => {
        channel.personal.heard(board, row);
        channel.wake();
      },
      changed: () => {
        channel.personal.lost();
        channel.wake();
      },
    });
    const release = () => {
      unpin();
      unwatch();
    };
    const open: Open = { channel, release, lingering: null };
    this.#open.set(eventKey(event), open);
    return open;
  }

  async #linger(open: Open): Promise<void> {
    const lingering = new AbortController();
    open.lingering = lingering;
    await this.#engine.clock.sleep(LINGER_MS, lingering.signal).catch(() => {});
    if (lingering.signal.aborted || open.channel.isClosed || open.channel.clients.size > 0) return;
    open.channel.close();
    open.release();
    this.#open.delete(eventKey(open.channel.event));
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #uncount(name: string): void {
    const left = this.#countOf(name) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }
}

function eventKey({ eventId }: EventRef): string {
  return `event ${eventId}`;
}

/** Where somebody comes from, as wide as one may be alone there, and how many may be from it. */
function placesOf(ip: string, perAddress: number): [name: string, most: number][] {
  const { address, site, network } = networksOf(ip);
  const alone: [string, number] = [`address ${address}`, perAddress];
  if (site === null) return [alone];
  const wide: [string, number] = [`network ${network}`, perAddress * HOMES_IN_A_NETWORK];
  return [alone, [`site ${site}`, perAddress], wide];
}
