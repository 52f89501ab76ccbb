import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ERRORS } from '@voelgoed/client/wire';
import { systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import type { Telemetry } from '@voelgoed/engine/telemetry';
import type { Metrics } from '#metrics';
import { eventIn, Farewells, type Gate, type Pass } from '#overload';
import { isWhole } from './body.ts';
import { corsHeaders } from './cors.ts';

const MESSAGE = 'Too many requests at the moment. Please try again.';

type Door = Readonly<{
  gate: Gate;
  metrics: Metrics;
  telemetry: Telemetry;
  corsOrigins: readonly string[];
  shed?: ((eventId: string) => void) | undefined;
}>;

/**
 * Asks the gate before everything else. Turning somebody away must cost next to nothing, or a node
 * with three times its load would do nothing else: so it happens before a request is routed, logged
 * or given a deadline, what it says is put together here, and only so many are told in a second.
 */
export function gated(door: Door, listener: RequestListener): RequestListener {
  const farewells = new Farewells(systemClock);
  return (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const pass = door.gate.enter(method, url, headers.authorization);
    if ('priority' in pass) {
      const eventId = pass.priority === 'hold' ? eventIn(url) : null;
      if (eventId !== null) door.shed?.(eventId);
      return farewells.say(() => turnAway(door, request, response, pass));
    }
    if (pass.place) occupy(pass.place, request, response);
    return listener(request, response);
  };
}

/**
 * A place is taken while there is something to do for a request. Whoever sends its body slowly, or
 * reads a large answer slowly, keeps nobody waiting: thousands of phones may do so at once.
 */
function occupy(
  place: NonNullable<Pass['place']>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // `prefinish`: the whole answer is handed over; `close`: or there is nobody left to get it.
  response.on('prefinish', () => {
    place.end(response.statusCode === ERRORS.overloaded ? 'given up' : 'answered');
  });
  response.on('close', () => place.end('given up'));
  const { headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    return place.begin();
  }
  // Mostly the body has come with the head, and is there as soon as all of it has been parsed.
  process.nextTick(() => {
    if (isWhole(request)) place.begin();
    else request.once('end', place.begin);
  });
}

function turnAway(
  { metrics, telemetry, corsOrigins }: Door,
  request: IncomingMessage,
  response: ServerResponse,
  { priority, retryAfter_s }: { priority: string; retryAfter_s: number },
): void {
  if (response.destroyed) return;
  const request_id = uuidv7({ clock: systemClock, random: systemRandom });
  const error = { error: 'overloaded', message: MESSAGE, details: {}, request_id };
  const body = JSON.stringify(error);
  response.writeHead(ERRORS.overloaded, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'retry-after': String(retryAfter_s),
    'cache-control': 'no-cache, no-store',
    'x-request-id': request_id,
    // A page that may call us must be able to read when to come back.
    ...corsHeaders(corsOrigins, request.headers),
  });
  response.end(body);
  const method = request.method ?? 'GET';
  metrics.request({ method, route: `overloaded: ${priority}`, status: 503, seconds: 0 });
  telemetry.emit({ kind: 'http.refused', code: 'overloaded' });
}
