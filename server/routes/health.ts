import { Health } from '@voelgoed/client/wire';
import { pendingMigrations } from '@voelgoed/engine/postgres';
import { type Http, refuse } from '#http';
import type { RouteContext } from './context.ts';

export function registerHealth(http: Http, context: RouteContext): void {
  http.get('/health/live', { schema: describe('Is the process alive') }, async () => ({
    data: { status: 'live' as const, parts: {} },
  }));

  http.get(
    '/health/ready',
    { schema: describe('May this node get requests') },
    async (_, reply) => {
      const { parts, ready } = await nodeState(context);
      reply.header('cache-control', 'no-store');
      if (ready) return { data: { status: 'ready' as const, parts } };
      return refuse(reply, 'unavailable', 'This node is not ready.', { parts });
    },
  );

  http.get('/metrics', { schema: { hide: true } }, async (_, reply) => {
    reply.type(context.metrics.contentType);
    return context.metrics.text();
  });

  http.get('/openapi.json', { schema: { hide: true } }, async () => http.swagger());
}

/** Each part that exists with its state. Without Redis a node still serves, only slower. */
export async function nodeState(
  context: RouteContext,
): Promise<{ parts: Record<string, string>; ready: boolean }> {
  const postgres = await postgresState(context);
  const parts: Record<string, string> = { postgres };
  if (context.redis) parts.redis = (await context.redis.isUp()) ? 'ok' : 'down';
  if (!context.isServing()) parts.node = 'stopping';
  return { parts, ready: postgres === 'ok' && context.isServing() };
}

async function postgresState({ postgres }: RouteContext): Promise<string> {
  try {
    const pending = await postgres.transaction(null, { name: 'health' }, pendingMigrations);
    return pending.length === 0 ? 'ok' : `waits for migration ${pending[0]}`;
  } catch {
    return 'down';
  }
}

function describe(summary: string) {
  return { tags: ['operations'], summary, response: { 200: Health, 503: { $ref: 'Error#' } } };
}
