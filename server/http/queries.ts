import type { FastifyInstance, RouteOptions } from 'fastify';
import { Type } from 'typebox';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why a route takes parameters that it does not know; absent: it refuses them. */
    anyQuery?: string;
  }
}

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false });

/**
 * A route that names no parameters takes none. A filter that is misspelt, or that an older server
 * does not have, is refused: passed over, it would answer with everything.
 */
export function refuseUnknownQueries(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    if (takesAnyQuery(route) || route.schema?.querystring) return;
    route.schema = { ...route.schema, querystring: NO_PARAMETERS };
  });
}

/** Pages and preflights of plugins are not ours. */
export function takesAnyQuery({ url, config }: Pick<RouteOptions, 'url' | 'config'>): boolean {
  return config?.anyQuery !== undefined || url === '*' || /^\/docs(?:\/|$)/.test(url);
}
