import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { default as proxyAddress, compile as trusting } from '@fastify/proxy-addr';
import { systemClock } from '@voelgoed/engine/kit';
import type { FastifyError } from 'fastify';
import { buyerAtOnce } from './access.ts';
import { isWhole, readJson } from './body.ts';
import { nameRequest } from './bug-request.ts';
import { DEADLINE_MS, endAfter, MARGIN_MS } from './deadline.ts';
import { errorHandler } from './errors.ts';
import type { AnyReply, AnyRequest } from './exchange.ts';
import { type Lane, QuickReply, QuickRequest } from './quick-exchange.ts';

/** A route that is served before the framework. */
export type QuickRoute = Readonly<{
  /** As it is registered, for keys, metrics and the log. */
  url: string;
  /** The names in a path of this route, as they are registered; null: it is another one's. */
  match(path: string): Readonly<{ event_id: string }> | null;
  hasShape(body: unknown): boolean;
  /** True: it is refused, out of memory and at once. */
  refuse(request: AnyRequest, reply: AnyReply): boolean;
  /** The framework's own handler. */
  handle(request: AnyRequest, reply: AnyReply): Promise<unknown>;
}>;

/** More than this is no wish for a few seats, and may not come in one piece. */
const MOST_BYTES = 16 * 1024;

/**
 * The few routes that a sale consists of, before the framework. A wish for seats goes through the
 * same handler, with a request and a reply that have what handlers need and no more: a hold took a
 * node 132 µs instead of 155 through the framework and its hooks, a refusal 38 instead of 90.
 * Whatever is out of the ordinary goes the usual way, as if nobody had looked: a credential that
 * has to be asked about, a body that is not here yet or not as it should be. A test compares what
 * both say.
 */
export function quickly(
  lane: Lane & Readonly<{ quick: readonly QuickRoute[]; tracer?: unknown }>,
  listener: RequestListener,
): RequestListener {
  // Whoever wants traces wants them of everybody.
  if (lane.tracer) return listener;
  const trusts = trusting([...lane.trustedProxies]);
  const addressOf =
    lane.trustedProxies.length === 0
      ? (raw: IncomingMessage) => raw.socket.remoteAddress ?? ''
      : (raw: IncomingMessage) => proxyAddress(raw, trusts) ?? '';

  /** Mostly the body has come with the head, and is here as soon as that has been told. */
  const take = (
    route: QuickRoute,
    params: Readonly<{ event_id: string }>,
    raw: IncomingMessage,
    response: ServerResponse,
  ): void => {
    const principal = isWhole(raw) ? knownBuyer(lane, raw, params.event_id) : null;
    if (!principal) return listener(raw, response);
    // Reading nothing would end it, and whoever comes after us would wait for that.
    const bytes: Buffer | null = raw.readableLength > 0 ? raw.read() : null;
    const body = bodyOf(bytes);
    if (!route.hasShape(body)) {
      if (bytes) raw.unshift(bytes);
      return listener(raw, response);
    }
    // To its end, or it would stay in memory until the next one.
    raw.resume();
    const limit_ms = lane.deadline_ms ?? DEADLINE_MS;
    const request = new QuickRequest(route.url, raw, { params, body, principal }, lane.logger);
    request.deadline_ms = systemClock.monotonic() + limit_ms - MARGIN_MS;
    nameRequest(response, request.id);
    const reply = new QuickReply(lane, request, response);
    const fail = (error: unknown) => errorHandler(error as FastifyError, request, reply);
    // Nobody else would catch it: a bug in one wish must not end the node.
    try {
      request.ip = addressOf(raw);
      if (route.refuse(request, reply)) return;
      const timer = endAfter(limit_ms, request, reply);
      response.once('close', () => {
        clearTimeout(timer);
        if (!reply.sent) request.gone.aborted = true;
      });
      route.handle(request, reply).catch(fail);
    } catch (error) {
      fail(error);
    }
  };

  return (request, response) => {
    if (request.method === 'POST' && isPlain(request)) {
      for (const route of lane.quick) {
        const params = route.match(request.url ?? '');
        if (params) return void process.nextTick(take, route, params, request, response);
      }
    }
    return listener(request, response);
  };
}

/** A bug in looking goes the usual way, where it has a caller that answers. */
function knownBuyer({ guard }: Lane, { headers }: IncomingMessage, eventId: string) {
  try {
    return buyerAtOnce(guard, headers.authorization, eventId);
  } catch {
    return null;
  }
}

/** What comes in one piece, and is either empty or JSON. */
function isPlain({ headers }: IncomingMessage): boolean {
  const { 'content-type': type, 'content-length': length = '' } = headers;
  if (length === '' || Number(length) > MOST_BYTES) return false;
  return type === 'application/json' || (type === undefined && length === '0');
}

/** No body is an empty one; undefined: it is none that we know. */
function bodyOf(bytes: Buffer | null): unknown {
  try {
    const body = bytes === null ? undefined : readJson(bytes);
    return body === undefined ? {} : body;
  } catch {
    // Whatever it is, the usual way says it.
    return undefined;
  }
}
