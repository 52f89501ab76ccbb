import {
  Data,
  Reconciled,
  ReconcileWish,
  RegistryQuery,
  RegistryStatus,
} from '@voelgoed/client/wire';
import { reconcileRegistry, registryStatus } from '@voelgoed/engine/workflows';
import { callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';

const TAGS = { tags: ['operations'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'holds:read' }, long: true } as const;
const WRITE = { access: { kind: 'scope', scope: 'holds:write' }, long: true } as const;
const MISSING = 'There is no such event on sale.';

export function registerRegistry(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/registry',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Whether memory, Redis and Postgres have the same of an event, and what differs',
        querystring: RegistryQuery,
        response: repliesOr({ 200: Data(RegistryStatus) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { event_id, due_within, due_after } = request.query;
      if (due_after !== undefined && due_within === undefined) {
        return refuse(reply, 'invalid_request', '`due_after` goes with `due_within`.') as never;
      }
      const due = due_within === undefined ? null : { within: due_within, after: due_after };
      const caller = callerOf(request);
      const status = await registryStatus(engine, caller, event_id.toLowerCase(), { due });
      if (!status) return refuse(reply, 'event_not_found', MISSING) as never;
      return { data: status as never };
    },
  );

  http.post(
    '/api/admin/registry/reconcile',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Make memory and Redis say what Postgres says, for one event or for all',
        body: ReconcileWish,
        response: repliesOr({ 200: Data(Reconciled) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { event_id, after } = request.body;
      if (event_id !== undefined && after !== undefined) {
        return refuse(reply, 'invalid_request', '`after` goes without `event_id`.') as never;
      }
      const eventId = event_id?.toLowerCase() ?? null;
      const outcome = await reconcileRegistry(
        engine,
        callerOf(request),
        eventId,
        after?.toLowerCase(),
      );
      if (outcome.kind === 'reconciled') return { data: outcome.done };
      if (outcome.kind === 'event_not_found') return refuse(reply, outcome.kind, MISSING) as never;
      const { message, reloaded, failed, next } = outcome.done;
      const details = { reason: outcome.kind, reloaded, failed, ...(next ? { next } : {}) };
      return refuse(reply, 'unavailable', message, details) as never;
    },
  );
}
