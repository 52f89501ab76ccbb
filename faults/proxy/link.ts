import { Socket } from 'node:net';
import type { Random } from '@voelgoed/engine/kit';
import { Pipe, type PipeOwner, type Verdict } from './pipe.ts';
import { type Direction, holdsBack, type Toxic, treatmentOf } from './toxics.ts';

export type Upstream = { host: string; port: number } | { path: string };

/** What a connection needs of the proxy it belongs to. */
export type LinkHost = {
  readonly upstream: Upstream;
  readonly random: Random | undefined;
  inspect(direction: Direction, chunk: Buffer, connection: number): Verdict;
  passed(direction: Direction, bytes: number): void;
};

/** One client, the connection to the server that stands for it, and the two pipes between them. */
export class Link {
  readonly #host: LinkHost;
  readonly #client: Socket;
  readonly #upstream = new Socket({ allowHalfOpen: true });
  readonly #up: Pipe;
  readonly #down: Pipe;
  #state: 'open' | 'half_open' | 'over' = 'open';
  #toxic: Toxic | null = null;
  #dialed = false;
  #failed: Direction | null = null;
  /** Resolves when both sockets are gone. */
  readonly closed: Promise<unknown>;

  constructor(id: number, client: Socket, toxic: Toxic | null, host: LinkHost) {
    this.#host = host;
    this.#client = client;
    this.#upstream.setNoDelay(true);
    this.closed = Promise.all([this.#watch(client, 'up'), this.#watch(this.#upstream, 'down')]);
    const owner: PipeOwner = {
      // What a side still says while the connection is ending is nobody's business any more.
      inspect: (direction, chunk) =>
        this.#state === 'over' ? 'swallow' : host.inspect(direction, chunk, id),
      passed: (direction, bytes) => host.passed(direction, bytes),
      cutAfter: (direction) => this.#cutAfter(direction),
      abandoned: () => this.#abandon(),
    };
    const up = { direction: 'up', source: client, target: this.#upstream } as const;
    const down = { direction: 'down', source: this.#upstream, target: client } as const;
    this.#up = new Pipe(up, owner);
    this.#down = new Pipe(down, owner);
    this.apply(toxic);
  }

  apply(toxic: Toxic | null): void {
    this.#toxic = toxic;
    if (toxic?.kind === 'reset') this.#reset();
    if (this.#failed !== null && !holdsBack(toxic, this.#failed)) this.#reset();
    if (this.#state !== 'open') return;
    if (toxic?.kind === 'half_open') this.#lose(toxic.gone);
    else this.#treat(toxic);
  }

  /** Ends both sides at once; bytes that are still under way are lost. */
  cut(): void {
    this.#finish();
    this.#client.destroy();
    this.#upstream.destroy();
  }

  #treat(toxic: Toxic | null): void {
    // Behind a partition the server does not hear of a new client before the partition heals.
    if (!holdsBack(toxic, 'up')) this.#dial();
    this.#up.treat(treatmentOf(toxic, 'up', this.#host.random));
    this.#down.treat(treatmentOf(toxic, 'down', this.#host.random));
  }

  #dial(): void {
    if (this.#dialed) return;
    this.#dialed = true;
    this.#upstream.connect(this.#host.upstream);
  }

  #watch(socket: Socket, direction: Direction): Promise<void> {
    socket.on('error', () => this.#fail(direction));
    return new Promise((resolve) => socket.once('close', () => resolve()));
  }

  /**
   * The side that speaks in this direction failed. The other is reset and not closed, because an
   * orderly end would make a reply that was broken off look like a complete one. Behind a partition
   * the other side does not hear of it before the partition heals.
   */
  #fail(direction: Direction): void {
    if (this.#state === 'over') return;
    this.#failed = direction;
    if (!holdsBack(this.#toxic, direction)) this.#reset();
  }

  #reset(): void {
    this.#finish();
    resetSocket(this.#client);
    resetSocket(this.#upstream);
  }

  /** Cuts the connection behind what was already passed on in this direction, which arrives. */
  #cutAfter(direction: Direction): void {
    this.#finish();
    const [source, target] =
      direction === 'up' ? [this.#client, this.#upstream] : [this.#upstream, this.#client];
    source.destroy();
    target.destroySoon();
  }

  #lose(gone: 'upstream' | 'client'): void {
    this.#state = 'half_open';
    if (gone === 'client') this.#dial();
    this.#up.silence();
    this.#down.silence();
    const [lost, kept] =
      gone === 'client' ? [this.#client, this.#upstream] : [this.#upstream, this.#client];
    lost.destroy();
    // A side that has already said its last word would never be noticed to leave.
    if (kept.readableEnded) this.cut();
  }

  /** The side that was left alone has gone as well; one that is only flushing may finish. */
  #abandon(): void {
    if (this.#state === 'half_open') this.cut();
  }

  #finish(): void {
    this.#state = 'over';
    this.#up.silence();
    this.#down.silence();
  }
}

/**
 * RST where there is such a thing: a unix socket has none, and neither has one that is not (or no
 * longer) connected. Node loses the handle when it is asked to reset during a shutdown.
 */
function resetSocket(socket: Socket): void {
  if (socket.destroyed) return;
  const shutting_down = socket.writableEnded && !socket.writableFinished;
  if (socket.remoteAddress === undefined || shutting_down) socket.destroy();
  else socket.resetAndDestroy();
}
