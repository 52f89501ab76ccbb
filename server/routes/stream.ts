import type { ServerResponse } from 'node:http';
import { EventParams, IdParams, StreamQuery } from '@voelgoed/client/wire';
import { assert, reasonOf } from '@voelgoed/engine/kit';
import { eventIds } from '@voelgoed/engine/registry';
import { buyerIdOf } from '@voelgoed/engine/workflows';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { addressOf, callerOf, type Http, refuse, replies, repliesOr, WITH_CREDENTIAL } from '#http';
import type { Pipe, StreamPlace, Ticket } from '#stream';
import type { RouteContext } from './context.ts';

const MISSING = 'There is no such event on sale.';
const TOO_MANY = 'Too many open streams from here. Close one first.';
const OVER = 'The time of this token is over.';
const FULL = 'This node has as many streams as it can serve. Please try again.';
/**
 * How often a stream asks whether its credential is still good, from memory. A change is noticed
 * within 5 s by requests and has to be by streams: a removed member is found out by the second
 * question at the latest (the first makes the node look whether anything has changed, which it does
 * when it has not looked for 1 s), so after 1 + 2 × 1.5 s; a revoked key after 3 + 1.5 s.
 */
const RECHECK_MS = 1_500;

/** Proxies shall neither keep, compress nor collect it. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

const FRAMES = { 200: Type.String({ description: 'text/event-stream' }) };

export function registerStream(http: Http, context: RouteContext): void {
  http.addHook('preClose', async () => context.streams.drain());
  http.get(
    '/api/events/:event_id/stream',
    {
      config: { access: { kind: 'event' } },
      exposeHeadRoute: false,
      schema: {
        tags: ['public'],
        summary: 'Everything that changes, as server-sent events; with a token also your holds',
        params: EventParams,
        querystring: StreamQuery,
        response: replies(FRAMES, [
          'invalid_request',
          'unauthorized',
          'event_not_found',
          'rate_limited',
        ]),
      },
    },
    async (request, reply) => {
      const { eventScope: scope, principal } = request;
      assert(scope, 'a route about an event has its organization');
      const event = { scope, eventId: request.params.event_id };
      const userId = principal && buyerIdOf(scope.organizationId, principal);
      const visitor = { event, address: addressOf(request), userId, isStaff: false };
      return open(http, context, request, reply, visitor) as never;
    },
  );

  http.get(
    '/api/admin/events/:id/stream',
    {
      config: { access: { kind: 'scope', scope: 'holds:read' } },
      exposeHeadRoute: false,
      schema: {
        tags: ['box office'],
        ...WITH_CREDENTIAL,
        summary: 'The same with who and why, as `log` events; read by fetch',
        params: IdParams,
        querystring: StreamQuery,
        response: repliesOr(FRAMES, 'event_not_found', 'rate_limited'),
      },
    },
    async (request, reply) => {
      const { scope, actor } = callerOf(request);
      const event = { scope, eventId: request.params.id };
      const visitor = { event, address: addressOf(request), userId: actor.id, isStaff: true };
      return open(http, context, request, reply, visitor) as never;
    },
  );
}

async function open(
  http: Http,
  { streams, engine }: RouteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  visitor: Ticket['visitor'],
) {
  // Else a stream that has just ended with its token would be opened again at once.
  if (!(await http.isStillAllowed(request))) return refuse(reply, 'unauthorized', OVER);
  const entered = streams.enter(visitor);
  if (entered.kind === 'too_many') return refuse(reply, 'rate_limited', TOO_MANY);
  if (entered.kind === 'full') return refuse(reply, 'overloaded', FULL);
  const { ticket } = entered;
  const isOn = await streams.isOn(visitor).catch((error) => {
    ticket.leave();
    throw error;
  });
  if (!isOn || reply.sent) ticket.leave();
  // The board took so long that they were told to try again.
  if (reply.sent) return reply;
  if (!isOn) return refuse(reply, 'event_not_found', MISSING);
  const { raw, pipe } = pipeOf(reply);
  const gone = new AbortController();
  const listening = streams.listen(ticket, pipe, placeOf(request));
  const leave = () => {
    gone.abort(new Error('gone'));
    // A failure of it is the handler's, below.
    void listening.then(({ go }) => go()).catch(() => {});
  };
  raw.once('close', leave);
  // Gone before anybody listened for it.
  if (raw.destroyed || request.raw.socket.destroyed) leave();
  const { client } = await listening;
  if (request.principal) void recheck();
  return reply;

  async function recheck(): Promise<void> {
    while (!gone.signal.aborted) {
      await engine.clock.sleep(RECHECK_MS, gone.signal).catch(() => {});
      if (gone.signal.aborted) return;
      const allowed = await http.isStillAllowed(request).catch((error) => {
        // Whoever cannot be asked now is asked again.
        const about = { reason: reasonOf(error), ids: eventIds(visitor.event) };
        engine.telemetry.emit({ kind: 'stream.failed', ...about });
        return true;
      });
      if (!allowed) client.end();
    }
  }
}

/** The bare response: it ends when the connection ends, so that every frame is one write. */
function pipeOf(reply: FastifyReply): { raw: ServerResponse; pipe: Pipe } {
  const headers = { ...reply.getHeaders(), ...HEADERS };
  reply.hijack();
  const { raw } = reply;
  raw.useChunkedEncodingByDefault = false;
  raw.shouldKeepAlive = false;
  raw.on('error', () => raw.destroy());
  raw.writeHead(200, headers as Record<string, string>);
  raw.flushHeaders();
  return { raw, pipe: directly(raw) };
}

/**
 * Past the response, which would keep all writes of a turn back until its end: thousands of them at
 * once, for a tenth of a second, and nobody could say how long they take. A response that waits for
 * an earlier one on the same connection has no socket yet.
 */
function directly(raw: ServerResponse): Pipe {
  const write = (bytes: Uint8Array) => (raw.socket ?? raw).write(bytes);
  return {
    get writableLength() {
      return raw.writableLength;
    },
    write,
    end: (bytes) => {
      if (bytes) write(bytes);
      raw.end();
    },
    destroy: () => raw.destroy(),
  };
}

/**
 * Where somebody says they were. Anybody can say anything: it is compared, never believed. Without
 * a lineage it is no place of any history, and they get a snapshot that is not older.
 */
function placeOf(request: FastifyRequest): StreamPlace | null {
  const id = String(request.headers['last-event-id'] ?? '');
  const { lineage = '' } = request.query as { lineage?: string };
  if (!/^\d{1,15}$/.test(id)) return null;
  return { revision: Number(id), lineage };
}
