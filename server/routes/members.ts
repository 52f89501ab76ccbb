import {
  Data,
  Erasure,
  IdParams,
  Member,
  MemberChange,
  NewMember,
  NextAfter,
  Page,
  PageQuery,
  ReasonQuery,
} from '@voelgoed/client/wire';
import {
  addMember,
  changeMember,
  erasePersonalData,
  listAllMembers,
  revokeMember,
} from '@voelgoed/engine/workflows';
import type { FastifyReply } from 'fastify';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['members'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'members:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'members:write' } } as const;
const ERASE = { access: { kind: 'scope', scope: 'personal_data:erase' } } as const;

export function registerMembers(http: Http, context: RouteContext): void {
  readMembers(http, context);
  changeMembers(http, context);
  eraseUsers(http, context);
}

function readMembers(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/members',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Members of the organization',
        querystring: PageQuery,
        response: repliesOr({ 200: Page(Member, NextAfter) }),
      },
    },
    async (request) => {
      const { after, limit = 100 } = request.query;
      const page = { after, limit: oneMore(limit) };
      const rows = await listAllMembers(engine, callerOf(request), page);
      return pageOf(rows, limit, ({ user_id }) => ({ after: user_id }));
    },
  );
}

function changeMembers(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/members',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Add a member, or set an existing membership',
        body: NewMember,
        response: repliesOr({ 201: Data(Member) }, 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const { subject, email = null, name = null, role, tier = null } = request.body;
      const validUntil = request.body.valid_until ?? null;
      const wanted = { subject, email, name, role, tier, validUntil };
      const outcome = await addMember(engine, callerOf(request), wanted);
      return answer(reply, outcome, 201);
    },
  );

  http.patch(
    '/api/admin/members/:id',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Change role, tier, status or validity of a member',
        params: IdParams,
        body: MemberChange,
        response: repliesOr({ 200: Data(Member) }, 'not_found', 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const { valid_until: validUntil, ...rest } = request.body;
      const wanted = validUntil === undefined ? rest : { ...rest, validUntil };
      const outcome = await changeMember(engine, callerOf(request), request.params.id, wanted);
      return answer(reply, outcome);
    },
  );

  http.delete(
    '/api/admin/members/:id',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Revoke a membership',
        params: IdParams,
        querystring: ReasonQuery,
        response: repliesOr({ 200: Data(Member) }, 'not_found', 'idempotency_key_reused'),
      },
    },
    async (request, reply) =>
      answer(reply, await revokeMember(engine, callerOf(request), request.params.id)),
  );
}

function eraseUsers(http: Http, { engine }: RouteContext): void {
  http.delete(
    '/api/admin/users/:id/personal-data',
    {
      config: ERASE,
      schema: {
        ...TAGS,
        summary: 'Erase what is personal about a user; holds, tickets and the trail keep the id',
        params: IdParams,
        querystring: ReasonQuery,
        response: repliesOr({ 200: Data(Erasure) }, 'not_found', 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const outcome = await erasePersonalData(engine, callerOf(request), request.params.id);
      return answerDone(reply, outcome, { missing: 'There is no such user.' });
    },
  );
}

function answer(
  reply: FastifyReply,
  outcome: Awaited<ReturnType<typeof changeMember>>,
  status: 200 | 201 = 200,
): FastifyReply {
  if (outcome.kind === 'last_owner') {
    const message = 'An organization needs an owner: make somebody else one first.';
    return refuse(reply, 'invalid_request', message, { reason: 'last_owner' });
  }
  return answerDone(reply, outcome, { status, missing: 'There is no such member.' });
}
