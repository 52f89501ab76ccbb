/**
 * Telemetry: the one typed list of things that happen inside the engine and that somebody may want
 * to count or read in a log. Rooms emit; the server turns emissions into metrics and log lines. It
 * knows no metrics library and no logger. Any room may emit; only the server listens.
 */

export type Telemetry = { emit(happening: Happening): void };

/** For log lines alone: ids never become labels of a metric. */
export type Ids = Readonly<Record<string, string>>;

/** Every happening has a `kind`; values are numbers, names of statements and codes. */
export type Happening =
  | { kind: 'postgres.statement'; name: string; duration_ms: number; failed: boolean }
  | { kind: 'postgres.retry'; transaction: string; code: string; attempt: number }
  | { kind: 'postgres.pool_full'; pool: string }
  | { kind: 'postgres.connection_lost'; pool: string; reason: string }
  | { kind: 'postgres.listening'; again: boolean }
  | { kind: 'board.loaded'; duration_ms: number; seats: number; ids: Ids }
  | { kind: 'board.other_lineage'; ids: Ids }
  | { kind: 'board.evicted'; bytes: number }
  | { kind: 'flush.done'; outcome: string; wishes: number; duration_ms: number }
  | { kind: 'flush.settled'; committed: boolean }
  | { kind: 'flush.trouble'; trouble: string; reason: string }
  | { kind: 'flush.guard'; reason: string; in_a_row: number }
  | { kind: 'writer.stopped'; reason: string }
  | { kind: 'command.broken'; command: string; reason: string }
  /** A rule that no sale is lost for has failed: the wish was fulfilled without it. */
  | { kind: 'rule.broken'; rule: string; reason: string }
  | { kind: 'hold.attempt'; seats: number }
  | { kind: 'hold.success'; seats: number }
  | { kind: 'hold.conflict'; code: string }
  | { kind: 'hold.extended' }
  | { kind: 'hold.ended'; reason: string; holds: number }
  | { kind: 'hold.refused_fast'; code: string }
  | { kind: 'entry.scanned'; status: string; reason: string }
  | { kind: 'checkout.closed'; status: string }
  | { kind: 'ticket.sold'; tickets: number }
  | { kind: 'refund.due'; reason: string }
  | { kind: 'payment.message'; type: string; outcome: string; repeated: boolean }
  /** Single seats that a choice has left over, and why it could. */
  | { kind: 'orphans.left'; orphans: number; reason: string; ids: Ids }
  | { kind: 'accessible.held'; spaces: number; companions: number }
  | { kind: 'companions.changed'; released: boolean }
  /** One frame went to so many clients of an event. */
  | { kind: 'stream.sent'; clients: number; bytes: number; duration_ms: number }
  | { kind: 'stream.dropped' }
  | { kind: 'stream.failed'; reason: string }
  | { kind: 'feed.failed'; reason: string }
  | { kind: 'job.failed'; job: string; reason: string }
  | { kind: 'sweep.run'; events: number; failed: number; duration_ms: number }
  | { kind: 'layout.version_changed'; before: number | null; after: number; ids: Ids }
  | { kind: 'redis.connection_lost'; reason: string }
  | { kind: 'redis.connected' }
  | { kind: 'redis.command'; name: string; duration_ms: number; failed: boolean }
  | { kind: 'redis.breaker'; state: 'closed' | 'open' | 'half_open'; reason: string }
  /** A hold went on without Redis, which is configured. */
  | { kind: 'hold.redis_fallback' }
  | { kind: 'warm.claim'; verdict: string; wishes: number }
  | { kind: 'warm.written'; revision: number; seats: number; duration_ms: number }
  /** Redis said something that is not so, and was put right. */
  | { kind: 'warm.healed'; keys: number }
  | { kind: 'warm.reconciled'; written: number; removed: number; duration_ms: number; ids: Ids }
  | { kind: 'warm.read'; what: string; hit: boolean }
  /** One try to tell an endpoint something: it arrived, will be tried again, or was given up. */
  | { kind: 'webhook.sent'; outcome: 'delivered' | 'failed' | 'dead'; duration_ms: number }
  /** Nothing is sent to this endpoint any more until somebody enables it. */
  | { kind: 'webhook.disabled'; reason: string; ids: Ids };

export const silentTelemetry: Telemetry = { emit: () => {} };

/** For tests: keeps what was emitted, so that a path can be shown to have been taken. */
export function recordingTelemetry(): Telemetry & { readonly happenings: Happening[] } {
  const happenings: Happening[] = [];
  return { happenings, emit: (happening) => happenings.push(happening) };
}
