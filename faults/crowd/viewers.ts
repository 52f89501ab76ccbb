import { get, type IncomingMessage } from 'node:http';
import { FrameReader, LiveMap } from '@voelgoed/client/live';
import { type Random, systemClock } from '@voelgoed/engine/kit';
import type { Canaries } from './canaries.ts';

/** A page waits a little before it comes back. */
const AGAIN_MS = 100;
/** How long impatient ones stay. */
const STAYS_MS = 4_000;
/** Servers say something every 5 s; after two and a bit they are not there. */
const SILENCE_MS = 12_000;

export type View = Readonly<{
  event: string;
  revision: number;
  lineage: string;
  seats: string;
  mistakes: readonly string[];
}>;

type ViewerOptions = Readonly<{
  event: string;
  organizationId: string;
  /** Asked again for every connection. */
  address(): string;
  token: string | null;
  habit: 'steady' | 'slow' | 'restless';
  /** What slow ones do not read for. */
  slow_ms: number;
  random: Random;
  canaries: Canaries;
}>;

/** An open seat map, as a page has it; it writes down every step that a page must not take. */
export class Viewer {
  readonly #options: ViewerOptions;
  readonly #map = new LiveMap();
  readonly #mistakes: string[] = [];
  readonly #done: Promise<void>;
  #connection = new AbortController();
  #isOver = false;

  constructor(options: ViewerOptions) {
    this.#options = options;
    this.#done = this.#run();
  }

  get view(): View {
    const { revision, lineage, seats } = this.#map;
    const text = Buffer.from(seats).toString('base64');
    return { event: this.#options.event, revision, lineage, seats: text, mistakes: this.#mistakes };
  }

  async close(): Promise<void> {
    this.#isOver = true;
    this.#connection.abort();
    await this.#done;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      await this.#connect().catch(() => {});
      this.#connection.abort();
      if (!this.#isOver) await systemClock.sleep(AGAIN_MS * (0.5 + this.#options.random.next()));
    }
  }

  async #connect(): Promise<void> {
    const { address, event, organizationId, token, habit, slow_ms } = this.#options;
    const { random, canaries } = this.#options;
    const connection = new AbortController();
    this.#connection = connection;
    if (this.#isOver) return;
    const { revision, lineage } = this.#map;
    const query = lineage ? `?lineage=${lineage}` : '';
    const reply = await ask(`${address()}/api/events/${event}/stream${query}`, connection.signal, {
      ...(revision >= 0 ? { 'last-event-id': String(revision) } : {}),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    });
    if (reply.statusCode !== 200) return void reply.destroy();
    this.#map.connected();
    const leaves_ms = systemClock.monotonic() + STAYS_MS * (0.2 + random.next());
    const reader = new FrameReader();
    for await (const bytes of watched(reply)) {
      const text = (bytes as Buffer).toString('latin1');
      canaries.look(text, { organizationId, staff: false, own: token !== null }, 'a stream');
      for (const frame of reader.read(bytes as Buffer)) if (!this.#take(frame)) return;
      if (habit === 'restless' && systemClock.monotonic() > leaves_ms) return;
      if (habit === 'slow' && random.next() < 0.05) await systemClock.sleep(slow_ms);
      if (this.#isOver) return;
    }
  }

  /** False: this connection is no good any more. */
  #take(frame: Parameters<LiveMap['take']>[0]): boolean {
    const { revision } = this.#map;
    const verdict = this.#map.take(frame);
    if (this.#map.revision < revision && frame.event !== 'snapshot') {
      this.#mistakes.push(`${revision} to ${this.#map.revision} by ${frame.event}`);
    }
    if (verdict === 'restart') this.#map.lineage = '';
    return verdict === 'good';
  }
}

/** Ends when nothing has come for too long. */
function watched(reply: IncomingMessage): IncomingMessage {
  reply.setTimeout(SILENCE_MS, () => reply.destroy());
  return reply;
}

function ask(
  url: string,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, signal, headers }, resolve).on('error', reject);
  });
}
