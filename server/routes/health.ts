import { Health } from '@voelgoed/client/wire';
import { pendingMigrations, type Transaction, tooOldFor } from '@voelgoed/engine/postgres';
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

/** A probe that waits longer is no help to whoever asks. */
const ANSWER_MS = 1_000;
/** It runs every second. */
const SWEEP_LATE_MS = 10_000;

export function registerHealth(http: Http, context: RouteContext): void {
  const described = (summary: string) => ({
    ...OPEN,
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

  http.get('/metrics', HIDDEN, async (_, reply) => {
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
  const postgres = await postgresState(context);
  const parts: Record<string, string> = { postgres };
  const { warm } = context.engine;
  if (warm) {
    parts.redis = (await warm.isUp()) ? 'ok' : 'down';
    parts.breaker = warm.state;
  }
  parts.sweep = sweepState(context);
  const unreadable = context.engine.registry.unreadable;
  if (unreadable > 0) parts.boards = `the log of ${unreadable} events is of a newer version`;
  if (!context.isServing()) parts.node = 'stopping';
  return { parts, ready: postgres === 'ok' && unreadable === 0 && context.isServing() };
}

/** Expired seats can be taken without it, and other nodes sweep too: it is told, no more. */
function sweepState({ engine, sweptAt_ms }: RouteContext): string {
  const last = sweptAt_ms();
  if (last === null) return 'has not run yet';
  return engine.clock.monotonic() - last < SWEEP_LATE_MS ? 'ok' : 'late';
}

async function postgresState({ engine }: RouteContext): Promise<string> {
  try {
    const deadline_ms = engine.clock.monotonic() + ANSWER_MS;
    const look = { name: 'health', pool: 'logins', deadline_ms } as const;
    return await Promise.race([
      engine.postgres.transaction(null, look, schemaState),
      engine.clock.sleep(ANSWER_MS).then(() => 'does not answer'),
    ]);
  } catch {
    return 'down';
  }
}

/** A schema may lack what this version needs, or what it needs may have been taken away. */
async function schemaState(transaction: Transaction): Promise<string> {
  const [pending] = await pendingMigrations(transaction);
  if (pending !== undefined) return `waits for migration ${pending}`;
  return (await tooOldFor(transaction)) ?? 'ok';
}
