import {
  Data,
  DeliveryParams,
  DeliveryQuery,
  IdParams,
  NextRows,
  Page,
  ReasonQuery,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '@voelgoed/client/wire';
import {
  redeliver,
  testWebhook,
  webhookDeliveries,
  webhookDelivery,
} from '@voelgoed/engine/workflows';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['Webhooks'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'webhooks:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'webhooks:write' } } as const;
/** The receiver of a test may take its ten seconds. */
const LONG_WRITE = { ...WRITE, long: true } as const;
const NO_WEBHOOK = 'There is no such webhook.';
const NO_DELIVERY = 'There is no such delivery.';

export function registerDeliveries(http: Http, context: RouteContext): void {
  readDeliveries(http, context);
  sendDeliveries(http, context);
}

function readDeliveries(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/webhooks/:id/deliveries',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'What was sent and what came of it, the youngest first, for 30 days',
        params: IdParams,
        querystring: DeliveryQuery,
        response: repliesOr({ 200: Page(WebhookDelivery, NextRows) }, 'not_found'),
      },
    },
    async (request, reply) => {
      const { limit = 100, ...filter } = request.query;
      const { id } = request.params;
      const page = { ...filter, limit: oneMore(limit) };
      const found = await webhookDeliveries(engine, callerOf(request), id, page);
      if (!found) return refuse(reply, 'not_found', NO_WEBHOOK) as never;
      return pageOf(found, limit, ({ sequence }) => ({ before: sequence }));
    },
  );

  http.get(
    '/api/admin/webhooks/:id/deliveries/:delivery_id',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'One delivery with what it says',
        params: DeliveryParams,
        response: repliesOr({ 200: Data(WebhookDeliveryDetail) }, 'not_found'),
      },
    },
    async (request, reply) => {
      const { id, delivery_id } = request.params;
      const found = await webhookDelivery(engine, callerOf(request), id, delivery_id);
      return found ? { data: found } : refuse(reply, 'not_found', NO_DELIVERY);
    },
  );
}

function sendDeliveries(http: Http, { engine, post }: RouteContext): void {
  http.post(
    '/api/admin/webhooks/:id/test',
    {
      config: LONG_WRITE,
      schema: {
        ...TAGS,
        summary: 'Send a test now, beside the queue, and say what came of it',
        params: IdParams,
        response: repliesOr({ 200: Data(WebhookDelivery) }, 'not_found'),
      },
    },
    async (request, reply) => {
      const sent = await testWebhook(engine, callerOf(request), request.params.id, post);
      return sent ? { data: sent } : refuse(reply, 'not_found', NO_WEBHOOK);
    },
  );

  const summaries = {
    replay: 'Send a delivery again, with the same id',
    skip: 'Give up a delivery that others wait for',
  } as const;
  for (const step of ['replay', 'skip'] as const) {
    http.post(
      `/api/admin/webhooks/:id/deliveries/:delivery_id/${step}`,
      {
        config: WRITE,
        schema: {
          ...TAGS,
          summary: summaries[step],
          params: DeliveryParams,
          querystring: ReasonQuery,
          response: repliesOr(
            { 200: Data(WebhookDelivery) },
            'not_found',
            'idempotency_key_reused',
          ),
        },
      },
      async (request, reply) => {
        const { id: webhookId, delivery_id: deliveryId } = request.params;
        const which = { webhookId, deliveryId };
        const outcome = await redeliver(engine, callerOf(request), which, step);
        return answerDone(reply, outcome, { missing: NO_DELIVERY });
      },
    );
  }
}
