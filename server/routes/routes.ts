/**
 * Routes: parse, authorise, one call. Each file has the routes of one topic; this door registers
 * them all. It knows paths and schemas; what happens next for a wish is up to the engine's
 * workflows.
 */
import type { Http } from '#http';
import { registerAudit } from './audit.ts';
import { registerAvailability } from './availability.ts';
import { registerBestAvailable } from './best-available.ts';
import { registerBoxOffice } from './box-office.ts';
import { registerBoxOfficeLists } from './box-office-lists.ts';
import { registerCheckouts } from './checkouts.ts';
import type { RouteContext } from './context.ts';
import { registerDemo } from './demo.ts';
import { registerEntries } from './entries.ts';
import { registerEvents } from './events.ts';
import { registerHealth } from './health.ts';
import { registerHistory } from './history.ts';
import { registerHoldLists } from './hold-lists.ts';
import { registerHolds } from './holds.ts';
import { registerIssuers } from './issuers.ts';
import { registerKeys } from './keys.ts';
import { registerLayouts } from './layouts.ts';
import { registerMe } from './me.ts';
import { registerMembers } from './members.ts';
import { registerPayments } from './payments.ts';
import { registerPlatform } from './platform.ts';
import { registerPolicy } from './policy.ts';
import { registerPublic } from './public.ts';
import { serveHoldsQuickly } from './quick-holds.ts';
import { registerRegistry } from './registry.ts';
import { registerStaffSeats } from './staff-seats.ts';
import { registerStream } from './stream.ts';
import { registerTickets } from './tickets.ts';
import { registerVenues } from './venues.ts';
import { registerWebhooks } from './webhooks.ts';

export type { Payments, PaymentToMake, RouteContext } from './context.ts';
export { signPayment } from './payment-signature.ts';
export { refusedHolds } from './refused-holds.ts';

export function registerRoutes(http: Http, context: RouteContext): void {
  registerHealth(http, context);
  registerMe(http, context);
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
  registerStream(http, context);
  registerHistory(http, context);
  registerHolds(http, context);
  serveHoldsQuickly(http, context);
  registerBestAvailable(http, context);
  registerStaffSeats(http, context);
  registerHoldLists(http, context);
  registerTickets(http, context);
  registerBoxOffice(http, context);
  registerBoxOfficeLists(http, context);
  registerEntries(http, context);
  registerCheckouts(http, context);
  registerPayments(http, context);
  registerRegistry(http, context);
  registerWebhooks(http, context);
  if (context.demo) registerDemo(http, context);
}
