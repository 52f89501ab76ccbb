import type { Membership, Role } from '#accounts';
import type { Checkout, MessageOutcome } from '#checkouts';
import type { EventState, EventStep } from '#events';
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

export type HoldItem =
  | Readonly<{ seat_id: string }>
  | Readonly<{ zone_id: string; quantity: number }>;

export type HoldCommand = Readonly<{
  kind: 'hold';
  user_id: string;
  items: readonly HoldItem[];
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
  entry: Readonly<{ action: string; changes: Readonly<Record<string, unknown>> }>;
}>;

/** Everything outside the board that a decision may rest on. */
export type Facts = Readonly<{
  now_ms: number;
  newId(): string;
  /** False: suspended. */
  organizationActive: boolean;
  /** By user; undefined for those that were not asked for. */
  memberships: ReadonlyMap<string, Membership | null>;
  /** Replaces the policy's minutes in demo mode and tests. */
  demoHoldSeconds: number | null;
  /** Those that were asked for, as they are under the event's lock. */
  checkouts: ReadonlyMap<string, Checkout>;
  tickets: ReadonlyMap<string, TicketRecord>;
  /** What messages have led to before, by `messageName`. */
  messages: ReadonlyMap<string, MessageOutcome>;
}>;

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
}>;

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
  | ReleasedOutcome
  | BlockedOutcome
  | Readonly<{ kind: 'swept' }>
  | Readonly<{ kind: 'event_changed'; from: EventState; to: EventState }>
  | Readonly<{ kind: 'config_changed'; version: number }>
  | Refused
  /** A restricted zone is touched and nobody has looked who this is: ask, then decide again. */
  | Readonly<{ kind: 'needs_membership'; user_id: string }>
  /** This flush has changed what it is about: decided in the next one, which reads it anew. */
  | Readonly<{ kind: 'again' }>;

export type RefusalCode =
  | 'event_not_available'
  | 'event_sales_closed'
  | 'seat_not_found'
  | 'zone_not_found'
  | 'hold_not_found'
  | 'zone_access_denied'
  | 'seat_held_by_another_user'
  | 'seat_not_available'
  | 'block_at_capacity'
  | 'hold_limit_reached'
  | 'extension_limit_reached'
  | 'hold_expired'
  | 'no_active_holds'
  | 'checkout_not_found'
  | 'checkout_closed'
  | 'payment_in_progress'
  | 'ticket_already_paid'
  | 'ticket_not_found'
  | 'ticket_ended'
  | 'wrong_state'
  | 'changed_meanwhile';

export type Refused = Readonly<{
  kind: 'refused';
  code: RefusalCode;
  /** Which parts of the wish failed and why; empty when it is not about parts. */
  items: readonly RefusedItem[];
  details?: Readonly<Record<string, string | number>>;
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
