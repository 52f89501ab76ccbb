/**
 * Viewers: open seat maps for tests. A viewer listens to the stream of an event over a real
 * connection, as a page would, comes back when it is cut off, and writes down every step that a
 * page must not take. A proxy stands between them where a test wants one.
 */
import { get, type IncomingMessage } from 'node:http';
import { type Frame, FrameReader, LiveMap } from '@voelgoed/client/live';
import { systemClock } from '@voelgoed/engine/kit';

export { type HttpProxy, startHttpProxy } from './http-proxy.ts';

export type ViewerOptions = Readonly<{
  /** Asked again for every connection, so that a viewer can be moved. */
  address: () => string;
  path: string;
  token?: string;
  headers?: Record<string, string>;
  /** Frames as they arrive, to be repeated, mixed up or left out. */
  disturb?: (frames: Frame[]) => Frame[];
}>;

/** A page waits a little before it comes back; tests less. */
const AGAIN_MS = 20;

export class Viewer {
  readonly map = new LiveMap();
  /** Every frame, as it came. */
  readonly frames: Frame[] = [];
  /** All bytes, as they came. */
  text = '';
  /** Steps back within one history. */
  readonly mistakes: string[] = [];
  /** Answers to attempts to connect. */
  readonly statuses: number[] = [];
  retry_ms: number | null = null;
  connections = 0;
  readonly #options: ViewerOptions;
  #connection: AbortController | null = null;
  #isOver = false;
  readonly #done: Promise<void>;

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  of(event: string): Record<string, unknown>[] {
    return this.frames.filter((frame) => frame.event === event).map(({ data }) => data);
  }

  /** The network goes away; it comes back by itself. */
  cut(): void {
    this.#connection?.abort(new Error('cut'));
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.cut();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await this.#connect().catch(() => {});
      if (!this.#isOver) await systemClock.sleep(AGAIN_MS);
    }
  }

  async #connect(): Promise<void> {
    const { address, path, token, headers } = this.#options;
    const connection = new AbortController();
    this.#connection = connection;
    const { revision, lineage } = this.map;
    const query = lineage ? `?lineage=${lineage}` : '';
    const reply = await ask(`${address()}${path}${query}`, connection.signal, {
      ...headers,
      ...(revision >= 0 ? { 'last-event-id': String(revision) } : {}),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    });
    this.statuses.push(reply.statusCode ?? 0);
    if (reply.statusCode !== 200) return void reply.destroy();
    this.connections++;
    this.map.connected();
    const reader = new FrameReader();
    for await (const bytes of reply) {
      this.text += Buffer.from(bytes).toString();
      const frames = reader.read(bytes);
      this.retry_ms = reader.retry_ms;
      for (const frame of this.#options.disturb?.(frames) ?? frames) this.#take(frame);
    }
  }

  #take(frame: Frame): void {
    if (this.#connection?.signal.aborted) return;
    const { revision } = this.map;
    this.frames.push(frame);
    const verdict = this.map.take(frame);
    const isBack = this.map.revision < revision && frame.event !== 'snapshot';
    if (isBack) this.mistakes.push(`${revision} to ${this.map.revision} by ${frame.event}`);
    if (verdict === 'restart') {
      this.map.lineage = '';
      this.cut();
    }
    if (verdict === 'resume') this.cut();
  }
}

/** A connection of its own each time: a pool would keep some that nobody has asked anything. */
function ask(
  url: string,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, signal, headers }, resolve).on('error', reject);
  });
}
