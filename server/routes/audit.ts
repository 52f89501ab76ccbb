import {
  AuditChain,
  AuditHead,
  AuditRecord,
  AuditSearch,
  AuditStart,
  AuditVerdict,
  Data,
  NextRows,
  Page,
} from '@voelgoed/client/wire';
import { ORGANIZATION_CHAIN } from '@voelgoed/engine/audit';
import { auditHead, readAuditTrail, verifyAudit } from '@voelgoed/engine/workflows';
import { callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['audit'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'audit:read' } } as const;

const NO_TRAIL = 'There is no such event on sale, and so no trail of it.';

export function registerAudit(http: Http, context: RouteContext): void {
  readTrails(http, context);
  verifyChains(http, context);
}

function readTrails(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/audit',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'The trail, newest first',
        querystring: AuditSearch,
        response: repliesOr({ 200: Page(AuditRecord, NextRows) }),
      },
    },
    async (request) => {
      const { event_id, actor_id, entity_id, limit = 100, ...rest } = request.query;
      const query = {
        chainId: event_id ?? ORGANIZATION_CHAIN,
        actorId: actor_id,
        entityId: entity_id,
        ...rest,
        limit: oneMore(limit),
      };
      const rows = await readAuditTrail(engine, callerOf(request), query);
      return pageOf(rows, limit, ({ sequence }) => ({ before: sequence })) as never;
    },
  );
}

function verifyChains(http: Http, { engine, signer }: RouteContext): void {
  http.get(
    '/api/admin/audit/verify',
    {
      config: { ...READ, long: true },
      schema: {
        ...TAGS,
        summary: 'Verify the chain, and name the first bad row',
        description:
          'With `after` and `hash` of a signed head only what came since is looked at. ' +
          'With `limit` a long chain is verified in parts.',
        querystring: AuditStart,
        response: repliesOr({ 200: Data(AuditVerdict) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const { event_id: id = ORGANIZATION_CHAIN, after: count, hash, limit: most } = request.query;
      if ((count === undefined) !== (hash === undefined)) {
        return refuse(reply, 'invalid_request', '`after` and `hash` belong together.') as never;
      }
      const trusted =
        count !== undefined && hash !== undefined
          ? { count, hash: Buffer.from(hash, 'hex') }
          : undefined;
      const verdict = await verifyAudit(engine, callerOf(request), { id, trusted, most });
      if (!verdict) return refuse(reply, 'event_not_found', NO_TRAIL) as never;
      const { next, ...found } = verdict;
      if (!next) return { data: found };
      return { data: { ...found, next: { after: next.count, hash: next.hash.toString('hex') } } };
    },
  );

  http.get(
    '/api/admin/audit/head',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'A signed statement about the end of the chain, to be kept elsewhere',
        querystring: AuditChain,
        response: repliesOr({ 200: Data(AuditHead) }, 'event_not_found'),
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { event_id: chainId = ORGANIZATION_CHAIN } = request.query;
      const head = await auditHead(engine, caller, chainId);
      if (!head) return refuse(reply, 'event_not_found', NO_TRAIL) as never;
      const { organizationId } = caller.scope;
      const chain = { organizationId, chainId };
      const at = new Date(engine.clock.now()).toISOString();
      return { data: { ...signer.sign(chain, head, at), public_key: signer.publicKey } };
    },
  );
}
