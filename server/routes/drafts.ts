import {
  Data,
  ImportQuery,
  LayoutDocument,
  LayoutSize,
  LayoutVersion,
  LayoutWish,
  Maybe,
} from '@voelgoed/client/wire';
import { type DraftWish, draftLayout, judgeLayout } from '@voelgoed/engine/workflows';
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
          '{venue_id, layout_id?, name?, description?, config?}. Without a config the newest ' +
          'version is copied. A layout has one draft; posting again replaces it. Ids of seats ' +
          'and zones are kept from the newest version by label and name.',
        body: LayoutDocument,
        response: repliesOr(
          { 201: Data(Drafted) },
          'layout_invalid',
          'not_found',
          'body_too_large',
          'idempotency_key_reused',
        ),
      },
    },
    async (request, reply) => {
      const opened = await engine.workshop.do({ kind: 'open', text: textOf(request) });
      if (opened.kind === 'invalid') {
        const { problems } = opened;
        return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
      }
      const problems = checkShape(LayoutWish, opened.fields);
      if (problems.length > 0) {
        return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
      }
      const fields = opened.fields as Static<typeof LayoutWish>;
      const source =
        opened.config === null ? null : ({ kind: 'read', text: opened.config } as const);
      const missing = fields.layout_id ? [] : missingForNew(fields, source !== null);
      if (missing.length > 0) {
        return refuse(reply, 'invalid_request', 'The request is not valid.', {
          problems: missing,
        });
      }
      return draft(context, request, reply, {
        layoutId: fields.layout_id ?? null,
        venueId: fields.venue_id ?? null,
        name: fields.name,
        description: fields.description,
        source,
      });
    },
  );
}

function missingForNew(fields: { venue_id?: string }, hasConfig: boolean) {
  const needed = { venue_id: fields.venue_id !== undefined, config: hasConfig };
  return Object.entries(needed)
    .filter(([, there]) => !there)
    .map(([name]) => ({ path: `body/${name}`, message: 'is needed for a new layout' }));
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
  if (outcome.kind !== 'done') {
    return answerDone(reply, outcome, { missing: 'There is no such layout.' });
  }
  const { layout, report } = outcome.answer;
  const answer = report ? { ...layout, report } : layout;
  return answerDone(reply, { ...outcome, answer }, { status: 201 });
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
      return sendRead(reply, read.config, null);
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
function sendRead(reply: FastifyReply, config: string, report: unknown): FastifyReply {
  return reply
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(`{"data":{"config":${config},"report":${JSON.stringify(report)}}}`);
}

function refuseLayout(reply: FastifyReply, problems: readonly unknown[]): FastifyReply {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return refuse(reply, 'layout_invalid', `The layout has ${count}.`, { problems });
}
