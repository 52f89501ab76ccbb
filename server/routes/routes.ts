/**
 * Routes: parse, authorise, one call. Each file has the routes of one topic; this door registers
 * them all. It knows paths and schemas; what happens next for a wish is up to the engine's
 * workflows.
 */
import type { Http } from '#http';
import { registerAudit } from './audit.ts';
import { registerAvailability } from './availability.ts';
import type { RouteContext } from './context.ts';
import { registerDemo } from './demo.ts';
import { registerEvents } from './events.ts';
import { registerHealth } from './health.ts';
import { registerHolds } from './holds.ts';
import { registerHome } from './home.ts';
import { registerIssuers } from './issuers.ts';
import { registerKeys } from './keys.ts';
import { registerLayouts } from './layouts.ts';
import { registerMembers } from './members.ts';
import { registerPlatform } from './platform.ts';
import { registerPolicy } from './policy.ts';
import { registerPublic } from './public.ts';
import { registerRegistry } from './registry.ts';
import { registerStaffSeats } from './staff-seats.ts';
import { registerVenues } from './venues.ts';

export type { RouteContext } from './context.ts';

export function registerRoutes(http: Http, context: RouteContext): void {
  registerHealth(http, context);
  registerHome(http, context);
  registerMembers(http, context);
  registerKeys(http, context);
  registerIssuers(http, context);
  registerAudit(http, context);
  registerPlatform(http, context);
  registerVenues(http, context);
  registerLayouts(http, context);
  registerPolicy(http, context);
  registerEvents(http, context);
  registerPublic(http, context);
  registerAvailability(http, context);
  registerHolds(http, context);
  registerStaffSeats(http, context);
  registerRegistry(http, context);
  if (context.demo) registerDemo(http, context);
}
