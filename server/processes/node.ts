import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { headSigner } from '@voelgoed/engine/audit';
import { UNNAMED_PROVIDER } from '@voelgoed/engine/checkouts';
import { systemClock, systemRandom } from '@voelgoed/engine/kit';
import {
  refuseSharedSessions,
  servingProblems,
  servingUrls,
  tooOldFor,
} from '@voelgoed/engine/postgres';
import { scopeOf } from '@voelgoed/engine/scope';
import type { Telemetry } from '@voelgoed/engine/telemetry';
import { type Engine, listTokenIssuers, PublicScopes } from '@voelgoed/engine/workflows';
import type { Config } from '#config';
import { demoPayments, loadDemo, registerDemoProvider, registerOnSale } from '#demo';
import { createHttp, type Http, type HttpOptions } from '#http';
import { createLimits } from '#limits';
import { alsoLogged, createMetrics, type Metrics, watchNode } from '#metrics';
import { createPoster, type Poster } from '#outgoing';
import { Gate, loopUse } from '#overload';
import { type Payments, refusedHolds, registerRoutes } from '#routes';
import { readSite, registerSite } from '#site';
import { StreamHub } from '#stream';
import { Authenticator } from '#tokens';
import { Exporter, Tracer } from '#tracing';
import { type BugReport, bugReport } from './bugs.ts';
import { closeEngine, type OpenEngine, openEngine, startJobs } from './engine.ts';
import { createLogger } from './logger.ts';
import { suitMemory } from './memory.ts';

export type NodeOptions = Readonly<{
  config: Config;
  ownerUrl: string;
  authSecret: string;
  redisUrl: string | null;
  /** Others that count, or nobody. */
  metrics?: Metrics;
  /** How long a request may take; shorter in tests. */
  deadline_ms?: number;
  /** How long a request waits for a connection to Postgres; as long as its deadline in tests. */
  connectionWait_ms?: number;
}>;

export type RunningNode = Readonly<{
  http: Http;
  address: string;
  /** Says whether the node can go on after a bug that no code of it caught. */
  bug: BugReport;
  stop(): Promise<void>;
}>;

const WEB_APP = fileURLToPath(new URL('../../web/dist', import.meta.url));
/** How long requests that are under way may take when the node is asked to stop. */
const DRAIN_MS = 10_000;
/** A sale opens and thousands connect within the same second. */
const BACKLOG = 4_096;
/** How many ports after the default are tried when it is taken and none was asked for. */
const PORTS_TO_TRY = 20;

/** Everything that serves: connections, HTTP, metrics. Services around it are the caller's. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { config } = options;
  suitMemory();
  const metrics = options.metrics ?? createMetrics({ redis: options.redisUrl !== null });
  await refuseBadAddresses(options);
  const logger = createLogger(config.logLevel);
  const logged = alsoLogged(metrics.telemetry, logger);
  const traces = openTraces(config, logged);
  const telemetry = traces?.tracer.alsoTraced(logged) ?? logged;
  const engine = openEngine(options, telemetry, engineSettings(options));
  await refuseNewerSchema(engine);
  await engine.warm?.connect();
  const poster = openPoster(config, traces);
  const jobs = startJobs(engine, poster.post);
  const streams = openStreams(config, engine);
  let serving = true;
  const stopping = new AbortController();
  const authenticator = openAuthenticator(options, engine);
  const gate = openGate(config, engine, authenticator);
  watchNode(metrics, { engine, streams, gate, courier: jobs.courier });
  const http = await openHttp(config, engine, {
    ...{ authenticator, gate, metrics, telemetry, logger },
    tracer: traces?.tracer ?? null,
    deadline_ms: options.deadline_ms,
  });
  const stop = async () => {
    serving = false;
    stopping.abort();
    await within(DRAIN_MS, http.close());
    http.server.closeAllConnections();
    await jobs.stop();
    poster.close();
    await closeEngine(engine);
    await traces?.exporter.stop();
  };
  try {
    const payments = openPayments(options, engine, http, stopping.signal);
    registerRoutes(http, {
      engine,
      metrics,
      streams,
      limits: createLimits({
        clock: engine.clock,
        guestSessionsPerHour: config.guestSessionsPerHour,
        checkoutIntervalSeconds: config.checkoutIntervalSeconds,
        secret: options.authSecret,
        shared: engine.warm?.buckets ?? null,
      }),
      demo: config.demo,
      authSecret: options.authSecret,
      payments,
      signer: headSigner(options.authSecret),
      allowInternal: config.allowInternalAddresses,
      post: poster.post,
      databaseState: () => engine.writeProbe.look(),
      sweptAt_ms: jobs.lastDone_ms,
      isServing: () => serving,
    });
    registerSite(http, await readSite(WEB_APP, siteSettings(config)));
    if (config.demo) await loadDemo(engine);
    return { http, address: await listen(http, config), bug: bugReport(telemetry), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function engineSettings({ config, connectionWait_ms }: NodeOptions) {
  return {
    connection_ms: config.connectionSeconds * 1_000,
    connectionWait_ms,
    demoHoldSeconds: config.demoHoldTtlSeconds,
    redisProbe_ms: config.redisProbeSeconds * 1_000,
  };
}

/** Before anything is opened: a pooler that shares sessions, or a role with too many rights. */
async function refuseBadAddresses({ ownerUrl, authSecret }: NodeOptions): Promise<void> {
  const urls = servingUrls(ownerUrl, authSecret);
  await refuseSharedSessions(urls.appUrl);
  await refuseToServeAsOwner(Object.values(urls));
}

/** Older than the schema allows: it would fail here and there, or be wrong. */
async function refuseNewerSchema(engine: OpenEngine): Promise<void> {
  const look = { name: 'schema', pool: 'logins' } as const;
  // A database that cannot be asked now is no reason: the node is not ready, and asks again.
  const problem = await engine.postgres
    .transaction(null, look, (one) => tooOldFor(one))
    .catch(() => null);
  if (problem === null) return;
  await closeEngine(engine);
  throw new Error(`refusing to serve: ${problem}`);
}

type Traces = Readonly<{ tracer: Tracer; exporter: Exporter }>;

function openTraces(config: Config, telemetry: Telemetry): Traces | null {
  if (config.tracesUrl === null) return null;
  const endpoint = config.tracesUrl.replace(/\/$/, '');
  const exporter = new Exporter({ endpoint, clock: systemClock, telemetry });
  const ratio = config.tracesPercent / 100;
  const tracer = new Tracer({ clock: systemClock, random: systemRandom, exporter, ratio });
  return { tracer, exporter };
}

/** Whom we ask on behalf of a request learns which one it was. */
function openPoster(config: Config, traces: Traces | null): Poster {
  const poster = createPoster({ allowInternal: config.allowInternalAddresses });
  if (!traces) return poster;
  return {
    ...poster,
    post: (letter) =>
      poster.post({ ...letter, headers: { ...letter.headers, ...traces.tracer.headers() } }),
  };
}

function siteSettings({ demo, shopOrganization: organization }: Config) {
  return { demo, organization };
}

/** In demo mode the provider is ours, and has a secret of its own if none was set. */
function openPayments(
  { config, authSecret }: NodeOptions,
  tools: Engine,
  http: Http,
  stopping: AbortSignal,
): Payments {
  const { payUrl, paymentWebhookSecret, paymentProviders } = config;
  const [first = UNNAMED_PROVIDER, ...others] = paymentProviders;
  if (!config.demo) {
    return {
      webhookSecret: paymentWebhookSecret,
      providers: [first, ...others],
      payUrl: ({ attempt_id }) => payUrl?.replaceAll('{attempt_id}', attempt_id) ?? null,
    };
  }
  const derived = () => createHmac('sha256', authSecret).update('payments').digest('hex');
  const secret = paymentWebhookSecret ?? derived();
  const options = { secret, others: paymentProviders, tools, stopping };
  registerDemoProvider(http, options);
  registerOnSale(http, { engine: tools, authSecret, stopping });
  return demoPayments(options);
}

/** One event may take most of a node's connections, not all of them. */
const STREAMS_PER_EVENT = 15_000;
/** Somebody with a phone, a tablet and a few forgotten tabs; a box office has a screen each. */
const STREAMS_PER_USER = 20;

function openStreams(config: Config, engine: Engine): StreamHub {
  return new StreamHub(engine, {
    perAddress: config.streamsPerAddress,
    perUser: STREAMS_PER_USER,
    perEvent: STREAMS_PER_EVENT,
  });
}

function openAuthenticator({ config, authSecret }: NodeOptions, engine: Engine): Authenticator {
  return new Authenticator({
    secret: authSecret,
    postgres: engine.postgres,
    clock: engine.clock,
    issuers: (organizationId) => listTokenIssuers(engine, { scope: scopeOf(organizationId) }),
    allowInternalIssuers: config.allowInternalAddresses,
  });
}

function openGate(config: Config, engine: Engine, authenticator: Authenticator): Gate {
  return new Gate({
    clock: engine.clock,
    random: engine.random,
    organizationOfEvent: (eventId) => engine.registry.organizationOf(eventId),
    organizationOfHeader: (header) => authenticator.organizationOf(header),
    use: loopUse(),
    isOn: config.shedsLoad,
  });
}

type Wired = Pick<
  HttpOptions,
  'gate' | 'metrics' | 'telemetry' | 'logger' | 'tracer' | 'deadline_ms'
>;

function openHttp(
  config: Config,
  engine: Engine,
  { authenticator, ...wired }: Wired & { authenticator: Authenticator },
) {
  const scopes = new PublicScopes(engine);
  return createHttp({
    ...wired,
    trustedProxies: config.trustedProxies,
    corsOrigins: config.corsOrigins,
    ...refusedHolds(engine),
    guard: {
      authenticator,
      platformSecret: config.platformSecret,
      scopeOfEvent: (eventId) => scopes.of(eventId),
    },
  });
}

async function refuseToServeAsOwner(urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const problems = await servingProblems(url);
    if (problems.length > 0) throw new Error(`refusing to serve: ${problems.join('; ')}`);
  }
}

async function listen(http: Http, config: Config): Promise<string> {
  const last = config.portIsFixed ? config.port : config.port + PORTS_TO_TRY;
  for (let port = config.port; ; port++) {
    try {
      return await http.listen({ host: config.host, port, backlog: BACKLOG });
    } catch (error) {
      const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
      if (taken && port < last) continue;
      if (taken) throw new Error(`PORT: ${port} is already in use on ${config.host}`);
      throw error;
    }
  }
}

/** Requests that never end (a vanished client) must not keep the node from stopping. */
async function within(limit_ms: number, work: PromiseLike<unknown>): Promise<void> {
  const over = new AbortController();
  const limit = systemClock.sleep(limit_ms, over.signal).catch(() => {});
  await Promise.race([work, limit]);
  over.abort();
}
