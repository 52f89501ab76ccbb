import type { IncomingHttpHeaders } from 'node:http';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const EXPOSED = ['date', 'etag', 'idempotent-replayed', 'retry-after', 'x-request-id'];

/** Pages of these origins may call us. Credentials are tokens in a header, never cookies. */
export async function allowOrigins(
  http: FastifyInstance,
  origins: readonly string[],
): Promise<void> {
  await http.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'last-event-id'],
    exposedHeaders: EXPOSED,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 600,
    strictPreflight: false,
  });
}

const NONE: Readonly<Record<string, string>> = {};

/** The same for answers that are given before the framework is asked. */
export function corsHeaders(
  origins: readonly string[],
  { origin }: IncomingHttpHeaders,
): Readonly<Record<string, string>> {
  if (origins.length === 0) return NONE;
  const exposed = { 'access-control-expose-headers': EXPOSED.join(', ') };
  if (origins.includes('*')) return { 'access-control-allow-origin': '*', ...exposed };
  const isOurs = origin !== undefined && origins.includes(origin);
  const allowed = isOurs ? { 'access-control-allow-origin': origin } : {};
  return { vary: 'Origin', ...allowed, ...exposed };
}
