import {
  InvariantChecker,
  oweTickets,
  pruneOnce,
  type RunningJob,
  repeat,
  spreadPolicies,
  sweepOnce,
} from '@voelgoed/engine/jobs';
import {
  type Clock,
  SharedCalls,
  systemClock,
  systemRandom,
  type Timers,
} from '@voelgoed/engine/kit';
import { Postgres, servingUrls, WriteProbe } from '@voelgoed/engine/postgres';
import {
  type PlanCache,
  PostgresFeed,
  PostgresStore,
  SeatRegistry,
  Watchers,
} from '@voelgoed/engine/registry';
import type { Telemetry } from '@voelgoed/engine/telemetry';
import { TicketSigner } from '@voelgoed/engine/tickets';
import { WarmTier } from '@voelgoed/engine/warm';
import { Courier, type Post, WebhookSecrets } from '@voelgoed/engine/webhooks';
import { type Engine, keepOccupancy, PageViews, RefusalLog } from '@voelgoed/engine/workflows';
import { LayoutCache, Workshop } from '@voelgoed/engine/workshop';

type EngineSettings = Readonly<{
  /** No connection to Postgres is used for longer. */
  connection_ms?: number;
  /** How long a request waits for a connection to Postgres. */
  connectionWait_ms?: number | undefined;
  demoHoldSeconds?: number | null;
  redisProbe_ms?: number;
  /** How long a command to Redis may take where no buyer waits. */
  redisCommand_ms?: number;
}>;

/** With what jobs need of it. */
export type OpenEngine = Engine & {
  feed: PostgresFeed;
  plans: PlanCache;
  writeProbe: WriteProbe;
};

/** An engine that works and hears nothing of other nodes; `startJobs` joins it to them. */
export function openEngine(
  services: { ownerUrl: string; authSecret: string; redisUrl: string | null },
  telemetry: Telemetry,
  settings: EngineSettings = {},
): OpenEngine {
  const tools = { clock: systemClock, random: systemRandom, telemetry };
  const urls = servingUrls(services.ownerUrl, services.authSecret);
  const { connection_ms: life_ms, connectionWait_ms: wait_ms } = settings;
  const postgres = new Postgres({ ...urls, ...tools, life_ms, wait_ms });
  const feed = new PostgresFeed({ ...tools, url: urls.jobsUrl, life_ms });
  const store = new PostgresStore(postgres);
  const { demoHoldSeconds = null, redisProbe_ms, redisCommand_ms } = settings;
  const warm = services.redisUrl
    ? new WarmTier({
        ...tools,
        url: services.redisUrl,
        otherwise: feed,
        probe_ms: redisProbe_ms,
        command_ms: redisCommand_ms,
      })
    : null;
  const watchers = new Watchers(warm?.watch);
  const tiers = { feed: warm?.feed ?? feed, claims: warm?.claims, watch: watchers };
  const registry = new SeatRegistry({ ...tools, demoHoldSeconds, store, ...tiers });
  warm?.attach(registry);
  return {
    ...tools,
    clock: databaseClock(registry),
    postgres,
    layouts: new LayoutCache(postgres, { shared: warm?.readers, telemetry }),
    workshop: new Workshop(),
    registry,
    watchers,
    warm,
    refusals: new RefusalLog({ ...tools, postgres }),
    pageViews: new PageViews({ telemetry, postgres }),
    publicEvents: new SharedCalls(),
    ipSecret: services.authSecret,
    tickets: new TicketSigner(services.authSecret),
    webhookSecrets: new WebhookSecrets(services.authSecret),
    feed,
    plans: store.plans,
    writeProbe: new WriteProbe({ ...tools, postgres }),
  };
}

/**
 * The time of day by the database's clock, the same on every node: sale windows, tokens, sessions
 * and signatures are judged by it, whatever the clock of the machine says.
 */
function databaseClock(registry: SeatRegistry): Clock & Timers {
  return { ...systemClock, now: () => registry.wall() };
}

/** Jittered by a fifth, it is never asked twice in a second. */
const PROBE_MS = 1_250;
const SWEEP_MS = 1_000;
const REFUSALS_MS = 1_000;
/** A minute's row of an event is written six times at most. */
const PAGE_VIEWS_MS = 10_000;
const PRUNE_MS = 600_000;
const POLICIES_MS = 5_000;
const OWE_MS = 5_000;
const WEBHOOKS_MS = 1_000;
/** A few milliseconds of the database each time, and of ours. */
const INVARIANTS_MS = 60_000;
/** Twice a minute at the latest: no minute is left out, and each is kept once. */
const OCCUPANCY_MS = 25_000;

/** Hears other nodes and does what nobody asks for, until the engine is closed. */
export function startJobs(engine: OpenEngine, post: Post): RunningJob & { courier: Courier } {
  const { registry, feed } = engine;
  const courier = new Courier({ ...engine, post });
  const checker = new InvariantChecker(engine);
  const deafen = engine.watchers.listen((event) => courier.hear(event));
  void feed.start(registry);
  registry.start();
  engine.warm?.start();
  const sweep = repeat('sweep', SWEEP_MS, engine, () => sweepOnce(engine));
  const jobs = [
    sweep,
    repeat('write_probe', PROBE_MS, engine, async () => void (await engine.writeProbe.look())),
    repeat('prune', PRUNE_MS, engine, () => pruneOnce(engine)),
    repeat('refusals', REFUSALS_MS, engine, () => engine.refusals.flush()),
    repeat('page_views', PAGE_VIEWS_MS, engine, () => engine.pageViews.flush()),
    repeat('occupancy', OCCUPANCY_MS, engine, () => keepOccupancy(engine)),
    repeat('owe', OWE_MS, engine, () => oweTickets(engine)),
    repeat('policies', POLICIES_MS, engine, () => spreadPolicies(engine)),
    repeat('invariants', INVARIANTS_MS, engine, (stopping) => checker.round(stopping)),
    repeat('webhooks', WEBHOOKS_MS, engine, () => courier.round()),
  ];
  return {
    lastDone_ms: sweep.lastDone_ms,
    courier,
    stop: async () => {
      deafen();
      await Promise.all(jobs.map((job) => job.stop()));
      await courier.stop();
    },
  };
}

/** What was queued is still decided, and others are told of it: by the feed where Redis fails. */
export async function closeEngine(engine: OpenEngine): Promise<void> {
  await engine.registry.stop();
  await engine.warm?.close();
  await engine.feed.stop();
  await engine.refusals.flush();
  await engine.pageViews.flush();
  await engine.workshop.close();
  await engine.postgres.close();
}
