import {
  Data,
  Id,
  IdParams,
  NewWebhook,
  NextAfter,
  Page,
  PageQuery,
  ReasonQuery,
  SecretRotation,
  Webhook,
  WebhookChange,
  WebhookReplay,
  WebhookReplayed,
  WebhookWithSecret,
} from '@voelgoed/client/wire';
import {
  changeWebhook,
  createWebhook,
  listAllWebhooks,
  MOST_WEBHOOKS,
  readWebhook,
  removeWebhook,
  replayWebhook,
  rotateWebhookSecret,
  switchWebhook,
} from '@voelgoed/engine/workflows';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import { leadsInside } from '#outgoing';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';
import { registerDeliveries } from './webhook-deliveries.ts';

const TAGS = { tags: ['Webhooks'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'webhooks:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'webhooks:write' } } as const;
/** Whoever looks back a long way, or removes a month of deliveries, waits for it. */
const LONG_WRITE = { ...WRITE, long: true } as const;
const MISSING = { missing: 'There is no such webhook.' };
const CHANGED = ['not_found', 'idempotency_key_reused'] as const;
const OVERLAP_HOURS = 24;

export function registerWebhooks(http: Http, context: RouteContext): void {
  readWebhooks(http, context);
  makeWebhooks(http, context);
  changeWebhooks(http, context);
  switchWebhooks(http, context);
  replayWebhooks(http, context);
  registerDeliveries(http, context);
}

function readWebhooks(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/webhooks',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Webhook endpoints, without their secrets',
        querystring: PageQuery,
        response: repliesOr({ 200: Page(Webhook, NextAfter) }),
      },
    },
    async (request) => {
      const { after, limit = 100 } = request.query;
      const page = { after, limit: oneMore(limit) };
      const rows = await listAllWebhooks(engine, callerOf(request), page);
      return pageOf(rows, limit, ({ webhook_id }) => ({ after: webhook_id }));
    },
  );

  http.get(
    '/api/admin/webhooks/:id',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'One endpoint',
        params: IdParams,
        response: repliesOr({ 200: Data(Webhook) }, 'not_found'),
      },
    },
    async (request, reply) => {
      const found = await readWebhook(engine, callerOf(request), request.params.id);
      return found ? { data: found } : refuse(reply, 'not_found', MISSING.missing);
    },
  );
}

function makeWebhooks(http: Http, { engine, allowInternal }: RouteContext): void {
  http.post(
    '/api/admin/webhooks',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Make an endpoint; its secret is in this answer alone',
        body: NewWebhook,
        response: repliesOr(
          { 201: Data(WebhookWithSecret) },
          'webhook_limit_reached',
          'idempotency_key_reused',
        ),
      },
    },
    async (request, reply) => {
      const { url, description = null, kinds = [], event_ids = [] } = request.body;
      if (!allowInternal && (await leadsInside(url))) return refuseAddress(reply);
      const wanted = { url, description, kinds, event_ids };
      const outcome = await createWebhook(engine, callerOf(request), wanted);
      if (outcome.kind === 'too_many') {
        const message = `An organization has ${MOST_WEBHOOKS} endpoints at most.`;
        return refuse(reply, 'webhook_limit_reached', message, { limit: MOST_WEBHOOKS });
      }
      return answerDone(reply, outcome, { status: 201 });
    },
  );

  http.post(
    '/api/admin/webhooks/:id/rotate',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'A new secret; both sign during the overlap',
        params: IdParams,
        body: SecretRotation,
        response: repliesOr({ 201: Data(WebhookWithSecret) }, ...CHANGED),
      },
    },
    async (request, reply) => {
      const hours = request.body.overlap_hours ?? OVERLAP_HOURS;
      const { id } = request.params;
      const outcome = await rotateWebhookSecret(engine, callerOf(request), id, hours);
      return answerDone(reply, outcome, { status: 201, ...MISSING });
    },
  );
}

function refuseAddress(reply: FastifyReply): FastifyReply {
  const problems = [{ path: 'body/url', message: 'must be a public https address' }];
  return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
}

function changeWebhooks(http: Http, { engine, allowInternal }: RouteContext): void {
  http.patch(
    '/api/admin/webhooks/:id',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Change address, description or filter',
        params: IdParams,
        body: WebhookChange,
        response: repliesOr({ 200: Data(Webhook) }, ...CHANGED),
      },
    },
    async (request, reply) => {
      const { url } = request.body;
      if (url && !allowInternal && (await leadsInside(url))) return refuseAddress(reply);
      const { id } = request.params;
      const outcome = await changeWebhook(engine, callerOf(request), id, request.body);
      return answerDone(reply, outcome, MISSING);
    },
  );

  http.delete(
    '/api/admin/webhooks/:id',
    {
      config: LONG_WRITE,
      schema: {
        ...TAGS,
        summary: 'Remove an endpoint with its delivery log',
        params: IdParams,
        querystring: ReasonQuery,
        response: repliesOr({ 200: Data(Type.Object({ webhook_id: Id })) }, ...CHANGED),
      },
    },
    async (request, reply) =>
      answerDone(reply, await removeWebhook(engine, callerOf(request), request.params.id), MISSING),
  );
}

function switchWebhooks(http: Http, { engine }: RouteContext): void {
  const summaries = {
    enable: 'Send again; what happened in between is told now',
    disable: 'Send nothing until it is enabled again',
  } as const;
  for (const step of ['enable', 'disable'] as const) {
    http.post(
      `/api/admin/webhooks/:id/${step}`,
      {
        config: WRITE,
        schema: {
          ...TAGS,
          summary: summaries[step],
          params: IdParams,
          querystring: ReasonQuery,
          response: repliesOr({ 200: Data(Webhook) }, ...CHANGED),
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const outcome = await switchWebhook(engine, callerOf(request), id, `${step}d`);
        return answerDone(reply, outcome, MISSING);
      },
    );
  }
}

function replayWebhooks(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/webhooks/:id/replay',
    {
      config: LONG_WRITE,
      schema: {
        ...TAGS,
        summary: 'Tell again what happened since a time, or after a revision of an event',
        description: 'Deliveries keep their ids, so that receivers know them again.',
        params: IdParams,
        body: WebhookReplay,
        response: repliesOr({ 200: Data(WebhookReplayed) }, ...CHANGED),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const outcome = await replayWebhook(engine, callerOf(request), id, request.body);
      return answerDone(reply, outcome, MISSING);
    },
  );
}
