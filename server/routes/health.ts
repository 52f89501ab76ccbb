import { Health } from '@voelgoed/client/wire';
import { systemClock } from '@voelgoed/engine/kit';
import {
  type Http,
  isKnown,
  notModified,
  openApiFile,
  readsGzip,
  refuse,
  replies,
  sendJson,
} from '#http';
import type { RouteContext } from './context.ts';

const OPEN = { config: { access: { kind: 'open' } } } as const;
const HIDDEN = { ...OPEN, schema: { hide: true } } as const;
/** Balancers and scrapers may add parameters; refused, they would take a good node out. */
const PROBED = { access: { kind: 'open' }, anyQuery: 'asked by programs of others' } as const;

/** It runs every second. */
const SWEEP_LATE_MS = 10_000;
/** As the doctor: log lines of several machines can still be put in order. */
const SKEW_S = 2;

export function registerHealth(http: Http, context: RouteContext): void {
  const described = (summary: string) => ({
    config: PROBED,
    schema: {
      tags: ['operations'],
      summary,
      response: replies({ 200: Health }, ['invalid_request']),
    },
  });

  http.get('/health/live', described('Is the process alive'), async () => ({
    data: { status: 'live' as const, parts: {} },
  }));

  http.get('/health/ready', described('May this node get requests'), async (_, reply) => {
    const { parts, ready } = await nodeState(context);
    reply.header('cache-control', 'no-store');
    if (ready) return { data: { status: 'ready' as const, parts } };
    return refuse(reply, 'unavailable', 'This node is not ready.', { parts }) as never;
  });

  http.get('/metrics', { ...HIDDEN, config: PROBED }, async (_, reply) => {
    reply.type(context.metrics.contentType);
    return context.metrics.text();
  });

  // All routes are there when somebody asks for the first time.
  let file: ReturnType<typeof openApiFile> | undefined;
  http.get('/openapi.json', HIDDEN, async (request, reply) => {
    file ??= openApiFile(http);
    reply.header('etag', file.etag).header('vary', 'accept-encoding');
    if (isKnown(request.headers['if-none-match'], file.etag)) return notModified(reply);
    if (readsGzip(request)) return sendJson(reply, file.gzip, 'gzip');
    return sendJson(reply, file.plain, 'identity');
  });
}

/** Each part that exists with its state. Without Redis a node still serves, only slower. */
export async function nodeState(
  context: RouteContext,
): Promise<{ parts: Record<string, string>; ready: boolean }> {
  const postgres = await context.databaseState();
  const parts: Record<string, string> = { postgres };
  const { warm } = context.engine;
  if (warm) {
    parts.redis = (await warm.isUp()) ? 'ok' : 'down';
    parts.breaker = warm.state;
  }
  parts.sweep = sweepState(context);
  parts.clock = clockState(context);
  const unreadable = context.engine.registry.unreadable;
  if (unreadable > 0) parts.boards = `the log of ${unreadable} events is of a newer version`;
  if (!context.isServing()) parts.node = 'stopping';
  const { knowsTime } = context.engine.registry;
  const works = postgres === 'ok' && unreadable === 0 && knowsTime;
  return { parts, ready: works && context.isServing() };
}

/**
 * Nothing is decided by the clock of this machine, so a wrong one is shown and no reason to send
 * nobody here. A node that has never read the database's clock would judge tokens by its own.
 */
function clockState({ engine: { registry } }: RouteContext): string {
  if (!registry.knowsTime) return 'the clock of the database was not read yet';
  const skew_s = Math.round((systemClock.now() - registry.wall()) / 1_000);
  const drift_s = Math.round(registry.drift_ms / 1_000);
  const skew = Math.abs(skew_s) <= SKEW_S ? [] : [`this machine is ${ahead(skew_s)} the database`];
  const drift = drift_s === 0 ? [] : [`the database is ${ahead(drift_s)} event time`];
  return [...skew, ...drift].join('; ') || 'ok';
}

function ahead(seconds: number): string {
  return `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'}`;
}

/** Expired seats can be taken without it, and other nodes sweep too: it is told, no more. */
function sweepState({ engine, sweptAt_ms }: RouteContext): string {
  const last = sweptAt_ms();
  if (last === null) return 'has not run yet';
  return engine.clock.monotonic() - last < SWEEP_LATE_MS ? 'ok' : 'late';
}
