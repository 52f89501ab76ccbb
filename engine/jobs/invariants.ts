import { ORGANIZATION_CHAIN, readEventHead, verifyChain } from '#audit';
import { hasWork } from '#board';
import { NIL_ID, reasonOf } from '#kit';
import type { Transaction } from '#postgres';
import { type EventRef, eventIds } from '#registry';
import { scopeOf } from '#scope';
import { type Engine, registryStatus } from '#workflows';
import {
  auditHashAt,
  type Contradictions,
  contradictingSeats,
  contradictingTickets,
  eventsAfter,
  oldestSnapshot,
  overdueHolds,
  strayRows,
  wrongCounters,
  wrongLogEnd,
} from './invariants.sql.ts';

/** What must be so at any moment, in one snapshot of one event. */
export const INVARIANTS = [
  'seats',
  'tickets',
  'counters',
  'overdue_holds',
  'log',
  'audit_chain',
  'tenancy',
  'memory',
  'redis',
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** Events of one round: at one round a minute a node looks at 300 of them in an hour. */
const EVENTS = 5;
/** About 25 ms of hashing. Longer chains are followed from here; the whole of one by the CLI. */
const MOST_AUDIT_ROWS = 5_000;
const OVERDUE_MINUTES = 5;
/** Longer than a lost answer is waited for, and than others need to see and mend it. */
const HEALED_MS = 6_000;

const SNAPSHOT = {
  name: 'invariants.check',
  pool: 'jobs',
  mode: 'isolation level repeatable read read only',
} as const;

type Check = (event: EventRef) => Promise<Contradictions>;

/** Looks at a few events each time, in turn, and says what contradicts itself. */
export class InvariantChecker {
  readonly #engine: Engine;
  readonly #checks: Readonly<Record<Invariant, Check>>;
  #after = NIL_ID;
  #stopping: AbortSignal | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#checks = {
      seats: this.#asking(contradictingSeats),
      tickets: this.#asking(contradictingTickets),
      counters: this.#asking(wrongCounters),
      overdue_holds: this.#asking((scope, event) => overdueHolds(scope, event, OVERDUE_MINUTES)),
      log: this.#asking(wrongLogEnd),
      audit_chain: (event) => this.#reading(event, (one) => verifyTail(one, event)),
      tenancy: this.#asking((organization) => strayRows(organization, NIL_ID)),
      memory: (event) => this.#compareMemory(event),
      redis: (event) => this.#compareRedis(event),
    };
  }

  /** A node that stops waits for nothing here. */
  async round(stopping?: AbortSignal): Promise<void> {
    this.#stopping = stopping;
    const events = await this.#next();
    for (const invariant of INVARIANTS) await this.#check(invariant, events);
    const [row] = await this.#engine.postgres.ask(null, oldestSnapshot(), { pool: 'jobs' });
    const age_ms = (row?.seconds ?? 0) * 1_000;
    this.#engine.telemetry.emit({ kind: 'postgres.oldest_snapshot', age_ms });
  }

  /** After the last one it begins with the first again. */
  async #next(): Promise<EventRef[]> {
    const rows = await this.#engine.postgres.ask(null, eventsAfter(this.#after, EVENTS), {
      pool: 'jobs',
    });
    this.#after = rows.length < EVENTS ? NIL_ID : (rows.at(-1)?.event_id ?? NIL_ID);
    return rows.map(({ organization_id, event_id }) => ({
      scope: scopeOf(organization_id),
      eventId: event_id,
    }));
  }

  /** One event that cannot be looked at keeps no other from it. */
  async #check(invariant: Invariant, events: readonly EventRef[]): Promise<void> {
    const { clock, telemetry } = this.#engine;
    const started = clock.monotonic();
    for (const event of events) {
      const ids = eventIds(event);
      try {
        const { found, example } = await this.#checks[invariant](event);
        if (found === 0) continue;
        const reason = `for example ${example}`;
        telemetry.emit({ kind: 'invariant.violated', invariant, found, reason, ids });
      } catch (error) {
        const reason = `${invariant}: ${reasonOf(error)}`;
        telemetry.emit({ kind: 'job.failed', job: 'invariants', reason, ids });
      }
    }
    const duration_ms = clock.monotonic() - started;
    telemetry.emit({ kind: 'invariant.checked', invariant, events: events.length, duration_ms });
  }

  #asking(question: typeof contradictingSeats): Check {
    return (event) =>
      this.#reading(event, async (transaction) => {
        const { organizationId } = event.scope;
        const [row] = await transaction.query(question(organizationId, event.eventId));
        return row ?? NOTHING;
      });
  }

  #reading<Result>(
    { scope }: EventRef,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#engine.postgres.transaction(scope, SNAPSHOT, work);
  }

  /**
   * The board in memory, if it is there, is what Postgres would give at the same revision. Whoever
   * commits meanwhile makes that worthless. It is not tried again before the event's next turn: a
   * board of 100,000 seats is not read over and over while its sale is at its busiest.
   */
  async #compareMemory(event: EventRef): Promise<Contradictions> {
    const { kind } = await this.#engine.registry.memory.compare(event);
    return kind === 'different' ? { found: 1, example: 'the board in memory' } : NOTHING;
  }

  /**
   * A commit whose answer was lost is in Redis when it has been looked up, seconds later, and what
   * a node could not write is put right by others: only what stays different is a contradiction.
   */
  async #compareRedis(event: EventRef): Promise<Contradictions> {
    const first = await this.#differsFromRedis(event);
    if (!first) return NOTHING;
    await this.#engine.clock.sleep(HEALED_MS, this.#stopping).catch(() => {});
    if (this.#stopping?.aborted) return NOTHING;
    const again = await this.#differsFromRedis(event);
    return again?.revision === first.revision ? { found: 1, example: again.message } : NOTHING;
  }

  /** Tiers are read one after the other: only what differs while nobody commits is different. */
  async #differsFromRedis({ scope, eventId }: EventRef) {
    const { registry, warm } = this.#engine;
    // Without the board nobody here writes to Redis, and what is there ends by itself.
    if (!warm?.circuit.isClosed || !registry.loadedBoard({ scope, eventId })) return null;
    const before = await registry.current({ scope, eventId });
    // What is over ends in Redis by itself, and in Postgres by the next commit.
    if (!before || hasWork(before, registry.now(before))) return null;
    const { revision } = before;
    const seen = await registryStatus(this.#engine, { scope }, eventId, { wholeBoard: false });
    if (seen?.status !== 'stale') return null;
    const after = await registry.current({ scope, eventId });
    return after?.revision === revision ? { revision, message: seen.message } : null;
  }
}

const NOTHING: Contradictions = { found: 0, example: null };

/** The end of an event's chain, which is all of it where it is not very long. */
async function verifyTail(
  transaction: Transaction,
  { scope, eventId }: EventRef,
): Promise<Contradictions> {
  const { organizationId } = scope;
  const [row] = await transaction.query(readEventHead(organizationId, eventId));
  if (!row || eventId === ORGANIZATION_CHAIN) return NOTHING;
  const head = { count: row.audit_count, hash: row.audit_head };
  const from = Math.max(0, head.count - MOST_AUDIT_ROWS);
  const [start] =
    from > 0 ? await transaction.query(auditHashAt(organizationId, eventId, from)) : [];
  if (from > 0 && !start) return { found: 1, example: `row ${from} is missing` };
  const trusted = start ? { trusted: { count: from, hash: start.hash } } : {};
  const verdict = await verifyChain(transaction, scope, { id: eventId, head, ...trusted });
  const { ok, first_bad } = verdict;
  return ok
    ? NOTHING
    : { found: 1, example: `row ${first_bad?.sequence} is ${first_bad?.problem}` };
}
