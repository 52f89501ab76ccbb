import {
  ApiKey,
  ApiKeyWithText,
  Data,
  IdParams,
  KeyRotation,
  NewApiKey,
  NextAfter,
  Page,
  PageQuery,
  ReasonQuery,
} from '@voelgoed/client/wire';
import { isAccessScope, SCOPES } from '@voelgoed/engine/accounts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '@voelgoed/engine/workflows';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';
import { oneMore, pageOf } from './pages.ts';

const TAGS = { tags: ['API keys'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'keys:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'keys:write' } } as const;
const MISSING = { missing: 'There is no such key.' };
const OVERLAP_HOURS = 24;

export function registerKeys(http: Http, context: RouteContext): void {
  makeKeys(http, context);
  rotateKeys(http, context);
}

function makeKeys(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/admin/api-keys',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'API keys, without their secrets',
        querystring: PageQuery,
        response: repliesOr({ 200: Page(ApiKey, NextAfter) }),
      },
    },
    async (request) => {
      const { after, limit = 100 } = request.query;
      const page = { after, limit: oneMore(limit) };
      const rows = await listApiKeys(engine, callerOf(request), page);
      return pageOf(rows, limit, ({ key_id }) => ({ after: key_id }));
    },
  );

  http.post(
    '/api/admin/api-keys',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Make an API key; its text is in this answer alone',
        description: `Scopes: ${Object.keys(SCOPES).join(', ')}.`,
        body: NewApiKey,
        response: repliesOr({ 201: Data(ApiKeyWithText) }, 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const { name, scopes, expires_in_days: expiresInDays = null } = request.body;
      const unknown = scopes.filter((scope) => !isAccessScope(scope));
      if (unknown.length > 0) {
        const problems = unknown.map((scope) => ({
          path: 'body/scopes',
          message: `"${scope}" is not a scope`,
        }));
        return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
      }
      const wanted = { name, scopes: scopes.filter(isAccessScope), expiresInDays };
      const outcome = await createApiKey(engine, callerOf(request), wanted);
      return answerDone(reply, outcome, { status: 201 });
    },
  );
}

function rotateKeys(http: Http, { engine }: RouteContext): void {
  http.post(
    '/api/admin/api-keys/:id/rotate',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'A successor with the same scopes; the old key lives on for the overlap',
        params: IdParams,
        body: KeyRotation,
        response: repliesOr({ 201: Data(ApiKeyWithText) }, 'not_found', 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const hours = request.body.overlap_hours ?? OVERLAP_HOURS;
      const outcome = await rotateApiKey(engine, callerOf(request), request.params.id, hours);
      if (outcome.kind === 'already_rotated') {
        const message = 'This key has a successor already: rotate that one.';
        return refuse(reply, 'invalid_request', message, { replaced_by: outcome.by });
      }
      return answerDone(reply, outcome, { status: 201, ...MISSING });
    },
  );

  http.delete(
    '/api/admin/api-keys/:id',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Revoke a key; every node refuses it within 5 seconds',
        params: IdParams,
        querystring: ReasonQuery,
        response: repliesOr({ 200: Data(ApiKey) }, 'not_found', 'idempotency_key_reused'),
      },
    },
    async (request, reply) =>
      answerDone(reply, await revokeApiKey(engine, callerOf(request), request.params.id), MISSING),
  );
}
