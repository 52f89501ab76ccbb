/** For log lines alone: ids never become labels of a metric. */
export type Ids = Readonly<Record<string, string | number | readonly string[] | null>>;
/** Asked only when a line is written: on the way of every hold nothing is collected in vain. */
type LateIds = () => Ids;

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
  | { kind: 'board.loaded'; duration_ms: number; seats: number; ids: Ids }
  | { kind: 'board.other_lineage'; ids: Ids }
  | { kind: 'board.evicted'; bytes: number }
  /** A board was not what the tables have, or could not be compared, and is loaded anew. */
  | { kind: 'board.renewed'; compared: string; ids: Ids }
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
  | { kind: 'flush.settled'; committed: boolean }
  | { kind: 'flush.trouble'; trouble: string; reason: string }
  | { kind: 'flush.guard'; reason: string; in_a_row: number }
  | { kind: 'writer.stopped'; reason: string }
  | { kind: 'command.broken'; command: string; reason: string }
  /** A rule that no sale is lost for has failed: the wish was fulfilled without it. */
  | { kind: 'rule.broken'; rule: string; reason: string }
  /** Seats of one commit that are not what they were. */
  | { kind: 'seats.changed'; before: string; after: string; reason: string; ids: LateIds }
  /** Somebody who asked for a board, a layout, a number: which tier had it. */
  | { kind: 'cache.lookup'; what: string; source: CacheSource; hit: boolean; duration_ms: number }
  /** The whole time until a layout was there, whichever tier had it. */
  | { kind: 'layout.loaded'; duration_ms: number }
  | { kind: 'layout.version_changed'; before: number | null; after: number; ids: Ids };

export type CacheSource = 'memory' | 'redis' | 'db';

type HoldHappening =
  | { kind: 'hold.attempt'; seats: number; method: Method }
  | { kind: 'hold.success'; seats: number; duration_ms: number; method: Method; ids: LateIds }
  | { kind: 'hold.conflict'; code: string; ids: LateIds }
  /** Neither fulfilled nor refused: a machine or a bug was in the way. */
  | { kind: 'hold.error'; reason: string }
  | { kind: 'hold.refused_fast'; code: string }
  /** Redis was asked before the hold was decided. */
  | { kind: 'hold.redis_success' }
  /** A hold went on without Redis, which is configured. */
  | { kind: 'hold.redis_fallback'; fallback: 'postgres' }
  | { kind: 'hold.extended'; holds: number; new_expiry_minutes: number }
  /** Places that were given back while their holds go on. */
  | { kind: 'hold.reduced'; holds: number; places: number }
  | { kind: 'hold.expired_before_checkout' }
  | { kind: 'hold.extension_failed'; reason: string }
  /** By time: they lasted so long, in the middle; `late_ms`: since the first of them was due. */
  | { kind: 'hold.expired'; holds: number; held_ms: number; late_ms: number }
  /** By somebody, after so long, in the middle. */
  | { kind: 'hold.released'; reason: string; holds: number; held_ms: number }
  | { kind: 'hold.converted_to_ticket'; holds: number; held_ms: number }
  | { kind: 'release.failed'; reason: string; code: string }
  /** Somebody gave back what had ended before: twice pressed, or two people at it. */
  | { kind: 'release.repeated'; holds: number }
  /** Single seats that a choice has left over, and why it could. */
  | { kind: 'orphans.left'; orphans: number; reason: string; ids: Ids }
  | { kind: 'accessible.held'; spaces: number; companions: number; ids: LateIds }
  | { kind: 'companions.changed'; released: boolean }
  /** Somebody asked for a zone that is not for everybody. */
  | { kind: 'zone.access'; granted: boolean; reason: string; ids: LateIds };

type SaleHappening =
  | { kind: 'entry.scanned'; status: string; reason: string }
  | { kind: 'checkout.closed'; status: string }
  | { kind: 'ticket.sold'; tickets: number }
  | { kind: 'refund.due'; reason: string }
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
  | { kind: 'stream.failed'; reason: string }
  /** Rows of other nodes were applied here, so long after their commit. */
  | { kind: 'feed.followed'; rows: number; lag_ms: number }
  | { kind: 'feed.failed'; reason: string };

type JobHappening =
  | { kind: 'job.done'; job: string; duration_ms: number }
  | { kind: 'job.failed'; job: string; reason: string }
  /** The sweep: events with something due, and those of them that could not be flushed. */
  | { kind: 'reaper.run'; events: number; failed: number; duration_ms: number }
  /** One invariant was looked at, for so many events. */
  | { kind: 'invariant.checked'; invariant: string; events: number; duration_ms: number }
  | { kind: 'invariant.violated'; invariant: string; found: number; reason: string; ids: Ids };

type WarmHappening =
  | { kind: 'redis.connection_lost'; reason: string }
  | { kind: 'redis.connected' }
  | { kind: 'redis.command'; name: string; duration_ms: number; failed: boolean }
  | { kind: 'redis.breaker'; state: 'closed' | 'open' | 'half_open'; reason: string }
  | { kind: 'warm.claim'; verdict: string; wishes: number }
  | { kind: 'warm.written'; revision: number; seats: number; duration_ms: number }
  /** Redis said something that is not so, and was put right. */
  | { kind: 'warm.healed'; keys: number }
  /** What a node had written for readers was changed since: it was not shown. */
  | { kind: 'warm.digest_mismatch'; what: string; ids: Ids }
  | { kind: 'warm.reconciled'; written: number; removed: number; duration_ms: number; ids: Ids };

type WebhookHappening =
  /** One try to tell an endpoint something: it arrived, will be tried again, or was given up. */
  | { kind: 'webhook.sent'; outcome: 'delivered' | 'failed' | 'dead'; duration_ms: number }
  /** Nothing is sent to this endpoint any more until somebody enables it. */
  | { kind: 'webhook.disabled'; reason: string; ids: Ids };
