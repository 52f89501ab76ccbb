import {
  Data,
  ImportQuery,
  LayoutDocument,
  LayoutSize,
  LayoutVersion,
  LayoutWish,
  Maybe,
} from '@voelgoed/client/wire';
import type { LayoutVersionRow } from '@voelgoed/engine/layouts';
import {
  type DraftWish,
  draftLayout,
  judgeLayout,
  type LayoutSource,
} from '@voelgoed/engine/workflows';
import type { OpenedWish } from '@voelgoed/engine/workshop';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import {
  answerDone,
  callerOf,
  checkShape,
  type Http,
  refuse,
  repliesOr,
  validatorBesideTexts,
  WITH_CREDENTIAL,
  withLargeBodies,
} from '#http';
import type { RouteContext } from './context.ts';

const TAGS = { tags: ['layouts'], ...WITH_CREDENTIAL };
const WRITE = {
  config: { access: { kind: 'scope', scope: 'layouts:write' }, long: true },
  // The body is a text here; what is in it is judged by the workshop, away from this thread.
  validatorCompiler: validatorBesideTexts,
} as const;

const Drafted = Type.Object({
  ...LayoutVersion.properties,
  report: Type.Optional(Maybe(Type.Record(Type.String(), Type.Unknown()))),
});
const Read = Type.Object({
  config: LayoutDocument,
  report: Maybe(Type.Record(Type.String(), Type.Unknown())),
  spec: Type.Optional(Maybe(Type.Record(Type.String(), Type.Unknown()))),
});

/** Routes that take whole layouts. */
export function registerDrafts(http: Http, context: RouteContext): void {
  withLargeBodies(http, (part) => {
    makeDrafts(part, context);
    judgeDrafts(part, context);
    importDrafts(part, context);
  });
}

function makeDrafts(http: Http, context: RouteContext): void {
  const { engine } = context;
  http.post(
    '/api/admin/layouts',
    {
      ...WRITE,
      schema: {
        ...TAGS,
        summary: 'Make a draft: a new layout, or with layout_id the next version',
        description:
          '{venue_id, layout_id?, name?, description?, config? or spec?}. A spec is drawn by the ' +
          'generator and kept with the version. Without either the newest version is copied. A ' +
          'layout has one draft; posting again replaces it, and with keep_draft archives it and ' +
          'makes the next version. With if_version and if_revision another newest version than ' +
          'that one is 409. Ids of seats and zones are kept from the newest version by label ' +
          'and name.',
        body: LayoutDocument,
        response: repliesOr(
          { 201: Data(Drafted) },
          'layout_invalid',
          'not_found',
          'version_immutable',
          'body_too_large',
          'idempotency_key_reused',
        ),
      },
    },
    async (request, reply) => {
      const opened = await engine.workshop.do({ kind: 'open', text: textOf(request) });
      const wish = opened.kind === 'invalid' ? opened : wishOf(opened);
      if (!('kind' in wish)) return draft(context, request, reply, wish);
      const { problems } = wish;
      return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
    },
  );
}

type Problems = Readonly<{ kind: 'invalid'; problems: readonly unknown[] }>;

function wishOf({ fields: said, config, spec }: OpenedWish): DraftWish | Problems {
  const wrong = checkShape(LayoutWish, said);
  if (wrong.length > 0) return { kind: 'invalid', problems: wrong };
  const fields = said as Static<typeof LayoutWish>;
  const problems = [
    ...(fields.layout_id ? [] : missingForNew(fields, config !== null || spec !== null)),
    ...contradictions(fields, config !== null && spec !== null),
  ];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const { if_version: version, if_revision: revision } = fields;
  return {
    layoutId: fields.layout_id ?? null,
    venueId: fields.venue_id ?? null,
    name: fields.name,
    description: fields.description,
    source: sourceOf(config, spec),
    seen: version === undefined ? undefined : { version, revision },
    keepsDraft: fields.keep_draft,
  };
}

function sourceOf(config: string | null, spec: string | null): LayoutSource | null {
  if (config !== null) return { kind: 'read', text: config };
  return spec === null ? null : { kind: 'generate', text: spec };
}

function missingForNew(fields: { venue_id?: string }, hasPlan: boolean) {
  const needed = { venue_id: fields.venue_id !== undefined, config: hasPlan };
  return Object.entries(needed)
    .filter(([, there]) => !there)
    .map(([name]) => ({ path: `body/${name}`, message: 'is needed for a new layout' }));
}

function contradictions(fields: Static<typeof LayoutWish>, hasBoth: boolean) {
  const alone = fields.if_revision !== undefined && fields.if_version === undefined;
  return [
    ...(hasBoth ? [{ path: 'body/spec', message: 'cannot come with a config' }] : []),
    ...(alone ? [{ path: 'body/if_revision', message: 'needs if_version' }] : []),
  ];
}

async function draft(
  { engine }: RouteContext,
  request: Parameters<typeof callerOf>[0],
  reply: FastifyReply,
  wish: DraftWish,
): Promise<FastifyReply> {
  const outcome = await draftLayout(engine, callerOf(request), wish);
  if (outcome.kind === 'invalid') return refuseLayout(reply, outcome.problems);
  if (outcome.kind === 'venue_not_found') {
    return refuse(reply, 'not_found', 'There is no such venue.');
  }
  if (outcome.kind === 'other_venue') {
    const problems = [{ path: 'body/venue_id', message: 'is not the venue of this layout' }];
    return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
  }
  if (outcome.kind === 'changed_since') return refuseOverwriting(reply, outcome.newest);
  if (outcome.kind !== 'done') {
    return answerDone(reply, outcome, { missing: 'There is no such layout.' });
  }
  const { layout, report } = outcome.answer;
  const answer = report ? { ...layout, report } : layout;
  return answerDone(reply, { ...outcome, answer }, { status: 201 });
}

/** What is there now, so that its author and the writer can be told apart. */
function refuseOverwriting(
  reply: FastifyReply,
  { version, revision, status, seat_count, changed_at, changed_by_name }: LayoutVersionRow,
): FastifyReply {
  const message = `The newest version is ${version}, revision ${revision}: it was changed since.`;
  const details = { version, revision, status, seat_count, changed_at, changed_by_name };
  return refuse(reply, 'version_immutable', message, details);
}

function judgeDrafts(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/layouts/validate',
    {
      ...WRITE,
      schema: {
        ...TAGS,
        summary: 'Judge a config and save nothing; all problems at once',
        body: LayoutDocument,
        response: repliesOr({ 200: Data(LayoutSize) }, 'layout_invalid', 'body_too_large'),
      },
    },
    async (request, reply) => {
      const source = { kind: 'read', text: textOf(request) } as const;
      const read = await judgeLayout(engine, callerOf(request), source);
      if (read.kind === 'invalid') return refuseLayout(reply, read.problems);
      const { seat_count, total_capacity } = read;
      return reply.send({ data: { valid: true, seat_count, total_capacity } });
    },
  );

  http.post(
    '/api/admin/layouts/generate',
    {
      ...WRITE,
      schema: {
        ...TAGS,
        summary: 'Draw common shapes, or a preset, as a config; saves nothing',
        body: LayoutDocument,
        response: repliesOr({ 200: Data(Read) }, 'layout_invalid', 'body_too_large'),
      },
    },
    async (request, reply) => {
      const source = { kind: 'generate', text: textOf(request) } as const;
      const read = await judgeLayout(engine, callerOf(request), source);
      if (read.kind === 'invalid') return refuseLayout(reply, read.problems);
      return sendRead(reply, read.config, null, read.spec ?? 'null');
    },
  );
}

function importDrafts(http: Http, context: RouteContext): void {
  const { engine } = context;
  http.post(
    '/api/admin/layouts/import',
    {
      ...WRITE,
      schema: {
        ...TAGS,
        summary: 'Take over a seating plan of pretix, with a report of what was not',
        description: 'With venue_id it becomes a draft; without, the config comes back.',
        querystring: ImportQuery,
        body: LayoutDocument,
        response: repliesOr(
          { 200: Data(Read), 201: Data(Drafted) },
          'layout_invalid',
          'not_found',
          'body_too_large',
          'idempotency_key_reused',
        ),
      },
    },
    async (request, reply) => {
      const source = { kind: 'import', text: textOf(request) } as const;
      const { venue_id: venueId, name } = request.query;
      if (venueId) {
        const wish = { layoutId: null, venueId, name, source };
        return draft(context, request, reply, wish);
      }
      const read = await judgeLayout(engine, callerOf(request), source);
      if (read.kind === 'invalid') return refuseLayout(reply, read.problems);
      return sendRead(reply, read.config, read.report);
    },
  );
}

/** No body at all is an empty text, which is no JSON. */
function textOf(request: { body: unknown }): string {
  return typeof request.body === 'string' ? request.body : '';
}

/** The config is a text already: it is put into the reply as it is. */
function sendRead(
  reply: FastifyReply,
  config: string,
  report: unknown,
  spec = 'null',
): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(`{"data":{"config":${config},"report":${JSON.stringify(report)},"spec":${spec}}}`);
}

function refuseLayout(reply: FastifyReply, problems: readonly unknown[]): FastifyReply {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return refuse(reply, 'layout_invalid', `The layout has ${count}.`, { problems });
}
