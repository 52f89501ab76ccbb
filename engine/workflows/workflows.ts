/**
 * Workflows: what happens next for a wish, one file per kind of wish. Each checks, changes and
 * writes the audit entry in one transaction and returns an outcome. They know the rooms below;
 * they know no HTTP. Routes, the command line and demo data call them.
 */
export { activateLayout, archiveLayout } from './activate-layout.ts';
export { exportEvent, type Pruned, pruneHistory } from './archive-event.ts';
export {
  type ArchiveHead,
  ArchiveReader,
  type ArchiveVerdict,
  ArchiveWriter,
} from './archive-file.ts';
export { aboutCheckout, aboutSeats, aboutUsers } from './audit-search.sql.ts';
export { type FoundEntry, nameOfActor, searchAudit } from './audit-search.ts';
export { auditHead, verifyAudit } from './audit-trail.ts';
export {
  boardView,
  type EventView,
  eventAvailability,
  eventNumbers,
  eventOccupancy,
  type Occupancy,
  seatStatus,
} from './availability.ts';
export { type DoorSale, endTicket, reseatTicket, sellAtDoor } from './box-office.ts';
export {
  eventCheckouts,
  eventEntries,
  eventTickets,
  refundsDue,
} from './box-office-lists.ts';
export type { Caller, Done, Engine, KeyReused } from './change.ts';
export {
  type CancelledCheckout,
  type CheckoutView,
  cancelCheckout,
  isNoNewCheckout,
  payCheckout,
  readCheckout,
  receivePayment,
  startCheckout,
} from './checkouts.ts';
export { chooseLayout } from './choose-layout.ts';
export { type Drift, readDrift, removeDrift, slewDrift } from './clock.ts';
export { type DraftWish, draftLayout } from './draft-layout.ts';
export { drawingIdOf } from './drawn-zones.ts';
export { erasePersonalData } from './erase-personal-data.ts';
export { listBlockEntries } from './event-blocks.sql.ts';
export { type EventBlock, eventBlocks } from './event-blocks.ts';
export { listFigures } from './event-figures.sql.ts';
export { eventFigures, figuresOf } from './event-figures.ts';
export {
  eventActivity,
  keepOccupancy,
  occupancyHistory,
} from './event-history.ts';
export type { LayoutChoice } from './event-layout.ts';
export { setPrices } from './event-prices.ts';
export { stepEvent } from './event-steps.ts';
export { eventTallies, expireNow } from './event-tallies.ts';
export {
  changeEvent,
  createEvent,
  type EventDetail,
  type EventFields,
  type EventRefusal,
  listAllEvents,
  readEvent,
} from './events.ts';
export { listEndedHolds, listLiveHolds } from './hold-lists.sql.ts';
export { eventHolds, organizationHolds, type StaffHeld } from './hold-lists.ts';
export {
  buyerIdOf,
  type EventMissing,
  type Held,
  type HeldPlace,
  type HoldRefusal,
  type HoldWish,
  holdForCaller,
  holdSeats,
  isRepeat,
  newSeats,
  refusalAtHand,
} from './hold-seats.ts';
export { listTokenIssuers, MOST_ISSUERS, registerIssuer, removeIssuer } from './issuers.ts';
export { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './keys.ts';
export {
  diffVersions,
  findVersion,
  judgeLayout,
  type LayoutSource,
  layoutConfig,
  layoutSpec,
  layoutVersions,
  listAllLayouts,
} from './layouts.ts';
export { type Lengthened, lengthenHolds } from './lengthen-holds.ts';
export { addMember, changeMember, listAllMembers, revokeMember } from './members.ts';
export { migrateEvent } from './migrate-event.ts';
export {
  changeOrganizationStatus,
  createOrganization,
  issueOwnerKey,
  listOrganizations,
  readOrganization,
} from './organizations.ts';
export {
  extendHold,
  type NotReleased,
  ownHolds,
  type Reduced,
  type Released,
  reduceHold,
  releaseHold,
  releaseOwnHolds,
} from './own-holds.ts';
export { ownTickets, type SignedTicket } from './own-tickets.ts';
export { PageViews } from './page-views.ts';
export { adoptPolicy, changeSeatingPolicy, readSeatingPolicy } from './policy.ts';
export { previewBestAvailable } from './preview-best.ts';
export {
  bookingRules,
  organizationEvents,
  type PublicEvent,
  publicEvent,
  seatMap,
} from './public-events.ts';
export { PublicScopes } from './public-scopes.ts';
export { type FoundRefusal, noteTurnedAway, readRefusals } from './read-refusals.ts';
export { reconcileRegistry } from './reconcile-registry.ts';
export {
  listRefusalsOfEvent,
  listRefusalsOfUsers,
} from './refusals.sql.ts';
export { RefusalLog, TURNED_AWAY } from './refusals.ts';
export { type RegistryStatus, registryStatus } from './registry-status.ts';
export { boardAt, changesAfter, exportLog, type PastBoard } from './replay-event.ts';
export { type Scan, type Scanned, scanTicket } from './scan-ticket.ts';
export { type Found, searchBoxOffice } from './search-box-office.ts';
export { findLastBlock } from './seat-facts.sql.ts';
export { type SeatFacts, seatFacts } from './seat-facts.ts';
export { blockSeats, releaseByStaff, type StaffRelease } from './staff-seats.ts';
export { type HoldKnown, type ToldRow, tellRow } from './told-changes.ts';
export { changeVenue, createVenue, listAllVenues, readVenue } from './venues.ts';
export {
  redeliver,
  testWebhook,
  webhookDeliveries,
  webhookDelivery,
} from './webhook-deliveries.ts';
export {
  changeWebhook,
  createWebhook,
  listAllWebhooks,
  MOST_WEBHOOKS,
  readWebhook,
  removeWebhook,
  replayWebhook,
  rotateWebhookSecret,
  switchWebhook,
  type WebhookFields,
} from './webhooks.ts';
export { readWhitelist, setWhitelist } from './whitelist.ts';
