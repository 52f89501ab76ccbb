import { Data, IdParams, Policy } from '@voelgoed/client/wire';
import { POLICY_FIELDS, type PolicyAuthor } from '@voelgoed/engine/policies';
import { scopeOf } from '@voelgoed/engine/scope';
import {
  type Caller,
  changeSeatingPolicy,
  readOrganization,
  readSeatingPolicy,
} from '@voelgoed/engine/workflows';
import type { FastifyReply } from 'fastify';
import {
  answerDone,
  callerOf,
  type Http,
  platformCaller,
  refuse,
  replies,
  repliesOr,
  WITH_CREDENTIAL,
} from '#http';
import type { RouteContext } from './context.ts';

/** Of the platform's administrator, who has no scopes that could be missing. */
const CODES = ['invalid_request', 'unauthorized', 'not_found', 'idempotency_key_reused'] as const;
const TAGS = { tags: ['seating policy'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'layouts:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'policy:write' } } as const;
const PLATFORM = { access: { kind: 'platform' } } as const;

export function registerPolicy(http: Http, context: RouteContext): void {
  const { engine } = context;
  http.get(
    '/api/admin/policy',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'The seating policy with all its fields',
        response: repliesOr({ 200: Data(Policy) }),
      },
    },
    async (request) => ({ data: await readSeatingPolicy(engine, callerOf(request)) }),
  );

  http.get(
    '/api/admin/policy/fields',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Every field: its kind, default, range and meaning',
        response: repliesOr({ 200: Data(Policy) }),
      },
    },
    async () => ({ data: POLICY_FIELDS }),
  );

  http.put(
    '/api/admin/policy',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Change the fields that are named; the others stay',
        body: Policy,
        response: repliesOr({ 200: Data(Policy) }, 'policy_locked', 'idempotency_key_reused'),
      },
    },
    async (request, reply) => change(context, reply, callerOf(request), request.body, 'owner'),
  );

  http.put(
    '/api/platform/organizations/:id/policy',
    {
      config: PLATFORM,
      schema: {
        ...TAGS,
        summary: 'The platform’s administrator: also locked fields, and which are locked',
        params: IdParams,
        body: Policy,
        response: replies({ 200: Data(Policy) }, CODES),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      if (!(await readOrganization(engine, id))) {
        return refuse(reply, 'not_found', 'There is no such organization.');
      }
      const caller = platformCaller(request, scopeOf(id));
      return change(context, reply, caller, request.body, 'platform');
    },
  );
}

async function change(
  { engine }: RouteContext,
  reply: FastifyReply,
  caller: Caller,
  changes: unknown,
  author: PolicyAuthor,
): Promise<FastifyReply> {
  const outcome = await changeSeatingPolicy(engine, caller, changes, author);
  if (outcome.kind !== 'refused') return answerDone(reply, outcome);
  const { problems } = outcome;
  if (problems.every(({ code }) => code === 'policy_locked')) {
    return refuse(reply, 'policy_locked', 'The platform has locked this.', { problems });
  }
  return refuse(reply, 'invalid_request', 'The policy is not valid.', { problems });
}
