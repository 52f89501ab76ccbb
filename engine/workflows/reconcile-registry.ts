import type { Board } from '#board';
import { LAST_ID, reasonOf } from '#kit';
import { askToCompare, boardsOf, type EventRef, eventIds } from '#registry';
import type { Scope } from '#scope';
import type { Reconciled, WarmTier } from '#warm';
import type { Caller, Engine } from './change.ts';

const LOOKS = 5;
const PAUSE_MS = 50;
/** What one event takes at most, unless its tables cannot be read. */
const EVENT_MS = 20_000;
/** Events of one question; those after them are asked for by the next. */
const EVENTS = 1_000;

export type RegistryReconciled = Readonly<{
  events: number;
  holds: number;
  /** Boards of this node that were not what Postgres has, and were loaded anew. */
  reloaded: number;
  written: number;
  removed: number;
  /** Events of which the board could not be loaded, or Redis not be written. */
  failed: number;
  /** Why the first of them failed. */
  reason?: string;
  /** There was no time for all: where to go on. */
  next?: Readonly<{ after: string }>;
  message: string;
}>;

export type ReconcileOutcome =
  | Readonly<{ kind: 'reconciled'; done: RegistryReconciled }>
  /** Memory is what Postgres has; Redis is not, and will be by itself. */
  | Readonly<{ kind: 'redis_unavailable'; done: RegistryReconciled }>
  | Readonly<{ kind: 'event_not_found' }>;

/**
 * Makes the memory of every node and Redis say what Postgres says: of one event, or of all that are
 * on sale. Boards that differ are thrown away and loaded anew; then Redis is compared with them.
 * What one event fails by keeps none of the others waiting.
 */
export async function reconcileRegistry(
  engine: Engine,
  caller: Pick<Caller, 'scope' | 'deadline_ms' | 'signal'>,
  eventId: string | null,
  after = LAST_ID,
): Promise<ReconcileOutcome> {
  const { scope } = caller;
  const sum = { events: 0, holds: 0, reloaded: 0, written: 0, removed: 0, failed: 0 };
  let isDown = false;
  let last: string | null = null;
  let more: Pick<RegistryReconciled, 'next' | 'reason'> = {};
  for await (const event_id of eventId ? [eventId] : allBoards(engine.postgres, scope, after)) {
    if (last !== null && isOver(engine, caller)) {
      more = { ...more, next: { after: last } };
      break;
    }
    last = event_id;
    const event = { scope, eventId: event_id };
    try {
      const board = await inMemory(engine, event, sum);
      if (!board || !engine.warm || isDown) continue;
      const done = await inRedis(engine, engine.warm, event);
      sum.written += done?.written ?? 0;
      sum.removed += done?.removed ?? 0;
    } catch (error) {
      const isAboutRedis = error instanceof RedisDown;
      // Of one event alone memory is right by now; else there is no answer.
      if (isAboutRedis || (eventId && sum.events > 0)) isDown = true;
      else if (eventId) throw error;
      else sum.failed++;
      if (isAboutRedis) continue;
      const reason = reasonOf(error);
      more = { reason, ...more };
      const ids = eventIds(event);
      engine.telemetry.emit({ kind: 'job.failed', job: 'reconcile', reason, ids });
    }
  }
  if (eventId && sum.events === 0) return { kind: 'event_not_found' };
  const message = messageOf({ ...sum, ...more }, engine.warm !== null, isDown);
  return { kind: isDown ? 'redis_unavailable' : 'reconciled', done: { ...sum, ...more, message } };
}

/** An event is not begun that may not be done in time. */
function isOver(
  { clock }: Engine,
  { deadline_ms, signal }: Pick<Caller, 'deadline_ms' | 'signal'>,
): boolean {
  if (signal?.aborted) return true;
  return deadline_ms !== undefined && clock.monotonic() > deadline_ms - EVENT_MS;
}

async function inMemory(
  { registry, postgres }: Engine,
  event: EventRef,
  sum: { events: number; holds: number; reloaded: number },
): Promise<Board | null> {
  const wasLoaded = registry.loadedBoard(event) !== null;
  if (!(await registry.current(event))) return null;
  if (wasLoaded && (await registry.memory.renew(event))) sum.reloaded++;
  // Nodes that keep a wrong board would write it to Redis again.
  await postgres.ask(event.scope, askToCompare(event.eventId));
  const board = await registry.current(event);
  if (!board) return null;
  sum.events++;
  sum.holds += board.holdCount;
  return board;
}

/** From an event on, without it. */
async function* allBoards(
  postgres: Engine['postgres'],
  scope: Scope,
  after: string,
): AsyncIterable<string> {
  for (let before = after; ; ) {
    const rows = await postgres.ask(scope, boardsOf(scope.organizationId, before, EVENTS));
    for (const { event_id } of rows) yield event_id;
    const last = rows.at(-1);
    if (!last || rows.length < EVENTS) return;
    before = last.event_id;
  }
}

const DOWN =
  'Redis cannot be brought up to date at the moment. Memory is what Postgres has; nodes ' +
  'reconcile Redis by themselves as soon as it answers again.';

class RedisDown extends Error {}

/** It may take a moment longer here than where buyers wait. */
async function inRedis(
  { clock }: Engine,
  warm: WarmTier,
  event: EventRef,
): Promise<Reconciled | null> {
  for (let looks = 1; warm.circuit.isClosed; looks++) {
    try {
      return await warm.reconcile(event);
    } catch (error) {
      if (looks < LOOKS) await clock.sleep(PAUSE_MS);
      else if (warm.circuit.isClosed) {
        // Something about this event; the watchman tries again.
        warm.mark(event);
        throw error;
      }
    }
  }
  throw new RedisDown();
}

function messageOf(
  { holds, reloaded, written, removed, failed, reason, next }: Sums,
  hasRedis: boolean,
  isDown: boolean,
): string {
  const entries = hasRedis
    ? `${written} entries of Redis written, ${removed} removed`
    : 'There is no Redis';
  const boards = `Boards of this node loaded anew: ${reloaded}; other nodes compare theirs.`;
  const failures = failed > 0 ? ` Events that failed: ${failed}; the first: ${reason}.` : '';
  const rest = next ? ' There was no time for all events: go on after `next`.' : '';
  return (isDown ? DOWN : `${entries}; ${holds} holds. ${boards}`) + failures + rest;
}

type Sums = Omit<RegistryReconciled, 'message' | 'events'>;
