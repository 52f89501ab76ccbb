/**
 * Shapes: what goes into routes and comes out of them, as types, each from the schema that the
 * server validates and serialises with. There is nothing here at run time, so the client carries
 * no schema and no validator. It knows no request.
 */
import type { Static } from 'typebox';
import type * as wire from '#wire';
import type { LayoutConfig } from './drawings.ts';

export type { ErrorCode } from '#wire';
export type * from './drawings.ts';

/** A page of a list. While there is more it has a `next`: ask again with it and all filters. */
export type Page<Row, Next> = Row[] & { readonly next?: Next };

export type Activity = Static<typeof wire.Activity>;
export type ActivityQuery = Static<typeof wire.ActivityQuery>;
export type ApiKey = Static<typeof wire.ApiKey>;
export type ApiKeyWithText = Static<typeof wire.ApiKeyWithText>;
export type AuditChain = Static<typeof wire.AuditChain>;
export type AuditHead = Static<typeof wire.AuditHead>;
export type AuditRecord = Static<typeof wire.AuditRecord>;
export type AuditSearch = Static<typeof wire.AuditSearch>;
export type AuditStart = Static<typeof wire.AuditStart>;
export type AuditVerdict = Static<typeof wire.AuditVerdict>;
export type Availability = Static<typeof wire.Availability>;
export type BestAvailableWish = Static<typeof wire.BestAvailableWish>;
export type BestOffers = Static<typeof wire.BestOffers>;
export type BlockWish = Static<typeof wire.BlockWish>;
export type BlockedSeats = Static<typeof wire.BlockedSeats>;
export type BoardQuery = Static<typeof wire.BoardQuery>;
export type CallerHoldWish = Static<typeof wire.CallerHoldWish>;
export type CancelReply = Static<typeof wire.CancelReply>;
export type CancelWish = Static<typeof wire.CancelWish>;
export type ChangedTicket = Static<typeof wire.ChangedTicket>;
export type ChangesQuery = Static<typeof wire.ChangesQuery>;
export type CheckoutEntry = Static<typeof wire.CheckoutEntry>;
export type CheckoutReply = Static<typeof wire.CheckoutReply>;
export type CheckoutStatus = Static<typeof wire.CheckoutStatus>;
export type CheckoutWish = Static<typeof wire.CheckoutWish>;
export type CheckoutsQuery = Static<typeof wire.CheckoutsQuery>;
export type CreatedOrganization = Static<typeof wire.CreatedOrganization>;
export type DeliveryQuery = Static<typeof wire.DeliveryQuery>;
export type DemoSessionWish = Static<typeof wire.DemoSessionWish>;
export type DiffQuery = Static<typeof wire.DiffQuery>;
export type DoorSale = Static<typeof wire.DoorSale>;
export type EndTicketWish = Static<typeof wire.EndTicketWish>;
export type EntriesQuery = Static<typeof wire.EntriesQuery>;
export type Entry = Static<typeof wire.Entry>;
export type EntryReply = Static<typeof wire.EntryReply>;
export type EntryWish = Static<typeof wire.EntryWish>;
export type Erasure = Static<typeof wire.Erasure>;
export type Event = Static<typeof wire.Event>;
export type EventChange = Static<typeof wire.EventChange>;
export type EventBlock = Static<typeof wire.EventBlock>;
export type EventBlocksQuery = Static<typeof wire.EventBlocksQuery>;
export type EventFigures = Static<typeof wire.EventFigures>;
export type EventHoldsQuery = Static<typeof wire.EventHoldsQuery>;
export type EventInList = Static<typeof wire.EventInList>;
export type EventLayoutChoice = Static<typeof wire.EventLayoutChoice>;
export type EventMigration = Static<typeof wire.EventMigration>;
export type EventSearch = Static<typeof wire.EventSearch>;
export type EventStakes = Static<typeof wire.EventStakes>;
export type EventTicketsQuery = Static<typeof wire.EventTicketsQuery>;
export type EventWithPlan = Static<typeof wire.EventWithPlan>;
export type ExportQuery = Static<typeof wire.ExportQuery>;
export type ExtendedHold = Static<typeof wire.ExtendedHold>;
export type GuestSession = Static<typeof wire.GuestSession>;
export type Health = Static<typeof wire.Health>;
export type HeldBest = Static<typeof wire.HeldBest>;
export type HeldCart = Static<typeof wire.HeldCart>;
export type HistoryQuery = Static<typeof wire.HistoryQuery>;
export type HoldEntry = Static<typeof wire.HoldEntry>;
export type HoldStatus = Static<typeof wire.HoldStatus>;
export type HoldWish = Static<typeof wire.HoldWish>;
export type HoldsQuery = Static<typeof wire.HoldsQuery>;
export type ImportQuery = Static<typeof wire.ImportQuery>;
export type Issuer = Static<typeof wire.Issuer>;
export type KeyRotation = Static<typeof wire.KeyRotation>;
export type LayoutDifference = Static<typeof wire.LayoutDifference>;
export type LayoutSearch = Static<typeof wire.LayoutSearch>;
export type LayoutSize = Static<typeof wire.LayoutSize>;
export type LayoutVersion = Static<typeof wire.LayoutVersion>;
export type LayoutWish = Static<typeof wire.LayoutWish>;
export type LayoutWithVersions = Static<typeof wire.LayoutWithVersions>;
export type Me = Static<typeof wire.Me>;
export type Member = Static<typeof wire.Member>;
export type MemberChange = Static<typeof wire.MemberChange>;
export type MigrationReport = Static<typeof wire.MigrationReport>;
export type NewApiKey = Static<typeof wire.NewApiKey>;
export type NewEvent = Static<typeof wire.NewEvent>;
export type NewIssuer = Static<typeof wire.NewIssuer>;
export type NewMember = Static<typeof wire.NewMember>;
export type NewOrganization = Static<typeof wire.NewOrganization>;
export type NewVenue = Static<typeof wire.NewVenue>;
export type NewWebhook = Static<typeof wire.NewWebhook>;
export type NextAfter = Static<typeof wire.NextAfter>;
export type NextBefore = Static<typeof wire.NextBefore>;
export type NextDue = Static<typeof wire.NextDue>;
export type NextRevisions = Static<typeof wire.NextRevisions>;
export type NextRows = Static<typeof wire.NextRows>;
export type NextSlugs = Static<typeof wire.NextSlugs>;
export type NextTimes = Static<typeof wire.NextTimes>;
export type NextVersions = Static<typeof wire.NextVersions>;
export type Occupancy = Static<typeof wire.Occupancy>;
export type OccupancyAt = Static<typeof wire.OccupancyAt>;
export type OnSaleReply = Static<typeof wire.OnSaleReply>;
export type OnSaleWish = Static<typeof wire.OnSaleWish>;
export type Organization = Static<typeof wire.Organization>;
export type OrganizationInList = Static<typeof wire.OrganizationInList>;
export type OwnHolds = Static<typeof wire.OwnHolds>;
export type OwnTicketsQuery = Static<typeof wire.OwnTicketsQuery>;
export type PageQuery = Static<typeof wire.PageQuery>;
export type PastBoard = Static<typeof wire.PastBoard>;
export type PayReply = Static<typeof wire.PayReply>;
export type PayWish = Static<typeof wire.PayWish>;
export type PaymentBody = Static<typeof wire.PaymentBody>;
export type PaymentReply = Static<typeof wire.PaymentReply>;
export type PlacedEvent = Static<typeof wire.PlacedEvent>;
export type Policy = Static<typeof wire.Policy>;
export type PriceList = Static<typeof wire.PriceList>;
export type PublicEvent = Static<typeof wire.PublicEvent>;
export type PublicEventInList = Static<typeof wire.PublicEventInList>;
export type PublicEventsQuery = Static<typeof wire.PublicEventsQuery>;
export type ReasonQuery = Static<typeof wire.ReasonQuery>;
export type ReconcileWish = Static<typeof wire.ReconcileWish>;
export type Reconciled = Static<typeof wire.Reconciled>;
export type ReduceWish = Static<typeof wire.ReduceWish>;
export type LengthenWish = Static<typeof wire.LengthenWish>;
export type LengthenedHolds = Static<typeof wire.LengthenedHolds>;
export type ReducedHold = Static<typeof wire.ReducedHold>;
export type Refund = Static<typeof wire.Refund>;
export type RefundsQuery = Static<typeof wire.RefundsQuery>;
export type Refusal = Static<typeof wire.Refusal>;
export type RefusalSearch = Static<typeof wire.RefusalSearch>;
export type RegistryQuery = Static<typeof wire.RegistryQuery>;
export type RegistryStatus = Static<typeof wire.RegistryStatus>;
export type ReleaseWish = Static<typeof wire.ReleaseWish>;
export type ReleasedHolds = Static<typeof wire.ReleasedHolds>;
export type ReseatWish = Static<typeof wire.ReseatWish>;
export type ReserveWish = Static<typeof wire.ReserveWish>;
export type ReservedSeat = Static<typeof wire.ReservedSeat>;
export type SearchQuery = Static<typeof wire.SearchQuery>;
export type SearchResult = Static<typeof wire.SearchResult>;
export type SeatHold = Static<typeof wire.SeatHold>;
export type SeatStatus = Static<typeof wire.SeatStatus>;
export type SecretRotation = Static<typeof wire.SecretRotation>;
export type SellWish = Static<typeof wire.SellWish>;
export type Session = Static<typeof wire.Session>;
export type StaffHold = Static<typeof wire.StaffHold>;
export type StaffOccupancy = Static<typeof wire.StaffOccupancy>;
export type StaffRelease = Static<typeof wire.StaffRelease>;
export type StaffSeat = Static<typeof wire.StaffSeat>;
export type StaffTicket = Static<typeof wire.StaffTicket>;
export type StepReason = Static<typeof wire.StepReason>;
export type StreamQuery = Static<typeof wire.StreamQuery>;
export type Ticket = Static<typeof wire.Ticket>;
export type ToldRow = Static<typeof wire.ToldRow>;
export type Venue = Static<typeof wire.Venue>;
export type VenueChange = Static<typeof wire.VenueChange>;
export type VersionQuery = Static<typeof wire.VersionQuery>;
export type VersionStep = Static<typeof wire.VersionStep>;
export type Webhook = Static<typeof wire.Webhook>;
export type WebhookChange = Static<typeof wire.WebhookChange>;
export type WebhookDelivery = Static<typeof wire.WebhookDelivery>;
export type WebhookDeliveryDetail = Static<typeof wire.WebhookDeliveryDetail>;
export type WebhookReplay = Static<typeof wire.WebhookReplay>;
export type WebhookReplayed = Static<typeof wire.WebhookReplayed>;
export type WebhookWithSecret = Static<typeof wire.WebhookWithSecret>;
export type Whitelist = Static<typeof wire.Whitelist>;

/**
 * A new layout, or with `layout_id` its next version: a config, or a spec for the generator.
 * Without either the newest is copied.
 */
export type LayoutDraft = LayoutWish & { config?: LayoutConfig; spec?: Record<string, unknown> };

/** A version that was made; after an import with a report of what was not taken over. */
export type DraftedLayout = LayoutVersion & { report?: Record<string, unknown> | null };

/** A config that was drawn or taken over, and is not saved yet. */
export type ReadLayout = {
  config: LayoutConfig;
  report: Record<string, unknown> | null;
  /** Of the generator: the shapes that it drew, also those of a preset. */
  spec?: Record<string, unknown> | null;
};
