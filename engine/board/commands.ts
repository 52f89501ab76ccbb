import type { Membership, Role } from '#accounts';
import type { Score } from '#allocation';
import type { AuditAction } from '#audit';
import type { Checkout, MessageOutcome, PaymentMessage } from '#checkouts';
import type { EventState, EventStep } from '#events';
import type { SeatCategory } from '#policies';
import type { Hold, HoldSource, SeatWord } from './board-state.ts';
import type { ConfigChange, EndReason } from './changes.ts';
import type { HoldPlace } from './hold-place.ts';
import type { SaleCommand, SaleOutcome, TicketRecord } from './sale-commands.ts';
import type { TaskActor } from './tasks.ts';

/** What can be wished of a board. Each has one outcome of its own kind, or is refused. */
export type Command =
  | HoldCommand
  | SaleCommand
  | ExtendCommand
  | LengthenCommand
  | ReduceCommand
  | ReleaseCommand
  /** Nothing but what is due: expired holds, holds of a cancelled event, a piece of a task. */
  | Readonly<{ kind: 'sweep' }>
  | Readonly<{
      kind: 'block' | 'unblock';
      seat_ids: readonly string[];
      reason: string | null;
      actor: TaskActor;
    }>
  | Readonly<{ kind: 'change_event_state'; step: EventStep; reason: string | null }>
  | ChangeConfigCommand;

/** `people`: for whom, other than the buyer; only zones for members ask. */
export type HoldItem =
  | Readonly<{ seat_id: string; people?: readonly string[] }>
  | Readonly<{ zone_id: string; quantity: number; people?: readonly string[] }>;

/** The engine chooses. */
export type BestRequest = Readonly<{
  quantity: number;
  /** Empty: wherever the buyer may sit. */
  zone_ids: readonly string[];
  price_cents: number | null;
  /** Empty: everything but wheelchair spaces and companion seats. */
  categories: readonly SeatCategory[];
  /** How many of them are wheelchair spaces. */
  accessible: number;
  /** In one row and one piece, or not at all. */
  together: boolean;
  /** Places in a zone without seats will do. */
  general_admission: boolean;
  people: readonly string[];
}>;

export type HoldCommand = Readonly<{
  kind: 'hold';
  user_id: string;
  items: readonly HoldItem[];
  /** Instead of items. */
  best?: BestRequest;
  /**
   * What becomes of a choice that strands a seat. Absent: it is refused when another would not.
   * `allow`: the buyer insists, which counts where the policy permits it. `tell`: never refused.
   */
  orphans?: 'allow' | 'tell';
  /** Null: the cart the user has, or a new one. */
  cart_token: string | null;
  source: HoldSource;
  ip: string | null;
  /** What the credential says; in a restricted zone the membership counts. */
  role: Role;
  guest: boolean;
  /** Staff who do it for a caller: sale window, limits and access are theirs to judge. */
  made_by: string | null;
  /** Null: as the policy says. */
  hold_seconds: number | null;
  notes: string | null;
}>;

export type ExtendCommand = Readonly<{ kind: 'extend'; user_id: string; hold_id: string }>;

/** Staff give callers more time: so many seconds from now, and never less than there is. */
export type LengthenCommand = Readonly<{
  kind: 'lengthen';
  hold_ids: readonly string[];
  seconds: number;
}>;

/** So many places are left of the hold, never more than it has. */
export type ReduceCommand = Readonly<{
  kind: 'reduce';
  user_id: string;
  hold_id: string;
  quantity: number;
}>;

export type ReleaseCommand = Readonly<{
  kind: 'release';
  /** Which: by id, all of a user, or all there are. Ids that are not alive are said so. */
  which: Readonly<{ hold_ids: readonly string[] }> | Readonly<{ user_id: string }> | 'all';
  /** Whose holds may be ended; null: anybody's, by staff. */
  owner: string | null;
  reason: EndReason;
  /** What staff say about it. */
  note: string | null;
  /** Also those that are being paid for: staff alone, who say why. */
  force?: boolean;
  actor: TaskActor;
}>;

export type ChangeConfigCommand = Readonly<{
  kind: 'change_config';
  /** The version that the author has seen; null: whatever there is. */
  expected: number | null;
  changes: ConfigChange;
  /** What the trail says about it. */
  entry: Readonly<{ action: AuditAction; changes: Readonly<Record<string, unknown>> }>;
}>;

/** Everything outside the board that a decision may rest on. */
export type Facts = Readonly<{
  now_ms: number;
  /** The time of day by the database's clock; not given: as event time. */
  wall_ms?: number | undefined;
  newId(): string;
  /** False: suspended. */
  organizationActive: boolean;
  /** By user; undefined for those that were not asked for. */
  memberships: ReadonlyMap<string, Membership | null>;
  /** What users have bought of this event already, where their membership was asked for. */
  owned: ReadonlyMap<string, readonly OwnedPlaces[]>;
  /** Replaces the policy's minutes in demo mode and tests. */
  demoHoldSeconds: number | null;
  /** Those that were asked for, as they are under the event's lock. */
  checkouts: ReadonlyMap<string, Checkout>;
  tickets: ReadonlyMap<string, TicketRecord>;
  /** What messages have led to before, by `messageName`. */
  messages: ReadonlyMap<string, KnownMessage>;
  /** A rule that is not worth losing a sale for has failed: somebody should know. */
  trouble?(rule: string, error: unknown): void;
}>;

/** Good tickets of one user for one zone and one person; null: for nobody by name. */
export type OwnedPlaces = Readonly<{ zone_id: string; person: string | null; places: number }>;

/** What a message was about, and what it has led to. */
export type KnownMessage = Pick<PaymentMessage, 'type' | 'attempt_id'> &
  Readonly<{ outcome: MessageOutcome }>;

/** For decisions that are about no sale. */
export const NO_SALES: Pick<Facts, 'checkouts' | 'tickets' | 'messages'> = Object.freeze({
  checkouts: new Map(),
  tickets: new Map(),
  messages: new Map(),
});

export function messageName({ provider, message_id }: { provider: string; message_id: string }) {
  return `${provider} ${message_id}`;
}

export type HeldOutcome = Readonly<{
  kind: 'held';
  /** In the order of the wish. */
  holds: readonly Hold[];
  /** Where each of them is. */
  places: readonly HoldPlace[];
  /** All of them were the user's already: nothing has changed. */
  existing: boolean;
  cart_token: string;
  /** Labels of seats that the cart strands, and why it may; absent: none. */
  orphans?: Readonly<{ labels: readonly string[]; reason: string }>;
  /** What the engine has chosen, when it was asked to. */
  offer?: OfferView;
}>;

/** Seats or places that were chosen, as people read it. */
export type OfferView = Readonly<{
  zone_id: string;
  zone_name: string;
  /** Empty: places in a zone without seats. */
  seats: readonly Readonly<{ seat_id: string; label: string }>[];
  quantity: number;
  /** All in one piece, with what the party has already. */
  adjacent: boolean;
  rows: readonly Readonly<{ section: string | null; row: string; seats: number }>[];
  /** Labels of seats that would be stranded. */
  orphans: readonly string[];
  score: Score;
  message: string;
}>;

export type PreviewOutcome = Readonly<{ kind: 'offers'; offers: readonly OfferView[] }>;
export type NeedsMembership = Readonly<{ kind: 'needs_membership'; user_id: string }>;

export type ReleasedOutcome = Readonly<{
  kind: 'released';
  holds: readonly Readonly<{
    hold_id: string;
    outcome: ReleaseWord;
    hold: Hold | null;
    place: HoldPlace | null;
  }>[];
  /** Seats and places that became free, or will in the next moments. */
  seats: number;
}>;
export type ReleaseWord = 'released' | 'not_active' | 'not_found' | 'payment_in_progress';

export type LengthenedOutcome = Readonly<{
  kind: 'lengthened';
  holds: readonly Readonly<{ hold_id: string; outcome: LengthenWord; until_ms: number | null }>[];
}>;
/** `shop_hold`: a buyer's own, whose time the policy of the event says. */
export type LengthenWord = 'extended' | 'unchanged' | 'not_active' | 'shop_hold';

export type BlockedOutcome = Readonly<{
  kind: 'blocked' | 'unblocked';
  /** Seats whose state changes, now or in the next moments. */
  seats: number;
  /** Seats that were so already. */
  unchanged: number;
}>;

export type Outcome =
  | HeldOutcome
  | SaleOutcome
  | Readonly<{ kind: 'extended'; hold: Hold; place: HoldPlace }>
  | LengthenedOutcome
  /** `released`: places that became free; 0: it had so many already. */
  | Readonly<{ kind: 'reduced'; hold: Hold; place: HoldPlace; released: number }>
  | ReleasedOutcome
  | BlockedOutcome
  | Readonly<{ kind: 'swept' }>
  | Readonly<{ kind: 'event_changed'; from: EventState; to: EventState }>
  | Readonly<{ kind: 'config_changed'; version: number }>
  | Refused
  /** A restricted zone is touched and nobody has looked who this is: ask, then decide again. */
  | NeedsMembership
  /** This flush has changed what it is about: decided in the next one, which reads it anew. */
  | Readonly<{ kind: 'again' }>;

export type RefusalCode =
  | 'forbidden'
  | 'event_not_available'
  | 'event_sales_closed'
  | 'seat_not_found'
  | 'zone_not_found'
  | 'hold_not_found'
  | 'zone_access_denied'
  | 'seat_held_by_another_user'
  | 'seat_not_available'
  | 'block_at_capacity'
  | 'orphan_rule'
  | 'no_adjacent_seats'
  | 'no_available_seats'
  | 'wheelchair_limit'
  | 'companion_reserved'
  | 'hold_limit_reached'
  | 'extension_limit_reached'
  | 'hold_expired'
  | 'hold_cannot_grow'
  | 'no_active_holds'
  | 'checkout_not_found'
  | 'checkout_closed'
  | 'payment_in_progress'
  | 'ticket_already_paid'
  | 'message_reused'
  | 'ticket_not_found'
  | 'ticket_ended'
  | 'wrong_state'
  | 'changed_meanwhile';

export type Refused = Readonly<{
  kind: 'refused';
  code: RefusalCode;
  /** Which parts of the wish failed and why; empty when it is not about parts. */
  items: readonly RefusedItem[];
  details?: Readonly<Record<string, unknown>>;
  /** Said instead of the code's own sentence. */
  message?: string;
}>;

export type RefusedItem = Readonly<{
  seat_id?: string;
  zone_id?: string;
  label?: string;
  code: RefusalCode;
  current_status?: SeatWord;
  until_ms?: number;
  /** What stood in the way, so that a stale refusal can be recognised. */
  ordinal?: number;
  zone?: number;
}>;

export function refused(
  code: RefusalCode,
  items: readonly RefusedItem[] = [],
  details?: Refused['details'],
): Refused {
  return { kind: 'refused', code, items, ...(details ? { details } : {}) };
}
