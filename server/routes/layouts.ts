import {
  Data,
  DiffQuery,
  IdParams,
  LayoutDifference,
  LayoutDocument,
  LayoutSearch,
  LayoutVersion,
  LayoutWithVersions,
  NextVersions,
  Page,
  VersionQuery,
  VersionStep,
} from '@voelgoed/client/wire';
import { LAYOUT_SCHEMA, type LayoutVersionRow, MOST_VERSIONS } from '@voelgoed/engine/layouts';
import {
  activateLayout,
  archiveLayout,
  type Caller,
  diffVersions,
  findVersion,
  layoutConfig,
  layoutSpec,
  layoutVersions,
  listAllLayouts,
} from '@voelgoed/engine/workflows';
import type { FastifyReply } from 'fastify';
import {
  answerDone,
  callerOf,
  type Http,
  isKnown,
  notModified,
  refuse,
  repliesOr,
  WITH_CREDENTIAL,
} from '#http';
import type { RouteContext } from './context.ts';
import { registerDrafts } from './drafts.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['layouts'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'layouts:read' } } as const;
const ACTIVATE = { access: { kind: 'scope', scope: 'layouts:activate' } } as const;
const MISSING = 'There is no such layout or version.';
const nextVersions = ({ layout_id, version }: { layout_id: string; version: number }) => ({
  after: layout_id,
  after_version: version,
});

/** Who of the staff wrote a version is for those who may write one themselves. */
const asSeenBy =
  ({ scopes }: Pick<Caller, 'scopes'>) =>
  (row: LayoutVersionRow): LayoutVersionRow =>
    scopes.has('layouts:write') ? row : { ...row, changed_by: null, changed_by_name: null };

export function registerLayouts(http: Http, context: RouteContext): void {
  readLayouts(http, context);
  readConfigs(http, context);
  moveLayouts(http, context);
  registerDrafts(http, context);
  http.get(
    '/schemas/layout.json',
    { config: { access: { kind: 'open' } }, schema: { hide: true } },
    async () => LAYOUT_SCHEMA,
  );
}

function readLayouts(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/layouts',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Versions of layouts, by venue and state',
        querystring: LayoutSearch,
        response: repliesOr({ 200: Page(LayoutVersion, NextVersions) }),
      },
    },
    async (request) => {
      const { venue_id: venueId, status, after, after_version, limit = 100 } = request.query;
      const page = { venueId, status, after, afterVersion: after_version, limit: oneMore(limit) };
      const caller = callerOf(request);
      const rows = await listAllLayouts(engine, caller, page);
      return pageOf(rows.map(asSeenBy(caller)), limit, nextVersions);
    },
  );

  http.get(
    '/api/admin/layouts/:id',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'One layout: the version that is asked for, else the newest, and all versions',
        params: IdParams,
        querystring: VersionQuery,
        response: repliesOr({ 200: Data(LayoutWithVersions) }, 'not_found'),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const rows = await layoutVersions(engine, caller, request.params.id);
      const versions = rows.map(asSeenBy(caller));
      const wanted = request.query.version ?? versions[0]?.version;
      const version = versions.find((row) => row.version === wanted);
      if (!version) return refuse(reply, 'not_found', MISSING) as never;
      const { data: shown, ...next } = pageOf(versions, MOST_VERSIONS, nextVersions);
      const spec = await layoutSpec(engine, caller, version);
      const drawn = { spec: spec === null ? null : (JSON.parse(spec) as Record<string, unknown>) };
      return { data: { ...version, versions: shown, ...drawn, ...next } };
    },
  );
}

function readConfigs(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/layouts/:id/config',
    {
      config: { ...READ, long: true },
      schema: {
        ...TAGS,
        summary: 'The config of a version, with every id',
        params: IdParams,
        querystring: VersionQuery,
        response: repliesOr({ 200: Data(LayoutDocument) }, 'not_found'),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { id } = request.params;
      const version = await findVersion(engine, caller, id, request.query.version);
      if (!version) return refuse(reply, 'not_found', MISSING) as never;
      const etag = `"${id}-${version.version}-${Date.parse(version.changed_at)}"`;
      reply.header('etag', etag).header('cache-control', 'private, no-cache');
      if (isKnown(request.headers['if-none-match'], etag)) return notModified(reply) as never;
      const config = await layoutConfig(engine, caller, version);
      return sendText(reply, Buffer.concat([DATA, config, END])) as never;
    },
  );

  http.get(
    '/api/admin/layouts/:id/diff',
    {
      config: { ...READ, long: true },
      schema: {
        ...TAGS,
        summary: 'What changed between two versions; without numbers: the newest two',
        params: IdParams,
        querystring: DiffQuery,
        response: repliesOr({ 200: Data(LayoutDifference) }, 'not_found'),
      },
    },
    async (request, reply) => {
      const difference = await diffVersions(
        engine,
        callerOf(request),
        request.params.id,
        request.query,
      );
      if (!difference) return refuse(reply, 'not_found', MISSING) as never;
      const { from, to, diff } = difference;
      return sendText(reply, `{"data":{"from":${from},"to":${to},"diff":${diff}}}`) as never;
    },
  );
}

const DATA = Buffer.from('{"data":');
const END = Buffer.from('}');

/** A text that is JSON already goes out as it is: writing 16 MB again would help nobody. */
function sendText(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .serializer((ready: string) => ready)
    .send(text);
}

const STEPS = { activate: activateLayout, archive: archiveLayout } as const;

function moveLayouts(http: Http, { engine }: RouteContext): void {
  for (const [step, work] of Object.entries(STEPS)) {
    http.post(
      `/api/admin/layouts/:id/${step}`,
      {
        config: { ...ACTIVATE, long: true },
        schema: {
          ...TAGS,
          summary:
            step === 'activate'
              ? 'Turn the draft active; it never changes again'
              : 'Keep new events from using a version',
          params: IdParams,
          body: VersionStep,
          response: repliesOr(
            { 200: Data(LayoutVersion) },
            'not_found',
            'version_immutable',
            'layout_invalid',
            'idempotency_key_reused',
          ),
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const caller = callerOf(request);
        const outcome = await work(engine, caller, id, request.body.version);
        if (outcome.kind === 'invalid') {
          const { problems } = outcome;
          return refuse(reply, 'layout_invalid', 'The layout has problems.', { problems });
        }
        if (outcome.kind === 'immutable') {
          const message = `This version is ${outcome.status} now, so this cannot be done to it.`;
          return refuse(reply, 'version_immutable', message, { status: outcome.status });
        }
        if (outcome.kind !== 'done') return answerDone(reply, outcome, { missing: MISSING });
        return answerDone(reply, { ...outcome, answer: asSeenBy(caller)(outcome.answer) });
      },
    );
  }
}
