/**
 * HTTP: the server that every route is registered on. It knows requests, replies, limits, access
 * and the error format; it knows no route. `routes` registers on it, `processes` opens and closes
 * it.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type ErrorCode, ErrorReply } from '@voelgoed/client/wire';
import { systemClock, systemRandom, uuidv7 } from '@voelgoed/engine/kit';
import type { Telemetry } from '@voelgoed/engine/telemetry';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Metrics } from '#metrics';
import type { Gate } from '#overload';
import type { Tracer } from '#tracing';
import { type Guard, guardRoutes, isStillAllowed } from './access.ts';
import { refuseBrokenRequest, refuseOddProtocols, withOneHost } from './bare.ts';
import { parseJsonBodies, takeTextBodies } from './body.ts';
import { knowingRequest, nameRequest } from './bug-request.ts';
import { closePolitely } from './closing.ts';
import { allowOrigins } from './cors.ts';
import { LONG_MS, limitTime } from './deadline.ts';
import { describeTooLarge } from './describe.ts';
import { earlyErrorHandler, errorHandler, notFoundHandler, refusalOf } from './errors.ts';
import type { AnyRequest } from './exchange.ts';
import { gated } from './gated.ts';
import { secureHeaders } from './headers.ts';
import { countsDropped, type DroppedAt, oneAnswer } from './one-answer.ts';
import { registerOpenApi } from './openapi.ts';
import { outbox } from './outbox.ts';
import { refuseUnknownQueries } from './queries.ts';
import { type QuickRoute, quickly } from './quick.ts';
import { requestLines } from './request-lines.ts';
import { buildSerializer } from './serialization.ts';
import { refuseBadText, validatorCompiler } from './validation.ts';

export type { Access, RouteEntry } from './access.ts';
export { requestOf } from './bug-request.ts';
export { addressOf, callerOf, platformCaller, whoAsked } from './callers.ts';
export { readsGzip, sendCompressed, sendJson } from './compressed.ts';
export { isKnown, notModified } from './conditional.ts';
export { replies, repliesOr, WITH_CREDENTIAL } from './describe.ts';
export { refuse } from './errors.ts';
export type { AnyReply, AnyRequest } from './exchange.ts';
export { EMPTY_ICON, openApiFile } from './openapi.ts';
export { answerDone } from './outcomes.ts';
export type { QuickRoute } from './quick.ts';
export { checkShape, shapeTest, validatorBesideTexts, validatorCompiler } from './validation.ts';

export type HttpOptions = Readonly<{
  logger: FastifyBaseLogger;
  metrics: Metrics;
  telemetry: Telemetry;
  /** Null: nobody wants traces. */
  tracer?: Tracer | null;
  trustedProxies: readonly string[];
  corsOrigins: readonly string[];
  guard: Guard;
  /** Null: everybody is let in. */
  gate: Gate | null;
  /** Shorter in tests. */
  deadline_ms?: number | undefined;
  /** Gets each request that was refused, with the code of its answer. */
  refused?: ((request: AnyRequest, code: ErrorCode) => void) | undefined;
  /** Gets the event of each request for seats that was not let in because of overload. */
  shed?: ((eventId: string) => void) | undefined;
}>;

const BODY_BYTES = 64 * 1024;
/** A layout of 100,000 seats with all its ids is about 16 MB. */
const LARGE_BODY_BYTES = 32 * 1024 * 1024;
const HEADER_BYTES = 8 * 1024;
/** A client that needs longer than this to send its headers is stuck or hostile. */
const RECEIVE_MS = 10_000;
/** Longer than the 60 s after which common balancers drop idle connections, so they do it first. */
const KEEP_ALIVE_MS = 65_000;
/** Time for the sender of an unfinished request to read its answer. */
const LINGER_MS = 2_000;
const CONNECTIONS = 20_000;

export async function createHttp(options: HttpOptions) {
  const quick: QuickRoute[] = [];
  const dropped = (at: DroppedAt) => options.telemetry.emit({ kind: 'http.answer_dropped', at });
  const write = requestLines(options.logger);
  let closing = false;
  const lane = { ...options, quick, dropped, write, isClosing: () => closing };
  const logger = countsDropped(options.logger, dropped);
  const http = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Our lines name their request: a logger for each of them would say it twice.
    childLoggerFactory: () => logger,
    genReqId: () => uuidv7({ clock: systemClock, random: systemRandom }),
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: BODY_BYTES,
    serverFactory: (listener) => openServer(lane, quickly(lane, listener)),
    // Closing: the listener goes first, requests on open connections are still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseBrokenRequest,
    // A path that cannot be decoded meets no route, and so no error handler of ours.
    frameworkErrors: (error, request, reply) => earlyErrorHandler(error, request, reply),
    routerOptions: { maxParamLength: 255 },
    schemaController: { compilersFactory: { buildSerializer } },
  }).withTypeProvider<TypeBoxTypeProvider>();
  http.server.maxConnections = CONNECTIONS;
  refuseOddProtocols(http.server);
  http.setValidatorCompiler(validatorCompiler);
  http.setErrorHandler((error: FastifyError, request, reply) =>
    errorHandler(error, request, reply),
  );
  http.setNotFoundHandler(notFoundHandler);
  http.addSchema(ErrorReply);
  if (options.tracer) traceRequests(http, options.tracer);
  measure(http, options, write);
  secureHeaders(http);
  closePolitely(http, lane.isClosing);
  http.addHook('preClose', async () => {
    closing = true;
  });
  endUnfinished(http);
  // Before access is judged: a page must be able to read a refusal, too.
  if (options.corsOrigins.length > 0) await allowOrigins(http, options.corsOrigins);
  limitTime(http, options.deadline_ms);
  refuseUnknownQueries(http);
  const routeTable = guardRoutes(http, options.guard);
  parseJsonBodies(http);
  describeTooLarge(http);
  refuseBadText(http);
  await registerOpenApi(http);
  return Object.assign(http, {
    routeTable,
    /** Served before the framework, where a request is as it mostly is. */
    serveQuickly: (route: QuickRoute) => void quick.push(route),
    isStillAllowed: (request: FastifyRequest) => isStillAllowed(options.guard, request),
  });
}

function openServer(
  options: HttpOptions & Readonly<{ dropped(at: DroppedAt): void }>,
  listener: RequestListener,
): Server {
  const { gate, dropped } = options;
  const settings = {
    maxHeaderSize: HEADER_BYTES,
    headersTimeout: RECEIVE_MS,
    connectionsCheckingInterval: 1_000,
    // The slowest upload; on ordinary routes the deadline ends a body that trickles in.
    requestTimeout: LONG_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A request without it reaches us and is refused in our format.
    requireHostHeader: false,
    ServerResponse: oneAnswer({ together: outbox(), dropped }),
  };
  const entrance = gate ? gated({ ...options, gate }, listener) : listener;
  return createServer(settings, knowingRequest(withOneHost(entrance)));
}

export type Http = Awaited<ReturnType<typeof createHttp>>;

/** Routes whose bodies are large texts that are looked at elsewhere; they get the text. */
export function withLargeBodies(http: Http, register: (part: Http) => void): void {
  withTextBodies(http, LARGE_BODY_BYTES, register);
}

/** Routes that get their bodies as texts. */
export function withTextBodies(
  http: Http,
  bodyLimit: number,
  register: (part: Http) => void,
): void {
  http.register(async (part) => {
    takeTextBodies(part, bodyLimit);
    register(part as unknown as Http);
  });
}

function measure(
  http: FastifyInstance,
  { metrics, telemetry, refused }: HttpOptions,
  write: ReturnType<typeof requestLines>,
): void {
  http.decorateReply('refusal');
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    nameRequest(reply.raw, request.id);
    done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const seconds = reply.elapsedTime / 1_000;
    metrics.request({ method: request.method, route, status: reply.statusCode, seconds });
    const code = refusalOf(reply);
    if (code) {
      telemetry.emit({ kind: 'http.refused', code });
      refused?.(request, code);
    }
    const { id: request_id, method } = request;
    write({ request_id, method, route, status: reply.statusCode, seconds });
    done();
  });
}

/** Reading a body leaves the request's context, so it is entered again behind it. */
function traceRequests(http: FastifyInstance, tracer: Tracer): void {
  const traces = new WeakMap<FastifyRequest, ReturnType<Tracer['begin']>>();
  http.addHook('onRequest', (request, _reply, done) => {
    const { traceparent } = request.headers;
    const trace = tracer.begin(typeof traceparent === 'string' ? traceparent : undefined);
    traces.set(request, trace);
    tracer.within(trace, done);
  });
  http.addHook('preValidation', (request, _reply, done) => {
    const trace = traces.get(request);
    if (trace) tracer.within(trace, done);
    else done();
  });
  http.addHook('onResponse', (request, reply, done) => {
    const trace = traces.get(request);
    const route = request.routeOptions.url ?? 'unknown';
    if (trace) tracer.end(trace, { method: request.method, route, status: reply.statusCode });
    done();
  });
}

/**
 * A request that was answered before all of it arrived (no credential, too large, too late) may
 * send the rest for a moment, so that its sender can read the answer; then the connection ends.
 */
function endUnfinished(http: FastifyInstance): void {
  http.addHook('onResponse', (request, _reply, done) => {
    const { raw } = request;
    if (!raw.complete) setTimeout(() => raw.complete || raw.destroy(), LINGER_MS).unref();
    done();
  });
}
