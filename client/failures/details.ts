import type { ErrorCode } from '#shapes';

/**
 * Codes of the server, and four for what happens on the way: nobody could be reached, nobody
 * answered in time, the caller gave up, or the answer is none of the server's (a proxy's page).
 */
export type FailureCode = ErrorCode | 'network' | 'timeout' | 'aborted' | 'unreadable';

type Problem = { path: string; message: string; code?: string };

/** A seat that stands in the way of a group, with its own code. */
export type RefusedSeat = {
  seat_id: string;
  label?: string;
  error: ErrorCode;
  current_status?: string;
  expires_in_seconds?: number;
};
export type RefusedZone = { zone_id?: string; error: ErrorCode };

/** Which parts of a wish were refused; a wish for one thing may leave them out. */
type Parts = { seats?: RefusedSeat[]; zones?: RefusedZone[] };
type Limit = { limit: string; most: number };

/** What is free for parties of other sizes: tables that are sold as a whole, family blocks. */
type ForOthers = { tables?: number[]; families?: boolean };

/** What a code tells besides itself. A code that is not here tells nothing more. */
type Details = {
  invalid_request: { problems?: Problem[]; status?: string };
  layout_invalid: { problems: Problem[] };
  policy_locked: { problems?: Problem[] };
  event_not_available: { status?: string; missing?: string } & Parts;
  /**
   * `rule`: the field of the policy, or the kind of group, that forbids the choice. Of a group:
   * how many seats have to be added, and labels of those that there are.
   */
  forbidden: {
    scope?: string;
    organization?: 'suspended';
    rule?: string;
    needed?: number;
    missing?: string[];
  } & Parts;
  /** Places without a named person, the buyer's own tickets, and people who may not enter. */
  zone_access_denied: { unnamed?: number; owned?: number; people?: string[] } & Parts;
  seat_not_found: Parts;
  zone_not_found: Parts;
  hold_not_found: { hold_id?: string };
  seat_held_by_another_user: { expires_in_seconds?: number } & Parts;
  seat_not_available: { current_status?: string } & Parts;
  block_at_capacity: Parts;
  orphan_rule: {
    /** Labels of the seats that would be left alone. */
    orphans: string[];
    alternatives: { seats: { seat_id: string; label: string }[]; message: string }[];
  };
  wheelchair_limit: Partial<Limit> & Parts;
  companion_reserved: Parts;
  no_adjacent_seats: { rule?: string } & ForOthers;
  no_available_seats: ForOthers;
  hold_limit_reached: Limit & { held: number };
  /** How many places the hold has. */
  hold_cannot_grow: { quantity: number };
  payment_in_progress: Parts;
  checkout_closed: { status?: string; attempts?: number };
  rate_limited: { retry_after_seconds?: number };
  internal: { first_bad?: number };
  unavailable: { parts?: Record<string, string> };
  /** The first characters of what came instead of an answer. */
  unreadable: { text: string };
};

type Nothing = Readonly<Record<never, never>>;

export type DetailsOf<Code extends FailureCode> = Code extends keyof Details
  ? Details[Code]
  : Nothing;
