import { Data, Id, IdParams, Issuer, NewIssuer, ReasonQuery } from '@voelgoed/client/wire';
import {
  listTokenIssuers,
  MOST_ISSUERS,
  registerIssuer,
  removeIssuer,
} from '@voelgoed/engine/workflows';
import { Type } from 'typebox';
import { answerDone, callerOf, type Http, refuse, repliesOr, WITH_CREDENTIAL } from '#http';
import { isPublicHttps } from '#outgoing';
import type { RouteContext } from './context.ts';

const TAGS = { tags: ['token issuers'], ...WITH_CREDENTIAL };
const READ = { access: { kind: 'scope', scope: 'issuers:read' } } as const;
const WRITE = { access: { kind: 'scope', scope: 'issuers:write' } } as const;

export function registerIssuers(http: Http, { engine, allowInternal }: RouteContext): void {
  http.get(
    '/api/admin/issuers',
    {
      config: READ,
      schema: {
        ...TAGS,
        summary: 'Who may sign tokens for the organization',
        description: `All of them: there are ${MOST_ISSUERS} at most.`,
        response: repliesOr({ 200: Data(Type.Array(Issuer)) }),
      },
    },
    async (request) => ({ data: await listTokenIssuers(engine, callerOf(request)) }),
  );

  http.post(
    '/api/admin/issuers',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Register an issuer by its public key set',
        body: NewIssuer,
        response: repliesOr({ 201: Data(Issuer) }, 'idempotency_key_reused'),
      },
    },
    async (request, reply) => {
      const { issuer, jwks_uri: jwksUri, audience, algorithms } = request.body;
      if (!allowInternal && !isPublicHttps(jwksUri)) {
        const problems = [{ path: 'body/jwks_uri', message: 'must be a public https address' }];
        return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
      }
      const wanted = { issuer, jwksUri, audience, algorithms };
      const outcome = await registerIssuer(engine, callerOf(request), wanted);
      if (outcome.kind === 'issuer_taken') {
        const problems = [{ path: 'body/issuer', message: 'is registered already' }];
        return refuse(reply, 'invalid_request', 'The request is not valid.', { problems });
      }
      if (outcome.kind === 'too_many') {
        const message = `An organization has ${MOST_ISSUERS} issuers at most: remove one first.`;
        return refuse(reply, 'invalid_request', message, { limit: MOST_ISSUERS });
      }
      return answerDone(reply, outcome, { status: 201 });
    },
  );

  http.delete(
    '/api/admin/issuers/:id',
    {
      config: WRITE,
      schema: {
        ...TAGS,
        summary: 'Remove an issuer; its tokens are refused within 5 seconds',
        params: IdParams,
        querystring: ReasonQuery,
        response: repliesOr(
          { 200: Data(Type.Object({ issuer_id: Id })) },
          'not_found',
          'idempotency_key_reused',
        ),
      },
    },
    async (request, reply) => {
      const outcome = await removeIssuer(engine, callerOf(request), request.params.id);
      return answerDone(reply, outcome, { missing: 'There is no such issuer.' });
    },
  );
}
