import { Readable } from 'node:stream';
import {
  Activity,
  ActivityQuery,
  BoardQuery,
  ChangesQuery,
  Data,
  ExportQuery,
  HistoryQuery,
  IdParams,
  NextRevisions,
  NextTimes,
  OccupancyAt,
  Page,
  PastBoard,
  ToldRow,
} from '@voelgoed/client/wire';
import { publicCountsOf } from '@voelgoed/engine/board';
import {
  boardAt,
  changesAfter,
  eventActivity,
  exportLog,
  occupancyHistory,
  type PastBoard as Past,
} from '@voelgoed/engine/workflows';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['history'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'holds:read' } } as const;
const FIGURES = { access: { kind: 'scope', scope: 'figures:read' } } as const;
const AUDIT = { access: { kind: 'scope', scope: 'audit:read' }, long: true } as const;
const MISSING = 'There is no such event on sale.';
const NOT_KEPT = 'This is older than what is kept, or has not happened yet.';
/** Everything that anybody can have sold. */
const EVER = { from: '1970-01-01T00:00:00Z', to: '9998-01-01T00:00:00Z' };

export function registerHistory(http: Http, context: RouteContext): void {
  readPastBoard(http, context);
  readLog(http, context);
  readCurves(http, context);
}

const eventOf = (request: FastifyRequest, eventId: string) => {
  return { scope: callerOf(request).scope, eventId };
};

function readPastBoard(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/board',
    {
      config: { ...READ, long: true },
      schema: {
        ...TAGS,
        summary: 'The board as it was at a revision or a time, replayed from the log',
        description: 'Without either it is replayed to now and compared with what is in memory.',
        params: IdParams,
        querystring: BoardQuery,
        response: repliesOr({ 200: Data(PastBoard) }, 'event_not_found', 'not_found'),
      },
    },
    async (request, reply) => {
      const { revision, at } = request.query;
      if (revision !== undefined && at !== undefined) {
        return refuse(reply, 'invalid_request', 'Either `revision` or `at`.') as never;
      }
      const event = eventOf(request, request.params.id);
      const past = await boardAt(engine, event, { revision, at });
      if (past.kind === 'event_not_found') return refuse(reply, past.kind, MISSING) as never;
      if (past.kind === 'not_kept') return refuse(reply, 'not_found', NOT_KEPT) as never;
      if (past.kind === 'broken') {
        const details = { first_bad: past.revision };
        const message = 'The log was altered: it cannot be replayed.';
        return refuse(reply, 'internal', message, details) as never;
      }
      return { data: pastView(past) };
    },
  );
}

function pastView({ board, seats, rows, matches }: Past) {
  const { revision, config, at_ms, hash, holdCount, digest } = board;
  return {
    revision,
    at: new Date(at_ms).toISOString(),
    lineage: hash.slice(0, 16),
    layout_version: config.layout?.version ?? 0,
    event_status: config.event.status,
    seats: Buffer.from(seats).toString('base64'),
    zones: config.zones.map(({ zone_id, name, capacity }, zone) => {
      const { held, sold, blocked } = publicCountsOf(board, zone);
      const available = capacity - held - sold - blocked;
      return { zone_id, name, capacity, available, held, sold, blocked };
    }),
    holds: holdCount,
    checkouts: [...board.checkouts()].length,
    digest,
    rows,
    matches,
  };
}

function readLog(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/changes',
    {
      config: { ...READ, long: true },
      schema: {
        ...TAGS,
        summary: 'What happened after a revision, with who and why',
        description:
          'With `map` the rows can be applied to the board of `after`, in both directions.',
        params: IdParams,
        querystring: ChangesQuery,
        response: repliesOr({ 200: Page(ToldRow, NextRevisions) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { after = 0, limit = 100, map } = request.query;
      const event = eventOf(request, request.params.id);
      const found = await changesAfter(engine, event, { after, limit, map });
      if (!found) return refuse(reply, 'event_not_found', MISSING) as never;
      const { rows, next } = found;
      return { data: rows as never, ...(next === null ? {} : { next: { after: next } }) };
    },
  );

  http.get(
    '/api/admin/events/:id/changes/export',
    {
      config: AUDIT,
      exposeHeadRoute: false,
      schema: {
        ...TAGS,
        summary: 'The whole log, sealed as it is kept: one JSON object per line',
        params: IdParams,
        querystring: ExportQuery,
        response: repliesOr(
          { 200: Type.String({ description: 'application/x-ndjson' }) },
          'event_not_found',
        ),
      },
    },
    async (request, reply) => {
      const event = eventOf(request, request.params.id);
      const { after = 0 } = request.query;
      if (!(await engine.registry.board(event))) {
        return refuse(reply, 'event_not_found', MISSING) as never;
      }
      reply.type('application/x-ndjson; charset=utf-8');
      return reply.send(Readable.from(linesOf(exportLog(engine, event, after))) as never);
    },
  );
}

async function* linesOf(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

function readCurves(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/events/:id/occupancy/history',
    {
      config: FIGURES,
      schema: {
        ...TAGS,
        summary: 'How full it was, minute by minute',
        params: IdParams,
        querystring: HistoryQuery,
        response: repliesOr({ 200: Page(OccupancyAt, NextTimes) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { from = EVER.from, to = EVER.to, limit = 1_440, every = 1 } = request.query;
      const { scope } = callerOf(request);
      const wish = { from, to, limit: oneMore(limit), every };
      const rows = await occupancyHistory(engine, scope, request.params.id, wish);
      if (!rows) return refuse(reply, 'event_not_found', MISSING) as never;
      const [later] = rows.slice(limit);
      return pageOf(rows, limit, (last) => ({ from: (later ?? last).snapshot_at }));
    },
  );

  http.get(
    '/api/admin/events/:id/activity',
    {
      config: { ...FIGURES, long: true },
      schema: {
        ...TAGS,
        summary: 'What happened when, and how many came how far',
        params: IdParams,
        querystring: ActivityQuery,
        response: repliesOr({ 200: Data(Activity) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { from = EVER.from, to = EVER.to, bucket = 'hour' } = request.query;
      const { scope } = callerOf(request);
      const activity = await eventActivity(engine, scope, request.params.id, { from, to, bucket });
      if (!activity) return refuse(reply, 'event_not_found', MISSING) as never;
      return { data: activity as never };
    },
  );
}
