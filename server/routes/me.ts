import { Data, Me } from '@voelgoed/client/wire';
import { assert } from '@voelgoed/engine/kit';
import { scopeOf } from '@voelgoed/engine/scope';
import { nameOfActor, readOrganization } from '@voelgoed/engine/workflows';
import { type Http, repliesOr, WITH_CREDENTIAL } from '#http';
import type { RouteContext } from './context.ts';

/** For screens that show only what their user may do. The server decides all the same. */
export function registerMe(http: Http, { engine }: RouteContext): void {
  http.get(
    '/api/me',
    {
      config: { access: { kind: 'principal' } },
      schema: {
        tags: ['members'],
        ...WITH_CREDENTIAL,
        summary: 'Whose credential this is, and what it is good for',
        response: repliesOr({ 200: Data(Me) }),
      },
    },
    async ({ principal }) => {
      assert(principal, 'this route is for those with a credential');
      const { kind, id, role, organizationId } = principal;
      const organization = await readOrganization(engine, organizationId);
      assert(organization, 'a credential is of an organization');
      const name = await nameOfActor(engine, scopeOf(organizationId), id);
      const scopes = [...principal.scopes].sort();
      return { data: { organization, kind, id, name, role, scopes } };
    },
  );
}
