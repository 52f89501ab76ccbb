import { systemClock } from '@voelgoed/engine/kit';
import type { Aim } from './buyers.ts';
import type { HttpConnection } from './connection.ts';

/** What became of one kind of request. */
export type StepReport = { latencies_ms: number[]; strange: number };

/** What all connections of a play share. */
export class Stalls {
  readonly aim: Aim;
  readonly tokens: readonly string[];
  readonly connections: number;
  readonly steps: Record<string, StepReport> = {};
  readonly statuses: Record<string, number> = {};
  /** By path: what everybody has in their browser before they come. */
  readonly tags = new Map<string, string>();
  #next = 0;
  #buyer = 0;

  constructor(aim: Aim, tokens: readonly string[], connections: number) {
    this.aim = aim;
    this.tokens = tokens;
    this.connections = connections;
  }

  /** Each seat once, whoever asks. */
  nextSeats(count: number): readonly string[] {
    const from = this.#next;
    this.#next += count;
    return this.aim.seatIds.slice(from, from + count);
  }

  nextToken(): string {
    return this.tokens[this.#buyer++ % this.tokens.length] ?? '';
  }

  count(step: string, took_ms: number, status: number, isStrange: boolean): void {
    this.steps[step] ??= { latencies_ms: [], strange: 0 };
    const report = this.steps[step];
    report.latencies_ms.push(took_ms);
    if (isStrange) report.strange++;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
  }
}

type More = Readonly<{
  body?: object;
  /** In place of a body: the very bytes. */
  text?: string;
  headers?: Readonly<Record<string, string>>;
  /** With the tag of the last answer to the same address; 304 is then what is expected. */
  again?: boolean;
}>;

/** Somebody on one connection, with one request under way at most. */
export class Visit {
  readonly #stalls: Stalls;
  readonly #connection: HttpConnection;
  readonly #number: number;
  readonly #ends: number;
  readonly #tags: Map<string, string>;
  #token = '';
  #turns = 0;

  constructor(stalls: Stalls, connection: HttpConnection, number: number, ends: number) {
    this.#stalls = stalls;
    this.#connection = connection;
    this.#number = number;
    this.#ends = ends;
    this.#tags = new Map(stalls.tags);
  }

  get eventId(): string {
    const { eventId, eventIds = [eventId] } = this.#stalls.aim;
    return eventIds[this.#number % eventIds.length] ?? eventId;
  }

  get isOver(): boolean {
    return systemClock.monotonic() >= this.#ends;
  }

  beSomebodyElse(): void {
    this.#token = this.#stalls.nextToken();
  }

  nextSeats(count: number): readonly string[] {
    return this.#stalls.nextSeats(count);
  }

  /** One that no other connection asks for; another one every time. */
  ownSeat(): string {
    const { aim, connections } = this.#stalls;
    const rounds = Math.max(1, Math.floor(aim.seatIds.length / connections));
    const index = this.#number + (this.#turns++ % rounds) * connections;
    return aim.seatIds[index % aim.seatIds.length] ?? '';
  }

  anySeat(): string {
    const { seatIds } = this.#stalls.aim;
    // A large prime: neighbours on the map are not asked for one after the other.
    return seatIds[(this.#number * 7_919 + this.#turns++ * 104_729) % seatIds.length] ?? '';
  }

  /** Of the last answer: a text or a number, wherever in it. */
  field(name: string): string {
    return new RegExp(`"${name}":"?([^",}]*)`).exec(this.#connection.body)?.[1] ?? '';
  }

  /** Asks and counts. The status of the answer, or 0. */
  async ask(
    step: string,
    expected: number,
    method: string,
    path: string,
    more: More = {},
  ): Promise<number> {
    const tag = more.again ? this.#tags.get(path) : undefined;
    const request = this.#request(method, path, more, tag);
    const started = systemClock.monotonic();
    const status = await this.#connection.send(request);
    const ended = systemClock.monotonic();
    const isExpected = status === expected || (tag !== undefined && status === 304);
    if (more.again && status === 200) this.#remember(path);
    // What is answered too late is not counted, unless it is something to know about.
    if (ended <= this.#ends || !isExpected) {
      this.#stalls.count(step, ended - started, status, !isExpected);
    }
    return status;
  }

  /** Looks once, uncounted, so that everybody who comes later has looked before. */
  async learn(path: string): Promise<void> {
    await this.#connection.send(this.#request('GET', path, {}, undefined));
    this.#remember(path);
    for (const [known, tag] of this.#tags) this.#stalls.tags.set(known, tag);
  }

  #remember(path: string): void {
    const tag = /\r\netag: ([^\r]+)/i.exec(this.#connection.head)?.[1];
    if (tag !== undefined) this.#tags.set(path, tag);
  }

  #request(method: string, path: string, more: More, tag: string | undefined): string {
    const { body, headers = {} } = more;
    const text = more.text ?? (body === undefined ? '' : JSON.stringify(body));
    const sent = {
      ...headers,
      // Whoever only looks is nobody.
      ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      ...(tag === undefined ? {} : { 'if-none-match': tag }),
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
    };
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = method === 'GET' ? '' : `content-length: ${text.length}\r\n`;
    return (
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nuser-agent: bench\r\n` +
      `${lines.join('')}${length}\r\n${text}`
    );
  }
}
