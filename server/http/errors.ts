import { ERRORS, type ErrorCode } from '@voelgoed/client/wire';
import { isOperatingError } from '@voelgoed/engine/kit';
import { stateOf } from '@voelgoed/engine/postgres';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { BadBody } from './body.ts';
import type { AnyReply, AnyRequest } from './exchange.ts';
import { SECURITY } from './headers.ts';
import { requestIds } from './request-ids.ts';
import { sentenceOf } from './validation.ts';

type Details = Readonly<Record<string, unknown>>;

/** Seconds after which a refused request may be worth repeating. */
const RETRY_AFTER = 1;

/** A list longer than this helps nobody to repair a request. */
const MOST_PROBLEMS = 20;

declare module 'fastify' {
  interface FastifyReply {
    /** By which code it was refused, for whoever counts. */
    refusal: ErrorCode | undefined;
  }
}

export function refusalOf(reply: FastifyReply): ErrorCode | undefined {
  return reply.statusCode < 400 ? undefined : reply.refusal;
}

/** Answers with a code, in the one error format. */
export function refuse<Reply extends AnyReply>(
  reply: Reply,
  code: ErrorCode,
  message: string,
  details: Details = {},
): Reply {
  reply.refusal = code;
  const status: number = ERRORS[code];
  if (status === 503 || status === 429) {
    if (!reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_AFTER);
  }
  reply.code(status);
  reply.header('cache-control', 'no-cache, no-store');
  reply.send({ error: code, message, details, request_id: reply.request.id });
  return reply;
}

export function notFoundHandler(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = request.url.split('?')[0];
  return refuse(reply, 'not_found', `There is no ${request.method} ${path}.`);
}

export function errorHandler<Reply extends AnyReply>(
  error: FastifyError,
  request: AnyRequest,
  reply: Reply,
): Reply {
  if (error.validation) {
    const problems = error.validation.slice(0, MOST_PROBLEMS).map((problem) => ({
      path: `${error.validationContext ?? 'request'}${problem.instancePath}`,
      message: sentenceOf(problem),
    }));
    return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return refuse(reply, 'body_too_large', 'The body is larger than this route allows.');
  }
  if (isOperatingError(error)) return refuseByMachine(error, request, reply);
  if (stateOf(error)?.startsWith('22')) {
    return refuse(reply, 'invalid_request', 'A value is outside of what can be stored.');
  }
  if (error instanceof BadBody && error.path !== null) {
    const { path, message } = error;
    return refuse(reply, 'invalid_request', message, { problems: [{ path, message }] });
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return refuse(reply, 'invalid_request', error.message);
  }
  request.log.error(about(error, request), 'a request failed by a bug');
  return refuse(reply, 'internal', 'Something went wrong on our side. It has been logged.');
}

/** What fails before any hook has run gets the headers that hooks would have given it. */
export function earlyErrorHandler(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({ ...SECURITY, 'x-request-id': request.id });
  return errorHandler(error, request, reply);
}

function refuseByMachine<Reply extends AnyReply>(
  error: { code: string; message: string },
  request: AnyRequest,
  reply: Reply,
): Reply {
  const code = error.code in ERRORS ? (error.code as ErrorCode) : 'unavailable';
  const level = EVERYDAY.has(code) ? 'debug' : 'warn';
  request.log[level](about(error, request), 'a request failed by a machine');
  return refuse(reply, code, SENTENCES[code] ?? 'The service is not available at the moment.');
}

/** What a line says of a request that failed. */
function about(error: unknown, request: AnyRequest) {
  return { err: error, request_id: request.id, ids: requestIds(request) };
}

/** Counted, and not worth a line each: there are thousands a second when there are any. */
const EVERYDAY: ReadonlySet<ErrorCode> = new Set(['overloaded', 'event_busy']);

/** What people read; the machine's own words are for the log. */
const SENTENCES: Partial<Record<ErrorCode, string>> = {
  overloaded: 'Too many requests at the moment. Please try again.',
  event_busy: 'This event is very busy at the moment. Please try again.',
  outcome_unknown: 'We could not learn how this ended. Ask again with the same Idempotency-Key.',
};
