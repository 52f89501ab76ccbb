/**
 * Routes: parse, authorise, one call. Each file has the routes of one topic; this door registers
 * them all. It knows paths and schemas; what happens next for a wish is up to the engine's
 * workflows.
 */
import type { Http } from '#http';
import type { RouteContext } from './context.ts';
import { registerHealth } from './health.ts';
import { registerHome } from './home.ts';

export type { RouteContext } from './context.ts';

export function registerRoutes(http: Http, context: RouteContext): void {
  registerHealth(http, context);
  registerHome(http, context);
}
