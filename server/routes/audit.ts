import {
  AuditChain,
  AuditHead,
  AuditRecord,
  AuditSearch,
  AuditStart,
  AuditVerdict,
  Data,
  NextBefore,
  NextRows,
  Page,
  Refusal,
  RefusalSearch,
} from '@voelgoed/client/wire';
import { ORGANIZATION_CHAIN } from '@voelgoed/engine/audit';
import { auditHead, readRefusals, searchAudit, verifyAudit } from '@voelgoed/engine/workflows';
import { type AnyReply, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['audit'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'audit:read' } } as const;

const NO_TRAIL = 'There is no such event on sale, and so no trail of it.';

export function registerAudit(http: Http, context: RouteContext): void {
  readTrails(http, context);
  readRefused(http, context);
  verifyChains(http, context);
}

function readTrails(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/audit',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'The audit log, newest first',
        description:
          'What was done to a seat, a user or a checkout, by whom, and when; conditions are ' +
          'combined. The log is that of the event, or of the organization.',
        querystring: AuditSearch,
        response: repliesOr(
          { 200: Page(AuditRecord, NextRows) },
          'not_found',
          'event_not_found',
          'seat_not_found',
          'checkout_not_found',
        ),
      },
    },
    async (request, reply) => {
      const { event_id, actor_id, entity_id, checkout_id, limit = 100, ...rest } = request.query;
      if (rest.seat !== undefined && event_id === undefined) {
        return refuse(reply, 'invalid_request', SEAT_ALONE) as never;
      }
      if (rest.actor !== undefined && actor_id !== undefined) {
        return refuse(reply, 'invalid_request', 'Either `actor` or `actor_id`.') as never;
      }
      const about = { eventId: event_id, checkoutId: checkout_id };
      const page = { actorId: actor_id, entityId: entity_id, limit: oneMore(limit) };
      const found = await searchAudit(engine, callerOf(request), { ...rest, ...about, ...page });
      if (found.kind !== 'found') return refuseSearch(reply, found.kind) as never;
      return pageOf(found.entries, limit, ({ sequence }) => ({ before: sequence })) as never;
    },
  );
}

function readRefused(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/refusals',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Requests for seats that were refused, newest first',
        description:
          'Of the last 30 days. A second late: they are written once a second. A page looks at ' +
          '20,000 of them at most, so that it may be short or empty while there is a `next`.',
        querystring: RefusalSearch,
        response: repliesOr(
          { 200: Page(Refusal, NextBefore) },
          'not_found',
          'event_not_found',
          'seat_not_found',
        ),
      },
    },
    async (request, reply) => {
      const { event_id: eventId, limit = 100, ...rest } = request.query;
      if (rest.seat !== undefined && eventId === undefined) {
        return refuse(reply, 'invalid_request', SEAT_ALONE) as never;
      }
      const found = await readRefusals(engine, callerOf(request), { ...rest, eventId, limit });
      if (found.kind !== 'found') return refuseSearch(reply, found.kind) as never;
      const { refusals: data, next } = found;
      return next === undefined ? { data } : { data, next: { before: next } };
    },
  );
}

const SEAT_ALONE = '`seat` needs `event_id`: every event has its own seats.';

const NOT_FOUND = {
  event_not_found: ['event_not_found', 'There is no such event on sale.'],
  seat_not_found: ['seat_not_found', 'The event has no such seat.'],
  checkout_not_found: ['checkout_not_found', 'There is no such checkout.'],
  user_not_found: ['not_found', 'No user has this address of e-mail.'],
  actor_not_found: ['not_found', 'No member and no API key is called so.'],
  actor_vague: ['invalid_request', 'Too many members and API keys are called so: say more.'],
  email_refused: ['forbidden', 'Searching by e-mail needs the scope `tickets:read`. Ids do not.'],
} as const;

function refuseSearch<Reply extends AnyReply>(reply: Reply, kind: keyof typeof NOT_FOUND): Reply {
  const [code, message] = NOT_FOUND[kind];
  return refuse(reply, code, message);
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
