import { systemClock } from '@voelgoed/engine/kit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ofRequest } from './bug-request.ts';
import { refuse } from './errors.ts';
import type { AnyReply, AnyRequest } from './exchange.ts';
import { SECURITY } from './headers.ts';

/** A request that is not answered by then is given up: the buyer has tried again by now. */
export const DEADLINE_MS = 3_000;
/** For routes that do a lot: publishing, layouts, verification. */
export const LONG_MS = 60_000;
/** The engine gives up a little earlier, so that it can still say that nothing was changed. */
export const MARGIN_MS = 100;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** This route may take a minute. */
    long?: boolean;
  }
  interface FastifyRequest {
    /** On the monotonic clock: when the engine has to be done. */
    deadline_ms: number;
    /** Ends it at the latest. */
    timer: ReturnType<typeof endAfter> | undefined;
    /** Has whoever asked hung up? A signal of the runtime would cost every request 2 µs. */
    gone: { aborted: boolean };
  }
}

/**
 * Every request is answered in time, also one whose body never ends and one whose work hangs.
 * (Fastify's own limit is switched off as soon as a body has arrived.)
 */
export function limitTime(http: FastifyInstance, unit_ms = DEADLINE_MS): void {
  http.decorateRequest('deadline_ms', 0);
  http.decorateRequest('timer');
  http.decorateRequest('gone');
  http.addHook('onRequest', (request, reply, done) => {
    const limit_ms = request.routeOptions.config.long ? LONG_MS : unit_ms;
    request.gone = { aborted: false };
    request.deadline_ms = systemClock.monotonic() + limit_ms - MARGIN_MS;
    // Neither a closure nor a map of them: what lives as long as a request is copied again and
    // again by collections.
    request.timer = endAfter(limit_ms, request, reply);
    done();
  });
  http.addHook('onResponse', (request, _reply, done) => {
    clearTimeout(request.timer);
    done();
  });
  http.addHook('onRequestAbort', (request, done) => {
    clearTimeout(request.timer);
    request.gone.aborted = true;
    done();
  });
}

export function endAfter(limit_ms: number, request: AnyRequest, reply: AnyReply) {
  return setTimeout(refuseIfLate, limit_ms, request, reply);
}

function refuseIfLate(request: AnyRequest, reply: AnyReply): void {
  if (reply.sent) return;
  // A response that is being streamed has its head: what is missing shows by the broken connection.
  const { raw } = reply as Partial<FastifyReply>;
  if (raw?.headersSent) {
    raw.destroy();
    return;
  }
  try {
    forgetHeaders(reply);
    refuseLate(request, reply);
  } catch (error) {
    // A timer has no caller: the client learns by the end of the connection.
    request.raw.destroy();
    throw ofRequest(error, request.raw);
  }
}

/** What every response has, whatever a handler adds. */
const EVERY = new Set([...Object.keys(SECURITY), 'x-request-id', 'vary']);

/** The handler may have begun an answer that is not given any more: its headers go with it. */
function forgetHeaders(reply: AnyReply): void {
  for (const name of Object.keys(reply.getHeaders())) {
    if (!EVERY.has(name) && !name.startsWith('access-control-')) reply.removeHeader(name);
  }
}

/** Late by whose fault? A body that is still coming is the client's; a change may have happened. */
function refuseLate(request: AnyRequest, reply: AnyReply): AnyReply {
  if (!request.raw.complete) {
    reply.header('connection', 'close');
    return refuse(reply, 'invalid_request', 'The request did not arrive in time.');
  }
  if (request.method === 'GET' || request.method === 'HEAD') {
    return refuse(reply, 'unavailable', 'This took too long and was given up.');
  }
  const message = 'We could not learn how this ended. Ask again with the same Idempotency-Key.';
  return refuse(reply, 'outcome_unknown', message);
}
