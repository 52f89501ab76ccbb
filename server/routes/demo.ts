import { Data, DemoSessionWish, Session } from '@voelgoed/client/wire';
import { scopeOfSlug, userIdOf } from '@voelgoed/engine/accounts';
import { uuidv7 } from '@voelgoed/engine/kit';
import { type Http, refuse, replies } from '#http';
import { signToken } from '#tokens';
import type { RouteContext } from './context.ts';

const SESSION_SECONDS = 2 * 60 * 60;

/** Demo mode alone: anybody may be anybody in the demo organization. */
export function registerDemo(http: Http, { engine, authSecret }: RouteContext): void {
  http.post(
    '/api/demo/sessions',
    {
      config: { access: { kind: 'open' } },
      schema: {
        tags: ['demo'],
        summary: 'A token for the demo organization, in any role',
        body: DemoSessionWish,
        response: replies({ 201: Data(Session) }, ['invalid_request', 'not_found']),
      },
    },
    async (request, reply) => {
      const scope = await scopeOfSlug(engine.postgres, 'demo');
      if (!scope) return refuse(reply, 'not_found', 'The demo data is not loaded.');
      const { role = 'customer', user = uuidv7(engine) } = request.body;
      const { organizationId } = scope;
      const expires = Math.floor(engine.clock.now() / 1_000) + SESSION_SECONDS;
      const token = signToken(authSecret, { subject: user, organizationId, role, expires });
      reply.header('cache-control', 'no-cache, no-store');
      return reply.code(201).send({
        data: {
          token,
          user_id: userIdOf(organizationId, user),
          organization_id: organizationId,
          expires_at: new Date(expires * 1_000).toISOString(),
        },
      });
    },
  );
}
