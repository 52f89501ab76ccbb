/**
 * Routes: every route of the server with what it takes and what it answers. Only types, and the
 * few that need more time: `groups` turns them into methods, and a test compares this list with the
 * server's own, schema by schema. It knows no request.
 */
import type * as shape from '#shapes';

/** A route without a body or a query does not name one. Parameters are in its path. */
export interface Routes {
  // Everyone
  'GET /api/organizations/:slug/events': {
    query: shape.PublicEventsQuery;
    answer: shape.Page<shape.PublicEventInList, shape.NextAfter>;
  };
  'GET /api/events/:event_id': { answer: shape.PublicEvent };
  'GET /api/events/:event_id/seatmap': { answer: shape.Drawing };
  'GET /api/events/:event_id/availability': { answer: shape.Availability };
  'GET /api/events/:event_id/occupancy': { answer: shape.Occupancy };
  'GET /api/events/:event_id/seats/:seat_id': { answer: shape.SeatStatus };
  'POST /api/events/:event_id/sessions': { answer: shape.GuestSession };
  'GET /api/events/:event_id/stream': { query: shape.StreamQuery; answer: string };
  'GET /health/live': { answer: shape.Health['data'] };
  'GET /health/ready': { answer: shape.Health['data'] };
  'GET /metrics': { answer: string };
  'GET /openapi.json': { answer: Record<string, unknown> };
  'GET /schemas/layout.json': { answer: Record<string, unknown> };
  'POST /api/demo/sessions': { body: shape.DemoSessionWish; answer: shape.Session };
  'POST /api/demo/on-sale': { body: shape.OnSaleWish; answer: shape.OnSaleReply };
  'GET /api/demo/on-sale/:event_id': { answer: shape.OnSaleReply };
  'GET /api/me': { answer: shape.Me };

  // Buyers
  'POST /api/events/:event_id/seats/:seat_id/reserve': {
    body: shape.ReserveWish;
    answer: shape.ReservedSeat;
  };
  'POST /api/events/:event_id/holds': { body: shape.HoldWish; answer: shape.HeldCart };
  'POST /api/events/:event_id/holds/best-available': {
    body: shape.BestAvailableWish;
    answer: shape.BestOffers | shape.HeldBest;
  };
  'GET /api/events/:event_id/holds': { answer: shape.OwnHolds };
  'DELETE /api/events/:event_id/holds': { answer: shape.ReleasedHolds };
  'POST /api/holds/:hold_id/extend': { answer: shape.ExtendedHold };
  'PATCH /api/holds/:hold_id': { body: shape.ReduceWish; answer: shape.ReducedHold };
  'DELETE /api/holds/:hold_id': { answer: shape.ReleasedHolds };
  'POST /api/checkouts': { body: shape.CheckoutWish; answer: shape.CheckoutReply };
  'GET /api/checkouts/:id': { answer: shape.CheckoutReply };
  'POST /api/checkouts/:id/pay': { body: shape.PayWish; answer: shape.PayReply };
  'POST /api/checkouts/:id/cancel': { body: shape.CancelWish; answer: shape.CancelReply };
  'GET /api/tickets': {
    query: shape.OwnTicketsQuery;
    answer: shape.Page<shape.Ticket, shape.NextAfter>;
  };

  // The box office and the door
  'POST /api/tickets/:code/entries': { body: shape.EntryWish; answer: shape.EntryReply };
  'POST /api/admin/seats/release': { body: shape.ReleaseWish; answer: shape.StaffRelease };
  'POST /api/admin/events/:id/seats/block': { body: shape.BlockWish; answer: shape.BlockedSeats };
  'POST /api/admin/events/:id/seats/unblock': {
    body: shape.BlockWish;
    answer: shape.BlockedSeats;
  };
  'GET /api/admin/events/:id/blocks': {
    query: shape.EventBlocksQuery;
    answer: shape.Page<shape.EventBlock, shape.NextRows>;
  };
  'GET /api/admin/events/:id/seats/:seat_id': { answer: shape.StaffSeat };
  'GET /api/admin/events/:id/holds': {
    query: shape.EventHoldsQuery;
    answer: shape.Page<shape.StaffHold, shape.NextAfter>;
  };
  'POST /api/admin/holds/extend': { body: shape.LengthenWish; answer: shape.LengthenedHolds };
  'GET /api/admin/holds': {
    query: shape.HoldsQuery;
    answer: shape.Page<shape.HoldEntry, shape.NextBefore>;
  };
  'POST /api/admin/events/:id/holds': { body: shape.CallerHoldWish; answer: shape.HeldCart };
  'POST /api/admin/events/:id/sell': { body: shape.SellWish; answer: shape.DoorSale };
  'GET /api/admin/events/:id/tickets': {
    query: shape.EventTicketsQuery;
    answer: shape.Page<shape.StaffTicket, shape.NextAfter>;
  };
  'GET /api/admin/events/:id/checkouts': {
    query: shape.CheckoutsQuery;
    answer: shape.Page<shape.CheckoutEntry, shape.NextBefore>;
  };
  'GET /api/admin/events/:id/entries': {
    query: shape.EntriesQuery;
    answer: shape.Page<shape.Entry, shape.NextBefore>;
  };
  'GET /api/admin/events/:id/occupancy': { answer: shape.StaffOccupancy };
  'GET /api/admin/events/:id/stream': { query: shape.StreamQuery; answer: string };
  'POST /api/admin/tickets/:id/void': { body: shape.EndTicketWish; answer: shape.ChangedTicket };
  'POST /api/admin/tickets/:id/refund': { body: shape.EndTicketWish; answer: shape.ChangedTicket };
  'POST /api/admin/tickets/:id/reseat': { body: shape.ReseatWish; answer: shape.ChangedTicket };
  'GET /api/admin/refunds': {
    query: shape.RefundsQuery;
    answer: shape.Page<shape.Refund, shape.NextAfter>;
  };
  'GET /api/admin/search': { query: shape.SearchQuery; answer: shape.SearchResult };

  // Planning
  'GET /api/admin/events': {
    query: shape.EventSearch;
    answer: shape.Page<shape.EventInList, shape.NextAfter>;
  };
  'GET /api/admin/events/:id': { answer: shape.EventWithPlan };
  'GET /api/admin/events/:id/figures': { answer: shape.EventStakes };
  'POST /api/admin/events': { body: shape.NewEvent; answer: shape.Event };
  'PATCH /api/admin/events/:id': { body: shape.EventChange; answer: shape.Event };
  'PUT /api/admin/events/:id/layout': {
    body: shape.EventLayoutChoice;
    answer: shape.EventWithPlan;
  };
  'PUT /api/admin/events/:id/prices': { body: shape.PriceList; answer: shape.EventWithPlan };
  'POST /api/admin/events/:id/layout/migrate': {
    body: shape.EventMigration;
    answer: shape.MigrationReport;
  };
  'POST /api/admin/events/:id/publish': { body: shape.StepReason; answer: shape.Event };
  'POST /api/admin/events/:id/open': { body: shape.StepReason; answer: shape.Event };
  'POST /api/admin/events/:id/end': { body: shape.StepReason; answer: shape.Event };
  'POST /api/admin/events/:id/cancel': { body: shape.StepReason; answer: shape.Event };
  'POST /api/admin/events/:id/postpone': { body: shape.StepReason; answer: shape.Event };
  'POST /api/admin/events/:id/archive': { body: shape.StepReason; answer: shape.Event };
  'GET /api/admin/events/:id/zones/:zone_id/whitelist': { answer: shape.Whitelist };
  'PUT /api/admin/events/:id/zones/:zone_id/whitelist': {
    body: shape.Whitelist;
    answer: shape.Whitelist;
  };
  'GET /api/admin/venues': {
    query: shape.PageQuery;
    answer: shape.Page<shape.Venue, shape.NextAfter>;
  };
  'GET /api/admin/venues/:id': { answer: shape.Venue };
  'POST /api/admin/venues': { body: shape.NewVenue; answer: shape.Venue };
  'PATCH /api/admin/venues/:id': { body: shape.VenueChange; answer: shape.Venue };
  'GET /api/admin/layouts': {
    query: shape.LayoutSearch;
    answer: shape.Page<shape.LayoutVersion, shape.NextVersions>;
  };
  'GET /api/admin/layouts/:id': { query: shape.VersionQuery; answer: shape.LayoutWithVersions };
  'GET /api/admin/layouts/:id/config': { query: shape.VersionQuery; answer: shape.LayoutConfig };
  'GET /api/admin/layouts/:id/diff': { query: shape.DiffQuery; answer: shape.LayoutDifference };
  'POST /api/admin/layouts': { body: shape.LayoutDraft; answer: shape.DraftedLayout };
  'POST /api/admin/layouts/validate': { body: shape.LayoutConfig; answer: shape.LayoutSize };
  'POST /api/admin/layouts/generate': {
    body: Record<string, unknown>;
    answer: shape.ReadLayout;
  };
  'POST /api/admin/layouts/import': {
    query: shape.ImportQuery;
    body: Record<string, unknown>;
    answer: shape.ReadLayout | shape.DraftedLayout;
  };
  'POST /api/admin/layouts/:id/activate': { body: shape.VersionStep; answer: shape.LayoutVersion };
  'POST /api/admin/layouts/:id/archive': { body: shape.VersionStep; answer: shape.LayoutVersion };
  'GET /api/admin/policy': { answer: shape.Policy };
  'GET /api/admin/policy/fields': { answer: shape.Policy };
  'PUT /api/admin/policy': { body: shape.Policy; answer: shape.Policy };

  // Looking back
  'GET /api/admin/events/:id/changes': {
    query: shape.ChangesQuery;
    answer: shape.Page<shape.ToldRow, shape.NextRevisions>;
  };
  'GET /api/admin/events/:id/changes/export': { query: shape.ExportQuery; answer: string };
  'GET /api/admin/events/:id/board': { query: shape.BoardQuery; answer: shape.PastBoard };
  'GET /api/admin/events/:id/occupancy/history': {
    query: shape.HistoryQuery;
    answer: shape.Page<shape.OccupancyAt, shape.NextTimes>;
  };
  'GET /api/admin/events/:id/activity': { query: shape.ActivityQuery; answer: shape.Activity };
  'GET /api/admin/audit': {
    query: shape.AuditSearch;
    answer: shape.Page<shape.AuditRecord, shape.NextRows>;
  };
  'GET /api/admin/audit/verify': { query: shape.AuditStart; answer: shape.AuditVerdict };
  'GET /api/admin/audit/head': { query: shape.AuditChain; answer: shape.AuditHead };
  'GET /api/admin/refusals': {
    query: shape.RefusalSearch;
    answer: shape.Page<shape.Refusal, shape.NextBefore>;
  };
  'GET /api/admin/registry': { query: shape.RegistryQuery; answer: shape.RegistryStatus };
  'POST /api/admin/registry/reconcile': { body: shape.ReconcileWish; answer: shape.Reconciled };

  // The organization
  'GET /api/admin/members': {
    query: shape.PageQuery;
    answer: shape.Page<shape.Member, shape.NextAfter>;
  };
  'POST /api/admin/members': { body: shape.NewMember; answer: shape.Member };
  'PATCH /api/admin/members/:id': { body: shape.MemberChange; answer: shape.Member };
  'DELETE /api/admin/members/:id': { query: shape.ReasonQuery; answer: shape.Member };
  'DELETE /api/admin/users/:id/personal-data': { query: shape.ReasonQuery; answer: shape.Erasure };
  'GET /api/admin/api-keys': {
    query: shape.PageQuery;
    answer: shape.Page<shape.ApiKey, shape.NextAfter>;
  };
  'POST /api/admin/api-keys': { body: shape.NewApiKey; answer: shape.ApiKeyWithText };
  'POST /api/admin/api-keys/:id/rotate': {
    body: shape.KeyRotation;
    answer: shape.ApiKeyWithText;
  };
  'DELETE /api/admin/api-keys/:id': { query: shape.ReasonQuery; answer: shape.ApiKey };
  'GET /api/admin/issuers': { answer: shape.Issuer[] };
  'POST /api/admin/issuers': { body: shape.NewIssuer; answer: shape.Issuer };
  'DELETE /api/admin/issuers/:id': { query: shape.ReasonQuery; answer: { issuer_id: string } };

  // Messages to the organization
  'GET /api/admin/webhooks': {
    query: shape.PageQuery;
    answer: shape.Page<shape.Webhook, shape.NextAfter>;
  };
  'GET /api/admin/webhooks/:id': { answer: shape.Webhook };
  'POST /api/admin/webhooks': { body: shape.NewWebhook; answer: shape.WebhookWithSecret };
  'PATCH /api/admin/webhooks/:id': { body: shape.WebhookChange; answer: shape.Webhook };
  'DELETE /api/admin/webhooks/:id': { query: shape.ReasonQuery; answer: { webhook_id: string } };
  'POST /api/admin/webhooks/:id/rotate': {
    body: shape.SecretRotation;
    answer: shape.WebhookWithSecret;
  };
  'POST /api/admin/webhooks/:id/enable': { query: shape.ReasonQuery; answer: shape.Webhook };
  'POST /api/admin/webhooks/:id/disable': { query: shape.ReasonQuery; answer: shape.Webhook };
  'POST /api/admin/webhooks/:id/test': { answer: shape.WebhookDelivery };
  'POST /api/admin/webhooks/:id/replay': {
    body: shape.WebhookReplay;
    answer: shape.WebhookReplayed;
  };
  'GET /api/admin/webhooks/:id/deliveries': {
    query: shape.DeliveryQuery;
    answer: shape.Page<shape.WebhookDelivery, shape.NextRows>;
  };
  'GET /api/admin/webhooks/:id/deliveries/:delivery_id': { answer: shape.WebhookDeliveryDetail };
  'POST /api/admin/webhooks/:id/deliveries/:delivery_id/replay': {
    query: shape.ReasonQuery;
    answer: shape.WebhookDelivery;
  };
  'POST /api/admin/webhooks/:id/deliveries/:delivery_id/skip': {
    query: shape.ReasonQuery;
    answer: shape.WebhookDelivery;
  };

  // The platform and its payment provider
  'GET /api/platform/organizations': {
    query: { after?: string; limit?: number };
    answer: shape.Page<shape.OrganizationInList, shape.NextSlugs>;
  };
  'GET /api/platform/organizations/:id': { answer: shape.Organization };
  'POST /api/platform/organizations': {
    body: shape.NewOrganization;
    answer: shape.CreatedOrganization;
  };
  'POST /api/platform/organizations/:id/keys': { answer: shape.ApiKeyWithText };
  'POST /api/platform/organizations/:id/suspend': { answer: shape.Organization };
  'POST /api/platform/organizations/:id/resume': { answer: shape.Organization };
  'POST /api/platform/organizations/:id/archive': { answer: shape.Organization };
  'PUT /api/platform/organizations/:id/policy': { body: shape.Policy; answer: shape.Policy };
  'POST /webhooks/payments/:provider': { body: shape.PaymentBody; answer: shape.PaymentReply };
}

export type Route = keyof Routes;

/** The routes that the server gives a minute. */
export const LONG_ROUTES: ReadonlySet<Route> = new Set<Route>([
  'DELETE /api/admin/webhooks/:id',
  'GET /api/admin/audit/verify',
  'GET /api/admin/events/:id/activity',
  'GET /api/admin/events/:id/board',
  'GET /api/admin/events/:id/changes',
  'GET /api/admin/events/:id/changes/export',
  'GET /api/admin/layouts/:id/config',
  'GET /api/admin/layouts/:id/diff',
  'GET /api/admin/registry',
  'POST /api/admin/events/:id/layout/migrate',
  'POST /api/admin/events/:id/publish',
  'POST /api/admin/events/:id/seats/block',
  'POST /api/admin/events/:id/seats/unblock',
  'POST /api/admin/holds/extend',
  'POST /api/admin/layouts',
  'POST /api/admin/layouts/:id/activate',
  'POST /api/admin/layouts/:id/archive',
  'POST /api/admin/layouts/generate',
  'POST /api/admin/layouts/import',
  'POST /api/admin/layouts/validate',
  'POST /api/admin/registry/reconcile',
  'POST /api/admin/seats/release',
  'POST /api/admin/webhooks/:id/replay',
  'POST /api/admin/webhooks/:id/test',
  'PUT /api/admin/events/:id/layout',
]);

type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Part<Of, Name extends string> = Of extends { [Key in Name]: infer Type } ? Type : undefined;

/** What a call of this route must be given, and may be. */
export type InputOf<Name extends Route> = Readonly<
  { headers?: Readonly<Record<string, string>> } & ([ParamNames<Name>] extends [never]
    ? unknown
    : { params: Readonly<Record<ParamNames<Name>, string>> }) &
    (Routes[Name] extends { body: unknown }
      ? { body: Part<Routes[Name], 'body'> | (Name extends SignedRoute ? string : never) }
      : unknown) &
    (Routes[Name] extends { query: unknown }
      ? { query?: Part<Routes[Name], 'query'> | undefined }
      : unknown)
>;

/** Its body is signed byte by byte, and therefore sent as the text that was signed. */
type SignedRoute = 'POST /webhooks/payments/:provider';

export type AnswerOf<Name extends Route> = Routes[Name]['answer'];
