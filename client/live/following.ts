import type { ServerClock } from '#clock';
import { type Failure, isFailure } from '#failures';
import { type Host, pause } from '#host';
import type { Drawing, ToldRow } from '#shapes';
import { DrawingKeeper } from './drawing-keeper.ts';
import { type Frame, FrameReader } from './frame-reader.ts';
import type { LiveEvent, LiveListener, LiveStatus } from './live-events.ts';
import { LiveMap } from './live-map.ts';
import { LogKeeper } from './log-keeper.ts';

/** Servers say something every 5 s; after two and a bit they are not there. */
const SILENCE_MS = 12_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;
/** A connection that lived so long was a good one: the next one need not wait longer. */
const GOOD_MS = 5_000;

export type FollowingPorts = Readonly<{
  host: Host;
  clock: ServerClock;
  /** Opens the stream after this place; null: from the beginning. */
  open(
    place: Readonly<{ revision: number; lineage: string }> | null,
    signal: AbortSignal,
  ): Promise<Response>;
  drawing(signal: AbortSignal): Promise<Drawing>;
  /** For staff: rows of the log after a revision; null for everybody else. */
  changes: ((after: number, signal: AbortSignal) => Promise<readonly ToldRow[]>) | null;
}>;

export type FollowOptions = Readonly<{
  /** False: the drawing is not fetched. */
  drawing?: boolean;
  /** Ends it, like `close`. */
  signal?: AbortSignal;
}>;

/** An event that is followed until it is closed. */
export class Following {
  readonly map = new LiveMap();
  readonly #ports: FollowingPorts;
  readonly #listener: LiveListener;
  readonly #drawings: DrawingKeeper | null;
  readonly #log: LogKeeper | null;
  readonly #closing = new AbortController();
  #status: LiveStatus = 'connecting';
  #connection = new AbortController();
  #waiting = new AbortController();
  #cancelSilence = () => {};
  #failures = 0;
  #isHurried = false;

  constructor(ports: FollowingPorts, listener: LiveListener, options: FollowOptions = {}) {
    this.#ports = ports;
    this.#listener = listener;
    const tools = { ...ports, signal: this.#closing.signal, tell: this.#tell };
    this.#drawings = options.drawing === false ? null : new DrawingKeeper(tools);
    this.#log = ports.changes && new LogKeeper({ ...tools, changes: ports.changes });
    // A signal that outlives this keeps nothing of it.
    const { signal } = this.#closing;
    options.signal?.addEventListener('abort', () => this.close(), { once: true, signal });
    if (options.signal?.aborted) this.close();
    else void this.#run();
  }

  get status(): LiveStatus {
    return this.#status;
  }

  /** Null until it is there. */
  get drawing(): Drawing | null {
    return this.#drawings?.drawing ?? null;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Tries at once: for pages that have come back to the front, or to a network. */
  reconnect(): void {
    this.#failures = 0;
    this.#isHurried = true;
    this.#connection.abort();
    this.#waiting.abort();
  }

  close(): void {
    this.#closing.abort();
    this.#cancelSilence();
    this.#connection.abort();
    this.#waiting.abort();
  }

  async #run(): Promise<void> {
    this.#awaitSound();
    while (!this.isClosed) {
      const wait_ms = await this.#connect();
      if (this.isClosed) return;
      if (this.#status === 'live') this.#become('connecting');
      this.#waiting = new AbortController();
      await pause(this.#ports.host, wait_ms, this.#waiting.signal);
    }
  }

  /** One connection from its beginning to its end; how long to wait before the next. */
  async #connect(): Promise<number> {
    const { host } = this.#ports;
    const began_ms = host.monotonic();
    const reader = new FrameReader();
    let failure: Failure | null = null;
    this.#isHurried = false;
    this.#connection = new AbortController();
    try {
      await this.#listen(reader, this.#connection.signal);
    } catch (error) {
      if (isFailure(error)) failure = error;
      if (failure && isFinal(failure)) this.#end(failure);
    }
    if (host.monotonic() - began_ms > GOOD_MS) this.#failures = 0;
    this.#failures++;
    const most_ms = Math.min(FIRST_WAIT_MS * 2 ** (this.#failures - 1), LONGEST_WAIT_MS);
    if (this.#isHurried) return 0;
    // A node that goes away spreads its clients itself; one that refuses tells all the same.
    if (!failure && this.#failures === 1 && reader.retry_ms !== null) return reader.retry_ms;
    return (failure?.retry_after_ms ?? 0) + most_ms * (0.5 + host.random() / 2);
  }

  async #listen(frames: FrameReader, signal: AbortSignal): Promise<void> {
    const { revision, lineage } = this.map;
    // Also without a lineage: another node must not show what is older than what was seen.
    const place = revision >= 0 ? { revision, lineage } : null;
    const response = await this.#ports.open(place, signal);
    const reader = response.body?.getReader();
    if (!reader) return;
    const stop = () => void reader.cancel().catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    this.map.connected();
    this.#log?.connected();
    this.#awaitSound();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        for (const frame of frames.read(value)) if (!signal.aborted) this.#take(frame);
      }
    } finally {
      // Also when a frame could not be read: the server need not go on talking.
      stop();
    }
  }

  #take(frame: Frame): void {
    this.#awaitSound();
    const { event, data } = frame;
    if (event === 'heartbeat') this.#ports.clock.heardOneWay(Date.parse(String(data.server_time)));
    const before = this.map.revision;
    const verdict = this.map.take(frame);
    // Forget where we are, because what is shown is not what the server shows.
    if (verdict === 'restart') this.map.lineage = '';
    if (verdict !== 'good') return this.#connection.abort();
    if (isAboutSeats(event)) {
      this.#become('live');
      this.#tellSeats(frame, before);
      // The database was restored: what was told after this place has not happened.
      if (this.map.revision < before) this.#log?.begin(this.map.revision);
      this.#drawings?.want(this.map);
      this.#log?.seen(this.map.revision);
    } else this.#tellOther(frame);
  }

  #tellSeats({ event, data }: Frame, before: number): void {
    const { map } = this;
    if (event === 'snapshot') this.#tell({ kind: 'map', map, seats: null });
    const isNew = event === 'changes' && Number(data.from) === before;
    if (isNew) this.#tell({ kind: 'map', map, seats: data.seats as never });
  }

  #tellOther({ event, data }: Frame): void {
    if (event === 'occupancy') this.#tell({ kind: 'occupancy', occupancy: data as never });
    if (event === 'own') this.#tell({ kind: 'own', ...data } as unknown as LiveEvent);
    if (event === 'log') this.#log?.take(data as never);
    if (event === 'capacity_critical') {
      this.#tell({ kind: 'capacity_critical', ...data } as unknown as LiveEvent);
    }
  }

  /** From now on the server has 12 seconds to say something. */
  #awaitSound(): void {
    this.#cancelSilence();
    if (this.isClosed) return;
    this.#cancelSilence = this.#ports.host.after(SILENCE_MS, () => {
      this.#become('stale');
      this.#connection.abort();
      this.#awaitSound();
    });
  }

  #become(status: LiveStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#tell({ kind: 'status', status });
  }

  #end(failure: Failure): void {
    this.#become('stale');
    this.#tell({ kind: 'ended', failure });
    this.close();
  }

  /** A listener's mistake is its own: it is reported as such, and the stream goes on. */
  readonly #tell = (event: LiveEvent): void => {
    if (this.isClosed) return;
    try {
      this.#listener(event);
    } catch (error) {
      this.#ports.host.after(0, () => {
        throw error;
      });
    }
  };
}

function isAboutSeats(event: string): boolean {
  return event === 'snapshot' || event === 'changes' || event === 'heartbeat';
}

/** Whoever is refused so is refused next time, too. */
function isFinal({ code, status }: Failure): boolean {
  return status >= 400 && status < 500 && code !== 'rate_limited' && code !== 'unreadable';
}
