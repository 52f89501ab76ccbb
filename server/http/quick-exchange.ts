import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@voelgoed/client/wire';
import { systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import type { Telemetry } from '@voelgoed/engine/telemetry';
import type { FastifyBaseLogger } from 'fastify';
import type { Metrics } from '#metrics';
import type { Principal } from '#tokens';
import type { Guard } from './access.ts';
import { corsHeaders } from './cors.ts';
import type { AnyReply, AnyRequest } from './exchange.ts';
import { SECURITY } from './headers.ts';
import type { DroppedAt } from './one-answer.ts';
import type { RequestLine } from './request-lines.ts';

/** What the routes before the framework need of the server. */
export type Lane = Readonly<{
  dropped(at: DroppedAt): void;
  guard: Guard;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  telemetry: Telemetry;
  write(line: RequestLine): void;
  isClosing(): boolean;
  corsOrigins: readonly string[];
  trustedProxies: readonly string[];
  deadline_ms?: number | undefined;
  refused?: ((request: AnyRequest, code: ErrorCode) => void) | undefined;
}>;

type Read = Readonly<{ params: object; body: unknown; principal: Principal }>;

const NO_QUERY = Object.freeze({});
const BASE = { ...SECURITY, 'cache-control': 'no-cache, no-store' };

/** A wish that was read. */
export class QuickRequest implements AnyRequest {
  readonly id = uuidv7({ clock: systemClock, random: systemRandom });
  readonly began_ms = systemClock.monotonic();
  readonly method = 'POST';
  readonly query = NO_QUERY;
  readonly gone = { aborted: false };
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: object;
  readonly body: unknown;
  readonly socket: Socket;
  readonly raw: IncomingMessage;
  readonly routeOptions: { readonly url: string };
  readonly principal: Principal;
  readonly log: FastifyBaseLogger;
  ip = '';
  deadline_ms = 0;

  constructor(route: string, raw: IncomingMessage, read: Read, log: FastifyBaseLogger) {
    this.url = raw.url ?? '';
    this.headers = raw.headers;
    this.params = read.params;
    this.body = read.body;
    this.socket = raw.socket;
    this.raw = raw;
    this.routeOptions = { url: route };
    this.principal = read.principal;
    this.log = log;
  }
}

/** Its answer: the same headers, counted and written down like any other. */
export class QuickReply implements AnyReply {
  readonly request: QuickRequest;
  readonly #lane: Lane;
  readonly #response: ServerResponse;
  readonly #headers: Record<string, string | number>;
  #status = 200;
  refusal: ErrorCode | undefined = undefined;

  constructor(lane: Lane, request: QuickRequest, response: ServerResponse) {
    this.request = request;
    this.#lane = lane;
    this.#response = response;
    const cors = corsHeaders(lane.corsOrigins, request.headers);
    this.#headers = { 'x-request-id': request.id, ...BASE, ...cors };
  }

  get sent(): boolean {
    return this.#response.writableEnded;
  }

  /** What was sent stays as it was, here and below: it may not have left yet. */
  code(status: number): this {
    if (!this.sent) this.#status = status;
    return this;
  }

  header(name: string, value: string | number): this {
    if (!this.sent) this.#headers[name] = value;
    return this;
  }

  headers(values: Readonly<Record<string, string | number>>): this {
    for (const name of Object.keys(values)) this.header(name, values[name] ?? '');
    return this;
  }

  hasHeader(name: string): boolean {
    return name in this.#headers;
  }

  getHeaders(): Readonly<Record<string, unknown>> {
    return this.#headers;
  }

  removeHeader(name: string): this {
    if (!this.sent) delete this.#headers[name];
    return this;
  }

  /** Once: what comes after the deadline was answered is dropped. */
  send(payload: unknown): this {
    if (this.sent) {
      this.#lane.dropped('fast_path');
      return this;
    }
    const text = JSON.stringify(payload);
    const bytes = Buffer.byteLength(text);
    this.#headers['content-type'] = 'application/json; charset=utf-8';
    this.#headers['content-length'] = bytes;
    if (this.#lane.isClosing()) this.#headers.connection = 'close';
    this.#response.writeHead(this.#status, this.#headers);
    // One byte for each letter: the same bytes either way, and no need to look at each again.
    this.#response.end(text, bytes === text.length ? 'latin1' : 'utf8');
    this.#count();
    return this;
  }

  #count(): void {
    const { metrics, telemetry, write, refused } = this.#lane;
    const { id: request_id, method, routeOptions, began_ms } = this.request;
    const seconds = (systemClock.monotonic() - began_ms) / 1_000;
    const seen = { method, route: routeOptions.url, status: this.#status, seconds };
    metrics.request(seen);
    if (this.refusal) {
      telemetry.emit({ kind: 'http.refused', code: this.refusal });
      refused?.(this.request, this.refusal);
    }
    write({ request_id, ...seen });
  }
}
