/** For log lines alone: ids never become labels of a metric. */
export type Ids = Readonly<Record<string, string | number | readonly string[] | null>>;
/** Which event it was about, and whose: every line of level warn or above has them. */
export type EventIds = Readonly<{ organization_id: string; event_id: string }> & Ids;
/** An organization and what of it is meant, where that is no event. */
type OrganizationIds = Readonly<{ organization_id: string }> & Ids;
/** Asked only when a line is written: on the way of every hold nothing is collected in vain. */
export type LateIds = () => EventIds;

/** Which tiers a hold went through. */
type Method = 'redis' | 'postgres';

/** Every happening has a `kind`; values are numbers, names of statements and codes. */
export type Happening =
  | PostgresHappening
  | BoardHappening
  | HoldHappening
  | SaleHappening
  | StreamHappening
  | JobHappening
  | WarmHappening
  | WebhookHappening;

type PostgresHappening =
  | { kind: 'postgres.statement'; name: string; duration_ms: number; failed: boolean }
  | { kind: 'postgres.retry'; transaction: string; code: string; attempt: number }
  | { kind: 'postgres.pool_full'; pool: string }
  | { kind: 'postgres.connection_lost'; pool: string; reason: string }
  | { kind: 'postgres.listening'; again: boolean }
  /** The server cannot serve, or not now; `reason` is one of a short list. */
  | { kind: 'postgres.refused'; pool: string; reason: string }
  /** Whether writing is possible has changed: `ok`, or the reason in words. */
  | { kind: 'postgres.writable'; state: string; first: boolean }
  /** The oldest snapshot that anybody keeps open: it keeps dead rows alive for everybody. */
  | { kind: 'postgres.oldest_snapshot'; age_ms: number };

type BoardHappening =
  | { kind: 'board.loaded'; duration_ms: number; seats: number; ids: EventIds }
  | { kind: 'board.other_lineage'; ids: EventIds }
  | { kind: 'board.evicted'; bytes: number }
  /** A board was not what the tables have, or could not be compared, and is loaded anew. */
  | { kind: 'board.renewed'; compared: string; ids: EventIds }
  /** The database's clock was set, and this node has set the drift that takes it up. */
  | { kind: 'clock.stepped'; moved_ms: number; drift_ms: number; reason: string }
  /** `lock_ms`: until the event's lock was there and everything was read; `waited_ms`: before. */
  | {
      kind: 'flush.done';
      outcome: string;
      wishes: number;
      duration_ms: number;
      lock_ms: number;
      waited_ms: number;
    }
  | { kind: 'flush.settled'; committed: boolean; ids: EventIds }
  | { kind: 'flush.trouble'; trouble: string; reason: string; ids: EventIds }
  | { kind: 'flush.guard'; reason: string; in_a_row: number; ids: EventIds }
  | { kind: 'writer.stopped'; reason: string; ids: EventIds }
  | { kind: 'command.broken'; command: string; reason: string; ids: EventIds }
  /** A rule that no sale is lost for has failed: the wish was fulfilled without it. */
  | { kind: 'rule.broken'; rule: string; reason: string; ids: EventIds }
  /** Seats of one commit that are not what they were. */
  | { kind: 'seats.changed'; before: string; after: string; reason: string; ids: LateIds }
  /** Somebody who asked for a board, a layout, a number: which tier had it. */
  | { kind: 'cache.lookup'; what: string; source: CacheSource; hit: boolean; duration_ms: number }
  /** What a cache had is not what was written to it: it is not used, and written anew. */
  | { kind: 'cache.corrupt'; what: 'layout'; ids: OrganizationIds }
  /** The whole time until a layout was there, whichever tier had it. */
  | { kind: 'layout.loaded'; duration_ms: number }
  | { kind: 'layout.version_changed'; before: number | null; after: number; ids: OrganizationIds };

export type CacheSource = 'memory' | 'redis' | 'db';

type HoldHappening =
  | { kind: 'hold.attempt'; seats: number; method: Method; ids: LateIds }
  | { kind: 'hold.success'; seats: number; duration_ms: number; method: Method; ids: LateIds }
  | { kind: 'hold.conflict'; code: string; ids: LateIds }
  /** Neither fulfilled nor refused: a machine or a bug was in the way. */
  | { kind: 'hold.error'; reason: string; ids: LateIds }
  | { kind: 'hold.refused_fast'; code: string }
  /** Redis was asked before the hold was decided. */
  | { kind: 'hold.redis_success' }
  /** A hold went on without Redis, which is configured. */
  | { kind: 'hold.redis_fallback'; fallback: 'postgres'; ids: LateIds }
  | { kind: 'hold.extended'; holds: number; new_expiry_minutes: number; ids: LateIds }
  /** Places that were given back while their holds go on. */
  | { kind: 'hold.reduced'; holds: number; places: number }
  | { kind: 'hold.expired_before_checkout' }
  | { kind: 'hold.extension_failed'; reason: string; ids: EventIds }
  /** By time: how long each of them lasted, and how long each was over by then. */
  | {
      kind: 'hold.expired';
      reason: 'ttl_expired';
      holds: number;
      held_ms: readonly number[];
      late_ms: readonly number[];
      ids: LateIds;
    }
  /** By the buyer, staff or a payment that failed: how long each of them lasted. */
  | { kind: 'hold.released'; reason: string; holds: number; held_ms: readonly number[] }
  | { kind: 'hold.converted_to_ticket'; holds: number; held_ms: readonly number[]; ids: LateIds }
  | { kind: 'release.failed'; reason: string; code: string; ids: EventIds }
  /** Somebody gave back what had ended before: twice pressed, or two people at it. */
  | { kind: 'release.repeated'; holds: number }
  /** Single seats that a choice has left over, and why it could. */
  | { kind: 'orphans.left'; orphans: number; reason: string; ids: EventIds }
  | { kind: 'accessible.held'; spaces: number; companions: number; ids: LateIds }
  | { kind: 'companions.changed'; released: boolean }
  /** Somebody asked for a zone that is not for everybody. */
  | { kind: 'zone.access'; granted: boolean; reason: string; ids: LateIds };

type SaleHappening =
  | { kind: 'entry.scanned'; status: string; reason: string }
  | { kind: 'checkout.closed'; status: string }
  | { kind: 'ticket.sold'; tickets: number }
  | { kind: 'refund.due'; reason: string; ids: LateIds }
  | { kind: 'payment.message'; type: string; outcome: string; repeated: boolean }
  /** A request was answered by a code instead of what it asked for. */
  | { kind: 'http.refused'; code: string }
  /** A request had its answer already when another came: the other was dropped. */
  | { kind: 'http.answer_dropped'; at: string }
  /** An exception or a rejection without a caller: always a bug. */
  | { kind: 'bug.uncaught'; origin: string; node: 'goes on' | 'ends'; reason: string; ids: Ids };

type StreamHappening =
  /** One frame went to so many clients of an event; the oldest news in it were so old. */
  | {
      kind: 'stream.sent';
      clients: number;
      bytes: number;
      duration_ms: number;
      lag_ms: number | null;
    }
  | { kind: 'stream.dropped' }
  | { kind: 'stream.failed'; reason: string; ids: EventIds }
  /** Rows of other nodes were applied here, so long after their commit. */
  | { kind: 'feed.followed'; rows: number; lag_ms: number }
  /** Null: a look at the log of all events at once. */
  | { kind: 'feed.failed'; reason: string; ids: EventIds | null };

type JobHappening =
  | { kind: 'job.done'; job: string; duration_ms: number }
  /** Null: work for the node as a whole. */
  | { kind: 'job.failed'; job: string; reason: string; ids: EventIds | OrganizationIds | null }
  /** The reaper: events with something due, those that could not be flushed, holds that ended. */
  | { kind: 'reaper.run'; events: number; failed: number; holds: number; duration_ms: number }
  /** One of the events that could not be flushed. */
  | { kind: 'reaper.failed'; reason: string; ids: EventIds }
  /** One invariant was looked at, for so many events. */
  | { kind: 'invariant.checked'; invariant: string; events: number; duration_ms: number }
  | {
      kind: 'invariant.violated';
      invariant: string;
      found: number;
      reason: string;
      ids: EventIds;
    };

type WarmHappening =
  | { kind: 'redis.connection_lost'; reason: string }
  | { kind: 'redis.connected' }
  | { kind: 'redis.command'; name: string; duration_ms: number; failed: boolean }
  /** Failures since the last success, and what the last of them was. */
  | {
      kind: 'redis.breaker';
      state: 'closed' | 'open' | 'half_open';
      reason: string;
      failures: number;
      last_failure: string | null;
    }
  /** Redis was asked whether it is back, and is not. */
  | { kind: 'redis.probe_failed'; reason: string; failures: number }
  | { kind: 'warm.claim'; verdict: string; wishes: number }
  | { kind: 'warm.written'; revision: number; seats: number; duration_ms: number }
  /** Redis said something that is not so, and was put right. */
  | { kind: 'warm.healed'; keys: number; ids: EventIds }
  /** What a node had written for readers was changed since: it was not shown. */
  | { kind: 'warm.digest_mismatch'; what: string; ids: EventIds }
  | {
      kind: 'warm.reconciled';
      written: number;
      removed: number;
      duration_ms: number;
      ids: EventIds;
    };

type WebhookHappening =
  /** One try to tell an endpoint something: it arrived, will be tried again, or was given up. */
  | { kind: 'webhook.sent'; outcome: 'delivered' | 'failed' | 'dead'; duration_ms: number }
  /** Nothing is sent to this endpoint any more until somebody enables it. */
  | { kind: 'webhook.disabled'; reason: string; ids: OrganizationIds };
