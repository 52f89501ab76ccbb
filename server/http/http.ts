/**
 * HTTP: the server that every route is registered on. It knows requests, replies, limits and the
 * error format; it knows no route and no tenant. `routes` registers on it, `processes` opens and
 * closes it.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ErrorReply } from '@voelgoed/client/wire';
import { systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Metrics } from '#metrics';
import { errorHandler, notFoundHandler, refuseBrokenRequest } from './errors.ts';
import { registerOpenApi } from './openapi.ts';
import { validatorCompiler } from './validation.ts';

export { refuse } from './errors.ts';
export { EMPTY_ICON } from './openapi.ts';

export type HttpOptions = Readonly<{
  logger: FastifyBaseLogger;
  metrics: Metrics;
  trustedProxies: readonly string[];
}>;

const BODY_BYTES = 64 * 1024;
const HEADER_BYTES = 8 * 1024;
/** A client that needs longer than this to send a request is stuck or hostile. */
const RECEIVE_MS = 10_000;
/**
 * Longer than the 60 s after which common balancers drop idle connections, so that they do it
 * first.
 */
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS = 20_000;

export async function createHttp(options: HttpOptions) {
  const http = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => uuidv7({ clock: systemClock, random: systemRandom }),
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: BODY_BYTES,
    requestTimeout: RECEIVE_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: { maxHeaderSize: HEADER_BYTES, headersTimeout: RECEIVE_MS },
    // Closing: the listener goes first, requests on open connections are still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseBrokenRequest,
    routerOptions: { maxParamLength: 255 },
  }).withTypeProvider<TypeBoxTypeProvider>();
  http.server.maxConnections = CONNECTIONS;
  http.setValidatorCompiler(validatorCompiler);
  http.setErrorHandler(errorHandler);
  http.setNotFoundHandler(notFoundHandler);
  http.addSchema(ErrorReply);
  measure(http, options.metrics);
  closePolitely(http);
  await registerOpenApi(http);
  return http;
}

export type Http = Awaited<ReturnType<typeof createHttp>>;

function measure(http: FastifyInstance, metrics: Metrics): void {
  http.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  http.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1_000;
    metrics.request({ method: request.method, route, status: reply.statusCode, seconds });
    request.log.info(
      { request_id: request.id, method: request.method, route, status: reply.statusCode, seconds },
      'request',
    );
  });
}

/** While closing, tell clients with open connections to come back on a new one, to another node. */
function closePolitely(http: FastifyInstance): void {
  let closing = false;
  http.addHook('preClose', async () => {
    closing = true;
  });
  http.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close');
  });
}
