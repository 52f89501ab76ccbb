import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '@voelgoed/client/wire';
import { isOperatingError, systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { sentenceOf } from './validation.ts';

type Details = Readonly<Record<string, unknown>>;

/** Seconds after which a refused request may be worth repeating. */
const RETRY_AFTER = 1;

/** Answers with a code, in the one error format. */
export function refuse(
  reply: FastifyReply,
  code: ErrorCode,
  message: string,
  details: Details = {},
): FastifyReply {
  const status: number = ERRORS[code];
  if (status === 503 || status === 429) {
    if (!reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER);
  }
  return reply
    .code(status)
    .header('cache-control', 'no-cache, no-store')
    .send({ error: code, message, details, request_id: reply.request.id });
}

export function notFoundHandler(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0];
  return refuse(reply, 'not_found', `There is no ${request.method} ${path}.`);
}

export function errorHandler(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error.validation) {
    const problems = error.validation.map((problem) => ({
      path: `${error.validationContext ?? 'request'}${problem.instancePath}`,
      message: sentenceOf(problem),
    }));
    return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return refuse(reply, 'body_too_large', 'The body is larger than this route allows.');
  }
  if (isOperatingError(error)) return refuseByMachine(error, request, reply);
  if (error.code === 'FST_ERR_HANDLER_TIMEOUT') return refuseLate(request, reply);
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return refuse(reply, 'invalid_request', error.message);
  }
  request.log.error({ err: error, request_id: request.id }, 'a request failed by a bug');
  return refuse(reply, 'internal', 'Something went wrong on our side. It has been logged.');
}

/** Late by whose fault? A body that is still coming is the client's. */
function refuseLate(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (request.raw.complete) {
    return refuse(reply, 'unavailable', 'This took too long and was given up.');
  }
  reply.header('connection', 'close');
  return refuse(reply, 'invalid_request', 'The request did not arrive in time.');
}

function refuseByMachine(
  error: { code: string; message: string },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const code = error.code in ERRORS ? (error.code as ErrorCode) : 'unavailable';
  request.log.warn({ err: error, request_id: request.id }, 'a request failed by a machine');
  return refuse(reply, code, SENTENCES[code] ?? 'The service is not available at the moment.');
}

/** What people read; the machine's own words are for the log. */
const SENTENCES: Partial<Record<ErrorCode, string>> = {
  overloaded: 'Too many requests at the moment. Please try again.',
  event_busy: 'This event is very busy at the moment. Please try again.',
  outcome_unknown: 'We could not learn how this ended. Ask again with the same Idempotency-Key.',
};

/**
 * A request that is not HTTP never becomes a request of ours: it is answered on the bare socket.
 */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const request_id = uuidv7({ clock: systemClock, random: systemRandom });
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The headers are larger than 8 kB.'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request did not arrive in time.'
        : 'This is not a valid HTTP request.';
  const body = JSON.stringify({ error: 'invalid_request', message, details: {}, request_id });
  const head = [
    'HTTP/1.1 400 Bad Request',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}
